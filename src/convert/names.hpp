// Identifiers for target languages: the program's own names where they are legal, else the nearest legal ones, never
// the same twice and never a reserved word (in any spelling of capitals, which Murphi ignores in its keywords).
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace cohort::convert {

class Names {
 public:
  // `reserved`: words separated by blanks; `word*` stands for the word followed by any number.
  explicit Names(std::string_view reserved);

  // A fresh identifier of letters, digits and underscores that begins with a letter.
  std::string fresh(std::string_view wanted);

 private:
  bool is_free(const std::string& name) const;

  std::unordered_set<std::string> reserved_;  // in lower case
  std::unordered_set<std::string> taken_;
};

}  // namespace cohort::convert
