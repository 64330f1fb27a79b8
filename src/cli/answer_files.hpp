// The files that `cohort verify` writes beside its answer.  That they can be written is tried before any work is done:
// a verdict must not be lost because of a folder that is not there.
#pragma once

#include <chrono>
#include <fstream>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "base/env.hpp"
#include "cli/input_arguments.hpp"
#include "cli/report_options.hpp"
#include "result/answer.hpp"

namespace cohort::cli {

// Throws UsageError when the file cannot be written.
void write_file(const std::string& path, const std::string& text);
// The same, without changing anything.
void expect_writable(const std::string& path);

// Progress for programs: an object a line, flushed at once.
class EventStream {
 public:
  // Empty: events go nowhere.
  explicit EventStream(const std::string& path);

  bool is_open() const { return out_.is_open(); }
  void start(const nlohmann::ordered_json& task);
  void progress(std::string_view text);
  void answer(std::string_view verdict, const std::string& headline);
  void error(const std::string& message);

 private:
  void write(const char* event, nlohmann::ordered_json members);

  std::ofstream out_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

class AnswerFiles {
 public:
  // Throws UsageError for files that cannot be written, or that mean nothing for the program.
  AnswerFiles(const AnswerFileOptions& options, const InputArguments& input);

  // `claims_all`: the answer speaks of every execution, not of those under a bound that somebody asked for.
  // Returns what is to be said about what was not written.
  std::string write(const model::Program& program, const result::Answer& answer, bool claims_all, int exit_code) const;
  void write_error(const InputError& error, int exit_code) const;

 private:
  std::string write_witness(const model::Program& program, const result::Answer& answer, bool claims_all) const;

  const AnswerFileOptions& options_;
  const InputArguments& input_;
};

}  // namespace cohort::cli
