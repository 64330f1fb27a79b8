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

// Expands symbolic states into the tables of a counter certificate.
class Expander {
 public:
  Expander(Env& env, const model::Program& program, const json& certificate) : env_(env) {
    target_.bound = certificate.at("threads").get<std::uint32_t>();
    for (const json& set : certificate.at("shared")) {
      auto& numbers = shared_sets_.emplace_back();
      for (const Valuation& values : values_of(set, program.shared_slots())) numbers.push_back(shared(values));
    }
    for (const json& set : certificate.at("locals")) {
      const model::TemplateId templ{set.at("template").get<std::size_t>()};
      const model::LocId location{set.at("location").get<std::size_t>()};
      if (templ.value >= program.templates.size() || location.value >= program.templ(templ).locations.size()) {
        refute("a local set does not fit the program");
      }
      auto& numbers = local_sets_.emplace_back();
      for (Valuation& values : values_of(set.at("values"), program.templ(templ).local_slots())) {
        numbers.push_back(local({templ, location, set.at("atomic").get<bool>(), std::move(values)}));
      }
    }
    for (const json& state : certificate.at("states")) expand(state.get<std::vector<std::uint32_t>>());
  }

  CounterCertificate& finish() {
    for (const auto& word : words_) {
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

  void expand(const std::vector<std::uint32_t>& state) {
    bool fine = state.size() % 2 == 1 && state[0] < shared_sets_.size();
    std::uint64_t count = 0;
    for (std::size_t i = 1; fine && i < state.size(); i += 2) {
      fine = state[i] < local_sets_.size() && state[i + 1] > 0;
      count += state[i + 1];
    }
    if (!fine) refute("a symbolic state does not fit the certificate");
    // Before the threads are laid out one by one: a count may be any number.
    if (count > target_.bound) refute("a state of the set has more threads than the bound allows");
    std::vector<std::uint32_t> threads;
    choose(state, 1, 0, 0, threads);
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
    const auto& options = local_sets_[state[cell]];
    for (std::size_t i = from; i < options.size(); ++i) {
      threads.push_back(options[i]);
      choose(state, cell, chosen + 1, i, threads);
      threads.pop_back();
    }
  }

  void add(std::uint32_t shared_set, std::vector<std::uint32_t> threads) {
    std::sort(threads.begin(), threads.end());
    for (const std::uint32_t number : shared_sets_[shared_set]) {
      std::vector<std::uint32_t> word{number};
      word.insert(word.end(), threads.begin(), threads.end());
      words_.insert(std::move(word));
    }
    if (words_.size() > SymbolicCertificate::most_states) {
      throw Refused{{.complete = false,
                     .message = fmt::format("the certificate stands for more than {} states, which are not expanded",
                                            SymbolicCertificate::most_states)}};
    }
    if (env_.stop_requested()) throw Refused{{.complete = false, .message = env_.describe_stop()}};
  }

  Env& env_;
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
    std::vector<std::uint32_t> word{state.shared};
    for (const auto& [local, count] : state.cells) word.insert(word.end(), {local, count});
    result["states"].push_back(std::move(word));
  }
  return result;
}

CertificateCheck check_symbolic_certificate(Env& env, const model::Program& program, const json& certificate) {
  try {
    Expander expander(env, program, certificate);
    CertificateCheck answer = check_counter_certificate(env, program, expander.finish().to_json(program));
    if (answer.valid)
      answer.message = fmt::format("{} symbolic states: {}", certificate.at("states").size(), answer.message);
    return answer;
  } catch (const Refused& refused) {
    return refused.answer;
  } catch (const json::exception& error) {
    return {.message = fmt::format("not a symbolic-set certificate: {}", error.what())};
  }
}

}  // namespace cohort::result
