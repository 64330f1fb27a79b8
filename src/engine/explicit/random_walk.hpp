// Random executions, one after the other, until one violates or a limit is reached.  They find what no order of
// exploration comes to: violations behind many choices that all lead there, and behind schedules that let some threads
// wait for a long time.
//
// Three kinds of executions alternate.  One gives each thread a random priority at its creation and always lets the
// highest that can move go on; at a few random steps the thread that moves gets the lowest priority (Burckhardt,
// Kothari, Musuvathi and Nagarakatte, A randomized scheduler with probabilistic guarantees of finding bugs, ASPLOS
// 2010): a violation that needs d such orderings among n threads and k steps is met with probability 1/(n k^(d-1)) at
// least.  Another keeps the thread that moved last, except that with some probability, which differs from run to run,
// any thread moves.  The third lets threads take turns of so many steps that others can see, the same number in the
// whole run, while those of low priority wait as long as another can move; this drives loops that feed each other as
// far as they go. Choices of values fall at random.
//
// Nothing is stored but the execution itself, as the code words of its states.  An execution is cut off when it is
// long, which is more and more steps as executions are.  Never complete, so it never ends in SAFE.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "engine/explicit/plain_space.hpp"
#include "engine/explicit/search.hpp"

namespace cohort::engine::explicit_ {

class RandomWalk {
 public:
  // The store, empty at first, receives the execution that violates.
  RandomWalk(Env& env, PlainSpace& space, StateStore& store) : env_(env), space_(space), store_(store) {}

  SearchOutcome run();
  std::uint64_t executions() const { return executions_; }

 private:
  using Word = std::vector<std::uint8_t>;

  // The way in which threads are chosen in one execution.
  struct Schedule {
    enum class Kind : std::uint8_t { Priorities, Switching, Turns };

    Kind kind = Kind::Priorities;
    std::vector<std::size_t> change_steps;  // steps after which the thread that moved gets the lowest priority
    double switching = 0;                   // Switching: the probability that any thread moves
    std::size_t turn = 1;                   // Turns: so many steps that change what is shared
  };

  void start_execution();
  // Goes on until the execution ends; false if it violates or the search must stop.
  bool execute();
  // Takes a step of the first thread in `schedule_order()` that has one; false if nobody has.
  bool step();
  bool step_of(std::size_t slot);
  std::vector<std::size_t> schedule_order();
  void follow_slots();
  void keep_execution();

  Env& env_;
  PlainSpace& space_;
  StateStore& store_;
  std::mt19937_64 random_{1};
  std::vector<Word> starts_;
  std::vector<Word> path_;  // the execution so far
  Schedule schedule_;
  std::vector<double> priorities_;  // of the threads in the slots
  std::size_t last_ = 0;            // the slot that moved last
  std::size_t in_a_row_ = 0;        // and how often it has changed what is shared since another moved
  std::size_t longest_ = 100;       // the most steps of an execution so far
  std::size_t most_steps_ = 1000;   // longer ones are cut off
  std::uint64_t cut_off_ = 0;
  std::uint64_t executions_ = 0;
  SearchOutcome outcome_;
};

}  // namespace cohort::engine::explicit_
