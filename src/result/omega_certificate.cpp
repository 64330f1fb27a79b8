#include "result/omega_certificate.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

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
  Checker(Env& env, const model::Program& program, const json& certificate)
      : env_(env), program_(program), stepper_(program) {
    for (const model::Template& templ : program.templates) guards_.emplace_back(program, templ);
    read(certificate);
  }

  // False when a limit stopped it.
  bool run() {
    check_initial();
    for (const auto& [shared, list] : set_) {
      for (const Threads& threads : list) {
        if (!check_configuration(shared, threads)) return false;
      }
    }
    return true;
  }

  std::size_t size() const { return size_; }

 private:
  void read(const json& certificate) {
    const std::vector<Valuation> shared = shared_states_from_json(program_, certificate.at("shared"));
    const std::vector<ThreadState> locals = thread_states_from_json(program_, certificate.at("locals"));
    for (const json& configuration : certificate.at("configurations")) {
      Threads threads;
      for (const json& cell : configuration.at("threads")) {
        const std::uint64_t count = cell.at(1).is_string() ? omega : cell.at(1).get<std::uint64_t>();
        if (count > 0) add(threads, locals.at(cell.at(0).get<std::size_t>()), count);
      }
      set_[shared.at(configuration.at("shared").get<std::size_t>())].push_back(std::move(threads));
      ++size_;
    }
  }

  void expect_covered(const Valuation& shared, const Threads& threads, const char* what) const {
    const auto it = set_.find(shared);
    if (it != set_.end()) {
      for (const Threads& member : it->second) {
        if (covers(member, threads)) return;
      }
    }
    throw Refuted{fmt::format("{} is not covered by the set", what)};
  }

  void check_initial() const {
    for_each_initial(stepper_, [&](const Valuation& shared, const Threads& threads) {
      expect_covered(shared, threads, "an initial configuration");
    });
  }

  bool check_configuration(const Valuation& shared, const Threads& threads) {
    check_properties(shared, threads);
    const auto holder =
        std::find_if(threads.begin(), threads.end(), [](const auto& cell) { return cell.first.atomic; });
    if (holder != threads.end()) {
      const auto others =
          std::count_if(threads.begin(), threads.end(), [](const auto& cell) { return cell.first.atomic; });
      if (others != 1 || holder->second != 1) throw Refuted{"a configuration has two threads inside atomic sections"};
      return check_steps(shared, threads, holder->first);
    }
    for (const auto& [thread, count] : threads) {
      if (!check_steps(shared, threads, thread)) return false;
    }
    return true;
  }

  bool check_steps(const Valuation& shared, const Threads& threads, const ThreadState& mover) {
    for (const std::uint32_t edge : guards_[mover.templ.value].candidates(mover.location, shared)) {
      if (env_.stop_requested()) return false;
      for (const model::Outcome& outcome : stepper_.outcomes({mover.templ, edge}, shared, mover)) {
        if (outcome.fault) throw Refuted{"a step faults"};
        if (outcome.broadcast) throw Refuted{"a step broadcasts: covering says nothing about it"};
        Threads after = threads;
        remove(after, mover);
        const auto& actions = program_.templ(mover.templ).edges[edge].actions;
        take(outcome, after, outcome.takes ? actions[*outcome.takes].takes : std::vector<model::Take>{}, 0, {});
      }
    }
    return true;
  }

  // Takes the threads one by one, each in every way; `moved` are those that went elsewhere and cannot be taken again.
  void take(const model::Outcome& outcome, const Threads& left, const std::vector<model::Take>& takes,
            std::size_t index, const Threads& moved) const {
    if (index == takes.size()) {
      finish(outcome, left, moved);
      return;
    }
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
      if (program_.templ(thread.templ).locations[thread.location.value].error)
        throw Refuted{"a configuration is at an error"};
    }
    for (const model::Property& property : program_.properties) {
      const bool is_cover = property.kind == model::Property::Kind::Cover;
      if (!is_cover && property.kind != model::Property::Kind::Condition) continue;
      if (property.condition && !holds_in(program_, *property.condition, shared)) continue;
      std::map<std::pair<model::TemplateId, model::LocId>, std::uint64_t> wanted;
      for (const auto& place : property.threads) ++wanted[place];
      const bool all = std::all_of(wanted.begin(), wanted.end(), [&](const auto& need) {
        std::uint64_t present = 0;
        for (const auto& [thread, count] : threads) {
          if (std::pair(thread.templ, thread.location) != need.first) continue;
          present = count == omega ? omega : present + std::min(count, omega - 1 - present);
          if (present == omega) break;
        }
        return present >= need.second;
      });
      if (all) throw Refuted{fmt::format("a configuration covers the target '{}'", property.text)};
    }
  }

  Env& env_;
  const model::Program& program_;
  model::Stepper stepper_;
  std::vector<model::GuardIndex> guards_;
  std::unordered_map<Valuation, std::vector<Threads>, model::ValuationHash> set_;
  std::size_t size_ = 0;
};

}  // namespace

json OmegaCertificate::to_json(const model::Program& program) const {
  json result;
  result["kind"] = kind_name;
  result["program"] = program.name;
  result["shared"] = shared;
  result["locals"] = thread_states_to_json(locals);
  result["configurations"] = json::array();
  for (const Configuration& configuration : configurations) {
    json threads = json::array();
    for (const auto& [local, count] : configuration.cells) {
      threads.push_back(count ? json::array({local, *count}) : json::array({local, "omega"}));
    }
    result["configurations"].push_back({{"shared", configuration.shared}, {"threads", std::move(threads)}});
  }
  return result;
}

CertificateCheck check_omega_certificate(Env& env, const model::Program& program, const json& certificate) {
  try {
    Checker checker(env, program, certificate);
    if (!checker.run()) return {.valid = false, .complete = false, .message = env.describe_stop()};
    return {.valid = true,
            .message = fmt::format("{} configurations cover all that any number of threads can reach, and no violation",
                                   checker.size())};
  } catch (const Refuted& refuted) {
    return {.message = refuted.message};
  } catch (const json::exception& error) {
    return {.message = fmt::format("not a certificate of kind '{}': {}", OmegaCertificate::kind_name, error.what())};
  } catch (const std::out_of_range&) {
    return {.message = "the certificate names a state that it does not list"};
  }
}

}  // namespace cohort::result
