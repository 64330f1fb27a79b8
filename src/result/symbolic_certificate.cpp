#include "result/symbolic_certificate.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "result/counter_certificate.hpp"
#include "result/cubes.hpp"

namespace cohort::result {

using model::ThreadState;
using model::Valuation;
using nlohmann::json;

namespace {

// The choice of threads descends as deep as a state has threads.
constexpr std::uint32_t most_threads = 4096;

// Expands symbolic states into the tables of a counter certificate.
class Expander {
 public:
  explicit Expander(const Checking& checking) : env_(checking.env), program_(checking.program) {
    const json& certificate = checking.certificate;
    expect_members(certificate, {"kind", "threads", "shared", "locals", "states"});
    expect_boolean(program_.shared);
    for (const model::Template& templ : program_.templates) expect_boolean(templ.locals);
    target_.bound = static_cast<std::uint32_t>(natural(member(certificate, "threads"), "the bound"));
    for (const json& set : elements(member(certificate, "shared"), "the shared sets")) {
      auto& numbers = shared_sets_.emplace_back();
      for (const Valuation& values : values_of(env_, set, program_.shared_slots())) numbers.push_back(shared(values));
    }
    for (const json& set : elements(member(certificate, "locals"), "the local sets")) read_local_set(set);
    for (const json& state : elements(member(certificate, "states"), "the states")) expand(state);
  }

  CounterCertificate& finish() {
    for (const auto& word : words_) {
      COHORT_EXPECT(!word.empty() && word[0] < target_.shared.size(), "a word begins with a shared state of the table");
      auto& state = target_.states.emplace_back();
      state.shared = word[0];
      for (std::size_t i = 1; i < word.size(); ++i) {
        if (!state.cells.empty() && state.cells.back().first == word[i]) {
          ++state.cells.back().second;
        } else {
          state.cells.emplace_back(word[i], 1);
        }
      }
    }
    return target_;
  }

 private:
  static void expect_boolean(const std::vector<model::Variable>& variables) {
    for (const model::Variable& variable : variables) {
      if (variable.type.element() != model::Type::boolean()) refuse(fmt::format("{} is not Boolean", variable.name));
    }
  }

  void read_local_set(const json& set) {
    expect_members(set, {"template", "location", "atomic", "values"});
    const std::uint64_t templ = natural(member(set, "template"), "the template of a local set");
    const std::uint64_t location = natural(member(set, "location"), "the location of a local set");
    if (templ >= program_.templates.size() || location >= program_.templates[templ].locations.size()) {
      refute("a local set does not fit the program");
    }
    auto& numbers = local_sets_.emplace_back();
    const bool atomic = truth(member(set, "atomic"), "the atomic flag of a local set");
    for (Valuation& values : values_of(env_, member(set, "values"), program_.templates[templ].local_slots())) {
      numbers.push_back(local({model::TemplateId(templ), model::LocId(location), atomic, std::move(values)}));
    }
  }

  std::uint32_t shared(const Valuation& values) {
    const auto [it, added] = shared_index_.try_emplace(values, static_cast<std::uint32_t>(target_.shared.size()));
    if (added) target_.shared.push_back(values);
    return it->second;
  }

  std::uint32_t local(ThreadState thread) {
    const auto [it, added] = local_index_.try_emplace(thread, static_cast<std::uint32_t>(target_.locals.size()));
    if (added) target_.locals.push_back(std::move(thread));
    return it->second;
  }

  void expand(const json& entry) {
    const auto& numbers = elements(entry, "a state");
    if (numbers.size() % 2 != 1) misshapen("a state: expected a shared set, then local sets with counts");
    std::vector<std::uint32_t> state{index_below(numbers[0], shared_sets_.size(), "the shared set of a state")};
    std::uint64_t count = 0;
    for (std::size_t i = 1; i < numbers.size(); i += 2) {
      state.push_back(index_below(numbers[i], local_sets_.size(), "a local set of a state"));
      state.push_back(static_cast<std::uint32_t>(natural(numbers[i + 1], "a count")));
      if (state.back() == 0) refute("a symbolic state does not fit the certificate");
      count += state.back();
    }
    // Before the threads are laid out one by one: a count may be any number.
    if (count > target_.bound) refute("a state of the set has more threads than the bound allows");
    if (count > most_threads) refuse(fmt::format("states of more than {} threads are not expanded", most_threads));
    std::vector<std::uint32_t> threads;
    choose(state, 1, 0, 0, threads);
    COHORT_EXPECT(threads.empty(), "every choice has been taken back");
  }

  // Threads of one cell are chosen in ascending order, so that each multiset is made once.
  void choose(const std::vector<std::uint32_t>& state, std::size_t cell, std::uint32_t chosen, std::size_t from,
              std::vector<std::uint32_t>& threads) {
    if (cell >= state.size()) {
      add(state[0], threads);
      return;
    }
    if (chosen == state[cell + 1]) {
      choose(state, cell + 2, 0, 0, threads);
      return;
    }
    env_.poll("check-symbolic-set");
    COHORT_EXPECT(cell + 1 < state.size() && chosen < state[cell + 1], "a thread of the cell is left to be chosen");
    const auto& options = local_sets_[state[cell]];
    for (std::size_t i = from; i < options.size(); ++i) {
      threads.push_back(options[i]);
      choose(state, cell, chosen + 1, i, threads);
      threads.pop_back();
    }
  }

  void add(std::uint32_t shared_set, std::vector<std::uint32_t> threads) {
    COHORT_EXPECT(shared_set < shared_sets_.size(), "a state has a shared set of the table");
    std::sort(threads.begin(), threads.end());
    for (const std::uint32_t number : shared_sets_[shared_set]) {
      env_.poll("check-symbolic-set");
      std::vector<std::uint32_t> word{number};
      word.insert(word.end(), threads.begin(), threads.end());
      words_.insert(std::move(word));
    }
    if (words_.size() > SymbolicCertificate::most_states) {
      refuse(fmt::format("the certificate stands for more than {} states, which are not expanded",
                         SymbolicCertificate::most_states));
    }
  }

  Env& env_;
  const model::Program& program_;
  CounterCertificate target_;
  std::vector<std::vector<std::uint32_t>> shared_sets_;
  std::vector<std::vector<std::uint32_t>> local_sets_;
  std::map<Valuation, std::uint32_t> shared_index_;
  std::map<ThreadState, std::uint32_t> local_index_;
  std::set<std::vector<std::uint32_t>> words_;
};

}  // namespace

json SymbolicCertificate::to_json(const model::Program& program) const {
  json result{{"kind", kind_name},
              {"threads", bound},
              {"shared", shared},
              {"locals", json::array()},
              {"states", json::array()}};
  for (const LocalSet& local : locals) {
    COHORT_EXPECT(local.templ.value < program.templates.size(), "a certificate speaks of its program");
    result["locals"].push_back({{"template", local.templ.value},
                                {"location", local.location.value},
                                {"atomic", local.atomic},
                                {"values", local.values}});
  }
  for (const SymbolicState& state : states) {
    COHORT_EXPECT(state.shared < shared.size(), "a state has a shared set of the table");
    std::vector<std::uint32_t> word{state.shared};
    for (const auto& [local, count] : state.cells) word.insert(word.end(), {local, count});
    result["states"].push_back(std::move(word));
  }
  return result;
}

namespace {

std::string check(const Checking& checking) {
  Expander expander(checking);
  const json expanded = expander.finish().to_json(checking.program);
  const std::string verified = counter_kind.check({checking.env, checking.program, checking.bound, expanded});
  return fmt::format("{} symbolic states: {}", checking.certificate.at("states").size(), verified);
}

}  // namespace

// What its states stand for is judged as any set of counter states.
const CertificateKind symbolic_kind{SymbolicCertificate::kind_name,
                                    [](model::PropertyKind kind) { return counter_kind.judges(kind); }, check};

}  // namespace cohort::result
