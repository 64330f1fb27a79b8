// The marking equation over whole numbers, by branch and bound: a solution that fires a transition t (or one with the
// same effect) x times, x no whole number, is excluded by distinguishing whether t fires at most floor(x) times or at
// least floor(x) + 1 times.  Each case is one more row of the linear program.  If all cases end without a solution, the
// weights of the leaves are a proof, which Invariants verifies exactly (invariants.hpp); a solution in whole numbers,
// or too many cases, end the attempt.
//
// Not for nets with broadcasts nor with several starts: a column of the program may then stand for other things than
// firings.
#include <algorithm>
#include <cmath>

#include "base/contract.hpp"
#include "engine/unbounded/marking_equation.hpp"

namespace cohort::engine::unbounded {

namespace {

constexpr double whole = 1e-6;  // how far from a whole number is none
constexpr double most_firings = 1e6;
constexpr std::size_t most_depth = 40;
constexpr double no_bound = -HUGE_VAL;

}  // namespace

bool MarkingEquation::distinguish_cases(ControlId control, TokenView tokens, double deadline) {
  if (net_->system().has_broadcasts() || start_row_ != none || control == none) return false;
  number_effects();
  cases_left_ = allowed_cases;
  std::vector<Branch> way;
  auto cases = branch(way, deadline);
  for (const auto& [column, rows] : case_rows_) {
    program_->set_bound(rows.first, no_bound);
    program_->set_bound(rows.second, no_bound);
  }
  return cases && invariants_.add_cases(*net_, std::move(*cases)) && invariants_.refutes(control, tokens);
}

// Which column stands for transitions with which effect.
void MarkingEquation::number_effects() {
  if (!column_effect_.empty()) return;
  std::map<std::vector<std::pair<std::uint32_t, double>>, std::uint32_t> columns;
  for (std::uint32_t i = 0; i < columns_.size(); ++i) {
    std::vector<std::pair<std::uint32_t, double>> entries;
    for (const lp::Entry& entry : columns_[i].entries) entries.emplace_back(entry.index, entry.value);
    std::sort(entries.begin(), entries.end());
    columns.emplace(std::move(entries), i);
  }
  const std::vector<bool> any_number = places_with_any_number(*net_);
  column_effect_.assign(columns_.size(), nullptr);
  for (const Transition& transition : net_->transitions()) {
    const auto [entry, is_new] = effect_column_.try_emplace(effect_of(transition, any_number), none);
    if (!is_new) continue;
    std::vector<std::pair<std::uint32_t, double>> entries;
    for (const auto& [place, change] : entry->first.places) {
      entries.emplace_back(place_row_[place], static_cast<double>(change));
    }
    for (const auto& [control, change] : entry->first.controls) {
      if (control_row_[control] != none) entries.emplace_back(control_row_[control], static_cast<double>(change));
    }
    std::sort(entries.begin(), entries.end());
    const auto column = columns.find(entries);
    if (column == columns.end()) continue;  // it gives nothing
    entry->second = column->second;
    column_effect_[column->second] = &entry->first;
  }
}

std::optional<std::uint32_t> MarkingEquation::most_fractional() const {
  const std::vector<double> values = program_->values();
  std::optional<std::uint32_t> best;
  double farthest = whole;
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    const double distance = std::abs(values[i] - std::round(values[i]));
    if (column_effect_[i] == nullptr || values[i] > most_firings || distance <= farthest) continue;
    farthest = distance;
    best = i;
  }
  return best;
}

void MarkingEquation::set_case(const Branch& branch) {
  auto rows = case_rows_.find(branch.column);
  if (rows == case_rows_.end()) {
    const lp::Entry minus{branch.column, -1};
    const lp::Entry plus{branch.column, 1};
    const std::uint32_t at_most = program_->add_row({&minus, 1}, 0);
    const std::uint32_t at_least = program_->add_row({&plus, 1}, 0);
    program_->set_bound(at_most, no_bound);
    program_->set_bound(at_least, no_bound);
    rows = case_rows_.emplace(branch.column, std::pair(at_most, at_least)).first;
  }
  if (branch.more) {
    program_->set_bound(rows->second.second, static_cast<double>(branch.most) + 1);
  } else {
    program_->set_bound(rows->second.first, -static_cast<double>(branch.most));
  }
}

// What the cases before say about the column and direction, or nothing.
void MarkingEquation::clear_case(const std::vector<Branch>& way, std::uint32_t column, bool more) {
  const auto& rows = case_rows_.at(column);
  program_->set_bound(more ? rows.second : rows.first, no_bound);
  for (const Branch& before : way) {
    if (before.column == column && before.more == more) set_case(before);
  }
}

std::optional<Cases> MarkingEquation::branch(std::vector<Branch>& way, double deadline) {
  const double left = deadline - env_->limits.elapsed_seconds();
  if (cases_left_ == 0 || way.size() > most_depth || left <= 0) return std::nullopt;
  --cases_left_;
  ++solved_;
  const Outcome outcome = program_->solve(*env_, left);
  if (outcome == Outcome::Infeasible) return leaf(way);
  if (outcome != Outcome::Solved) return std::nullopt;
  const auto column = most_fractional();
  if (!column) return std::nullopt;
  Cases node;
  node.effect = *column_effect_[*column];
  node.most = static_cast<std::uint32_t>(std::floor(program_->values()[*column]));
  for (const bool more : {false, true}) {
    way.push_back({*column, node.most, more});
    set_case(way.back());
    auto inner = branch(way, deadline);
    way.pop_back();
    clear_case(way, *column, more);
    if (!inner) return std::nullopt;
    node.cases.push_back(std::move(*inner));
  }
  return node;
}

std::optional<Cases> MarkingEquation::leaf(const std::vector<Branch>& way) const {
  const std::vector<double> ray = program_->ray();
  const auto numbers = ray.empty() ? std::nullopt : whole_proportions(ray);
  if (!numbers) return std::nullopt;
  Cases leaf;
  leaf.weighting = weighting_of(*numbers);
  for (std::size_t i = 0; i < way.size(); ++i) {
    // Of cases about one column in one direction the last is the tightest, and the row has its bound.
    const bool last =
        std::none_of(way.begin() + static_cast<std::ptrdiff_t>(i) + 1, way.end(),
                     [&](const Branch& later) { return later.column == way[i].column && later.more == way[i].more; });
    const auto& rows = case_rows_.at(way[i].column);
    leaf.factors.push_back(last ? (*numbers)[way[i].more ? rows.second : rows.first] : 0);
  }
  return leaf;
}

}  // namespace cohort::engine::unbounded
