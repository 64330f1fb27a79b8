#include "result/counter_certificate.hpp"

#include <algorithm>
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

// Thrown inside the checker when there is too much to look at; never leaves it.
struct TooMany {};

// Likewise when the certificate does not hold.
struct Refuted {
  std::string message;
};

class Checker {
 public:
  Checker(Env& env, const model::Program& program, const json& certificate)
      : env_(env), program_(program), interpreter_(program, bound_of(certificate)) {
    read_tables(certificate);
    for (const json& state : certificate.at("states")) {
      Word word = state.get<Word>();
      expect_canonical(word);
      states_.insert(std::move(word));
    }
  }

  // False when a limit stopped it.
  bool run() {
    check_initial();
    for (const Word& word : states_) {
      if (env_.stop_requested()) return false;
      check_state(to_state(word));
    }
    return true;
  }

  std::size_t size() const { return states_.size(); }

 private:
  static std::uint32_t bound_of(const json& certificate) {
    const auto bound = certificate.at("threads").get<std::uint32_t>();
    if (bound == 0) throw Refuted{"the bound on threads is not positive"};
    return bound;
  }

  void read_tables(const json& certificate) {
    for (const json& values : certificate.at("shared")) {
      shared_.push_back(values.get<Valuation>());
      if (shared_.back().size() != program_.shared_slots())
        throw Refuted{"a shared state has the wrong number of values"};
      shared_index_.emplace(shared_.back(), static_cast<std::uint32_t>(shared_.size() - 1));
    }
    for (const json& local : certificate.at("locals")) {
      const model::TemplateId templ{local.at("template").get<std::size_t>()};
      const model::LocId location{local.at("location").get<std::size_t>()};
      ThreadState thread{templ, location, local.at("atomic").get<bool>(), local.at("values").get<Valuation>()};
      const bool exists = templ.value < program_.templates.size() &&
                          location.value < program_.templ(templ).locations.size() &&
                          thread.locals.size() == program_.templ(templ).local_slots();
      if (!exists) throw Refuted{"a local state does not fit the program"};
      locals_index_.emplace(thread, static_cast<std::uint32_t>(locals_.size()));
      locals_.push_back(std::move(thread));
    }
  }

  void expect_canonical(const Word& word) const {
    bool fine = word.size() % 2 == 1 && word[0] < shared_.size();
    std::uint64_t threads = 0;
    for (std::size_t i = 1; fine && i < word.size(); i += 2) {
      fine = word[i] < locals_.size() && word[i + 1] > 0 && (i == 1 || word[i - 2] < word[i]);
      threads += word[i + 1];
    }
    if (!fine) throw Refuted{"a state is not in canonical form"};
    // Before anyone builds the state: a count may be any number.
    if (threads > *interpreter_.bound()) throw Refuted{"a state of the set has more threads than the bound allows"};
  }

  State to_state(const Word& word) const {
    State state{shared_[word[0]], {}};
    for (std::size_t i = 1; i < word.size(); i += 2) {
      for (std::uint32_t n = 0; n < word[i + 1]; ++n) state.threads.emplace_back(locals_[word[i]]);
    }
    return state;
  }

  void expect_member(const State& state, const char* what) const {
    const auto shared = shared_index_.find(state.shared);
    if (shared == shared_index_.end()) throw Refuted{fmt::format("{} is missing from the set", what)};
    std::vector<std::uint32_t> numbers;
    for (const auto& thread : state.threads) {
      if (!thread) continue;
      const auto local = locals_index_.find(*thread);
      if (local == locals_index_.end()) throw Refuted{fmt::format("{} is missing from the set", what)};
      numbers.push_back(local->second);
    }
    std::sort(numbers.begin(), numbers.end());
    Word word{shared->second};
    for (const std::uint32_t number : numbers) {
      if (word.size() > 1 && word[word.size() - 2] == number) {
        ++word.back();
      } else {
        word.insert(word.end(), {number, 1});
      }
    }
    if (!states_.contains(word)) throw Refuted{fmt::format("{} is missing from the set", what)};
  }

  void check_initial() const {
    const model::Stepper& stepper = interpreter_.stepper();
    for (const Valuation& shared : stepper.initial_valuations(program_.shared)) {
      for (const auto& counts : initial_thread_counts(program_, interpreter_.bound())) {
        State state{shared, {}};
        place_initial(state, counts, 0);
      }
    }
  }

  void place_initial(State& state, const std::vector<std::uint32_t>& counts, std::size_t group) const {
    if (group == counts.size()) {
      if (!interpreter_.is_initial(state)) return;
      expect_member(state, "an initial state");
      if (looks_for_deadlocks(program_)) check_waiting(state);
      return;
    }
    const model::InitialThreads& threads = program_.initial[group];
    const auto starts = interpreter_.stepper().initial_valuations(program_.templ(threads.templ).locals);
    choose(state, counts, group, starts, 0, counts[group]);
  }

  // Whether threads wait for ever while others go on shows in no single state.
  void check_waiting(const State& initial) const {
    constexpr std::size_t most_states = 200'000;
    const model::Waiting waiting = waits_for_ever(interpreter_, initial, most_states);
    if (waiting == model::Waiting::ForEver) throw Refuted{"threads may wait for ever while others go on"};
    if (waiting == model::Waiting::Undecided) throw TooMany{};
  }

  void choose(State& state, const std::vector<std::uint32_t>& counts, std::size_t group,
              const std::vector<Valuation>& starts, std::size_t from, std::uint32_t remaining) const {
    if (remaining == 0) {
      place_initial(state, counts, group + 1);
      return;
    }
    for (std::size_t i = from; i < starts.size(); ++i) {
      state.threads.emplace_back(
          ThreadState{program_.initial[group].templ, program_.initial[group].location, false, starts[i]});
      choose(state, counts, group, starts, i, remaining - 1);
      state.threads.pop_back();
    }
  }

  void check_state(const State& state) const {
    if (interpreter_.violated(state)) throw Refuted{"a state of the set violates a property"};
    for (std::size_t slot = 0; slot < state.threads.size(); ++slot) {
      if (slot > 0 && state.threads[slot] == state.threads[slot - 1]) continue;
      const ThreadState& thread = *state.threads[slot];
      for (const std::uint32_t edge : interpreter_.stepper().out_edges(thread.templ).of(thread.location)) {
        for (const model::Transition& step : interpreter_.successors(state, slot, {thread.templ, edge})) {
          if (step.fault) throw Refuted{"a state of the set has a step that faults"};
          expect_member(step.target, "a successor of a state of the set");
        }
      }
    }
  }

  Env& env_;
  const model::Program& program_;
  Interpreter interpreter_;
  std::vector<Valuation> shared_;
  std::vector<ThreadState> locals_;
  std::unordered_map<Valuation, std::uint32_t, model::ValuationHash> shared_index_;
  std::unordered_map<ThreadState, std::uint32_t, model::ThreadStateHash> locals_index_;
  std::unordered_set<Word, WordHash> states_;
};

}  // namespace

json CounterCertificate::to_json(const model::Program& program) const {
  json result{{"kind", kind_name},
              {"threads", bound},
              {"shared", shared},
              {"locals", json::array()},
              {"states", json::array()}};
  for (const ThreadState& local : locals) {
    COHORT_EXPECT(local.templ.value < program.templates.size(), "a certificate speaks of its program");
    result["locals"].push_back({{"template", local.templ.value},
                                {"location", local.location.value},
                                {"atomic", local.atomic},
                                {"values", local.locals}});
  }
  for (const CounterState& state : states) {
    Word word{state.shared};
    for (const auto& [local, count] : state.cells) word.insert(word.end(), {local, count});
    result["states"].push_back(std::move(word));
  }
  return result;
}

CertificateCheck check_counter_certificate(Env& env, const model::Program& program, const json& certificate) {
  try {
    Checker checker(env, program, certificate);
    if (!checker.run()) return {.complete = false, .message = env.describe_stop()};
    return {.valid = true,
            .message = fmt::format(
                "{} counter states hold every initial state, are closed under every step with up to {} threads, and "
                "violate nothing",
                checker.size(), certificate.at("threads").get<std::uint32_t>())};
  } catch (const TooMany&) {
    return {.complete = false, .message = "too many states to see whether threads wait for ever while others go on"};
  } catch (const Refuted& refuted) {
    return {.message = refuted.message};
  } catch (const json::exception& error) {
    return {.message = fmt::format("not a counter-set certificate: {}", error.what())};
  }
}

}  // namespace cohort::result
