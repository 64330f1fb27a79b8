#include "engine/lemma_formula.hpp"

#include <cstdint>

#include <fmt/core.h>

namespace cohort::engine {

using lemma::Atom;
using lemma::Var;
using result::SmtLib;

namespace {

// Differences and sums of 64-bit numbers are exact in 68 bits, which hexadecimal digits can say.
std::string wide(const std::string& term) {
  return fmt::format("((_ sign_extend 4) {})", term);
}

std::string wide(model::Value value) {
  return fmt::format("#x{}{:016x}", value < 0 ? 'f' : '0', static_cast<std::uint64_t>(value));
}

std::string name(Var var) {
  return var.position == Var::shared ? SmtLib::shared_name(var.slot)
                                     : SmtLib::local_name(static_cast<std::size_t>(var.position), var.slot);
}

}  // namespace

std::string LemmaFormula::write(const Atom& atom) {
  if (!atom.premise) return plain(atom);
  const auto& [var, value] = *atom.premise;
  return fmt::format("(=> (= {} {}) {})", name(var), SmtLib::literal(value), plain(atom));
}

std::string LemmaFormula::plain(const Atom& atom) {
  const std::string x = name(atom.x);
  const std::string y = name(atom.y);
  switch (atom.kind) {
    case Atom::Kind::Difference: return fmt::format("(bvsle {} (bvadd {} {}))", wide(x), wide(y), wide(atom.c));
    case Atom::Kind::Distinct: return fmt::format("(not (= {} (bvadd {} {})))", wide(x), wide(y), wide(atom.c));
    case Atom::Kind::Upper: return fmt::format("(bvsle {} {})", x, SmtLib::literal(atom.c));
    case Atom::Kind::Lower: return fmt::format("(bvsle {} {})", SmtLib::literal(atom.c), x);
    case Atom::Kind::Other: return fmt::format("(not (= {} {}))", x, SmtLib::literal(atom.c));
    case Atom::Kind::Congruent:
      return fmt::format("(= (bvsmod {} {}) {})", x, SmtLib::literal(atom.modulus), SmtLib::literal(atom.c));
    case Atom::Kind::Sum:
      return fmt::format("(bvsle (bvadd {} {}) (bvadd {} {}))", wide(x), wide(y), wide(name(atom.z)), wide(atom.c));
    case Atom::Kind::Formula: break;
  }
  const auto position = static_cast<std::size_t>(atom.x.position);
  const std::string holds = smtlib_.condition(atom.expr, position, templates_[position]);
  return atom.negated ? fmt::format("(not {})", holds) : holds;
}

}  // namespace cohort::engine
