#include "cli/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/core.h>

namespace cohort::cli {

namespace {

constexpr std::size_t default_width = 100;  // where the terminal does not say how wide it is
constexpr std::size_t most_lines = 8;

std::size_t columns_of(int terminal, std::size_t otherwise) {
  struct winsize size = {};
  return ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : otherwise;
}

// What takes so many lines, the last of which the cursor is on, off the terminal.
std::string erased(std::size_t lines) {
  std::string text = "\r\033[K";
  for (std::size_t i = 1; i < lines; ++i) text += "\033[1A\033[K";
  return text;
}

}  // namespace

void Progress::show(std::string_view text) {
  if (!is_shown_) return;
  if (!text.empty()) {
    said_.clear();
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t end = std::min(text.find('\n', from), text.size());
      said_.emplace_back(text.substr(from, end - from));
      from = end + 1;
    }
  }
  if (!said_.empty()) draw();
}

void Progress::draw() {
  const std::size_t columns = columns_of(STDERR_FILENO, default_width) - 1;
  std::vector<std::string> lines;
  if (said_.size() == 1) {
    lines.push_back(fmt::format("{:.1f} s  {}", env_.limits.elapsed_seconds(), said_.front()));
  } else {
    lines.push_back(fmt::format("{:.1f} s  {} engines at work", env_.limits.elapsed_seconds(), said_.size()));
    for (std::size_t i = 0; i < std::min(said_.size(), most_lines); ++i) lines.push_back("  " + said_[i]);
  }
  std::string text = erased(drawn_);
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\n") + lines[i].substr(0, columns);
  fmt::print(stderr, "{}", text);
  std::fflush(stderr);
  drawn_ = lines.size();
}

void Progress::wipe() {
  if (drawn_ == 0) return;
  fmt::print(stderr, "{}", erased(drawn_));
  std::fflush(stderr);
  drawn_ = 0;
}

std::size_t output_width() {
  return isatty(STDOUT_FILENO) != 0 ? columns_of(STDOUT_FILENO, 0) : 0;
}

}  // namespace cohort::cli
