#include "result/named_certificate.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "model/interpreter.hpp"

namespace cohort::result {

using model::Interpreter;
using model::State;
using model::ThreadState;
using model::Valuation;
using nlohmann::json;

namespace {

// A value's place in a table, which grows where it is new.
template <class Value, class Hash>
class Numbering {
 public:
  std::uint32_t of(const Value& value) {
    const auto [known, fresh] = numbers_.try_emplace(value, static_cast<std::uint32_t>(table_.size()));
    if (fresh) table_.push_back(value);
    return known->second;
  }
  const std::vector<Value>& table() const { return table_; }

 private:
  std::unordered_map<Value, std::uint32_t, Hash> numbers_;
  std::vector<Value> table_;
};

class Checker {
 public:
  explicit Checker(const Checking& checking)
      : env_(checking.env), interpreter_(checking.program, checking.bound, &env_) {
    expect_members(checking.certificate, {"kind", "shared", "locals", "states"});
    expect_exact(checking);
    shared_ = shared_states_from_json(checking, member(checking.certificate, "shared"));
    locals_ = thread_states_from_json(checking, member(checking.certificate, "locals"));
    for (const json& state : elements(member(checking.certificate, "states"), "the states")) {
      env_.poll("check-named-set");
      states_.insert(read_state(state));
    }
  }

  void run() const {
    for (const State& state : interpreter_.initial_states()) expect_member(state, "an initial state");
    for (const State& state : states_) {
      env_.poll("check-named-set");
      if (interpreter_.violated(state)) refute("a state of the set violates a property");
      for (const model::Transition& step : interpreter_.successors(state)) {
        if (step.fault) refute("a state of the set has a step that faults");
        expect_member(step.target, "a successor of a state of the set");
      }
    }
  }

  std::size_t size() const { return states_.size(); }

 private:
  // Where the interpreter gives one of several results that are alike up to the names of threads, the set would have to
  // hold the others.
  static void expect_exact(const Checking& checking) {
    const auto is_open = [](const model::InitialThreads& group) { return !group.count; };
    const auto& initial = checking.program.initial;
    if (!checking.bound && std::any_of(initial.begin(), initial.end(), is_open))
      refute("the set is for a number of threads, asked is for any number");
    for (const model::Template& templ : checking.program.templates) {
      for (const model::Edge& edge : templ.edges) {
        for (const model::Action& action : edge.actions) {
          if (!action.takes.empty()) refuse("steps that take one of several threads are not checked by their names");
        }
      }
    }
  }

  State read_state(const json& numbers) const {
    const auto& all = elements(numbers, "a state");
    if (all.empty()) misshapen("a state: expected a shared state, then a local state or null for each thread");
    State state{shared_[index_below(all[0], shared_.size(), "the shared state of a state")], {}};
    if (all.size() - 1 > most_threads_laid_out)
      refuse(fmt::format("states of more than {} threads are not checked", most_threads_laid_out));
    for (std::size_t i = 1; i < all.size(); ++i) {
      auto& thread = state.threads.emplace_back();
      if (!all[i].is_null()) thread = locals_[index_below(all[i], locals_.size(), "a local state of a state")];
    }
    const auto is_inside = [](const std::optional<ThreadState>& thread) { return thread && thread->atomic; };
    if (std::count_if(state.threads.begin(), state.threads.end(), is_inside) > 1)
      refute("a state has two threads inside atomic sections");
    return state;
  }

  void expect_member(const State& state, const char* what) const {
    if (!states_.contains(state)) refute(fmt::format("{} is missing from the set", what));
  }

  Env& env_;
  Interpreter interpreter_;
  std::vector<Valuation> shared_;
  std::vector<ThreadState> locals_;
  std::unordered_set<State, model::StateHash> states_;
};

std::string check(const Checking& checking) {
  const Checker checker(checking);
  checker.run();
  return fmt::format(
      "{} states with named threads hold every initial state, are closed under every step, and violate nothing",
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
    case Kind::Deadlock: return false;  // that threads wait for ever while others go on shows in no single state
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

}  // namespace

json NamedCertificate::to_json(const model::Program& program) const {
  Numbering<Valuation, model::ValuationHash> shared;
  Numbering<ThreadState, model::ThreadStateHash> locals;
  json list = json::array();
  for (const State& state : states) {
    json numbers = json::array({shared.of(state.shared)});
    for (const auto& thread : state.threads) {
      COHORT_EXPECT(!thread || thread->templ.value < program.templates.size(), "a certificate speaks of its program");
      numbers.push_back(thread ? json(locals.of(*thread)) : json());
    }
    list.push_back(std::move(numbers));
  }
  return {{"kind", kind_name},
          {"shared", shared.table()},
          {"locals", thread_states_to_json(locals.table())},
          {"states", std::move(list)}};
}

const CertificateKind named_kind{NamedCertificate::kind_name, judges, check};

}  // namespace cohort::result
