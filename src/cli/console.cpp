#include "cli/console.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include <fmt/core.h>

namespace cohort::cli {

namespace {

constexpr std::size_t progress_width = 100;

// https://no-color.org: any value of NO_COLOR but the empty one turns colours off by default.
bool color_by_default(bool is_terminal) {
  const char* no_color = std::getenv("NO_COLOR");
  return is_terminal && (no_color == nullptr || *no_color == '\0');
}

}  // namespace

Console::Console()
    : stdin_is_terminal_(isatty(STDIN_FILENO) != 0),
      stdout_is_terminal_(isatty(STDOUT_FILENO) != 0),
      stderr_is_terminal_(isatty(STDERR_FILENO) != 0),
      color_(color_by_default(stdout_is_terminal_)) {}

void Console::set_color(ColorMode mode) {
  color_ = mode == ColorMode::Always || (mode == ColorMode::Auto && color_by_default(stdout_is_terminal_));
}

void Console::out(std::string_view text) {
  if (muted_) return;
  wipe_progress();
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written != text.size() || std::fflush(stdout) != 0) throw OutputError("cannot write to standard output");
}

void Console::error(std::string_view text) {
  if (muted_) return;
  wipe_progress();
  fmt::print(stderr, "{}\n", text);
}

void Console::warning(std::string_view text) {
  if (!quiet_) error(fmt::format("warning: {}", text));
}

void Console::progress(std::string_view text) {
  if (!shows_progress()) return;
  fmt::print(stderr, "\r\033[K{}", text.substr(0, progress_width));
  std::fflush(stderr);
  progress_shown_ = true;
}

void Console::wipe_progress() {
  if (!progress_shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  progress_shown_ = false;
}

}  // namespace cohort::cli
