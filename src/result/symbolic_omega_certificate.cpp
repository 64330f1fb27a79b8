#include "result/symbolic_omega_certificate.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/assignment.hpp"
#include "base/contract.hpp"
#include "model/guard_index.hpp"
#include "model/step.hpp"
#include "result/omega_threads.hpp"

namespace cohort::result {

using model::ThreadState;
using model::Valuation;
using nlohmann::json;

namespace {

// `count` threads (or omega), each in one of the local states of a set.
struct Threads {
  std::uint32_t set = 0;
  std::uint64_t count = 1;
};

struct Label {
  std::uint32_t shared = 0;
  std::vector<Threads> threads;
};

class Checker {
 public:
  explicit Checker(const Checking& checking)
      : env_(checking.env), program_(checking.program), stepper_(program_, &env_) {
    const json& certificate = checking.certificate;
    expect_members(certificate, {"kind", "shared", "locals", "labels"});
    expect_countable(program_);
    for (const model::Template& templ : program_.templates) guards_.emplace_back(program_, templ);
    for (const json& set : elements(member(certificate, "shared"), "the shared sets")) {
      shared_sets_.push_back(values_of(env_, set, program_.shared_slots()));
    }
    for (const json& set : elements(member(certificate, "locals"), "the local sets")) read_local_set(set);
    for (const json& label : elements(member(certificate, "labels"), "the labels")) read_label(label);
  }

  void run() {
    check_initial();
    for (const Label& label : labels_) check_label(label);
  }

  std::size_t size() const { return labels_.size(); }

 private:
  void read_local_set(const json& set) {
    expect_members(set, {"template", "location", "atomic", "values"});
    const std::uint64_t templ = natural(member(set, "template"), "the template of a local set");
    const std::uint64_t location = natural(member(set, "location"), "the location of a local set");
    if (templ >= program_.templates.size() || location >= program_.templates[templ].locations.size()) {
      refute("a local set does not fit the program");
    }
    const bool atomic = truth(member(set, "atomic"), "the atomic flag of a local set");
    std::vector<std::uint32_t> members;
    for (Valuation& values : values_of(env_, member(set, "values"), program_.templates[templ].local_slots())) {
      members.push_back(number_of({model::TemplateId(templ), model::LocId(location), atomic, std::move(values)}));
    }
    if (members.empty()) refute("a local set is empty");
    COHORT_EXPECT(std::all_of(members.begin(), members.end(),
                              [&](std::uint32_t local) { return locals_[local].atomic == atomic; }),
                  "all of a set are inside atomic sections or none");
    certified_sets_.push_back(set_of(std::move(members)));
  }

  void read_label(const json& entry) {
    expect_members(entry, {"shared", "threads"});
    Label label;
    label.shared = index_below(member(entry, "shared"), shared_sets_.size(), "a shared set");
    const auto number = static_cast<std::uint32_t>(labels_.size());
    for (const Valuation& values : shared_sets_[label.shared]) {
      env_.poll("check-symbolic-omega-set");
      labels_with_[values].push_back(number);
    }
    std::uint64_t holders = 0;
    for (const json& cell : elements(member(entry, "threads"), "the threads of a label")) {
      const auto& pair = elements(cell, "a local set with its count");
      if (pair.size() != 2) misshapen("a local set with its count: expected two elements");
      const auto count = count_or_omega(pair[1]);
      const Threads threads{certified_sets_[index_below(pair[0], certified_sets_.size(), "a local set")],
                            count ? *count : omega};
      if (is_atomic(threads.set)) holders += std::min<std::uint64_t>(threads.count, 2);
      label.threads.push_back(threads);
    }
    if (holders > 1) refute("a label has two threads inside atomic sections");
    COHORT_EXPECT(number == labels_.size(), "a label has the number that its shared states know");
    labels_.push_back(std::move(label));
  }

  std::uint32_t number_of(const ThreadState& thread) {
    const auto [it, added] = local_index_.try_emplace(thread, static_cast<std::uint32_t>(locals_.size()));
    if (added) locals_.push_back(thread);
    return it->second;
  }

  // Sets are sorted lists of local states, each kept once; all members have one location and one atomic flag.
  std::uint32_t set_of(std::vector<std::uint32_t> members) {
    COHORT_EXPECT(!members.empty(), "a set has members");
    std::sort(members.begin(), members.end());
    const auto [it, added] = set_index_.try_emplace(members, static_cast<std::uint32_t>(sets_.size()));
    if (added) sets_.push_back(std::move(members));
    return it->second;
  }

  const ThreadState& some_member(std::uint32_t set) const { return locals_[sets_[set].front()]; }
  bool is_atomic(std::uint32_t set) const { return some_member(set).atomic; }

  bool includes(std::uint32_t larger, std::uint32_t smaller) {
    COHORT_EXPECT(larger < sets_.size() && smaller < sets_.size(), "the sets are known");
    if (larger == smaller) return true;
    const auto [it, added] = includes_.try_emplace((std::uint64_t{larger} << 32U) | smaller, false);
    if (added) {
      it->second =
          std::includes(sets_[larger].begin(), sets_[larger].end(), sets_[smaller].begin(), sets_[smaller].end());
    }
    return it->second;
  }

  bool embeds(const std::vector<Threads>& smaller, const std::vector<Threads>& larger) {
    const auto has_holder = [&](const std::vector<Threads>& list) {
      return std::any_of(list.begin(), list.end(), [&](const Threads& threads) { return is_atomic(threads.set); });
    };
    // A thread inside an atomic section stops all others: with and without one, configurations do not cover each other.
    if (has_holder(smaller) != has_holder(larger)) return false;
    std::vector<std::uint32_t> kinds;
    std::vector<std::uint64_t> items;
    for (const Threads& wanted : smaller) {
      const bool any = std::any_of(larger.begin(), larger.end(), [&](const Threads& place) {
        return place.count == omega && includes(place.set, wanted.set);
      });
      if (any) continue;
      if (wanted.count == omega) return false;
      kinds.push_back(wanted.set);
      items.push_back(wanted.count);
    }
    if (kinds.empty()) return true;
    std::vector<std::uint64_t> room;
    for (const Threads& place : larger) room.push_back(place.count == omega ? 0 : place.count);
    COHORT_EXPECT(kinds.size() == items.size() && room.size() == larger.size(),
                  "every kind has its number and every place its room");
    return Assignment(items, room,
                      [&](std::size_t kind, std::size_t box) { return includes(larger[box].set, kinds[kind]); })
        .exists();
  }

  void expect_covered(const Valuation& shared, const std::vector<Threads>& threads, const char* what) {
    if (const auto it = labels_with_.find(shared); it != labels_with_.end()) {
      for (const std::uint32_t label : it->second) {
        env_.poll("check-symbolic-omega-set");
        if (embeds(threads, labels_[label].threads)) return;
      }
    }
    refute(fmt::format("{} is not covered by a label", what));
  }

  void check_initial() {
    std::vector<Threads> start;
    for (const model::InitialThreads& group : program_.initial) {
      if (group.count == 0u) continue;
      std::vector<std::uint32_t> members;
      for (Valuation& locals : stepper_.initial_valuations(program_.templ(group.templ).locals)) {
        members.push_back(number_of({group.templ, group.location, false, std::move(locals)}));
      }
      start.push_back({set_of(std::move(members)), group.count ? *group.count : omega});
    }
    for (const Valuation& shared : stepper_.initial_valuations(program_.shared)) {
      if (program_.initial_condition && !holds_in(program_, *program_.initial_condition, shared)) continue;
      expect_covered(shared, start, "an initial configuration");
    }
  }

  void check_label(const Label& label) {
    for (const Threads& threads : label.threads) {
      const ThreadState& thread = some_member(threads.set);
      if (program_.templ(thread.templ).locations[thread.location.value].error) refute("a label is at an error");
    }
    const bool held =
        std::any_of(label.threads.begin(), label.threads.end(), [&](const Threads& t) { return is_atomic(t.set); });
    // What a step leads to, by numbers; different states of the label often lead to the same.
    std::set<std::vector<std::uint32_t>> seen;
    for (const Valuation& shared : shared_sets_[label.shared]) {
      check_properties(label, shared);
      for (std::size_t i = 0; i < label.threads.size(); ++i) {
        if (held && !is_atomic(label.threads[i].set)) continue;
        for (const std::uint32_t mover : std::vector<std::uint32_t>(sets_[label.threads[i].set])) {
          check_steps(label, i, shared, mover, seen);
        }
      }
    }
  }

  void check_steps(const Label& label, std::size_t entry, const Valuation& shared, std::uint32_t mover,
                   std::set<std::vector<std::uint32_t>>& seen) {
    const ThreadState thread = locals_[mover];
    for (const std::uint32_t edge : guards_[thread.templ.value].candidates(thread.location, shared)) {
      env_.poll("check-symbolic-omega-set");
      for (const model::Outcome& outcome : stepper_.outcomes({thread.templ, edge}, shared, thread)) {
        if (outcome.fault) refute("a step faults");
        if (outcome.broadcast || outcome.takes) refuse("a step concerns other threads");
        COHORT_EXPECT(outcome.remote.empty(), "no thread writes to another one by reference");
        std::vector<std::uint32_t> made{static_cast<std::uint32_t>(entry), shared_number(outcome.shared)};
        if (!outcome.ended) made.push_back(number_of(outcome.thread));
        for (const ThreadState& child : outcome.children) made.push_back(number_of(child));
        if (!seen.insert(made).second) continue;
        std::vector<Threads> after = label.threads;
        if (after[entry].count != omega && --after[entry].count == 0) {
          after.erase(after.begin() + static_cast<std::ptrdiff_t>(entry));
        }
        for (std::size_t i = 2; i < made.size(); ++i) after.push_back({set_of({made[i]}), 1});
        expect_covered(outcome.shared, after, "a successor of a label");
      }
    }
  }

  std::uint32_t shared_number(const Valuation& shared) {
    return shared_index_.try_emplace(shared, static_cast<std::uint32_t>(shared_index_.size())).first->second;
  }

  void check_properties(const Label& label, const Valuation& shared) const {
    const auto count_at = [&](const TargetPlace& place) {
      std::uint64_t present = 0;
      for (const Threads& threads : label.threads) {
        const ThreadState& thread = some_member(threads.set);
        if (std::pair(thread.templ, thread.location) == place) present = sum_of_counts(present, threads.count);
      }
      return present;
    };
    expect_no_target(program_, shared, count_at, "a label");
  }

  Env& env_;
  const model::Program& program_;
  model::Stepper stepper_;
  std::vector<model::GuardIndex> guards_;
  std::vector<std::vector<Valuation>> shared_sets_;
  std::vector<ThreadState> locals_;
  std::unordered_map<ThreadState, std::uint32_t, model::ThreadStateHash> local_index_;
  std::vector<std::vector<std::uint32_t>> sets_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> set_index_;
  std::vector<std::uint32_t> certified_sets_;  // the certificate's numbers to ours
  std::unordered_map<std::uint64_t, bool> includes_;
  std::vector<Label> labels_;
  std::unordered_map<Valuation, std::vector<std::uint32_t>, model::ValuationHash> labels_with_;
  std::unordered_map<Valuation, std::uint32_t, model::ValuationHash> shared_index_;
};

}  // namespace

json SymbolicOmegaCertificate::to_json(const model::Program&) const {
  json result{{"kind", kind_name}, {"shared", shared}, {"locals", json::array()}, {"labels", json::array()}};
  for (const LocalSet& local : locals) {
    result["locals"].push_back({{"template", local.templ.value},
                                {"location", local.location.value},
                                {"atomic", local.atomic},
                                {"values", local.values}});
  }
  for (const Label& label : labels) {
    json threads = json::array();
    COHORT_EXPECT(label.shared < shared.size(), "a label has a shared set of the table");
    for (const auto& [local, count] : label.threads) {
      COHORT_EXPECT(local < locals.size() && count != 0u, "a label counts threads in local sets of the table");
      threads.push_back(count ? json::array({local, *count}) : json::array({local, "omega"}));
    }
    result["labels"].push_back({{"shared", label.shared}, {"threads", std::move(threads)}});
  }
  return result;
}

namespace {

std::string check(const Checking& checking) {
  Checker checker(checking);
  checker.run();
  return fmt::format("{} labels cover all that any number of threads can reach, and no violation", checker.size());
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

const CertificateKind symbolic_omega_kind{SymbolicOmegaCertificate::kind_name, judges, check};

}  // namespace cohort::result
