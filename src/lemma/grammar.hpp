// The candidates for invariants: which atoms are worth trying in a view.  Numbers are compared only where the program
// brings them together: two variables are of one kind if a chain of assignments, comparisons and sums connects them.
// The constants to compare with are those that the program uses on that kind, and their neighbours.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "lemma/atom.hpp"
#include "lemma/ghosts.hpp"
#include "lemma/views.hpp"
#include "model/passes/liveness.hpp"

namespace cohort::lemma {

struct GrammarOptions {
  bool implications = false;  // atoms under the premise that a variable with few values has one of them
  bool sums = false;          // x + y <= z + c
  bool equations = false;     // a * x + b * y + .. = c, whatever the factors
  bool crossed = true;        // also atoms that speak of the locals of several threads
};

class Grammar {
 public:
  // Of the commands' program.  Ghosts are compared with what they explain; they outlive it.
  Grammar(const model::Commands& commands, const Alphabet& alphabet, GrammarOptions options,
          const std::vector<Ghost>& ghosts);

  // Each once, in a fixed order.  A sample decides what is left out at once.
  std::vector<Atom> candidates(const View& view) const;
  // The variables between which equations are looked for.
  std::vector<std::pair<Var, model::Type>> dimensions(const View& view) const;
  // Constants that choices should fall on in random runs.
  const std::vector<model::Value>& constants() const { return constants_; }

 private:
  struct Known {
    Var var;
    std::size_t kind = 0;  // of numbers that are compared; Booleans have none
    bool is_boolean = false;
    model::Type type = model::Type::boolean();
  };
  struct Kind {
    std::set<model::Value> constants;
    std::set<model::Value> offsets;  // of differences
    std::set<model::Value> moduli;
  };

  void connect();
  // The kind of a number; it joins the kinds of all that it is made of.
  std::size_t visit(model::TemplateId templ, model::ExprId id, std::map<model::ExprId, std::size_t>& done);
  void visit_children(model::TemplateId templ, const model::Expr& node, std::map<model::ExprId, std::size_t>& done);
  std::size_t node_of(model::TemplateId templ, const model::Expr& variable) const;
  std::size_t find(std::size_t node) const;
  std::size_t unite(std::size_t one, std::size_t other);
  std::size_t fresh();
  void collect_formulas();
  void add_formula(model::TemplateId templ, model::ExprId root);
  void finish_kinds();

  std::vector<Known> variables(const View& view) const;
  void add_unary(const Known& one, std::vector<Atom>& atoms) const;
  void add_pair(const Known& one, const Known& other, std::vector<Atom>& atoms) const;
  void add_formulas(const View& view, std::vector<Atom>& atoms) const;
  // Where a ghost explains a way on a ring: how long it is, and what lies on it.
  void add_ways(const std::vector<Known>& known, std::vector<Atom>& atoms) const;
  void add_sums(const std::vector<Known>& known, std::vector<Atom>& atoms) const;
  void add_implications(const std::vector<Known>& known, std::vector<Atom>& atoms) const;

  const model::Commands& commands_;
  const Alphabet& alphabet_;
  GrammarOptions options_;
  const std::vector<Ghost>& ghosts_;
  model::LiveLocals live_;
  std::vector<std::size_t> first_local_;              // by template, into parents_
  mutable std::vector<std::size_t> parents_;          // union-find over variables
  std::vector<Kind> kinds_;                           // by root
  std::vector<std::vector<model::ExprId>> formulas_;  // by template
  std::vector<model::Value> constants_;
};

}  // namespace cohort::lemma
