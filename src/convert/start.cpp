#include "convert/start.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::convert {

Start plan_start(const model::Program& program, std::uint32_t threads) {
  COHORT_EXPECT(threads >= 1, "at least one thread may be alive");
  std::uint32_t fixed = 0;
  std::size_t open = 0;
  for (const model::InitialThreads& group : program.initial) {
    fixed += group.count.value_or(0);
    open += group.count ? 0 : 1;
  }
  if (open > 1) throw_unsupported({}, "two kinds of threads of any number at the start cannot be converted");
  if (fixed > threads) {
    throw_unsupported({}, fmt::format("the program starts with {} threads, which is more than {}", fixed, threads));
  }
  Start start;
  for (const model::InitialThreads& group : program.initial) {
    const std::uint32_t count = group.count.value_or(threads - fixed);
    if (count > 0) ++start.groups;
    for (std::uint32_t i = 0; i < count; ++i) start.threads.push_back({group.templ, group.location});
  }
  if (start.threads.empty()) throw_unsupported({}, "a program without threads at the start cannot be converted");
  COHORT_EXPECT(start.threads.size() <= threads, "the threads at the start fit the bound");
  return start;
}

}  // namespace cohort::convert
