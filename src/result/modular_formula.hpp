// A formula of a certificate, cut into tokens, of which only operators, literals and variables of its view are let
// through, and which is one expression: text that comes from outside is handed to a solver, and must not be able to end
// the assertion it stands in.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace cohort::result {

class ViewFormula {
 public:
  // Throws Refuted where the text is not such a formula.
  ViewFormula(const std::string& text, const std::function<bool(const std::string&)>& is_variable);

  // With these terms in place of g<i> and of t<p>.<i>.
  std::string instance(const std::vector<std::string>& shared,
                       const std::vector<const std::vector<std::string>*>& locals) const;
  bool mentions(const std::set<std::string>& names) const;

 private:
  std::vector<std::string> tokens_;
};

}  // namespace cohort::result
