#include "engine/unbounded/relaxed_distance.hpp"

#include <limits>
#include <map>
#include <memory>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

namespace {

constexpr double tiny = 1e-7;
constexpr double most_seconds = 10;

using Effect = std::map<std::uint32_t, double>;  // by row

struct Group {
  std::vector<TransitionId> transitions;
  double cost = 0;
};

}  // namespace

RelaxedDistance::RelaxedDistance(const Net& net) : net_(&net) {
  COHORT_EXPECT(!net.system().has_broadcasts(), "what a broadcast changes is not constant");
  std::uint32_t rows = 1;
  place_row_.assign(net.place_count(), none);
  control_row_.assign(net.control_count(), none);
  const auto row_of = [&](std::vector<std::uint32_t>& list, std::uint32_t index) {
    if (list[index] == none) list[index] = rows++;
    return list[index];
  };
  const auto count = [&](Effect& effect, ControlId control, const Tokens& tokens, double sign) {
    effect[row_of(control_row_, control)] += sign;
    for (const Token& token : tokens) effect[row_of(place_row_, token.place)] += sign * token.count;
  };
  std::map<Effect, Group> groups;
  for (TransitionId id = 0; id < net.transitions().size(); ++id) {
    const Transition& transition = net.transitions()[id];
    Effect effect;
    count(effect, transition.from, transition.pre, -1);
    count(effect, transition.to, transition.post, 1);
    Group& group = groups[effect];
    const auto cost = static_cast<double>(transition.rules.size());
    if (group.transitions.empty() || cost < group.cost) group.cost = cost;
    group.transitions.push_back(id);
  }
  for (const Target& target : net.targets()) {
    Effect effect{{goal_row_, 1}};
    count(effect, target.least.control, target.least.tokens, -1);
    groups[effect];
  }
  std::vector<lp::LinearProgram::Column> columns;
  for (auto& [effect, group] : groups) {
    lp::LinearProgram::Column& column = columns.emplace_back();
    column.cost = group.cost;
    for (const auto& [row, change] : effect) {
      if (change != 0) column.entries.push_back({row, change});
    }
    transitions_.push_back(std::move(group.transitions));
  }
  program_ = std::make_unique<lp::LinearProgram>(rows, columns);
  program_->set_bound(goal_row_, 1);
}

void RelaxedDistance::set_configuration(ControlId control, TokenView tokens) {
  for (const std::uint32_t row : changed_) program_->set_bound(row, 0);
  changed_.clear();
  const auto set = [&](std::uint32_t row, double bound) {
    if (row == none) return;
    program_->set_bound(row, bound);
    changed_.push_back(row);
  };
  set(control_row_[control], -1);
  for (const Token& token : tokens) {
    set(place_row_[token.place],
        token.count == omega ? -std::numeric_limits<double>::infinity() : -static_cast<double>(token.count));
  }
}

std::optional<RelaxedDistance::Answer> RelaxedDistance::from(Env& env, ControlId control, TokenView tokens) {
  set_configuration(control, tokens);
  const auto outcome = program_->solve(env, most_seconds);
  if (outcome == lp::LinearProgram::Outcome::Stopped) return std::nullopt;
  Answer answer;
  if (outcome == lp::LinearProgram::Outcome::Infeasible) return answer;
  answer.reachable = true;
  answer.steps = program_->objective();
  const std::vector<double> values = program_->values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= tiny && !transitions_[i].empty()) answer.shares.push_back({transitions_[i], values[i]});
  }
  return answer;
}

}  // namespace cohort::engine::unbounded
