// Runs the built program as a user does: arguments in, exit code and both streams out.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace cohort::test {

struct Outcome {
  int exit_code = -1;  // minus the signal, for a program that a signal ended
  std::string out;
  std::string err;

  std::string first_line() const { return out.substr(0, out.find('\n')); }
};

// A folder that is gone after the test.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cohort-test-").string() + std::string(6, 'X');
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder for the test");
    folder_ = pattern;
  }
  ~Scratch() { std::filesystem::remove_all(folder_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

inline std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// A run of the program in the background; its streams go to files.
class Running {
 public:
  explicit Running(const std::vector<std::string>& arguments, const std::string& input = "") {
    const std::string in = scratch_.write("in", input);
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("cannot fork");
    if (child_ == 0) execute(arguments, in);
  }

  void send(int signal) const { kill(child_, signal); }
  pid_t id() const { return child_; }

  Outcome wait() {
    int status = 0;
    if (waitpid(child_, &status, 0) != child_) throw std::runtime_error("cannot wait for the program");
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return {code, read_whole(scratch_.path("out")), read_whole(scratch_.path("err"))};
  }

 private:
  [[noreturn]] void execute(const std::vector<std::string>& arguments, const std::string& in) const {
    const auto redirect = [](const std::string& path, int flags, int target) {
      const int file = open(path.c_str(), flags, 0600);
      if (file < 0 || dup2(file, target) < 0) _exit(99);
    };
    redirect(in, O_RDONLY, STDIN_FILENO);
    redirect(scratch_.path("out"), O_WRONLY | O_CREAT, STDOUT_FILENO);
    redirect(scratch_.path("err"), O_WRONLY | O_CREAT, STDERR_FILENO);
    std::vector<char*> argv;
    std::string program = COHORT_PROGRAM;
    argv.push_back(program.data());
    std::vector<std::string> copies = arguments;
    for (std::string& argument : copies) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(99);
  }

  Scratch scratch_;
  pid_t child_ = -1;
};

inline Outcome run_program(const std::vector<std::string>& arguments, const std::string& input = "") {
  return Running(arguments, input).wait();
}

// Two threads each read a flag and set it later: both can be inside.
inline const char* const unsafe_program = R"(decl lock := 0;
decl inside := 0;

void main() begin
  decl mine;
  start_thread goto WORK;
WORK:
  mine := lock;
  assume(!mine);
  lock := 1;
  assert(!inside);
  inside := 1;
  inside := 0;
  lock := 0;
end
)";

inline const char* const safe_program = R"(decl lock := 0;
decl inside := 0;

void main() begin
  start_thread goto WORK;
WORK:
  lock := 1 constrain !lock;
  assert(!inside);
  inside := 1;
  inside := 0;
  lock := 0;
end
)";

// Many bits that flip freely: more states than a test has time for.
inline std::string endless_program() {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "decl b" + std::to_string(i) + " := 0;\n";
  text += "void main() begin\nAGAIN:\n";
  for (int i = 0; i < 40; ++i) text += "b" + std::to_string(i) + " := *;\n";
  return text + "goto AGAIN;\nassert(0);\nend\n";
}

}  // namespace cohort::test
