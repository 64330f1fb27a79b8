// The processes of `cohort verify` on several programs: one for each part, and what it said when it has ended.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "cli/several_files.hpp"

namespace cohort::cli {

// How the process of a part ended.
struct PartResult {
  std::size_t number = 0;  // of the part
  int status = 0;          // as waitpid() says it
  double seconds = 0;
  std::string out{};
  std::string err{};
  std::string sarif{};
};

class PartProcesses {
 public:
  // `task` outlives it.
  explicit PartProcesses(const SeveralFiles& task);
  ~PartProcesses();
  PartProcesses(const PartProcesses&) = delete;
  PartProcesses& operator=(const PartProcesses&) = delete;

  // False if no process could be started.
  bool start(std::size_t number);
  std::size_t running() const { return running_.size(); }
  // They end with what they have established.
  void stop_all();
  // One that has ended, if there is one.
  std::optional<PartResult> collect();

 private:
  struct Child {
    std::size_t number = 0;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    bool told_to_stop = false;
  };

  std::string file(const std::string& kind, std::size_t number) const;

  const SeveralFiles& task_;
  std::filesystem::path folder_;  // is gone afterwards
  std::map<pid_t, Child> running_;
};

}  // namespace cohort::cli
