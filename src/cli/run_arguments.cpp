#include "cli/run_arguments.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <csignal>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/stop_points.hpp"
#include "cli/usage_error.hpp"

namespace cohort::cli {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set the flag");

void handle_signal(int) {
  interrupted.store(true, std::memory_order_relaxed);
}

// A second SIGINT or SIGTERM ends the program at once.  SIGXCPU, from the shell's limit on processor time (ulimit -t),
// comes every second from the limit on, so it must not: a run may need longer than that to say what it has established.
void install_signal_handlers() {
  struct sigaction action = {};
  action.sa_handler = handle_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_flags = 0;
  sigaction(SIGXCPU, &action, nullptr);
}

}  // namespace

void RunArguments::declare_quiet(OptionTable& table) {
  table.group("Output");
  table.add_all(console_);
}

void RunArguments::declare(OptionTable& table) {
  table.group("Limits");
  table.add_all(limits_);
  declare_quiet(table);
}

void RunArguments::apply(Console& console, Env& env) const {
  apply_without_limits(console, env);
  if (limits_.time_limit) env.limits.set_time_limit(*limits_.time_limit);
  if (const auto mib = limits_.memory_limit_mib) {
    env.limits.set_memory_limit(std::min(*mib, std::uint64_t{1} << 40U) << 20U);
  }
  env.self_check = limits_.self_check;
}

void RunArguments::apply_without_limits(Console& console, Env& env) const {
  console.set_quiet(console_.quiet);
  console.set_color(console_.color);
  if (!limits_.stop_at.empty() && !is_stop_point(limits_.stop_at)) {
    throw UsageError(fmt::format("--stop-at: there is no point '{}' to stop at; there are {}", limits_.stop_at,
                                 fmt::join(stop_points(), ", ")));
  }
  env.stop_at(limits_.stop_at);
  install_signal_handlers();
  env.limits.set_interrupt_flag(&interrupted);
  if (console.shows_progress()) {
    env.set_progress([&console, &env](std::string_view text) {
      if (!text.empty()) console.progress(fmt::format("{:.1f} s  {}", env.limits.elapsed_seconds(), text));
    });
  }
}

void record_resources(Env& env) {
  env.statistics.set("seconds", env.limits.elapsed_seconds());
  // Engines may have been at work in processes of their own: the largest of them counts.
  struct rusage self = {};
  struct rusage children = {};
  if (getrusage(RUSAGE_SELF, &self) == 0 && getrusage(RUSAGE_CHILDREN, &children) == 0) {
    const auto most = std::max(self.ru_maxrss, children.ru_maxrss);
    env.statistics.set("peak_memory_mib", static_cast<double>(most) / 1024);
  }
}

}  // namespace cohort::cli
