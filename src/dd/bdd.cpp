#include "dd/bdd.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "dd/library.hpp"

namespace cohort::dd {

namespace {

// Above this node number of the variable set, bdd_appex could take one set for another (see bdd.hpp).
constexpr int largest_fused_set = 1 << 23;

void expect_variable(Var variable) {
  COHORT_EXPECT(variable < static_cast<std::uint32_t>(bdd_varnum()), "the variable exists");
}

}  // namespace

Var Bdd::root() const {
  COHORT_EXPECT(!is_constant(), "a constant has no root variable");
  return static_cast<Var>(bdd_var(id_));
}

Bdd Bdd::low() const {
  COHORT_EXPECT(!is_constant(), "a constant has no cofactors");
  return Bdd(Raw{bdd_low(id_)});
}

Bdd Bdd::high() const {
  COHORT_EXPECT(!is_constant(), "a constant has no cofactors");
  return Bdd(Raw{bdd_high(id_)});
}

Bdd& Bdd::operator&=(const Bdd& other) {
  return *this = *this & other;
}
Bdd& Bdd::operator|=(const Bdd& other) {
  return *this = *this | other;
}

VarSet::VarSet(std::vector<Var> variables) : variables_(std::move(variables)) {
  std::sort(variables_.begin(), variables_.end());
  variables_.erase(std::unique(variables_.begin(), variables_.end()), variables_.end());
  Assignment literals;
  for (const Var variable : variables_) literals.emplace_back(variable, true);
  cube_ = dd::cube(literals);
}

bool VarSet::contains(Var variable) const {
  return std::binary_search(variables_.begin(), variables_.end(), variable);
}

VarSet VarSet::minus(const VarSet& other) const {
  std::vector<Var> rest;
  std::set_difference(variables_.begin(), variables_.end(), other.variables_.begin(), other.variables_.end(),
                      std::back_inserter(rest));
  return VarSet(std::move(rest));
}

Renaming::Renaming(std::vector<std::pair<Var, Var>> pairs) : pairs_(std::move(pairs)), era_(current_era()) {
  std::vector<Var> sources;
  std::vector<Var> targets;
  for (const auto& [source, target] : pairs_) {
    expect_variable(source);
    expect_variable(target);
    sources.push_back(source);
    targets.push_back(target);
  }
  for (std::vector<Var>* side : {&sources, &targets}) {
    std::sort(side->begin(), side->end());
    COHORT_EXPECT(std::adjacent_find(side->begin(), side->end()) == side->end(), "a renaming is injective");
  }
  bddPair* table = bdd_newpair();
  table_ = table;
  for (const auto& [source, target] : pairs_) bdd_setpair(table, static_cast<int>(source), static_cast<int>(target));
  check_errors();
}

Renaming& Renaming::operator=(Renaming&& other) noexcept {
  std::swap(pairs_, other.pairs_);
  std::swap(table_, other.table_);
  std::swap(era_, other.era_);
  return *this;
}

Renaming::~Renaming() {
  // The manager frees what is left when it ends.
  if (table_ != nullptr && bdd_isrunning() != 0 && era_ == current_era()) bdd_freepair(static_cast<bddPair*>(table_));
}

Bdd Renaming::operator()(const Bdd& f) const {
  COHORT_EXPECT(table_ != nullptr && era_ == current_era(), "the renaming belongs to the running manager");
  return Access::take(bdd_replace(raw(f), static_cast<bddPair*>(table_)));
}

Bdd operator&(const Bdd& a, const Bdd& b) {
  return Access::take(bdd_apply(raw(a), raw(b), bddop_and));
}
Bdd operator|(const Bdd& a, const Bdd& b) {
  return Access::take(bdd_apply(raw(a), raw(b), bddop_or));
}
Bdd operator^(const Bdd& a, const Bdd& b) {
  return Access::take(bdd_apply(raw(a), raw(b), bddop_xor));
}
Bdd operator!(const Bdd& a) {
  return Access::take(bdd_not(raw(a)));
}
Bdd implies(const Bdd& a, const Bdd& b) {
  return Access::take(bdd_apply(raw(a), raw(b), bddop_imp));
}
Bdd equivalent(const Bdd& a, const Bdd& b) {
  return Access::take(bdd_apply(raw(a), raw(b), bddop_biimp));
}
Bdd difference(const Bdd& a, const Bdd& b) {
  return Access::take(bdd_apply(raw(a), raw(b), bddop_diff));
}

Bdd ite(const Bdd& condition, const Bdd& then, const Bdd& otherwise) {
  return Access::take(bdd_ite(raw(condition), raw(then), raw(otherwise)));
}

bool subset(const Bdd& a, const Bdd& b) {
  return difference(a, b).is_false();
}
bool disjoint(const Bdd& a, const Bdd& b) {
  return (a & b).is_false();
}

Bdd exists(const Bdd& f, const VarSet& variables) {
  if (variables.empty()) return f;
  return Access::take(bdd_exist(raw(f), raw(variables.cube())));
}

Bdd forall(const Bdd& f, const VarSet& variables) {
  if (variables.empty()) return f;
  return Access::take(bdd_forall(raw(f), raw(variables.cube())));
}

Bdd and_exists(const Bdd& a, const Bdd& b, const VarSet& variables) {
  if (variables.empty()) return a & b;
  if (raw(variables.cube()) >= largest_fused_set) return exists(a & b, variables);
  return Access::take(bdd_appex(raw(a), raw(b), bddop_and, raw(variables.cube())));
}

Bdd cube(const Assignment& literals) {
  Assignment ordered = literals;
  for (const auto& literal : ordered) expect_variable(literal.first);
  // From the bottom of the order upwards, so that each conjunction adds one node.
  std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return bdd_var2level(static_cast<int>(a.first)) > bdd_var2level(static_cast<int>(b.first));
  });
  Bdd result(true);
  for (const auto& [variable, value] : ordered) {
    const int index = static_cast<int>(variable);
    result &= Access::take(value ? bdd_ithvar(index) : bdd_nithvar(index));
  }
  return result;
}

Bdd cofactor(const Bdd& f, const Assignment& literals) {
  if (literals.empty()) return f;
  const Bdd fixed = cube(literals);
  COHORT_EXPECT(!fixed.is_false(), "a variable is fixed to one value only");
  return Access::take(bdd_restrict(raw(f), raw(fixed)));
}

Bdd cofactor(const Bdd& f, Var variable, bool value) {
  return cofactor(f, Assignment{{variable, value}});
}

}  // namespace cohort::dd
