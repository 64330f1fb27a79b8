#include "result/omega_threads.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::result {

using model::ThreadState;
using model::Valuation;

namespace {

// The ways in which the threads of one group may start, as threads to add; a group of any size starts in all ways at
// once.
std::vector<OmegaThreads> ways_of(Env& env, const model::Stepper& stepper, const model::InitialThreads& group) {
  std::vector<ThreadState> starts;
  COHORT_EXPECT(group.templ.value < stepper.program().templates.size(), "threads are of a template of the program");
  for (Valuation& locals : stepper.initial_valuations(stepper.program().templ(group.templ).locals)) {
    starts.push_back({group.templ, group.location, false, std::move(locals)});
  }
  COHORT_EXPECT(!starts.empty(), "a thread can start in some way");
  if (!group.count || starts.size() == 1) {
    OmegaThreads all;
    for (const ThreadState& start : starts) {
      if (group.count != 0u) add(all, start, group.count ? *group.count : omega);
    }
    return {std::move(all)};
  }
  // One thread more in every way; each multiset comes once, because maps are compared.
  std::set<OmegaThreads> ways{{}};
  for (std::uint32_t thread = 0; thread < *group.count; ++thread) {
    std::set<OmegaThreads> more;
    for (const OmegaThreads& way : ways) {
      for (const ThreadState& start : starts) {
        env.poll("initial-configurations");
        OmegaThreads extended = way;
        add(extended, start, 1);
        more.insert(std::move(extended));
      }
    }
    ways = std::move(more);
  }
  return {ways.begin(), ways.end()};
}

}  // namespace

bool has_holder(const OmegaThreads& threads) {
  return std::any_of(threads.begin(), threads.end(), [](const auto& cell) { return cell.first.atomic; });
}

bool covers(const OmegaThreads& larger, const OmegaThreads& smaller) {
  if (has_holder(larger) != has_holder(smaller)) return false;
  return std::all_of(smaller.begin(), smaller.end(), [&](const auto& cell) {
    const auto it = larger.find(cell.first);
    return it != larger.end() && it->second >= cell.second;
  });
}

void add(OmegaThreads& threads, const ThreadState& thread, std::uint64_t count) {
  COHORT_EXPECT(count > 0, "what is added is there");
  std::uint64_t& present = threads[thread];
  COHORT_EXPECT(present == omega || count == omega || present < omega - count, "as many threads as can be counted");
  present = present == omega || count == omega ? omega : present + count;
}

void remove(OmegaThreads& threads, const ThreadState& thread) {
  const auto it = threads.find(thread);
  COHORT_EXPECT(it != threads.end(), "the thread that is removed is there");
  if (it->second != omega && --it->second == 0) threads.erase(it);
}

std::uint64_t sum_of_counts(std::uint64_t one, std::uint64_t other) {
  return other < omega - one ? one + other : omega;
}

void expect_no_target(const model::Program& program, const Valuation& shared,
                      const std::function<std::uint64_t(const TargetPlace&)>& count_at, std::string_view what) {
  COHORT_EXPECT(shared.size() == program.shared_slots(), "a shared state has a value for each slot");
  for (const model::Property& property : program.properties) {
    if (property.kind != model::PropertyKind::Cover && property.kind != model::PropertyKind::Condition) continue;
    if (!is_bad_in(program, property, shared)) continue;
    std::map<TargetPlace, std::uint64_t> wanted;
    for (const TargetPlace& place : property.threads) ++wanted[place];
    const bool all = std::all_of(wanted.begin(), wanted.end(),
                                 [&](const auto& need) { return count_at(need.first) >= need.second; });
    if (all) refute(fmt::format("{} covers the target '{}'", what, property.text));
  }
}

void for_each_initial(Env& env, const model::Stepper& stepper, const VisitInitial& visit) {
  const model::Program& program = stepper.program();
  std::vector<std::vector<OmegaThreads>> ways;
  for (const model::InitialThreads& group : program.initial) ways.push_back(ways_of(env, stepper, group));
  for (const Valuation& shared : stepper.initial_valuations(program.shared)) {
    if (program.initial_condition && !holds_in(program, *program.initial_condition, shared)) continue;
    COHORT_EXPECT(ways.size() == program.initial.size(), "every group of threads starts in some way");
    // Every combination, like the digits of a number.
    std::vector<std::size_t> chosen(ways.size(), 0);
    std::size_t digit = 0;
    do {
      env.poll("initial-configurations");
      OmegaThreads threads;
      for (std::size_t i = 0; i < ways.size(); ++i) {
        for (const auto& [thread, count] : ways[i][chosen[i]]) add(threads, thread, count);
      }
      COHORT_EXPECT(!has_holder(threads), "nobody is inside an atomic section at the start");
      visit(shared, threads);
      for (digit = 0; digit < ways.size(); ++digit) {
        if (++chosen[digit] < ways[digit].size()) break;
        chosen[digit] = 0;
      }
    } while (digit < ways.size());
  }
}

}  // namespace cohort::result
