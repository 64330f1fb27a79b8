// Reading a model.  Z3 gives the predicates as formulas over numbered variables.  They are brought into negation normal
// form on the fly and multiplied out to clauses, as long as these are few; a conjunct that has quantifiers (of a rule
// that was inlined) or terms that are not linear is left out.
#include "smt/horn.hpp"

#include <z3.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/contract.hpp"

namespace cohort::smt {

namespace {

constexpr std::size_t most_clauses = 64;  // of one conjunct
constexpr std::int64_t most_factor = std::int64_t{1} << 31U;
constexpr std::int64_t most_bound = std::int64_t{1} << 62U;

struct Sum {
  std::map<std::size_t, std::int64_t> terms;
  std::int64_t constant = 0;
};

class Reader {
 public:
  explicit Reader(Z3_context context) : context_(context) {}

  std::vector<LinearClause> read(Z3_ast formula) {
    std::vector<LinearClause> result;
    conjuncts(formula, true, result);
    return result;
  }

 private:
  using Clauses = std::optional<std::vector<LinearClause>>;

  Z3_decl_kind kind(Z3_ast node) const {
    if (Z3_get_ast_kind(context_, node) != Z3_APP_AST) return Z3_OP_INTERNAL;
    return Z3_get_decl_kind(context_, Z3_get_app_decl(context_, Z3_to_app(context_, node)));
  }
  std::vector<Z3_ast> arguments(Z3_ast node) const {
    const Z3_app app = Z3_to_app(context_, node);
    std::vector<Z3_ast> result;
    for (unsigned i = 0; i < Z3_get_app_num_args(context_, app); ++i)
      result.push_back(Z3_get_app_arg(context_, app, i));
    return result;
  }
  bool is_variable(Z3_ast node) const { return Z3_get_ast_kind(context_, node) == Z3_VAR_AST; }
  bool is_boolean(Z3_ast node) const { return Z3_get_sort_kind(context_, Z3_get_sort(context_, node)) == Z3_BOOL_SORT; }

  // Each conjunct on its own, so that one that cannot be read costs no other.
  void conjuncts(Z3_ast node, bool positive, std::vector<LinearClause>& result) {
    const Z3_decl_kind op = kind(node);
    if (op == Z3_OP_NOT) return conjuncts(arguments(node)[0], !positive, result);
    if (op == (positive ? Z3_OP_AND : Z3_OP_OR)) {
      for (const Z3_ast argument : arguments(node)) conjuncts(argument, positive, result);
      return;
    }
    if (Clauses found = clauses(node, positive)) result.insert(result.end(), found->begin(), found->end());
  }

  Clauses clauses(Z3_ast node, bool positive) {
    const Z3_decl_kind op = kind(node);
    switch (op) {
      case Z3_OP_NOT: return clauses(arguments(node)[0], !positive);
      case Z3_OP_TRUE:
      case Z3_OP_FALSE: return (op == Z3_OP_TRUE) == positive ? Clauses({}) : Clauses(std::vector<LinearClause>{{}});
      case Z3_OP_AND:
      case Z3_OP_OR: return connective(arguments(node), positive, (op == Z3_OP_AND) == positive);
      case Z3_OP_IMPLIES: {
        const auto parts = arguments(node);
        const Clauses left = clauses(parts[0], !positive);
        const Clauses right = clauses(parts[1], positive);
        if (!left || !right) return std::nullopt;
        return positive ? product(*left, *right) : joined(*left, *right);
      }
      default: return literal(node, positive);
    }
  }

  static Clauses joined(std::vector<LinearClause> left, const std::vector<LinearClause>& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left.size() > most_clauses ? std::nullopt : Clauses(std::move(left));
  }
  static Clauses product(const std::vector<LinearClause>& left, const std::vector<LinearClause>& right) {
    std::vector<LinearClause> result;
    if (left.size() * right.size() > most_clauses) return std::nullopt;
    for (const LinearClause& one : left) {
      for (const LinearClause& other : right) {
        result.push_back(one);
        result.back().insert(result.back().end(), other.begin(), other.end());
      }
    }
    return result;
  }

  Clauses connective(const std::vector<Z3_ast>& parts, bool positive, bool conjunction) {
    Clauses result = conjunction ? Clauses(std::vector<LinearClause>{}) : Clauses(std::vector<LinearClause>{{}});
    for (const Z3_ast part : parts) {
      const Clauses found = clauses(part, positive);
      if (!found) return std::nullopt;
      result = conjunction ? joined(*result, *found) : product(*result, *found);
      if (!result) return std::nullopt;
    }
    return result;
  }

  Clauses literal(Z3_ast node, bool positive) {
    if (is_variable(node)) {
      const std::size_t index = Z3_get_index_value(context_, node);
      return one({{{index, 1}}, LinearLiteral::Relation::Equal, positive ? 1 : 0});
    }
    const Z3_decl_kind op = kind(node);
    const bool equality = op == Z3_OP_EQ || op == Z3_OP_IFF;
    const bool order = op == Z3_OP_LE || op == Z3_OP_GE || op == Z3_OP_LT || op == Z3_OP_GT;
    if (!equality && !order) return std::nullopt;
    const auto sides = arguments(node);
    if (equality) {
      if (const auto found = congruence(sides[0], sides[1], positive)) return found;
      if (const auto found = congruence(sides[1], sides[0], positive)) return found;
    }
    std::optional<Sum> left = sum(sides[0]);
    const std::optional<Sum> right = sum(sides[1]);
    if (!left || !right || !add(*left, *right, -1)) return std::nullopt;
    using Relation = LinearLiteral::Relation;
    if (equality) return one(compare(*left, positive ? Relation::Equal : Relation::Distinct, 0));
    // left <= 0 or one of its relatives; a strict or negated one moves the bound.
    const bool less = (op == Z3_OP_LE || op == Z3_OP_LT) == positive;
    const bool strict = (op == Z3_OP_LT || op == Z3_OP_GT) == positive;
    if (!less) {
      Sum negated;
      if (!add(negated, *left, -1)) return std::nullopt;
      left = negated;
    }
    return one(compare(*left, Relation::AtMost, strict ? -1 : 0));
  }

  // (t mod m) = c
  Clauses congruence(Z3_ast remainder, Z3_ast value, bool positive) {
    if (kind(remainder) != Z3_OP_MOD) return std::nullopt;
    const auto parts = arguments(remainder);
    const std::optional<Sum> operand = sum(parts[0]);
    const std::optional<Sum> modulus = sum(parts[1]);
    const std::optional<Sum> rest = sum(value);
    if (!operand || !modulus || !rest || !modulus->terms.empty() || !rest->terms.empty()) return std::nullopt;
    if (modulus->constant < 2 || modulus->constant > 1024) return std::nullopt;
    using Relation = LinearLiteral::Relation;
    LinearLiteral result = compare(*operand, positive ? Relation::Equal : Relation::Distinct, rest->constant);
    result.modulus = modulus->constant;
    result.bound = ((result.bound % result.modulus) + result.modulus) % result.modulus;
    return one(std::move(result));
  }

  static Clauses one(LinearLiteral literal) { return std::vector<LinearClause>{{std::move(literal)}}; }

  // sum, relation, bound
  static LinearLiteral compare(const Sum& sum, LinearLiteral::Relation relation, std::int64_t bound) {
    LinearLiteral result{{}, relation, bound - sum.constant};
    for (const auto& [argument, factor] : sum.terms) {
      if (factor != 0) result.terms.emplace_back(argument, factor);
    }
    return result;
  }

  // sum += factor * other; false: the numbers grow too large.
  static bool add(Sum& sum, const Sum& other, std::int64_t factor) {
    const auto scaled = [&](std::int64_t& target, std::int64_t value) {
      const Wide exact = static_cast<Wide>(target) + static_cast<Wide>(value) * factor;
      if (exact > most_bound || exact < -most_bound) return false;
      target = static_cast<std::int64_t>(exact);
      return true;
    };
    for (const auto& [argument, value] : other.terms) {
      if (!scaled(sum.terms[argument], value)) return false;
      if (sum.terms[argument] > most_factor || sum.terms[argument] < -most_factor) return false;
    }
    return scaled(sum.constant, other.constant);
  }

  std::optional<Sum> sum(Z3_ast node) {
    if (is_variable(node)) return Sum{{{Z3_get_index_value(context_, node), 1}}, 0};
    if (is_boolean(node)) {
      if (kind(node) == Z3_OP_TRUE) return Sum{{}, 1};
      if (kind(node) == Z3_OP_FALSE) return Sum{};
      if (kind(node) != Z3_OP_NOT || !is_variable(arguments(node)[0])) return std::nullopt;
      return Sum{{{Z3_get_index_value(context_, arguments(node)[0]), -1}}, 1};
    }
    Sum result;
    if (Z3_get_ast_kind(context_, node) == Z3_NUMERAL_AST) {
      if (!Z3_get_numeral_int64(context_, node, &result.constant)) return std::nullopt;
      return result.constant > most_bound || result.constant < -most_bound ? std::nullopt : std::optional(result);
    }
    const Z3_decl_kind op = kind(node);
    if (op == Z3_OP_UMINUS) {
      const auto operand = sum(arguments(node)[0]);
      return operand && add(result, *operand, -1) ? std::optional(result) : std::nullopt;
    }
    if (op == Z3_OP_ADD || op == Z3_OP_SUB) {
      std::int64_t factor = 1;
      for (const Z3_ast argument : arguments(node)) {
        const auto part = sum(argument);
        if (!part || !add(result, *part, factor)) return std::nullopt;
        if (op == Z3_OP_SUB) factor = -1;
      }
      return result;
    }
    if (op == Z3_OP_MUL) return scaled(arguments(node));
    return std::nullopt;
  }

  std::optional<Sum> scaled(const std::vector<Z3_ast>& factors) {
    if (factors.size() != 2) return std::nullopt;
    const auto left = sum(factors[0]);
    const auto right = sum(factors[1]);
    if (!left || !right || (!left->terms.empty() && !right->terms.empty())) return std::nullopt;
    Sum result;
    const bool constant_left = left->terms.empty();
    const bool fits = add(result, constant_left ? *right : *left, constant_left ? left->constant : right->constant);
    return fits ? std::optional(result) : std::nullopt;
  }

  Z3_context context_;
};

// The unknowns of a term: constants without an interpretation.
void collect_unknowns(Z3_context context, Z3_ast root, std::set<Z3_ast>& seen, std::vector<Z3_app>& result) {
  std::vector<Z3_ast> stack{root};
  while (!stack.empty()) {
    const Z3_ast node = stack.back();
    stack.pop_back();
    if (Z3_get_ast_kind(context, node) != Z3_APP_AST || !seen.insert(node).second) continue;
    const Z3_app app = Z3_to_app(context, node);
    const unsigned count = Z3_get_app_num_args(context, app);
    for (unsigned i = 0; i < count; ++i) stack.push_back(Z3_get_app_arg(context, app, i));
    const Z3_decl_kind kind = Z3_get_decl_kind(context, Z3_get_app_decl(context, app));
    if (count == 0 && kind == Z3_OP_UNINTERPRETED) result.push_back(app);
  }
}

void apply_settings(const HornSettings& settings) {
  const auto set = [](const char* name, bool value) { Z3_global_param_set(name, value ? "true" : "false"); };
  set("fp.spacer.use_euf_gen", settings.generalize_functions);
  set("fp.spacer.eq_prop", settings.propagate_equalities);
  set("fp.xform.inline_eager", settings.inline_rules);
  set("fp.xform.inline_linear", settings.inline_rules);
  set("fp.xform.slice", settings.inline_rules);
}

}  // namespace

std::size_t HornSystem::declare(const std::string& name, const std::vector<bool>& is_boolean) {
  const Z3_context context = context_.raw();
  std::vector<Z3_sort> sorts;
  for (const bool boolean : is_boolean) sorts.push_back(boolean ? Z3_mk_bool_sort(context) : Z3_mk_int_sort(context));
  predicates_.push_back(Z3_mk_func_decl(context, Z3_mk_string_symbol(context, name.c_str()),
                                        static_cast<unsigned>(sorts.size()), sorts.data(), Z3_mk_bool_sort(context)));
  return predicates_.size() - 1;
}

Term HornSystem::apply(std::size_t predicate, const std::vector<Datum>& arguments) {
  std::vector<Z3_ast> terms;
  for (const Datum& argument : arguments) {
    terms.push_back(argument.is_boolean ? argument.term.raw() : argument.number.term.raw());
  }
  return Term(Z3_mk_app(context_.raw(), predicates_[predicate], static_cast<unsigned>(terms.size()), terms.data()));
}

void HornSystem::add(std::span<const Term> body, Term head) {
  const Z3_context context = context_.raw();
  const Term premise = context_.conj(body);
  if (context_.is_false(premise)) return;
  const Z3_ast rule = Z3_mk_implies(context, premise.raw(), head.raw());
  std::set<Z3_ast> seen;
  std::vector<Z3_app> unknowns;
  collect_unknowns(context, rule, seen, unknowns);
  rules_.emplace_back(unknowns.empty() ? rule
                                       : Z3_mk_forall_const(context, 0, static_cast<unsigned>(unknowns.size()),
                                                            unknowns.data(), 0, nullptr, rule));
}

Answer HornSystem::solve(const HornSettings& settings, double seconds) {
  const Z3_context context = context_.raw();
  apply_settings(settings);
  Solver solver(env_, context_, {.logic = Logic::Horn, .dump_folder = {}});
  for (const Term rule : rules_) solver.add(rule);
  const Answer answer = solver.check({}, {.seconds = seconds, .conflicts = {}});
  reason_ = solver.reason();
  apply_settings({});
  if (answer != Answer::Satisfiable) return answer;
  models_.assign(predicates_.size(), {});
  for (std::size_t i = 0; i < predicates_.size(); ++i) {
    if (!Z3_model_has_interp(context, solver.model(), predicates_[i])) continue;
    if (Z3_get_arity(context, predicates_[i]) == 0) {
      const Z3_ast value = Z3_model_get_const_interp(context, solver.model(), predicates_[i]);
      if (value != nullptr) models_[i] = Reader(context).read(value);
      continue;
    }
    const Z3_func_interp found = Z3_model_get_func_interp(context, solver.model(), predicates_[i]);
    if (found == nullptr) continue;
    Z3_func_interp_inc_ref(context, found);
    models_[i] = Reader(context).read(Z3_func_interp_get_else(context, found));
    Z3_func_interp_dec_ref(context, found);
  }
  return answer;
}

}  // namespace cohort::smt
