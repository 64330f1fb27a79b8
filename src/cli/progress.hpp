// What goes on, on a terminal: a clock, and a line for each engine at work with what grows in it.  Silent elsewhere.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/env.hpp"
#include "cli/console.hpp"

namespace cohort::cli {

class Progress {
 public:
  Progress(const Console& console, const Env& env) : is_shown_(console.shows_progress()), env_(env) {}

  // A line for each engine; an empty text lets the clock go on.
  void show(std::string_view text);
  // Before anything else is written.
  void wipe();

 private:
  void draw();

  const bool is_shown_;
  const Env& env_;
  std::vector<std::string> said_;
  std::size_t drawn_ = 0;  // lines on the terminal
};

// Columns of the terminal that results go to; 0: it is none.
std::size_t output_width();

}  // namespace cohort::cli
