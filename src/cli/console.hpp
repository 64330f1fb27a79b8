// Where the program writes.  Results go to standard output; progress, warnings and diagnostics to standard error.  The
// progress line is live on a terminal and silent otherwise, and is wiped before anything else is written.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace cohort::cli {

enum class ColorMode { Auto, Always, Never };

// Standard output cannot be written: it is closed, or its disk is full.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Console {
 public:
  Console();

  void set_color(ColorMode mode);
  void set_quiet(bool quiet) { quiet_ = quiet; }
  // Says nothing from now on: of several processes that do the same, one speaks.
  void mute() { muted_ = true; }

  bool color() const { return color_; }
  bool quiet() const { return quiet_; }
  bool shows_progress() const { return !quiet_ && !muted_ && stderr_is_terminal_; }
  bool reads_terminal() const { return stdin_is_terminal_; }

  // Results; the text ends its own lines.  Throws OutputError.
  void out(std::string_view text);
  // Diagnostics, a line each.
  void error(std::string_view text);
  void warning(std::string_view text);
  void progress(std::string_view text);

 private:
  void wipe_progress();

  bool stdin_is_terminal_;
  bool stdout_is_terminal_;
  bool stderr_is_terminal_;
  bool color_;
  bool quiet_ = false;
  bool muted_ = false;
  bool progress_shown_ = false;
};

}  // namespace cohort::cli
