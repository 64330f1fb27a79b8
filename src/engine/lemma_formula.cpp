#include "engine/lemma_formula.hpp"

#include <bit>
#include <cstdint>

#include <fmt/core.h>

#include "base/contract.hpp"

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

// Sums with factors below 2^32 of fewer than 2^16 numbers of 64 bits are exact in 128.
std::string widest(const std::string& term) {
  return fmt::format("((_ sign_extend 64) {})", term);
}

std::string widest(model::Value value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return fmt::format("#x{:016x}{:016x}", value < 0 ? ~std::uint64_t{0} : 0, bits);
}

std::string name(Var var) {
  return var.position == Var::shared ? SmtLib::shared_name(var.slot)
                                     : SmtLib::local_name(static_cast<std::size_t>(var.position), var.slot);
}

// The low bits of the difference; they are fewer than 64, so that the result is not negative.
std::string way(const std::string& to, const std::string& from, const Atom& atom) {
  COHORT_EXPECT(atom.modulus > 0 && atom.modulus < 64, "a ring has fewer than 64 bits");
  return fmt::format("((_ zero_extend {}) ((_ extract {} 0) (bvsub {} {})))", 64 - atom.modulus, atom.modulus - 1, to,
                     from);
}

// A remainder by a power of two is what low bits say, and those of 64 are enough.
std::string low_bits(const lemma::Literal& literal) {
  const int width = std::countr_zero(static_cast<std::uint64_t>(literal.modulus));
  std::string sum = SmtLib::literal(0);
  for (const auto& [var, factor] : literal.terms) {
    sum = fmt::format("(bvadd {} (bvmul {} {}))", sum, SmtLib::literal(factor), name(var));
  }
  const std::string equal = fmt::format("(= ((_ extract {0} 0) {1}) ((_ extract {0} 0) {2}))", width - 1, sum,
                                        SmtLib::literal(literal.bound));
  return literal.relation == lemma::Literal::Relation::Equal ? equal : fmt::format("(not {})", equal);
}

std::string text(const lemma::Literal& literal) {
  COHORT_EXPECT(literal.modulus == 0 || literal.relation != lemma::Literal::Relation::AtMost,
                "remainders are equal or not");
  if (std::has_single_bit(static_cast<std::uint64_t>(literal.modulus)) && literal.modulus > 1) return low_bits(literal);
  std::string sum = widest(0);
  for (const auto& [var, factor] : literal.terms) {
    sum = fmt::format("(bvadd {} (bvmul {} {}))", sum, widest(factor), widest(name(var)));
  }
  if (literal.modulus != 0) sum = fmt::format("(bvsmod {} {})", sum, widest(literal.modulus));
  const std::string bound = widest(literal.bound);
  switch (literal.relation) {
    case lemma::Literal::Relation::AtMost: return fmt::format("(bvsle {} {})", sum, bound);
    case lemma::Literal::Relation::Equal: return fmt::format("(= {} {})", sum, bound);
    case lemma::Literal::Relation::Distinct: return fmt::format("(not (= {} {}))", sum, bound);
  }
  COHORT_UNREACHABLE("every relation is written");
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
    case Atom::Kind::Clause: {
      std::string result = "(or false";
      for (const lemma::Literal& literal : *atom.clause) result += ' ' + text(literal);
      return result + ')';
    }
    case Atom::Kind::Nearer: return fmt::format("(bvslt {} {})", way(x, y, atom), way(name(atom.z), y, atom));
    case Atom::Kind::Passed: return fmt::format("(bvsle {} {})", way(x, y, atom), way(x, name(atom.z), atom));
    case Atom::Kind::WayUpper:
      return fmt::format("(bvsle {} (bvadd {} {}))", wide(way(x, y, atom)), wide(name(atom.z)), wide(atom.c));
    case Atom::Kind::WayLower:
      return fmt::format("(bvsle (bvadd {} {}) {})", wide(name(atom.z)), wide(atom.c), wide(way(x, y, atom)));
    case Atom::Kind::Formula: break;
  }
  const auto position = static_cast<std::size_t>(atom.x.position);
  const std::string holds = smtlib_.condition(atom.expr, position, templates_[position]);
  return atom.negated ? fmt::format("(not {})", holds) : holds;
}

}  // namespace cohort::engine
