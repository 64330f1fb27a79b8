#include "model/analysis/thread_limits.hpp"

#include <algorithm>

namespace cohort::model {

namespace {

// Places that lie on a cycle of the commands.
std::vector<bool> on_cycles(const Commands& commands) {
  const std::size_t count = commands.places().size();
  std::vector<bool> result(count, false);
  for (std::size_t start = 0; start < count; ++start) {
    std::vector<bool> seen(count, false);
    std::vector<std::size_t> stack{start};
    while (!stack.empty() && !result[start]) {
      const std::size_t at = stack.back();
      stack.pop_back();
      for (const std::uint32_t index : commands.from(PlaceId(at))) {
        const auto& to = commands.all()[index].to;
        if (!to) continue;
        if (to->value == start) result[start] = true;
        if (!seen[to->value]) {
          seen[to->value] = true;
          stack.push_back(to->value);
        }
      }
    }
  }
  return result;
}

bool has_moves_of_others(const Commands& commands) {
  return std::any_of(commands.all().begin(), commands.all().end(),
                     [](const Command& command) { return !command.takes.empty() || !command.moves.empty(); });
}

}  // namespace

// A thread creates at a place outside of all cycles at most once.  Where threads are moved by others, places outside of
// cycles can be visited again, so every creation counts as one in a loop.
std::vector<std::optional<std::uint64_t>> thread_limits(const Commands& commands) {
  constexpr std::uint64_t many = 64;  // from here on the number is no use
  const Program& program = commands.program();
  std::vector<std::uint64_t> start(program.templates.size(), 0);
  for (const InitialThreads& group : program.initial) start[group.templ.value] += group.count.value_or(many);
  const std::vector<bool> cyclic = on_cycles(commands);
  const bool moved = has_moves_of_others(commands);
  std::vector<std::uint64_t> most = start;
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<std::uint64_t> next = start;
    for (const Command& command : commands.all()) {
      const std::uint64_t creators = most[commands.place(command.from).templ.value];
      for (const CommandChild& child : command.children) {
        std::uint64_t& count = next[commands.place(child.place).templ.value];
        const bool repeated = cyclic[command.from.value] || moved;
        count = std::min(many, count + (repeated && creators > 0 ? many : creators));
      }
    }
    for (std::size_t i = 0; i < most.size(); ++i) {
      next[i] = std::min(many, std::max(next[i], most[i]));
      changed = changed || next[i] != most[i];
    }
    most = next;
  }
  std::vector<std::optional<std::uint64_t>> limits;
  for (const std::uint64_t count : most) limits.push_back(count >= many ? std::nullopt : std::optional(count));
  return limits;
}

}  // namespace cohort::model
