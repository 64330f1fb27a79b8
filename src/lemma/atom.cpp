#include "lemma/atom.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/eval.hpp"
#include "model/print.hpp"

namespace cohort::lemma {

using model::Value;
using smt::Datum;
using smt::Number;
using smt::Term;
using smt::Wide;

namespace {

Value residue(Value value, Value modulus) {
  const Value rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

bool is_on_ring(Atom::Kind kind) {
  return kind == Atom::Kind::Nearer || kind == Atom::Kind::Passed || kind == Atom::Kind::WayUpper ||
         kind == Atom::Kind::WayLower;
}

const Datum& datum(Var var, const Scenery& scenery) {
  return var.position == Var::shared ? (*scenery.shared)[var.slot]
                                     : (*scenery.locals[static_cast<std::size_t>(var.position)])[var.slot];
}

Number number(Var var, const Scenery& scenery, smt::Translator& translator) {
  const Datum& value = datum(var, scenery);
  if (!value.is_boolean) return value.number;
  smt::Numbers& numbers = translator.numbers();
  return numbers.ite(value.term, numbers.constant(1), numbers.constant(0));
}

// x <= y
Term at_most(const Number& x, const Number& y, smt::Translator& translator) {
  return translator.context().negate(translator.numbers().less(y, x));
}

Term equals(Var var, Value value, const Scenery& scenery, smt::Translator& translator) {
  const Datum& read = datum(var, scenery);
  if (!read.is_boolean) return translator.numbers().equal(read.number, translator.numbers().constant(value));
  smt::Context& context = translator.context();
  if (value != 0 && value != 1) return context.falsity();
  return value == 1 ? read.term : context.negate(read.term);
}

Wide way(Wide to, Wide from, const Atom& atom) {
  const Wide size = Wide{1} << static_cast<unsigned>(atom.modulus);
  return (((to - from) % size) + size) % size;
}

bool literal_holds(const Literal& literal, const Sample& sample) {
  Wide sum = 0;
  for (const auto& [var, factor] : literal.terms) sum += static_cast<Wide>(factor) * sample.of(var);
  if (literal.modulus != 0) sum = ((sum % literal.modulus) + literal.modulus) % literal.modulus;
  switch (literal.relation) {
    case Literal::Relation::AtMost: return sum <= literal.bound;
    case Literal::Relation::Equal: return sum == literal.bound;
    case Literal::Relation::Distinct: return sum != literal.bound;
  }
  COHORT_UNREACHABLE("every relation is looked at");
}

Term literal_term(const Literal& literal, const Scenery& scenery, smt::Translator& translator) {
  smt::Context& context = translator.context();
  smt::Numbers& numbers = translator.numbers();
  Number sum = numbers.constant(0);
  for (const auto& [var, factor] : literal.terms) {
    sum = numbers.add(sum, numbers.mul(numbers.constant(factor), number(var, scenery, translator)));
  }
  const Number bound = numbers.constant(literal.bound);
  if (literal.relation == Literal::Relation::AtMost) return at_most(sum, bound, translator);
  Term equal = numbers.equal(sum, bound);
  const auto modulus = static_cast<std::uint64_t>(literal.modulus);
  if (literal.modulus != 0 && std::has_single_bit(modulus)) {
    const auto width = static_cast<unsigned>(std::countr_zero(modulus));
    equal = numbers.equal(numbers.wrap(sum, width, false), bound);
  } else if (literal.modulus != 0) {
    const Number rest = numbers.mod(sum, numbers.constant(literal.modulus));
    equal = numbers.equal(rest, bound);
    if (literal.bound != 0)
      equal = context.disj(equal, numbers.equal(rest, numbers.constant(literal.bound - literal.modulus)));
  }
  return literal.relation == Literal::Relation::Equal ? equal : context.negate(equal);
}

}  // namespace

bool Atoms::holds(const Atom& atom, const Sample& sample, const std::vector<model::TemplateId>& templates) const {
  if (atom.premise && sample.of(atom.premise->first) != atom.premise->second) return true;
  const auto of = [&](Var var) { return static_cast<Wide>(sample.of(var)); };
  switch (atom.kind) {
    case Atom::Kind::Difference: return of(atom.x) - of(atom.y) <= atom.c;
    case Atom::Kind::Distinct: return of(atom.x) - of(atom.y) != atom.c;
    case Atom::Kind::Upper: return of(atom.x) <= atom.c;
    case Atom::Kind::Lower: return of(atom.x) >= atom.c;
    case Atom::Kind::Other: return of(atom.x) != atom.c;
    case Atom::Kind::Congruent: return residue(sample.of(atom.x), atom.modulus) == atom.c;
    case Atom::Kind::Sum: return of(atom.x) + of(atom.y) - of(atom.z) <= atom.c;
    case Atom::Kind::Clause:
      return std::any_of(atom.clause->begin(), atom.clause->end(),
                         [&](const Literal& literal) { return literal_holds(literal, sample); });
    case Atom::Kind::Nearer: return way(of(atom.x), of(atom.y), atom) < way(of(atom.z), of(atom.y), atom);
    case Atom::Kind::Passed: return way(of(atom.x), of(atom.y), atom) <= way(of(atom.x), of(atom.z), atom);
    case Atom::Kind::WayUpper: return way(of(atom.x), of(atom.y), atom) <= of(atom.z) + atom.c;
    case Atom::Kind::WayLower: return way(of(atom.x), of(atom.y), atom) >= of(atom.z) + atom.c;
    case Atom::Kind::Formula: break;
  }
  const auto position = static_cast<std::size_t>(atom.x.position);
  const model::ThreadState self{templates[position], {}, false, sample.locals[position]};
  model::EvalContext context;
  context.program = &commands_.program();
  context.shared = &sample.shared;
  context.self = &self;
  const bool value = model::evaluate(context, atom.expr) != 0;
  COHORT_EXPECT(!context.fault, "formulas of atoms cannot fault");
  return value != atom.negated;
}

Term Atoms::term(const Atom& atom, const Scenery& scenery, smt::Translator& translator,
                 smt::CommandTerms& terms) const {
  smt::Context& context = translator.context();
  smt::Numbers& numbers = translator.numbers();
  if (atom.premise) {
    Atom plain = atom;
    plain.premise.reset();
    const Term premise = equals(atom.premise->first, atom.premise->second, scenery, translator);
    return context.implies(premise, term(plain, scenery, translator, terms));
  }
  const auto of = [&](Var var) { return number(var, scenery, translator); };
  switch (atom.kind) {
    case Atom::Kind::Difference:
      return at_most(of(atom.x), numbers.add(of(atom.y), numbers.constant(atom.c)), translator);
    case Atom::Kind::Distinct:
      return context.negate(numbers.equal(of(atom.x), numbers.add(of(atom.y), numbers.constant(atom.c))));
    case Atom::Kind::Upper: return at_most(of(atom.x), numbers.constant(atom.c), translator);
    case Atom::Kind::Lower: return at_most(numbers.constant(atom.c), of(atom.x), translator);
    case Atom::Kind::Other: return context.negate(equals(atom.x, atom.c, scenery, translator));
    case Atom::Kind::Congruent: {
      const Number rest = numbers.mod(of(atom.x), numbers.constant(atom.modulus));
      const Term exact = numbers.equal(rest, numbers.constant(atom.c));
      if (atom.c == 0) return exact;
      return context.disj(exact, numbers.equal(rest, numbers.constant(atom.c - atom.modulus)));
    }
    case Atom::Kind::Sum: {
      const Number sum = numbers.add(of(atom.x), of(atom.y));
      return at_most(sum, numbers.add(of(atom.z), numbers.constant(atom.c)), translator);
    }
    case Atom::Kind::Clause: {
      std::vector<Term> literals;
      for (const Literal& literal : *atom.clause) literals.push_back(literal_term(literal, scenery, translator));
      return context.disj(literals);
    }
    case Atom::Kind::Nearer:
    case Atom::Kind::Passed:
    case Atom::Kind::WayUpper:
    case Atom::Kind::WayLower: {
      const auto between = [&](Var to, Var from) {
        const auto bits = static_cast<unsigned>(atom.modulus);
        return numbers.wrapping(smt::Context::BitOp::Sub, of(to), of(from), bits, false);
      };
      const auto way = [&](Var to) { return between(to, atom.y); };
      if (atom.kind == Atom::Kind::Nearer) return numbers.less(way(atom.x), way(atom.z));
      if (atom.kind == Atom::Kind::Passed) return at_most(way(atom.x), between(atom.x, atom.z), translator);
      const Number bound = numbers.add(of(atom.z), numbers.constant(atom.c));
      return atom.kind == Atom::Kind::WayUpper ? at_most(way(atom.x), bound, translator)
                                               : at_most(bound, way(atom.x), translator);
    }
    case Atom::Kind::Formula: break;
  }
  const auto position = static_cast<std::size_t>(atom.x.position);
  const Term holds =
      terms.expression(atom.expr, scenery.templates[position], *scenery.shared, *scenery.locals[position]).value.term;
  return atom.negated ? context.negate(holds) : holds;
}

std::string Atoms::name(Var var, const std::vector<model::TemplateId>& templates) const {
  const model::Program& program = commands_.program();
  const bool shared = var.position == Var::shared;
  const auto& variables =
      shared ? program.shared : program.templ(templates[static_cast<std::size_t>(var.position)]).locals;
  const auto it = std::find_if(variables.begin(), variables.end(), [&](const model::Variable& variable) {
    return variable.slot <= var.slot && var.slot < variable.slot + variable.type.slots();
  });
  COHORT_EXPECT(it != variables.end(), "every slot belongs to a variable");
  std::string result = it->name;
  if (it->type.is_array()) result += fmt::format("[{}]", var.slot - it->slot);
  if (!shared && templates.size() > 1) result += fmt::format("#{}", var.position + 1);
  return result;
}

std::string Atoms::text(const Literal& literal, const std::vector<model::TemplateId>& templates) const {
  // What is taken away goes to the other side.
  std::string left;
  std::string right;
  for (const auto& [var, factor] : literal.terms) {
    std::string& side = factor > 0 || literal.modulus != 0 ? left : right;
    const Value size = literal.modulus != 0 ? factor : std::abs(factor);
    side += fmt::format("{}{}{}", side.empty() ? "" : " + ", size == 1 ? "" : fmt::format("{} * ", size),
                        name(var, templates));
  }
  if (left.empty()) left = "0";
  if (right.empty() || literal.bound != 0) {
    right += right.empty() ? fmt::format("{}", literal.bound)
                           : fmt::format(" {} {}", literal.bound < 0 ? '-' : '+', std::abs(literal.bound));
  }
  if (literal.modulus != 0) left = fmt::format("({}) mod {}", left, literal.modulus);
  const char* relation = literal.relation == Literal::Relation::AtMost  ? "<="
                         : literal.relation == Literal::Relation::Equal ? "=="
                                                                        : "!=";
  return fmt::format("{} {} {}", left, relation, right);
}

std::string Atoms::text(const Atom& atom, const std::vector<model::TemplateId>& templates) const {
  if (atom.premise) {
    Atom plain = atom;
    plain.premise.reset();
    return fmt::format("{} == {} ==> {}", name(atom.premise->first, templates), atom.premise->second,
                       text(plain, templates));
  }
  const auto offset = [&]() -> std::string {
    if (atom.c == 0) return "";
    return atom.c > 0 ? fmt::format(" + {}", atom.c) : fmt::format(" - {}", -atom.c);
  };
  const auto of = [&](Var var) { return name(var, templates); };
  switch (atom.kind) {
    case Atom::Kind::Difference: return fmt::format("{} <= {}{}", of(atom.x), of(atom.y), offset());
    case Atom::Kind::Distinct: return fmt::format("{} != {}{}", of(atom.x), of(atom.y), offset());
    case Atom::Kind::Upper: return fmt::format("{} <= {}", of(atom.x), atom.c);
    case Atom::Kind::Lower: return fmt::format("{} >= {}", of(atom.x), atom.c);
    case Atom::Kind::Other: return fmt::format("{} != {}", of(atom.x), atom.c);
    case Atom::Kind::Congruent: return fmt::format("{} mod {} == {}", of(atom.x), atom.modulus, atom.c);
    case Atom::Kind::Sum: return fmt::format("{} + {} <= {}{}", of(atom.x), of(atom.y), of(atom.z), offset());
    case Atom::Kind::Clause: {
      std::string result;
      for (const Literal& literal : *atom.clause) result += (result.empty() ? "" : " || ") + text(literal, templates);
      return result.empty() ? "false" : result;
    }
    case Atom::Kind::Nearer: return fmt::format("|{0} - {1}| < |{2} - {1}|", of(atom.x), of(atom.y), of(atom.z));
    case Atom::Kind::Passed: return fmt::format("|{0} - {1}| <= |{0} - {2}|", of(atom.x), of(atom.y), of(atom.z));
    case Atom::Kind::WayUpper: return fmt::format("|{} - {}| <= {}{}", of(atom.x), of(atom.y), of(atom.z), offset());
    case Atom::Kind::WayLower: return fmt::format("|{} - {}| >= {}{}", of(atom.x), of(atom.y), of(atom.z), offset());
    case Atom::Kind::Formula: break;
  }
  const model::Template& templ = commands_.program().templ(templates[static_cast<std::size_t>(atom.x.position)]);
  std::string formula = model::to_string(commands_.program(), &templ, atom.expr);
  if (atom.negated) formula = fmt::format("!({})", formula);
  return templates.size() > 1 ? fmt::format("({})#{}", formula, atom.x.position + 1) : formula;
}

bool Atoms::mentions_shared(const Atom& atom, const std::vector<bool>& slots) const {
  const auto is_one = [&](Var var) { return var.position == Var::shared && slots[var.slot]; };
  if (atom.premise && is_one(atom.premise->first)) return true;
  if (atom.kind == Atom::Kind::Clause) {
    return std::any_of(atom.clause->begin(), atom.clause->end(), [&](const Literal& literal) {
      return std::any_of(literal.terms.begin(), literal.terms.end(),
                         [&](const auto& term) { return is_one(term.first); });
    });
  }
  if (atom.kind != Atom::Kind::Formula) {
    const bool two = atom.kind == Atom::Kind::Difference || atom.kind == Atom::Kind::Distinct;
    const bool three = atom.kind == Atom::Kind::Sum || is_on_ring(atom.kind);
    return is_one(atom.x) || ((two || three) && is_one(atom.y)) || (three && is_one(atom.z));
  }
  bool found = false;
  model::for_each_node(commands_.program().exprs, atom.expr, [&](const model::Expr& node, model::ExprId) {
    if (node.op != model::Op::SharedVar) return;
    const model::Variable& variable = commands_.program().shared[node.var.value];
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i) found = found || slots[variable.slot + i];
  });
  return found;
}

namespace {

// What a conjunction of atoms without premises says of single variables and of pairs, for leaving out what follows.
// Bounds of single variables are never left out for others than bounds; what makes two variables equal is left out only
// for bounds; atoms of two representatives as well; and the rest may follow from all of these: no circle is possible.
class Digest {
 public:
  explicit Digest(const std::vector<Atom>& atoms) {
    for (const Atom& atom : atoms) {
      if (!atom.premise) add(atom);
    }
    for (const auto& [pair, bound] : differences_) {
      if (bound > 0 || !(pair.second < pair.first)) continue;
      const auto back = differences_.find({pair.second, pair.first});
      if (back != differences_.end() && back->second <= 0) equals_.try_emplace(pair.first, pair.second);
    }
  }

  // The least variable that it is known to equal.
  Var representative(Var var) const {
    for (auto it = equals_.find(var); it != equals_.end(); it = equals_.find(var)) var = it->second;
    return var;
  }

  bool implies(const Atom& atom) const {
    if (atom.premise) {
      const auto& [var, value] = *atom.premise;
      if (value < lower(var) || value > upper(var)) return true;
      Atom plain = atom;
      plain.premise.reset();
      return states(plain) || implies(plain);
    }
    switch (atom.kind) {
      case Atom::Kind::Difference: return upper(atom.x) - lower(atom.y) <= atom.c || by_representatives(atom);
      case Atom::Kind::Distinct:
        return upper(atom.x) - lower(atom.y) < atom.c || lower(atom.x) - upper(atom.y) > atom.c ||
               difference(atom.x, atom.y) < atom.c || -difference(atom.y, atom.x) > atom.c || by_representatives(atom);
      case Atom::Kind::Upper: return upper(atom.x) < atom.c;
      case Atom::Kind::Lower: return lower(atom.x) > atom.c;
      case Atom::Kind::Other: return upper(atom.x) < atom.c || lower(atom.x) > atom.c;
      case Atom::Kind::Congruent:
        return lower(atom.x) == upper(atom.x) && residue(static_cast<Value>(lower(atom.x)), atom.modulus) == atom.c;
      case Atom::Kind::Sum: return upper(atom.x) + upper(atom.y) - lower(atom.z) <= atom.c;
      case Atom::Kind::Formula:
      case Atom::Kind::Clause:
      case Atom::Kind::Nearer:
      case Atom::Kind::Passed:
      case Atom::Kind::WayUpper:
      case Atom::Kind::WayLower: return false;
    }
    return false;
  }

 private:
  static constexpr Wide endless = Wide{1} << 80U;

  void add(const Atom& atom) {
    stated_.emplace(atom.kind, atom.x, atom.y, atom.c, atom.modulus);
    const auto raise = [](auto& map, const auto& key, Wide value, bool least) {
      const auto [it, inserted] = map.emplace(key, value);
      if (!inserted) it->second = least ? std::min(it->second, value) : std::max(it->second, value);
    };
    if (atom.kind == Atom::Kind::Upper) raise(uppers_, atom.x, atom.c, true);
    if (atom.kind == Atom::Kind::Lower) raise(lowers_, atom.x, atom.c, false);
    if (atom.kind == Atom::Kind::Difference) raise(differences_, std::pair(atom.x, atom.y), atom.c, true);
  }

  Wide upper(Var var) const {
    const auto it = uppers_.find(var);
    return it == uppers_.end() ? endless : it->second;
  }
  Wide lower(Var var) const {
    const auto it = lowers_.find(var);
    return it == lowers_.end() ? -endless : it->second;
  }
  Wide difference(Var x, Var y) const {
    const auto it = differences_.find({x, y});
    return it == differences_.end() ? endless : it->second;
  }

  bool states(const Atom& atom) const {
    return stated_.contains({atom.kind, atom.x, atom.y, atom.c, atom.modulus}) && atom.kind != Atom::Kind::Formula &&
           atom.kind != Atom::Kind::Clause && atom.kind != Atom::Kind::Sum && !is_on_ring(atom.kind);
  }

  // The same of variables that are known to be equal to these, unless it is what makes them equal.
  bool by_representatives(const Atom& atom) const {
    const bool pair = atom.kind == Atom::Kind::Difference || atom.kind == Atom::Kind::Distinct;
    Atom other = atom;
    other.x = representative(atom.x);
    if (pair) other.y = representative(atom.y);
    if (other.x == atom.x && (!pair || other.y == atom.y)) return false;
    if (pair && other.x == other.y) {
      const bool holds = atom.kind == Atom::Kind::Difference ? atom.c >= 0 : atom.c != 0;
      return holds && !is_link(atom.x, atom.y) && !is_link(atom.y, atom.x);
    }
    return states(other);
  }

  bool is_link(Var from, Var to) const {
    const auto it = equals_.find(from);
    return it != equals_.end() && it->second == to;
  }

  std::map<Var, Wide> uppers_;
  std::map<Var, Wide> lowers_;
  std::map<std::pair<Var, Var>, Wide> differences_;
  std::map<Var, Var> equals_;  // a link to a smaller one
  std::set<std::tuple<Atom::Kind, Var, Var, Value, Value>> stated_;
};

}  // namespace

std::vector<Atom> undominated(const std::vector<Atom>& atoms) {
  using Key = std::tuple<Atom::Kind, Var, Var, Var, std::optional<std::pair<Var, Value>>>;
  const auto key = [](const Atom& atom) { return Key(atom.kind, atom.x, atom.y, atom.z, atom.premise); };
  const auto is_bound = [](const Atom& atom) {
    return atom.kind == Atom::Kind::Difference || atom.kind == Atom::Kind::Upper || atom.kind == Atom::Kind::Lower ||
           atom.kind == Atom::Kind::Sum;
  };
  std::map<Key, Value> best;
  for (const Atom& atom : atoms) {
    if (!is_bound(atom)) continue;
    const auto [it, inserted] = best.emplace(key(atom), atom.c);
    if (!inserted) {
      it->second = atom.kind == Atom::Kind::Lower ? std::max(it->second, atom.c) : std::min(it->second, atom.c);
    }
  }
  const Digest digest(atoms);
  std::vector<Atom> result;
  for (const Atom& atom : atoms) {
    if (is_bound(atom) && best.at(key(atom)) != atom.c) continue;
    if (!digest.implies(atom)) result.push_back(atom);
  }
  return result;
}

}  // namespace cohort::lemma
