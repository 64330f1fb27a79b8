#include "cli/part_processes.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include <fmt/core.h>

#include "cli/usage_error.hpp"
#include "exchange/ranks.hpp"

namespace cohort::cli {

namespace {

std::string read_whole(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

PartProcesses::PartProcesses(const SeveralFiles& task) : task_(task) {
  std::string pattern = (std::filesystem::temp_directory_path() / ("cohort-" + std::string(6, 'X'))).string();
  if (mkdtemp(pattern.data()) == nullptr) throw UsageError("cannot make a folder for temporary files");
  folder_ = pattern;
}

PartProcesses::~PartProcesses() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string PartProcesses::file(const std::string& kind, std::size_t number) const {
  return (folder_ / fmt::format("{}-{}", kind, number)).string();
}

bool PartProcesses::start(std::size_t number) {
  std::vector<std::string> arguments = {"cohort", "verify"};
  const Part& part = task_.parts[number];
  arguments.insert(arguments.end(), part.arguments.begin(), part.arguments.end());
  arguments.insert(arguments.end(), task_.arguments.begin(), task_.arguments.end());
  for (const char* more : {"--format", "json", "--jobs", "1"}) arguments.emplace_back(more);
  if (!task_.sarif.empty()) {
    arguments.emplace_back("--sarif");
    arguments.push_back(file("sarif", number));
  }
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  // It is nobody's rank, whatever this process is.
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!exchange::names_a_rank(*variable)) variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  const std::string out = file("out", number);
  const std::string err = file("err", number);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), flags, 0600);
  pid_t child = 0;
  const int failure = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failure == 0) running_[child] = {number};
  return failure == 0;
}

void PartProcesses::stop_all() {
  for (auto& [process, child] : running_) {
    if (!child.told_to_stop) kill(process, SIGTERM);
    child.told_to_stop = true;
  }
}

std::optional<PartResult> PartProcesses::collect() {
  for (auto it = running_.begin(); it != running_.end(); ++it) {
    PartResult result;
    if (waitpid(it->first, &result.status, WNOHANG) != it->first) continue;
    const Child child = it->second;
    running_.erase(it);
    result.number = child.number;
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - child.begin).count();
    result.out = read_whole(file("out", child.number));
    result.err = read_whole(file("err", child.number));
    if (!task_.sarif.empty()) result.sarif = read_whole(file("sarif", child.number));
    return result;
  }
  return std::nullopt;
}

}  // namespace cohort::cli
