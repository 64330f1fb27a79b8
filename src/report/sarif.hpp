// Answers as a log of SARIF 2.1.0, the format of code scanners: one run, in it a result for each violation with one
// thread flow for each thread, whose locations say by their execution order how the threads interleave.  What is no
// violation (UNKNOWN, input that cannot be read) is a notification of the tool.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "base/source.hpp"
#include "report/violation_class.hpp"
#include "result/answer.hpp"

namespace cohort::report {

class SarifLog {
 public:
  SarifLog();

  // `file`: the program as it was named on the command line.
  void add(const std::string& file, const model::Program& program, const result::Answer& answer);
  // A file about which there is no answer.
  void add_error(const std::string& file, const InputError& error);
  void add_error(const std::string& file, const std::string& message);

  // What another log of Cohort's says.
  void add_log(const nlohmann::ordered_json& other);

  nlohmann::ordered_json document(int exit_code) const;

 private:
  nlohmann::ordered_json place(const SourceSpan& span);
  nlohmann::ordered_json artifact(const SourceFilePtr& file);
  nlohmann::ordered_json result_of(const model::Program& program, const result::Answer& answer);
  nlohmann::ordered_json flows_of(const model::Program& program, const model::Run& run, const Violation& violation);
  void notify(const char* level, const std::string& message, nlohmann::ordered_json location);

  nlohmann::ordered_json artifacts_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json results_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json notifications_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json verdicts_ = nlohmann::ordered_json::array();
  bool succeeded_ = true;
};

// A path as a reference in a URI: relative ones stay relative, and what has a meaning there is escaped.
std::string uri_of(const std::string& path);

}  // namespace cohort::report
