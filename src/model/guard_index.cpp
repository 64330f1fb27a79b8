#include "model/guard_index.hpp"

#include <optional>

#include "base/contract.hpp"

namespace cohort::model {

namespace {

struct Comparison {
  VarId var;
  Value value = 0;
};

// The comparison `shared = constant` that the guard of the edge's first action consists of.
std::optional<Comparison> comparison(const ExprPool& exprs, const Edge& edge) {
  if (edge.actions.empty() || !edge.actions.front().guard) return std::nullopt;
  const Expr& guard = exprs[*edge.actions.front().guard];
  if (guard.op != Op::Eq) return std::nullopt;
  const Expr& left = exprs[guard.args[0]];
  const Expr& right = exprs[guard.args[1]];
  if (left.op != Op::SharedVar || !left.args.empty() || right.op != Op::Const) return std::nullopt;
  return Comparison{left.var, right.value};
}

}  // namespace

GuardIndex::GuardIndex(const Program& program, const Template& templ) : entries_(templ.locations.size()) {
  for (std::size_t i = 0; i < templ.edges.size(); ++i) {
    const Edge& edge = templ.edges[i];
    Entry& entry = entries_[edge.source.value];
    const bool first = entry.all.empty();
    entry.all.push_back(static_cast<std::uint32_t>(i));
    const auto guard = comparison(program.exprs, edge);
    if (first && guard) {
      entry.by_value = true;
      entry.slot = program.shared[guard->var.value].slot;
    }
    const bool fits = guard && entry.slot == program.shared[guard->var.value].slot;
    if (!fits) entry.by_value = false;
    if (entry.by_value) entry.edges[guard->value].push_back(static_cast<std::uint32_t>(i));
  }
}

std::span<const std::uint32_t> GuardIndex::candidates(LocId location, const Valuation& shared) const {
  COHORT_EXPECT(location.value < entries_.size(), "a location of the template");
  const Entry& entry = entries_[location.value];
  if (!entry.by_value) return entry.all;
  const auto it = entry.edges.find(shared[entry.slot]);
  return it != entry.edges.end() ? std::span<const std::uint32_t>(it->second) : std::span<const std::uint32_t>();
}

}  // namespace cohort::model
