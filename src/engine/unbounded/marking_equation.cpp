// The marking equation as a proof method (Murata 1977; Esparza and Melzer 2000 with traps; Esparza, Ledesma-Garza,
// Majumdar, Meyer and Niksic 2014 as a method of its own).  If m is reachable by firing each transition t x(t) times,
// then m = m0 + C x for the incidence matrix C.  So a target v that is covered gives a solution of
//     m0 + C x >= v,  x >= 0,
// and if this linear program has none, Farkas' lemma gives weights of the places that no transition increases and that
// v exceeds: a proof which is easy to verify.  Control states are places with one thread altogether.  A broadcast moves
// threads one by one, as often as it likes, which is more than it can: fine for a proof.
//
// Where there is a solution, it may leave a trap empty that holds a thread at the start.  The largest such trap among
// the places that the solution leaves empty is found by dropping places until it is one; that it must be occupied is
// one more row, and the program is solved again.
//
// Where no trap helps either, the solution may fire some transitions half a time.  For the targets, cases are then
// distinguished, in which a transition fires at most so often or more often: branch_and_bound.cpp.
//
// The solver computes with floating-point numbers.  Its weights are brought to whole numbers in the same proportions
// and verified exactly (invariants.hpp); where that fails nothing is concluded.  Places with any number of threads at
// the start have no row: they weigh nothing.
//
// Cost: one run of the simplex method for each target, and one for each trap; later runs begin with the basis of
// earlier ones.
#include "engine/unbounded/marking_equation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

namespace {

constexpr double tiny = 1e-7;   // as good as nothing
constexpr double exact = 1e-9;  // how far a number may be from the fraction that it is taken for

Tokens one_at(Place place) {
  return {{place, 1}};
}

// The best approximation of a positive number by a fraction with a denominator below `most`, by continued fractions.
std::int64_t denominator_of(double number, std::int64_t most) {
  double rest = number;
  std::int64_t before = 0;
  std::int64_t denominator = 1;
  for (int i = 0; i < 40; ++i) {
    const double fraction = rest - std::floor(rest);
    const double scaled = number * static_cast<double>(denominator);
    const double error = std::abs(scaled - std::round(scaled)) / static_cast<double>(denominator);
    if (error < exact * std::max(1.0, number)) return denominator;
    if (fraction * static_cast<double>(most) < 1) return 0;
    rest = 1 / fraction;
    const auto next = static_cast<std::int64_t>(std::floor(rest)) * denominator + before;
    if (next > most) return 0;
    before = std::exchange(denominator, next);
  }
  return 0;
}

}  // namespace

std::optional<std::vector<Weight>> whole_proportions(const std::vector<double>& numbers) {
  double least = 0;
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, number);
  for (const double number : numbers) {
    if (number > largest * tiny && (least == 0 || number < least)) least = number;
  }
  if (least == 0) return std::nullopt;
  std::int64_t common = 1;
  constexpr std::int64_t most = 1'000'000;
  for (const double number : numbers) {
    if (number <= largest * tiny) continue;
    const std::int64_t denominator = denominator_of(number / least, most);
    if (denominator == 0) return std::nullopt;
    common = std::lcm(common, denominator);
    if (common > most) return std::nullopt;
  }
  std::vector<Weight> result;
  for (const double number : numbers) {
    const double scaled = number <= largest * tiny ? 0 : number / least * static_cast<double>(common);
    if (scaled > 1e15) return std::nullopt;
    result.push_back(static_cast<Weight>(std::llround(scaled)));
  }
  return result;
}

MarkingEquation::MarkingEquation(Env& env, const Net& net) : env_(&env), net_(&net) {
  number_rows();
  make_columns();
  program_ = std::make_unique<lp::LinearProgram>(rows_, columns_);
  for (std::uint32_t row = 0; row < rows_; ++row) {
    if (base_[row] != 0) program_->set_bound(row, base_[row]);
  }
}

void MarkingEquation::number_rows() {
  place_row_.assign(net_->place_count(), none);
  control_row_.assign(net_->control_count(), none);
  std::set<ControlId> controls;
  for (const Configuration& start : net_->initial()) controls.insert(start.control);
  const auto mention = [&](TokenView tokens) {
    for (const Token& token : tokens) {
      if (place_row_[token.place] == none) place_row_[token.place] = rows_++;
    }
  };
  for (const Transition& transition : net_->transitions()) {
    controls.insert(transition.to);
    mention(transition.post);
    mention(transition.pre);
    if (transition.broadcast == none) continue;
    for (const Place place : net_->possible().places(transition.from)) {
      for (const Place after : net_->passive(transition, place)) mention(one_at(after));
    }
  }
  for (const Target& target : net_->targets()) mention(target.least.tokens);
  std::vector<bool> free(net_->place_count(), false);
  for (const Configuration& start : net_->initial()) {
    mention(start.tokens);
    for (const Token& token : start.tokens) free[token.place] = free[token.place] || token.count == omega;
  }
  rows_ = 0;
  for (Place place = 0; place < place_row_.size(); ++place) {
    if (place_row_[place] != none) place_row_[place] = free[place] ? none : rows_++;
  }
  if (controls.size() > 1) {
    for (const ControlId control : controls) control_row_[control] = rows_++;
  }
  if (net_->initial().size() != 1) start_row_ = rows_++;
}

void MarkingEquation::add_column(const std::vector<std::pair<std::uint32_t, std::int64_t>>& effect, double cost) {
  lp::LinearProgram::Column column{.entries = {}, .cost = cost};
  bool gives = false;
  for (const auto& [row, change] : effect) {
    if (row == none || change == 0) continue;
    column.entries.push_back({row, static_cast<double>(change)});
    gives = gives || change > 0;
  }
  if (gives) columns_.push_back(std::move(column));
}

void MarkingEquation::make_columns() {
  std::map<std::vector<std::pair<std::uint32_t, std::int64_t>>, double> effects;
  std::map<std::uint32_t, std::int64_t> sums;
  const auto flush = [&](double cost) {
    std::vector<std::pair<std::uint32_t, std::int64_t>> effect(sums.begin(), sums.end());
    sums.clear();
    const auto [entry, is_new] = effects.try_emplace(std::move(effect), cost);
    if (!is_new) entry->second = std::min(entry->second, cost);
  };
  const auto count = [&](TokenView tokens, std::int64_t sign) {
    for (const Token& token : tokens) {
      if (place_row_[token.place] != none) sums[place_row_[token.place]] += sign * std::int64_t{token.count};
    }
  };
  std::set<std::pair<Place, Place>> moves;
  for (const Transition& transition : net_->transitions()) {
    count(transition.pre, -1);
    count(transition.post, 1);
    if (control_row_[transition.from] != none && transition.from != transition.to) {
      --sums[control_row_[transition.from]];
      ++sums[control_row_[transition.to]];
    }
    flush(static_cast<double>(transition.rules.size()));
    if (transition.broadcast == none) continue;
    for (const Place place : net_->possible().places(transition.from)) {
      for (const Place after : net_->passive(transition, place)) moves.emplace(place, after);
    }
  }
  for (const auto& [place, after] : moves) {
    if (place_row_[after] == none || place == after) continue;
    count(one_at(place), -1);
    count(one_at(after), 1);
    flush(0);
  }
  base_.assign(rows_, 0);
  for (const Configuration& start : net_->initial()) {
    for (const Token& token : start.tokens) {
      if (token.count != omega) count(TokenView(&token, 1), 1);
    }
    if (control_row_[start.control] != none) ++sums[control_row_[start.control]];
    if (start_row_ != none) {
      --sums[start_row_];
      flush(0);
      continue;
    }
    for (const auto& [row, present] : sums) base_[row] = -static_cast<double>(present);
    sums.clear();
  }
  if (start_row_ != none) base_[start_row_] = -1;
  for (const auto& [effect, cost] : effects) add_column(effect, cost);
}

void MarkingEquation::set_goal(ControlId control, TokenView tokens) {
  for (const std::uint32_t row : changed_) program_->set_bound(row, base_[row]);
  changed_.clear();
  const auto demand = [&](std::uint32_t row, double count) {
    if (row == none) return;
    program_->set_bound(row, base_[row] + count);
    changed_.push_back(row);
  };
  for (const Token& token : tokens) demand(place_row_[token.place], token.count);
  if (control != none) demand(control_row_[control], 1);
}

bool MarkingEquation::refute(ControlId control, TokenView tokens, double seconds) {
  return invariants_.refutes(control, tokens) || refute_once(control, tokens, env_->limits.elapsed_seconds() + seconds);
}

bool MarkingEquation::refute_once(ControlId control, TokenView tokens, double deadline) {
  set_goal(control, tokens);
  while (true) {
    const double left = deadline - env_->limits.elapsed_seconds();
    limited_ = left <= 0;
    if (limited_) return false;
    ++solved_;
    const Outcome outcome = program_->solve(*env_, left);
    if (outcome == Outcome::Infeasible) return learn_weighting(control, tokens);
    limited_ = outcome == Outcome::Stopped;
    if (limited_) return false;
    if (!learn_trap()) return asking_for_targets_ && !limited_ && distinguish_cases(control, tokens, deadline);
  }
}

bool MarkingEquation::learn_weighting(ControlId control, TokenView tokens) {
  const std::vector<double> ray = program_->ray();
  if (ray.empty()) return false;
  const auto whole = whole_proportions(ray);
  if (!whole) return false;
  if (!invariants_.add_weighting(*net_, weighting_of(*whole))) return false;
  return control == none || invariants_.refutes(control, tokens);
}

Weighting MarkingEquation::weighting_of(const std::vector<Weight>& ray) const {
  Weighting weighting;
  weighting.places.assign(net_->place_count(), 0);
  weighting.controls.assign(net_->control_count(), 0);
  for (std::size_t i = 0; i < place_row_.size(); ++i) {
    if (place_row_[i] != none) weighting.places[i] = ray[place_row_[i]];
  }
  for (std::size_t i = 0; i < control_row_.size(); ++i) {
    if (control_row_[i] != none) weighting.controls[i] = ray[control_row_[i]];
  }
  for (std::uint32_t trap = 0; trap < trap_row_.size(); ++trap) {
    const Weight factor = ray[trap_row_[trap]];
    if (factor == 0) continue;
    weighting.factors.emplace_back(trap, factor);
    const Trap& members = invariants_.traps()[trap];
    for (std::size_t i = 0; i < members.places.size(); ++i) weighting.places[i] += members.places[i] ? factor : 0;
    for (std::size_t i = 0; i < members.controls.size(); ++i) weighting.controls[i] += members.controls[i] ? factor : 0;
  }
  return weighting;
}

// Adds the row of a trap that the solution leaves empty.
bool MarkingEquation::learn_trap() {
  if (trap_row_.size() >= allowed_traps_) {
    limited_ = true;
    return false;
  }
  const std::vector<double> values = program_->values();
  std::vector<double> marking(rows_);
  for (std::uint32_t row = 0; row < rows_; ++row) marking[row] = -base_[row];
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const lp::Entry& entry : columns_[i].entries) marking[entry.index] += entry.value * values[i];
  }
  Trap trap;
  for (const std::uint32_t row : place_row_) trap.places.push_back(row != none && marking[row] < tiny);
  for (const std::uint32_t row : control_row_) trap.controls.push_back(row != none && marking[row] < tiny);
  shrink_to_trap(trap);
  const Trap members = trap;
  if (!invariants_.add_trap(*net_, std::move(trap))) return false;
  std::vector<lp::Entry> entries;
  std::vector<double> member(rows_, 0);
  for (std::size_t i = 0; i < place_row_.size(); ++i) {
    if (members.places[i]) member[place_row_[i]] = 1;
  }
  for (std::size_t i = 0; i < control_row_.size(); ++i) {
    if (members.controls[i]) member[control_row_[i]] = 1;
  }
  for (std::uint32_t i = 0; i < columns_.size(); ++i) {
    double sum = 0;
    for (const lp::Entry& entry : columns_[i].entries) sum += member[entry.index] * entry.value;
    if (sum != 0) entries.push_back({i, sum});
  }
  double present = 0;
  for (std::uint32_t row = 0; row < rows_; ++row) present -= member[row] * base_[row];
  trap_row_.push_back(program_->add_row(entries, 1 - present));
  return true;
}

// Drops members until every transition that takes from the set gives to it.
void MarkingEquation::shrink_to_trap(Trap& set) const {
  for (bool changed = true; changed;) {
    changed = false;
    const auto drop = [&](std::vector<bool>& list, std::size_t index) {
      changed = changed || list[index];
      list[index] = false;
    };
    for (const Transition& transition : net_->transitions()) {
      if (transition.broadcast != none) {
        for (const Place place : net_->possible().places(transition.from)) {
          if (!set.places[place]) continue;
          for (const Place after : net_->passive(transition, place)) {
            if (!set.places[after]) drop(set.places, place);
          }
        }
      }
      if (set.touches(transition.to, transition.post)) continue;
      drop(set.controls, transition.from);
      for (const Token& token : transition.pre) drop(set.places, token.place);
    }
  }
}

bool MarkingEquation::refute_targets(double seconds) {
  const double deadline = env_->limits.elapsed_seconds() + seconds;
  // One target stands for those that differ in the control state alone: often it does not matter.
  std::map<std::vector<std::pair<Place, Count>>, std::vector<const Target*>> groups;
  for (const Target& target : net_->targets()) {
    std::vector<std::pair<Place, Count>> key;
    for (const Token& token : target.least.tokens) key.emplace_back(token.place, token.count);
    groups[std::move(key)].push_back(&target);
  }
  for (const auto& [key, targets] : groups) {
    const Tokens& tokens = targets.front()->least.tokens;
    if (targets.size() > 1 && !tokens.empty() && !invariants_.refutes(targets.front()->least.control, tokens)) {
      refute_once(none, tokens, deadline);
    }
    for (const Target* target : targets) {
      const double left = deadline - env_->limits.elapsed_seconds();
      asking_for_targets_ = true;
      const bool refuted = refute(target->least.control, tokens, left);
      asking_for_targets_ = false;
      if (!refuted) return false;
    }
  }
  return true;
}

}  // namespace cohort::engine::unbounded
