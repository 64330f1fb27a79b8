#include "engine/cegar/counting.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::engine::cegar {

using abstraction::absent;
using abstraction::Start;
using abstraction::Successor;
using abstraction::ThreadState;

namespace {

constexpr std::size_t no_parent = SIZE_MAX;

struct Node {
  Configuration configuration;
  std::size_t parent = no_parent;
  PathStep step;                                   // from the parent
  std::vector<std::optional<std::size_t>> groups;  // at the start
};

class Counting {
 public:
  Counting(Env& env, abstraction::Oracle& oracle, const CountingOptions& options)
      : env_(env), oracle_(oracle), options_(options), program_(oracle.commands().program()) {}

  Counted run() {
    for (const Start& start : oracle_.starts()) start_from(start);
    for (std::size_t i = 0; i < nodes_.size() && !violated_; ++i) {
      if (env_.stop_requested("cegar-counting") || oracle_.stopped()) break;
      if (nodes_.size() > options_.most_states) return finish(Counted::Outcome::TooMany);
      env_.report_progress([&] {
        return fmt::format("{} threads: {} abstract states, {} to do", options_.threads, nodes_.size(),
                           nodes_.size() - i);
      });
      expand(i);
    }
    if (oracle_.stopped() || env_.stop_reason() != StopReason::None) return finish(Counted::Outcome::Stopped);
    return finish(violated_ ? Counted::Outcome::Violated : Counted::Outcome::Safe);
  }

 private:
  Counted finish(Counted::Outcome outcome) {
    result_.outcome = outcome;
    result_.states = nodes_.size();
    return std::move(result_);
  }

  // ---- the start

  // As many threads as each group says, and of those without a number as many as fit, in every way.
  void start_from(const Start& start) {
    std::vector<std::optional<std::size_t>> groups;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < program_.initial.size(); ++i) {
      if (!program_.initial[i].count) open.push_back(i);
      groups.insert(groups.end(), program_.initial[i].count.value_or(0), i);
    }
    if (groups.size() > options_.threads) return;
    if (open.empty()) {
      groups.resize(options_.threads);
      start_with(start, groups, {start.shared, {}});
    } else {
      distribute(start, open, 0, groups);
    }
  }

  void distribute(const Start& start, const std::vector<std::size_t>& open, std::size_t next,
                  std::vector<std::optional<std::size_t>>& groups) {
    if (groups.size() == options_.threads) return start_with(start, groups, {start.shared, {}});
    for (std::size_t i = next; i < open.size(); ++i) {
      groups.emplace_back(open[i]);
      distribute(start, open, i, groups);
      groups.pop_back();
    }
  }

  // Chooses a state for each thread from number configuration.threads.size() on.
  void start_with(const Start& start, const std::vector<std::optional<std::size_t>>& groups,
                  const Configuration& configuration) {
    const std::size_t next = configuration.threads.size();
    if (next == groups.size()) {
      Node node;
      node.configuration = configuration;
      node.groups = groups;
      visit(std::move(node));
      return;
    }
    Configuration extended = configuration;
    extended.threads.push_back(absent);
    if (!groups[next]) return start_with(start, groups, extended);
    for (const ThreadState state : start.groups[*groups[next]]) {
      if (!fits(start, groups, configuration, *groups[next], state)) continue;
      extended.threads.back() = state;
      start_with(start, groups, extended);
    }
  }

  bool fits(const Start& start, const std::vector<std::optional<std::size_t>>& groups,
            const Configuration& configuration, std::size_t group, ThreadState state) {
    for (std::size_t i = 0; i < configuration.threads.size(); ++i) {
      const ThreadState other = configuration.threads[i];
      if (other != absent && !oracle_.start_together(start.shared, *groups[i], other, group, state)) return false;
    }
    return true;
  }

  // ---- steps

  bool is_atomic(ThreadState thread) {
    return thread != absent && oracle_.commands().place(oracle_.states().place(thread)).atomic;
  }

  void expand(std::size_t number) {
    const Configuration configuration = nodes_[number].configuration;
    std::set<ThreadState> done;
    for (std::size_t i = 0; i < configuration.threads.size() && !violated_; ++i) {
      const ThreadState active = configuration.threads[i];
      if (active == absent || !done.insert(active).second) continue;
      bool may_move = true;
      for (std::size_t j = 0; j < configuration.threads.size(); ++j) {
        may_move = may_move && (j == i || !is_atomic(configuration.threads[j]));
      }
      if (may_move) move(number, configuration, i);
    }
  }

  void move(std::size_t number, const Configuration& configuration, std::size_t thread) {
    const ThreadState active = configuration.threads[thread];
    for (const std::uint32_t command : oracle_.commands().from(oracle_.states().place(active))) {
      if (oracle_.troubled(command, configuration.shared, active)) {
        report(number, PathStep{thread, command, {}});
        result_.path.ends_in_trouble = true;
        return;
      }
      const std::vector<Successor> successors = oracle_.post(command, configuration.shared, active);
      for (std::uint32_t step = 0; step < successors.size(); ++step) {
        std::vector<std::vector<ThreadState>> choices;
        if (!take_along(configuration, thread, command, step, choices)) continue;
        Node node;
        node.parent = number;
        node.step = {thread, command, {}};
        node.configuration = {successors[step].shared, configuration.threads};
        node.configuration.threads[thread] = successors[step].self;
        combine(node, choices, 0, successors[step].children);
        if (violated_) return;
      }
    }
  }

  // What each thread may become; false: somebody blocks the step.
  bool take_along(const Configuration& configuration, std::size_t thread, std::uint32_t command, std::uint32_t step,
                  std::vector<std::vector<ThreadState>>& choices) {
    const ThreadState active = configuration.threads[thread];
    for (std::size_t i = 0; i < configuration.threads.size(); ++i) {
      const ThreadState other = configuration.threads[i];
      if (i == thread || other == absent) {
        choices.emplace_back();
        continue;
      }
      choices.push_back(oracle_.passive(command, configuration.shared, active, step, other));
      if (choices.back().empty()) return false;
    }
    return true;
  }

  void combine(Node& node, const std::vector<std::vector<ThreadState>>& choices, std::size_t next,
               const std::vector<ThreadState>& children) {
    if (violated_) return;
    if (next == choices.size()) {
      Node complete = node;
      for (const ThreadState child : children) give_birth(complete, child);
      visit(std::move(complete));
      return;
    }
    if (choices[next].empty()) return combine(node, choices, next + 1, children);
    const ThreadState before = node.configuration.threads[next];
    for (const ThreadState state : choices[next]) {
      node.configuration.threads[next] = state;
      combine(node, choices, next + 1, children);
    }
    node.configuration.threads[next] = before;
  }

  // The thread that made the step keeps its slot even if it has ended, so that a path tells the two apart.
  void give_birth(Node& node, ThreadState child) {
    auto& threads = node.configuration.threads;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      if (threads[i] != absent || i == node.step.thread) continue;
      threads[i] = child;
      node.step.children.emplace_back(i);
      return;
    }
    node.step.children.emplace_back();
    result_.created_beyond = true;
  }

  bool is_consistent(const Configuration& configuration) {
    const auto& threads = configuration.threads;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      if (!oracle_.consistent(configuration.shared, threads[i], absent)) return false;
      for (std::size_t j = 0; j < i; ++j) {
        if (!oracle_.consistent(configuration.shared, threads[j], threads[i])) return false;
      }
    }
    return true;
  }

  void visit(Node node) {
    if (!is_consistent(node.configuration)) return;
    Configuration sorted = node.configuration;
    std::sort(sorted.threads.begin(), sorted.threads.end());
    if (!seen_.insert(std::move(sorted)).second) return;
    nodes_.push_back(std::move(node));
    check_violation(nodes_.size() - 1);
  }

  void check_violation(std::size_t number) {
    const Configuration& configuration = nodes_[number].configuration;
    for (std::size_t i = 0; i < configuration.threads.size(); ++i) {
      const ThreadState thread = configuration.threads[i];
      if (thread == absent) continue;
      const auto error = oracle_.commands().error(oracle_.states().place(thread));
      if (!error) continue;
      report(number, std::nullopt);
      result_.path.property = error;
      return;
    }
    for (std::size_t i = 0; i < program_.properties.size(); ++i) {
      const model::Property& property = program_.properties[i];
      if (property.kind != model::Property::Kind::Cover) continue;
      if (!oracle_.possible(*property.condition, configuration.shared)) continue;
      report(number, std::nullopt);
      result_.path.condition = property.condition;
      result_.path.property = model::PropertyId(i);
      return;
    }
  }

  void report(std::size_t number, std::optional<PathStep> last) {
    if (violated_) return;
    violated_ = true;
    Path& path = result_.path;
    if (last) path.steps.push_back(*last);
    std::size_t at = number;
    for (; nodes_[at].parent != no_parent; at = nodes_[at].parent) {
      path.steps.push_back(nodes_[at].step);
      result_.configurations.push_back(nodes_[at].configuration);
    }
    result_.configurations.push_back(nodes_[at].configuration);
    std::reverse(path.steps.begin(), path.steps.end());
    std::reverse(result_.configurations.begin(), result_.configurations.end());
    path.groups = nodes_[at].groups;
  }

  Env& env_;
  abstraction::Oracle& oracle_;
  const CountingOptions& options_;
  const model::Program& program_;
  std::vector<Node> nodes_;
  std::set<Configuration> seen_;
  Counted result_;
  bool violated_ = false;
};

}  // namespace

Counted count_threads(Env& env, abstraction::Oracle& oracle, const CountingOptions& options) {
  COHORT_EXPECT(options.threads >= 1, "there is a thread");
  return Counting(env, oracle, options).run();
}

}  // namespace cohort::engine::cegar
