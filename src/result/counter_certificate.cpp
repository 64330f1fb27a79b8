#include "result/counter_certificate.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "model/interpreter.hpp"
#include "model/waiting.hpp"

namespace cohort::result {

using model::Interpreter;
using model::State;
using model::ThreadState;
using model::Valuation;
using nlohmann::json;

namespace {

// A counter state by the certificate's own numbers: the shared state, then local state and count by turns.
using Word = std::vector<std::uint32_t>;

struct WordHash {
  std::size_t operator()(const Word& word) const noexcept {
    std::size_t hash = word.size();
    for (const std::uint32_t number : word) hash = (hash ^ number) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 32U);
  }
};

// The ways to have `count` threads in `places` places, one after the other, from all in the first to all in the last.
class Composition {
 public:
  Composition(std::uint32_t count, std::size_t places) : count_(count), parts_(places, 0) {
    COHORT_EXPECT(places > 0, "threads have somewhere to start");
    parts_[0] = count;
  }

  const std::vector<std::uint32_t>& parts() const { return parts_; }

  // False: that was the last one, and the first comes again.
  bool advance() {
    const auto first = static_cast<std::size_t>(
        std::find_if(parts_.begin(), parts_.end(), [](std::uint32_t part) { return part > 0; }) - parts_.begin());
    if (first + 1 >= parts_.size()) {
      std::fill(parts_.begin(), parts_.end(), 0);
      parts_[0] = count_;
      return false;
    }
    const std::uint32_t moved = parts_[first];
    COHORT_EXPECT(moved > 0, "the first place that has threads gives one");
    parts_[first] = 0;
    parts_[0] = moved - 1;
    ++parts_[first + 1];
    return true;
  }

 private:
  std::uint32_t count_;
  std::vector<std::uint32_t> parts_;  // their sum is count_
};

class Checker {
 public:
  explicit Checker(const Checking& checking)
      : checking_(checking),
        env_(checking.env),
        program_(checking.program),
        most_threads_(bound_of(checking)),
        interpreter_(program_, checking.bound, &env_) {
    expect_members(checking.certificate, {"kind", "threads", "shared", "locals", "states"});
    expect_countable(program_);
    read_tables();
    for (const json& state : elements(member(checking.certificate, "states"), "the states")) {
      env_.poll("check-counter-set");
      states_.insert(read_state(state));
    }
  }

  void run() {
    check_initial();
    for (const Word& word : states_) {
      env_.poll("check-counter-set");
      check_state(to_state(word));
    }
  }

  std::size_t size() const { return states_.size(); }

 private:
  static std::uint32_t bound_of(const Checking& checking) {
    const auto bound = static_cast<std::uint32_t>(natural(member(checking.certificate, "threads"), "the bound"));
    if (bound == 0) refute("the bound on threads is not positive");
    if (checking.bound && bound != *checking.bound) {
      refute(fmt::format("the set is for up to {} threads, asked is for up to {}", bound, *checking.bound));
    }
    const auto is_open = [](const model::InitialThreads& group) { return !group.count; };
    if (!checking.bound && std::any_of(checking.program.initial.begin(), checking.program.initial.end(), is_open)) {
      refute(fmt::format("the set is for up to {} threads, asked is for any number", bound));
    }
    return bound;
  }

  void read_tables() {
    shared_ = shared_states_from_json(checking_, member(checking_.certificate, "shared"));
    for (std::uint32_t i = 0; i < shared_.size(); ++i) shared_index_.try_emplace(shared_[i], i);
    locals_ = thread_states_from_json(checking_, member(checking_.certificate, "locals"));
    for (std::uint32_t i = 0; i < locals_.size(); ++i) locals_index_.try_emplace(locals_[i], i);
    if (shared_index_.size() != shared_.size() || locals_index_.size() != locals_.size()) {
      refute("a state is listed twice");
    }
  }

  // A state in canonical form: local states ascend, and counts are positive.
  Word read_state(const json& state) const {
    const auto& numbers = elements(state, "a state");
    if (numbers.size() % 2 != 1) misshapen("a state: expected a shared state, then local states with counts");
    Word word{index_below(numbers[0], shared_.size(), "the shared state of a state")};
    std::uint64_t threads = 0;
    std::uint64_t atomic = 0;
    for (std::size_t i = 1; i < numbers.size(); i += 2) {
      const std::uint32_t local = index_below(numbers[i], locals_.size(), "a local state of a state");
      const auto count = static_cast<std::uint32_t>(natural(numbers[i + 1], "a count"));
      if (count == 0 || (i > 1 && word[i - 2] >= local)) refute("a state is not in canonical form");
      word.insert(word.end(), {local, count});
      threads += count;
      atomic += locals_[local].atomic ? count : 0;
    }
    // Before anyone builds the state: a count may be any number.
    if (threads > most_threads_) refute("a state of the set has more threads than the bound allows");
    if (threads > most_threads_laid_out) {
      refuse(fmt::format("states of more than {} threads are not checked", most_threads_laid_out));
    }
    if (atomic > 1) refute("a state has two threads inside atomic sections");
    COHORT_EXPECT(word.size() == numbers.size(), "every number of the state is read");
    return word;
  }

  State to_state(const Word& word) const {
    COHORT_EXPECT(word.size() % 2 == 1 && word[0] < shared_.size(),
                  "a word is a shared state, then local states with counts");
    State state{shared_[word[0]], {}};
    for (std::size_t i = 1; i < word.size(); i += 2) {
      for (std::uint32_t n = 0; n < word[i + 1]; ++n) state.threads.emplace_back(locals_[word[i]]);
    }
    return state;
  }

  [[noreturn]] static void refute_missing(const char* what) { refute(fmt::format("{} is missing from the set", what)); }

  // `counts`: local states with their counts.
  void expect_member(const Valuation& shared_state, const std::map<std::uint32_t, std::uint32_t>& counts,
                     const char* what) const {
    const auto shared = shared_index_.find(shared_state);
    if (shared == shared_index_.end()) refute_missing(what);
    Word word{shared->second};
    for (const auto& [local, count] : counts) {
      COHORT_EXPECT(count > 0, "no thread is counted that is not there");
      word.insert(word.end(), {local, count});
    }
    if (!states_.contains(word)) refute_missing(what);
  }

  std::uint32_t number_of(const ThreadState& thread, const char* what) const {
    const auto local = locals_index_.find(thread);
    if (local == locals_index_.end()) refute_missing(what);
    return local->second;
  }

  void expect_member(const State& state, const char* what) const {
    std::map<std::uint32_t, std::uint32_t> counts;
    for (const auto& thread : state.threads) {
      if (thread) ++counts[number_of(*thread, what)];
    }
    expect_member(state.shared, counts, what);
  }

  // The threads of one group at the start, and the ways they can be distributed.
  struct Group {
    std::vector<ThreadState> starts;
    Composition ways;
  };

  void check_initial() const {
    const model::Stepper& stepper = interpreter_.stepper();
    const auto shared_states = stepper.initial_valuations(program_.shared);
    for (const auto& counts : initial_thread_counts(program_, checking_.bound, &env_)) {
      std::uint64_t threads = 0;
      for (const std::uint32_t count : counts) threads += count;
      if (threads > most_threads_) refute_missing("an initial state");
      COHORT_EXPECT(counts.size() == program_.initial.size(), "every group of threads has a count");
      std::vector<Group> groups;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        const model::InitialThreads& group = program_.initial[i];
        std::vector<ThreadState> starts;
        for (Valuation& locals : stepper.initial_valuations(program_.templ(group.templ).locals)) {
          starts.push_back({group.templ, group.location, false, std::move(locals)});
        }
        const std::size_t places = starts.size();
        groups.push_back({std::move(starts), Composition(counts[i], places)});
      }
      for (const Valuation& shared : shared_states) check_initial(shared, groups);
    }
  }

  // Every combination of ways, like the digits of a number.
  void check_initial(const Valuation& shared, std::vector<Group>& groups) const {
    COHORT_EXPECT(groups.size() == program_.initial.size(), "every group of threads starts in some way");
    for (;;) {
      env_.poll("check-counter-set");
      if (!program_.initial_condition || interpreter_.is_initial(laid_out(shared, groups))) {
        std::map<std::uint32_t, std::uint32_t> counts;
        for (const Group& group : groups) {
          for (std::size_t i = 0; i < group.starts.size(); ++i) {
            const std::uint32_t count = group.ways.parts()[i];
            if (count > 0) counts[number_of(group.starts[i], "an initial state")] += count;
          }
        }
        expect_member(shared, counts, "an initial state");
        if (looks_for_deadlocks(program_)) check_waiting(laid_out(shared, groups));
      }
      std::size_t digit = 0;
      while (digit < groups.size() && !groups[digit].ways.advance()) ++digit;
      if (digit == groups.size()) return;
    }
  }

  // Whether threads wait for ever while others go on shows in no single state.
  void check_waiting(const State& initial) const {
    constexpr std::size_t most_states = 200'000;
    const model::Waiting waiting = waits_for_ever(interpreter_, initial, most_states);
    if (waiting == model::Waiting::ForEver) refute("threads may wait for ever while others go on");
    if (waiting == model::Waiting::Undecided) {
      refuse("too many states to see whether threads wait for ever while others go on");
    }
  }

  State laid_out(const Valuation& shared, const std::vector<Group>& groups) const {
    State state{shared, {}};
    for (const Group& group : groups) {
      for (std::size_t i = 0; i < group.starts.size(); ++i) {
        if (state.threads.size() + group.ways.parts()[i] > most_threads_laid_out) {
          refuse(fmt::format("initial states of more than {} threads are not checked", most_threads_laid_out));
        }
        state.threads.insert(state.threads.end(), group.ways.parts()[i], group.starts[i]);
      }
    }
    return state;
  }

  void check_state(const State& state) const {
    COHORT_EXPECT(state.threads.size() <= most_threads_, "no state has more threads than the bound");
    if (interpreter_.violated(state)) refute("a state of the set violates a property");
    for (std::size_t slot = 0; slot < state.threads.size(); ++slot) {
      if (slot > 0 && state.threads[slot] == state.threads[slot - 1]) continue;
      const ThreadState& thread = *state.threads[slot];
      for (const std::uint32_t edge : interpreter_.stepper().out_edges(thread.templ).of(thread.location)) {
        for (const model::Transition& step : interpreter_.successors(state, slot, {thread.templ, edge})) {
          if (step.fault) refute("a state of the set has a step that faults");
          expect_member(step.target, "a successor of a state of the set");
        }
      }
    }
  }

  const Checking& checking_;
  Env& env_;
  const model::Program& program_;
  std::uint32_t most_threads_;  // no state of the set has more
  Interpreter interpreter_;
  std::vector<Valuation> shared_;
  std::vector<ThreadState> locals_;
  std::unordered_map<Valuation, std::uint32_t, model::ValuationHash> shared_index_;
  std::unordered_map<ThreadState, std::uint32_t, model::ThreadStateHash> locals_index_;
  std::unordered_set<Word, WordHash> states_;
};

}  // namespace

json CounterCertificate::to_json(const model::Program& program) const {
  json result{{"kind", kind_name}, {"threads", bound}, {"shared", shared}, {"states", json::array()}};
  for (const ThreadState& local : locals) {
    COHORT_EXPECT(local.templ.value < program.templates.size(), "a certificate speaks of its program");
  }
  result["locals"] = thread_states_to_json(locals);
  COHORT_EXPECT(bound > 0, "a set is for some number of threads");
  for (const CounterState& state : states) {
    COHORT_EXPECT(state.shared < shared.size(), "a state has a shared state of the table");
    Word word{state.shared};
    for (const auto& [local, count] : state.cells) word.insert(word.end(), {local, count});
    result["states"].push_back(std::move(word));
  }
  return result;
}

namespace {

std::string check(const Checking& checking) {
  Checker checker(checking);
  checker.run();
  return fmt::format("{} counter states hold every initial state, are closed under every step {}, and violate nothing",
                     checker.size(),
                     checking.bound ? fmt::format("with up to {} threads", *checking.bound)
                                    : std::string("without a bound on the threads"));
}

bool judges(model::PropertyKind kind) {
  using Kind = model::PropertyKind;
  switch (kind) {
    case Kind::Assertion:
    case Kind::ErrorLabel:
    case Kind::Cut:
    case Kind::Cover:
    case Kind::Condition:
    case Kind::Fault:
    case Kind::Deadlock: return true;  // the interpreter sees the whole state
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

}  // namespace

const CertificateKind counter_kind{CounterCertificate::kind_name, judges, check};

}  // namespace cohort::result
