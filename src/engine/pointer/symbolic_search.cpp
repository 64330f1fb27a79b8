#include "engine/pointer/symbolic_search.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/pointer/concretize.hpp"
#include "engine/pointer/symmetry.hpp"
#include "engine/pointer/views.hpp"
#include "engine/self_check.hpp"

namespace cohort::engine::pointer {

SymbolicSearch::SymbolicSearch(Env& env, const Task& task, bool backward)
    : env_(env),
      symmetry_(task.options.symmetry),
      backward_(backward),
      layout_(task.program),
      activity_(task.options.inactive ? Activity(layout_) : Activity::everything(layout_)),
      encoding_(
          layout_, [&env] { return env.poll_now("pointer-diagrams"); }, env.limits.memory_limit().value_or(0)),
      valid_(encoding_.valid()),
      steps_(encoding_) {
  initial_ = initial_states();
  bad_ = bad_states();
  classes_ = find_classes();
  forgetting_.emplace(encoding_, activity_);
  ibsinc_.emplace(encoding_, classes_);
}

dd::Bdd SymbolicSearch::initial_states() {
  const model::Program& program = layout_.program();
  dd::Bdd states = valid_;
  const auto fix = [&](const model::Variable& variable, std::size_t cell) {
    if (variable.initial.empty()) return;
    states &= encoding_.equals(cell, static_cast<Cell>(variable.initial[0] - layout_.type(cell).lo));
  };
  for (std::size_t var = 0; var < program.shared.size(); ++var) fix(program.shared[var], var);
  std::size_t process = 0;
  for (const model::InitialThreads& group : program.initial) {
    for (std::uint32_t i = 0; i < *group.count; ++i, ++process) {
      states &= encoding_.at(process, static_cast<Cell>(group.location.value));
      for (std::size_t var = 0; var < layout_.templ().locals.size(); ++var) {
        fix(layout_.templ().locals[var], layout_.local_cell(process, var));
      }
    }
  }
  if (program.initial_condition) states &= Terms(encoding_).truth(*program.initial_condition, 0).holds;
  return states;
}

dd::Bdd SymbolicSearch::bad_states() {
  const model::Program& program = layout_.program();
  dd::Bdd states;
  for (const model::Property& property : program.properties) {
    if (property.kind != model::Property::Kind::Condition) continue;
    const Truth condition = Terms(encoding_).truth(*property.condition, 0);
    states |= condition.holds;
    if (program.faults == model::FaultPolicy::Violation) states |= condition.fault;
  }
  for (std::size_t location = 0; location < layout_.templ().locations.size(); ++location) {
    if (!layout_.templ().locations[location].error) continue;
    for (std::size_t process = 0; process < layout_.processes(); ++process) {
      states |= encoding_.at(process, static_cast<Cell>(location));
    }
  }
  return states & valid_;
}

std::vector<std::uint32_t> SymbolicSearch::find_classes() const {
  return classes_by_transpositions(layout_.processes(), [&](std::uint32_t one, std::uint32_t other) {
    return symmetry_ && is_exchangeable(one, other);
  });
}

// By the syntax, which is quick, or else by what the conditions mean.
bool SymbolicSearch::is_exchangeable(std::uint32_t one, std::uint32_t other) const {
  Permutation permutation = identity(layout_.processes());
  std::swap(permutation[one + 1], permutation[other + 1]);
  if (is_admissible(layout_, permutation)) return true;
  if (!keeps_steps(layout_, permutation)) return false;
  const Exchange exchange(encoding_);
  return exchange.permute(initial_, one, other) == initial_ && exchange.permute(bad_, one, other) == bad_;
}

std::optional<model::Run> SymbolicSearch::run() {
  return backward_ ? backward() : forward();
}

std::optional<model::Run> SymbolicSearch::forward() {
  const bool faults_violate = layout_.program().faults == model::FaultPolicy::Violation;
  dd::Bdd frontier = represent(initial_);
  while (!frontier.is_false()) {
    layers_.push_back(frontier);
    reached_ |= frontier;
    if (const dd::Bdd bad = frontier & bad_; !bad.is_false()) return forward_run(bad, false);
    if (const dd::Bdd faulty = frontier & steps_.faulting(); faults_violate && !faulty.is_false()) {
      return forward_run(faulty, true);
    }
    if (env_.poll_now("pointer-image")) return std::nullopt;
    env_.report_progress([&] { return fmt::format("depth {}, {} nodes", layers_.size(), node_count(reached_)); });
    frontier = difference(represent(steps_.image(frontier)), reached_);
  }
  self_check(env_, "what is reached is closed under all steps and not bad", [&] {
    const bool closed = difference(represent(steps_.image(reached_)), reached_).is_false();
    return closed && (reached_ & bad_).is_false() && difference(represent(initial_), reached_).is_false();
  });
  finished_ = true;
  return std::nullopt;
}

model::Run SymbolicSearch::forward_run(const dd::Bdd& goal, bool faults) {
  std::vector<Cells> path{encoding_.pick(goal)};
  for (std::size_t depth = layers_.size() - 1; depth > 0; --depth) {
    const dd::Bdd before = steps_.preimage(unrepresent(encoding_.state(path.back())));
    path.push_back(encoding_.pick(before & layers_[depth - 1]));
  }
  const Cells initial = encoding_.pick(unrepresent(encoding_.state(path.back())) & initial_);
  std::reverse(path.begin(), path.end());
  return concretize(layout_, initial, path, faults, [&](Cells& cells) {
    dd::Bdd state = forgetting_->reset(encoding_.state(cells));
    const Permutation permutation = ibsinc_->reduce_one(state);
    cells = encoding_.pick(state);
    return permutation;
  });
}

std::optional<model::Run> SymbolicSearch::backward() {
  // What a single process sees costs next to nothing, and makes what two of them see cheaper.
  const dd::Bdd start = forgetting_->reset(initial_);
  const dd::Bdd seen_by_one = reachable_by_views(steps_, *forgetting_, start, valid_, 1);
  // What each two see of each other can say of all pointers together what no small diagram says (that no two parents
  // are each other's, of any two processes), and is not needed where the search ends soon without.
  constexpr std::size_t few_layers = 4;
  constexpr std::size_t few_nodes = 1000;
  const auto is_small = [&] { return layers_.size() < few_layers && node_count(reached_) < few_nodes; };
  auto run = backward_within(seen_by_one, is_small);
  if (run || finished_ || env_.stop_reason() != StopReason::None) return run;
  layers_.clear();
  reached_ = {};
  const dd::Bdd invariant = reachable_by_views(steps_, *forgetting_, start, seen_by_one, 2);
  return backward_within(invariant, [] { return true; });
}

std::optional<model::Run> SymbolicSearch::backward_within(const dd::Bdd& invariant,
                                                          const std::function<bool()>& goes_on) {
  const bool faults_violate = layout_.program().faults == model::FaultPolicy::Violation;
  dd::Bdd frontier = represent((faults_violate ? bad_ | steps_.faulting() : bad_) & invariant);
  while (!frontier.is_false()) {
    layers_.push_back(frontier);
    reached_ |= frontier;
    if (const dd::Bdd starts = unrepresent(frontier) & initial_; !starts.is_false()) return backward_run(starts);
    if (env_.poll_now("pointer-image") || !goes_on()) return std::nullopt;
    env_.report_progress([&] { return fmt::format("depth {}, {} nodes", layers_.size(), node_count(reached_)); });
    frontier = difference(represent(steps_.preimage(forgetting_->unreset(frontier)) & invariant), reached_);
  }
  self_check(env_, "what leads to a bad state is closed under all steps before, and nothing starts there", [&] {
    const dd::Bdd before = represent(steps_.preimage(forgetting_->unreset(reached_)) & invariant);
    return difference(before, reached_).is_false() && (unrepresent(reached_) & initial_).is_false();
  });
  finished_ = true;
  return std::nullopt;
}

// From the state at hand, a representative of a layer, to one that it is the representative of and that has a step to
// the layer below; the state there is the next at hand.
model::Run SymbolicSearch::backward_run(const dd::Bdd& starts) {
  const Cells initial = encoding_.pick(starts);
  Walk walk(layout_, initial);
  dd::Bdd here = forgetting_->reset(encoding_.state(initial));
  walk.permute(ibsinc_->reduce_one(here));
  for (std::size_t left = layers_.size() - 1; left > 0; --left) {
    const dd::Bdd before = steps_.preimage(forgetting_->unreset(layers_[left - 1]));
    const Cells from = encoding_.pick(before & ibsinc_->unreduce(here) & valid_);
    dd::Bdd back = encoding_.state(from);
    walk.unpermute(ibsinc_->reduce_one(back));
    bool found = false;
    for (const model::Transition& step : walk.steps(from)) {
      if (step.fault) continue;
      here = forgetting_->reset(encoding_.state(layout_.to_cells(step.target)));
      if (disjoint(here, layers_[left - 1])) continue;
      walk.take(step);
      found = true;
      break;
    }
    COHORT_EXPECT(found, "a state of a pre-image has a step into the set");
  }
  if (disjoint(here, bad_)) walk.take_fault(encoding_.pick(here));
  return walk.run();
}

std::string SymbolicSearch::established() const {
  return fmt::format("no violation within {} steps", layers_.empty() ? 0 : layers_.size() - 1);
}

void SymbolicSearch::record(Statistics& statistics) const {
  statistics.set("steps", std::uint64_t{layers_.size()});
  statistics.set("state_bits", std::uint64_t{encoding_.manager().variable_count()});
  statistics.set("reached_nodes", std::uint64_t{node_count(reached_)});
  statistics.set("states", encoding_.count(reached_ & valid_).to_decimal());
  statistics.set("nodes_allocated", encoding_.manager().nodes_allocated());
  const std::uint32_t classes = *std::max_element(classes_.begin(), classes_.end()) + 1;
  statistics.set("process_classes", std::uint64_t{classes});
}

}  // namespace cohort::engine::pointer
