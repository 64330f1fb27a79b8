#include "result/omega_certificate.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "model/guard_index.hpp"
#include "model/step.hpp"
#include "result/omega_threads.hpp"

namespace cohort::result {

using model::ThreadState;
using model::Valuation;
using nlohmann::json;

namespace {

using Threads = OmegaThreads;

class Checker {
 public:
  explicit Checker(const Checking& checking)
      : checking_(checking), env_(checking.env), program_(checking.program), stepper_(program_, &env_) {
    expect_countable(program_);
    for (const model::Template& templ : program_.templates) guards_.emplace_back(program_, templ);
    read();
  }

  void run() {
    for_each_initial(env_, stepper_, [&](const Valuation& shared, const Threads& threads) {
      expect_covered(shared, threads, "an initial configuration");
    });
    for (const auto& [shared, list] : set_) {
      for (const Threads& threads : list) check_configuration(shared, threads);
    }
  }

  std::size_t size() const { return size_; }

 private:
  void read() {
    const json& certificate = checking_.certificate;
    expect_members(certificate, {"kind", "shared", "locals", "configurations"});
    const std::vector<Valuation> shared = shared_states_from_json(checking_, member(certificate, "shared"));
    const std::vector<ThreadState> locals = thread_states_from_json(checking_, member(certificate, "locals"));
    for (const json& configuration : elements(member(certificate, "configurations"), "the configurations")) {
      env_.poll("check-omega-set");
      expect_members(configuration, {"shared", "threads"});
      Threads threads;
      for (const json& cell : elements(member(configuration, "threads"), "the threads of a configuration")) {
        const auto& pair = elements(cell, "a local state with its count");
        if (pair.size() != 2) misshapen("a local state with its count: expected two elements");
        const auto count = count_or_omega(pair[1]);
        add(threads, locals[index_below(pair[0], locals.size(), "a local state")], count ? *count : omega);
      }
      expect_one_holder(threads);
      set_[shared[index_below(member(configuration, "shared"), shared.size(), "a shared state")]].push_back(
          std::move(threads));
      ++size_;
    }
  }

  // Covering compares whether there is a thread inside an atomic section: it relies on there being one at most.
  static void expect_one_holder(const Threads& threads) {
    std::uint64_t holders = 0;
    for (const auto& [thread, count] : threads) holders += thread.atomic ? std::min<std::uint64_t>(count, 2) : 0;
    if (holders > 1) refute("a configuration has two threads inside atomic sections");
  }

  void expect_covered(const Valuation& shared, const Threads& threads, const char* what) const {
    COHORT_EXPECT(shared.size() == program_.shared_slots(), "a shared state has a value for each slot");
    const auto it = set_.find(shared);
    if (it != set_.end()) {
      for (const Threads& member : it->second) {
        env_.poll("check-omega-set");
        if (covers(member, threads)) return;
      }
    }
    refute(fmt::format("{} is not covered by the set", what));
  }

  void check_configuration(const Valuation& shared, const Threads& threads) const {
    check_properties(shared, threads);
    const bool held = has_holder(threads);
    for (const auto& [thread, count] : threads) {
      COHORT_EXPECT(count > 0, "threads that are not there are not listed");
      if (!held || thread.atomic) check_steps(shared, threads, thread);
    }
  }

  void check_steps(const Valuation& shared, const Threads& threads, const ThreadState& mover) const {
    for (const std::uint32_t edge : guards_[mover.templ.value].candidates(mover.location, shared)) {
      env_.poll("check-omega-set");
      for (const model::Outcome& outcome : stepper_.outcomes({mover.templ, edge}, shared, mover)) {
        if (outcome.fault) refute("a step faults");
        if (outcome.broadcast) refuse("a step broadcasts: covering says nothing about it");
        COHORT_EXPECT(outcome.remote.empty(), "no thread writes to another one by reference");
        Threads after = threads;
        remove(after, mover);
        const auto& actions = program_.templ(mover.templ).edges[edge].actions;
        take(outcome, after, outcome.takes ? actions[*outcome.takes].takes : std::vector<model::Take>{}, 0, {});
      }
    }
  }

  // Takes the threads one by one, each in every way; `moved` are those that went elsewhere and cannot be taken again.
  void take(const model::Outcome& outcome, const Threads& left, const std::vector<model::Take>& takes,
            std::size_t index, const Threads& moved) const {
    env_.poll("check-omega-set");
    if (index == takes.size()) {
      finish(outcome, left, moved);
      return;
    }
    COHORT_EXPECT(index < takes.size(), "threads are taken one by one");
    const model::Take& wanted = takes[index];
    for (const auto& [thread, count] : left) {
      if (thread.templ != wanted.templ || thread.location != wanted.from) continue;
      Threads fewer = left;
      remove(fewer, thread);
      Threads more = moved;
      if (wanted.to) {
        ThreadState after = thread;
        after.location = *wanted.to;
        add(more, after, 1);
      }
      take(outcome, fewer, takes, index + 1, more);
    }
  }

  void finish(const model::Outcome& outcome, Threads after, const Threads& moved) const {
    for (const auto& [thread, count] : moved) add(after, thread, count);
    if (!outcome.ended) add(after, outcome.thread, 1);
    for (const ThreadState& child : outcome.children) add(after, child, 1);
    expect_covered(outcome.shared, after, "a successor of a configuration");
  }

  void check_properties(const Valuation& shared, const Threads& threads) const {
    for (const auto& [thread, count] : threads) {
      if (program_.templ(thread.templ).locations[thread.location.value].error) refute("a configuration is at an error");
    }
    const auto count_at = [&](const TargetPlace& place) {
      std::uint64_t present = 0;
      for (const auto& [thread, count] : threads) {
        if (std::pair(thread.templ, thread.location) == place) present = sum_of_counts(present, count);
      }
      return present;
    };
    expect_no_target(program_, shared, count_at, "a configuration");
  }

  const Checking& checking_;
  Env& env_;
  const model::Program& program_;
  model::Stepper stepper_;
  std::vector<model::GuardIndex> guards_;
  std::unordered_map<Valuation, std::vector<Threads>, model::ValuationHash> set_;
  std::size_t size_ = 0;
};

}  // namespace

json OmegaCertificate::to_json(const model::Program&) const {
  json result;
  result["kind"] = kind_name;
  result["shared"] = shared;
  result["locals"] = thread_states_to_json(locals);
  result["configurations"] = json::array();
  for (const Configuration& configuration : configurations) {
    json threads = json::array();
    COHORT_EXPECT(configuration.shared < shared.size(), "a configuration has a shared state of the table");
    for (const auto& [local, count] : configuration.cells) {
      COHORT_EXPECT(local < locals.size() && count != 0u, "a configuration counts local states of the table");
      threads.push_back(count ? json::array({local, *count}) : json::array({local, "omega"}));
    }
    result["configurations"].push_back({{"shared", configuration.shared}, {"threads", std::move(threads)}});
  }
  return result;
}

namespace {

std::string check(const Checking& checking) {
  Checker checker(checking);
  checker.run();
  return fmt::format("{} configurations cover all that any number of threads can reach, and no violation",
                     checker.size());
}

bool judges(model::PropertyKind kind) {
  using Kind = model::PropertyKind;
  switch (kind) {
    case Kind::Assertion:
    case Kind::ErrorLabel:
    case Kind::Cut:
    case Kind::Cover:
    case Kind::Condition:
    case Kind::Fault: return true;
    case Kind::Deadlock: return false;
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

}  // namespace

const CertificateKind omega_kind{OmegaCertificate::kind_name, judges, check};

}  // namespace cohort::result
