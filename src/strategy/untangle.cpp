// A shortest run found breadth first jumps between threads for no reason.  Independent neighbours may change places
// without changing where the run leads, so blocks of steps of one thread can be brought together: the next block of the
// same thread is pulled up to this one, or this one is pushed down to it, step by step.  Whether two neighbours may
// change places is asked of the interpreter and not of an independence relation: executed in the other order, by the
// same threads and edges, they must lead to the very same state.  So a spawn passes another spawn only if nobody can
// tell, and names of threads stay.
//
// The last step stays where it is: it makes the violation.  A move that succeeds lowers the number of switches, which
// bounds the number of moves; a budget of exchanges bounds the work on long runs.  The result is not always the
// optimum, which would be a search of its own.
#include "strategy/untangle.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "base/poll.hpp"

namespace cohort::strategy {

using model::Interpreter;
using model::Run;
using model::State;
using model::Transition;

namespace {

// Consecutive steps of one thread, from `begin` to before `end`.
struct Block {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The steps that stood at `at` and after it before they changed places.
struct Exchange {
  std::size_t at = 0;
  Transition first;
  Transition second;
};

class Untangler {
 public:
  Untangler(const model::Program& program, std::optional<std::uint32_t> bound, Run run, Env* env)
      : env_(env), interpreter_(model::interpreter_for(program, bound, run, env)), run_(std::move(run)) {}

  // At a limit, the run as it is by then: after every exchange it is a run of the program.
  Run untangle() {
    try {
      while (budget_ > 0 && join_two_blocks()) {
      }
    } catch (const Stopped&) {
      take_back();
    }
    return std::move(run_);
  }

 private:
  const State& before(std::size_t step) const { return step == 0 ? run_.initial : run_.steps[step - 1].target; }

  std::vector<Block> blocks() const {
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < run_.steps.size(); ++i) {
      if (i == 0 || run_.steps[i].thread != run_.steps[i - 1].thread) blocks.push_back({i, i});
      blocks.back().end = i + 1;
    }
    return blocks;
  }

  bool join_two_blocks() {
    const auto all = blocks();
    for (std::size_t i = 0; i + 2 < all.size(); ++i) {
      for (std::size_t j = i + 2; j < all.size(); ++j) {
        if (run_.steps[all[i].begin].thread != run_.steps[all[j].begin].thread) continue;
        if (all[j].end < run_.steps.size() && pull_up(all[j], all[i].end)) return true;
        if (push_down(all[i], all[j].begin)) return true;
        break;
      }
    }
    return false;
  }

  // Moves a block up so that it begins at `to`.
  bool pull_up(Block block, std::size_t to) {
    replaced_.clear();
    for (std::size_t offset = 0; offset < block.end - block.begin; ++offset) {
      for (std::size_t at = block.begin + offset; at > to + offset; --at) {
        if (!exchange(at - 1)) return take_back();
      }
    }
    return true;
  }

  // Moves a block down so that it ends before `to`.
  bool push_down(Block block, std::size_t to) {
    replaced_.clear();
    for (std::size_t offset = 0; offset < block.end - block.begin; ++offset) {
      for (std::size_t at = block.end - 1 - offset; at + 1 + offset < to; ++at) {
        if (!exchange(at)) return take_back();
      }
    }
    return true;
  }

  bool take_back() {
    for (; !replaced_.empty(); replaced_.pop_back()) {
      Exchange& last = replaced_.back();
      run_.steps[last.at] = std::move(last.first);
      run_.steps[last.at + 1] = std::move(last.second);
    }
    return false;
  }

  // Lets the step after number `at` happen first.
  bool exchange(std::size_t at) {
    poll(env_, "untangle");
    if (budget_ == 0) return false;
    --budget_;
    Transition& first = run_.steps[at];
    Transition& second = run_.steps[at + 1];
    COHORT_EXPECT(first.thread != second.thread, "steps of one thread keep their order");
    const State& start = before(at);
    // A thread that the first step creates is not there before it.
    if (second.fault || second.thread >= start.threads.size() || !start.threads[second.thread]) return false;
    for (Transition& early : interpreter_.successors(start, second.thread, second.edge)) {
      if (early.fault || early.spawned.size() != second.spawned.size() || interpreter_.violated(early.target)) continue;
      if (first.thread >= early.target.threads.size() || !early.target.threads[first.thread]) continue;
      for (Transition& late : interpreter_.successors(early.target, first.thread, first.edge)) {
        if (late.fault || late.target != second.target || late.spawned.size() != first.spawned.size()) continue;
        replaced_.push_back({at, std::exchange(first, std::move(early)), std::exchange(second, std::move(late))});
        return true;
      }
    }
    return false;
  }

  Env* env_;
  Interpreter interpreter_;
  Run run_;
  std::vector<Exchange> replaced_;  // since the current move began
  std::size_t budget_ = 5000;
};

}  // namespace

std::size_t context_switches(const Run& run) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < run.steps.size(); ++i) count += run.steps[i].thread != run.steps[i - 1].thread ? 1 : 0;
  return count;
}

Run untangle(const model::Program& program, std::optional<std::uint32_t> bound, Run run, Env* env) {
  const std::size_t length = run.steps.size();
  const std::size_t switches = context_switches(run);
  Run result = Untangler(program, bound, std::move(run), env).untangle();
  COHORT_EXPECT(result.steps.size() == length, "untangling keeps every step");
  COHORT_EXPECT(context_switches(result) <= switches, "untangling makes no switches");
  return result;
}

}  // namespace cohort::strategy
