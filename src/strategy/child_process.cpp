#include "strategy/child_process.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <thread>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::strategy {

namespace {

// Of this process, if it is a child: a signal handler has no other place to write to.
std::atomic<bool> asked_to_end{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set the flag");

void handle_request(int) {
  asked_to_end.store(true, std::memory_order_relaxed);
}

// Where memory runs out, a child goes rather than the parent that could still answer.
void offer_to_be_killed_first() {
  if (std::FILE* file = std::fopen("/proc/self/oom_score_adj", "w")) {
    std::fputs("500\n", file);
    std::fclose(file);
  }
}

// SIGINT of a terminal goes to parent and child; the parent decides what becomes of the child.
void prepare_child(pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(1);
  struct sigaction action = {};
  action.sa_handler = handle_request;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGXCPU, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGPIPE, &action, nullptr);
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  offer_to_be_killed_first();
}

std::uint64_t resident_memory_of(pid_t id) {
  std::FILE* file = std::fopen(fmt::format("/proc/{}/statm", id).c_str(), "r");
  if (file == nullptr) return 0;
  unsigned long long total = 0;
  unsigned long long resident = 0;
  const int read = std::fscanf(file, "%llu %llu", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace

void ChildProcess::Inside::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::write(pipe_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

ChildProcess::ChildProcess(const std::function<void(const Inside&)>& work) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t parent = getpid();
  inherited_ = resident_memory_of(parent);
  id_ = fork();
  if (id_ < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    throw std::system_error(error, std::generic_category(), "fork");
  }
  if (id_ == 0) {
    close(ends[0]);
    prepare_child(parent);
    try {
      work(Inside(ends[1], asked_to_end));
    } catch (...) {
      _exit(1);
    }
    // Neither destructors nor the buffers of streams are this process's own.
    _exit(0);
  }
  close(ends[1]);
  pipe_ = ends[0];
  fcntl(pipe_, F_SETFL, O_NONBLOCK);
}

ChildProcess::~ChildProcess() {
  kill();
  reap();
  close(pipe_);
}

void ChildProcess::pause() {
  if (id_ < 0 || paused_) return;
  ::kill(id_, SIGSTOP);
  paused_ = true;
}

void ChildProcess::resume() {
  if (id_ < 0 || !paused_) return;
  ::kill(id_, SIGCONT);
  paused_ = false;
}

void ChildProcess::ask_to_end() {
  if (id_ < 0) return;
  ::kill(id_, SIGTERM);
  resume();
}

void ChildProcess::kill() {
  if (id_ >= 0) ::kill(id_, SIGKILL);
}

bool ChildProcess::read(std::string& bytes) {
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t size = ::read(pipe_, buffer.data(), buffer.size());
    if (size > 0) {
      bytes.append(buffer.data(), static_cast<std::size_t>(size));
      continue;
    }
    if (size < 0 && errno == EINTR) continue;
    return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }
}

std::string ChildProcess::reap() {
  if (id_ < 0) return ending_;
  int status = 0;
  const auto has_ended = [&](int flags) {
    pid_t result = 0;
    do result = waitpid(id_, &status, flags);
    while (result < 0 && errno == EINTR);
    return result != 0;
  };
  // One that has closed its pipe ends soon, or does not want to.
  bool ended = has_ended(WNOHANG);
  for (int patience = 200; !ended && patience > 0; --patience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ended = has_ended(WNOHANG);
  }
  if (!ended) {
    kill();
    has_ended(0);
  }
  id_ = -1;
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    ending_ = fmt::format("it was ended by signal {} ({}{})", signal, strsignal(signal),
                          signal == SIGKILL ? "; out of memory?" : "");
  } else if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    ending_ = fmt::format("it ended with code {}", WEXITSTATUS(status));
  }
  return ending_;
}

std::uint64_t ChildProcess::own_memory() const {
  if (id_ < 0) return 0;
  const std::uint64_t resident = resident_memory_of(id_);
  return resident - std::min(resident, inherited_);
}

std::uint32_t usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&set)));
}

std::uint64_t available_memory() {
  std::FILE* file = std::fopen("/proc/meminfo", "r");
  if (file == nullptr) return 0;
  std::array<char, 256> line{};
  unsigned long long kilobytes = 0;
  while (std::fgets(line.data(), line.size(), file) != nullptr) {
    if (std::sscanf(line.data(), "MemAvailable: %llu", &kilobytes) == 1) break;
  }
  std::fclose(file);
  return kilobytes * 1024;
}

}  // namespace cohort::strategy
