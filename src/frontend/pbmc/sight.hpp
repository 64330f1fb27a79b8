// What the header says of single processes: their locals (P[2].x) and where they are (P[2] at l3).
//
// A local that a property speaks of becomes a shared variable, to which its process alone has access; a place becomes a
// shared Boolean that each step into the place or out of it sets.  So every engine takes such a property as one over
// shared variables, and it is exact for reductions which steps influence it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "frontend/pbmc/ast.hpp"
#include "frontend/pbmc/scope.hpp"
#include "model/program.hpp"

namespace cohort::frontend::pbmc {

// A label of the process that is lowered, and the shared Boolean that says whether it is there.
struct Place {
  std::string label;
  SourceSpan span;  // where the header speaks of it
  model::VarId var;
};

class Sight {
 public:
  // Which copy of which process; processes that have no number are copy 0.
  struct Copy {
    std::string process;
    model::Value number = 0;
    auto operator<=>(const Copy&) const = default;
  };

  // Everything that is seen of a process is noted before anything is lowered that sees it.
  void add(const Copy& copy, const Expression& seen, Symbol symbol);
  // Throws where the expression does not stand in the header.
  const Symbol& find(const Copy& copy, const Expression& seen) const;
  const Symbol* find_local(const Copy& copy, const std::string& local) const;
  std::vector<Place> places(const Copy& copy) const;
  // Is anything seen of any copy of the process?
  bool sees(const std::string& process) const;
  bool knows(const Copy& copy, const Expression& seen) const;

 private:
  using Key = std::tuple<Copy, Expression::Kind, std::string>;

  static Key key(const Copy& copy, const Expression& seen) { return {copy, seen.kind, seen.member}; }

  std::map<Key, Symbol> seen_;
};

}  // namespace cohort::frontend::pbmc
