// Atoms: the facts that invariants of a few threads are conjunctions of.  An atom speaks of the shared variables and of
// the locals of the threads in a view, by their position there.  Numbers in it are exact: x - y does not wrap around,
// whatever the types of x and y, so that an order of two counters says what it seems to say.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/commands.hpp"
#include "model/state.hpp"
#include "smt/command_terms.hpp"
#include "smt/horn.hpp"

namespace cohort::lemma {

// A variable, or an element of an array: a slot of the shared valuation, or of a thread's.
struct Var {
  static constexpr int shared = -1;

  int position = shared;
  std::uint32_t slot = 0;

  auto operator<=>(const Var&) const = default;
};

// factor * variable + ..  relation  bound; with a modulus, the remainder of the sum (not negative) is compared.
struct Literal {
  using Relation = smt::LinearLiteral::Relation;

  std::vector<std::pair<Var, model::Value>> terms;
  Relation relation = Relation::AtMost;
  model::Value bound = 0;
  model::Value modulus = 0;

  bool operator==(const Literal&) const = default;
};

struct Atom {
  enum class Kind : std::uint8_t {
    Difference,  // x - y <= c
    Distinct,    // x - y != c
    Upper,       // x <= c
    Lower,       // x >= c
    Other,       // x != c
    Congruent,   // x mod modulus = c
    Sum,         // x + y - z <= c
    Formula,     // `expr` of the thread at x.position holds
    Clause,      // one of the literals of `clause` holds
    // On the ring of numbers of `modulus` bits, with |x - y| for the way up from y to x:
    Nearer,    // |x - y| < |z - y|
    Passed,    // |x - y| <= |x - z|: on the way up to x, y has come as far as z, or farther
    WayUpper,  // |x - y| <= z + c
    WayLower,  // |x - y| >= z + c
  };

  Kind kind = Kind::Upper;
  Var x{};
  Var y{};
  Var z{};
  model::Value c = 0;
  model::Value modulus = 0;  // Congruent; of a ring: its bits
  model::ExprId expr{};
  bool negated = false;  // Formula: it does not hold
  std::shared_ptr<const std::vector<Literal>> clause{};
  // If set, only where this variable has this value.
  std::optional<std::pair<Var, model::Value>> premise{};

  bool operator==(const Atom&) const = default;
};

// The values in one state that a view sees.
struct Sample {
  model::Valuation shared;
  std::vector<model::Valuation> locals;  // by position

  model::Value of(Var var) const {
    return var.position == Var::shared ? shared[var.slot] : locals[static_cast<std::size_t>(var.position)][var.slot];
  }
};

// Terms in place of the values.  The template of each thread is known from the view.
struct Scenery {
  const smt::SymbolicValuation* shared = nullptr;
  std::vector<const smt::SymbolicValuation*> locals;
  std::vector<model::TemplateId> templates;
};

class Atoms {
 public:
  Atoms(const model::Commands& commands) : commands_(commands) {}

  bool holds(const Atom& atom, const Sample& sample, const std::vector<model::TemplateId>& templates) const;
  smt::Term term(const Atom& atom, const Scenery& scenery, smt::Translator& translator, smt::CommandTerms& terms) const;
  // As people read it.  Locals of the i-th thread of a view with several are marked with its number.
  std::string text(const Atom& atom, const std::vector<model::TemplateId>& templates) const;
  // Does it mention the variable?
  bool mentions_shared(const Atom& atom, const std::vector<bool>& slots) const;

 private:
  std::string name(Var var, const std::vector<model::TemplateId>& templates) const;
  std::string text(const Literal& literal, const std::vector<model::TemplateId>& templates) const;

  const model::Commands& commands_;
};

// Leaves out what others of the list imply by comparing constants, or through variables that are equal.
std::vector<Atom> undominated(const std::vector<Atom>& atoms);

}  // namespace cohort::lemma
