// An SMT solver as a child process that reads SMT-LIB text: one that shares no code with what an engine uses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sys/types.h>

#include "base/env.hpp"

namespace cohort::result {

class SolverProcess {
 public:
  enum class Answer : std::uint8_t { Satisfiable, Unsatisfiable, Unknown };

  // The first solver that is installed: cvc5, then z3.  None: there is none.
  explicit SolverProcess(Env& env);
  SolverProcess(const SolverProcess&) = delete;
  SolverProcess& operator=(const SolverProcess&) = delete;
  ~SolverProcess();

  bool runs() const { return process_ > 0; }
  const std::string& name() const { return name_; }
  // Commands that answer nothing.
  void send(const std::string& text);
  // Unknown also when a limit stopped it, or the solver failed.
  Answer check();

 private:
  bool start(const std::string& name, const std::string& arguments);
  std::optional<std::string> read_line();
  void stop();

  Env& env_;
  std::string name_;
  pid_t process_ = -1;
  int channel_ = -1;
  std::string buffer_;
};

}  // namespace cohort::result
