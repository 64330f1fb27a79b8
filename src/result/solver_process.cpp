#include "result/solver_process.hpp"

#include <array>
#include <cerrno>

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/contract.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): where the system's headers leave it out

namespace cohort::result {

SolverProcess::SolverProcess(Env& env) : env_(env) {
  if (start("cvc5", "--incremental")) return;
  start("z3", "-in");
}

SolverProcess::~SolverProcess() {
  stop();
}

// A pair of sockets rather than pipes: to write to a solver that has died must not be a signal.
bool SolverProcess::start(const std::string& name, const std::string& arguments) {
  COHORT_EXPECT(process_ <= 0, "one solver at a time");
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string program = name;
  std::string first = arguments;
  std::array<char*, 3> argv{program.data(), first.data(), nullptr};
  pid_t process = -1;
  const int failed = posix_spawnp(&process, name.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    return false;
  }
  process_ = process;
  channel_ = ends[0];
  name_ = name;
  send("(set-logic QF_BV)\n");
  return true;
}

void SolverProcess::stop() {
  if (process_ <= 0) return;
  close(channel_);
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

void SolverProcess::send(const std::string& text) {
  std::size_t done = 0;
  while (process_ > 0 && done < text.size()) {
    const ssize_t written = ::send(channel_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (written > 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      stop();
    } else if (env_.poll_now("certificate-solver")) {
      stop();
    }
  }
}

std::optional<std::string> SolverProcess::read_line() {
  for (;;) {
    if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    if (process_ <= 0) return std::nullopt;
    pollfd waiting{channel_, POLLIN, 0};
    const int ready = poll(&waiting, 1, 100);
    if (env_.poll_now("certificate-solver")) {
      stop();
      return std::nullopt;
    }
    if (ready <= 0) continue;
    std::array<char, 4096> block{};
    const ssize_t got = read(channel_, block.data(), block.size());
    if (got > 0) {
      buffer_.append(block.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || errno != EINTR) {
      stop();
    }
  }
}

SolverProcess::Answer SolverProcess::check() {
  if (!buffer_.empty()) stop();  // an answer to nothing that was asked: those that follow would be taken for others
  send("(check-sat)\n");
  const auto line = read_line();
  if (line == "sat") return Answer::Satisfiable;
  if (line == "unsat") return Answer::Unsatisfiable;
  stop();  // an error: nothing that follows can be trusted
  return Answer::Unknown;
}

}  // namespace cohort::result
