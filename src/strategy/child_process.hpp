// A piece of work in a process of its own, which is paused, resumed and ended at will, and whose words come over a
// pipe.
//
// Why processes: whatever happens to one (a crash, memory that runs out, a loop that asks nobody) costs the others
// nothing, libraries with global state (BuDDy) get one each, and a search that is paused keeps what it has found, where
// one that gives up its turn in the same process begins anew.
//
// No child outlives its parent: the kernel kills it when the parent ends in whatever way (PR_SET_PDEATHSIG; that the
// parent is still there is asked after the request is made), and the destructor kills and reaps it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace cohort::strategy {

class ChildProcess {
 public:
  // What the work sees of its surroundings.
  class Inside {
   public:
    Inside(int pipe, const std::atomic<bool>& flag) : pipe_(pipe), flag_(&flag) {}

    // Ends the process when nobody listens any more.
    void write(std::string_view bytes) const;
    // Set when the parent asks the child to come to an end.
    const std::atomic<bool>* interrupt_flag() const { return flag_; }

   private:
    int pipe_;
    const std::atomic<bool>* flag_;
  };

  // Starts at once.  Must be called where no other thread runs.  Throws std::system_error when there can be no more
  // processes.
  explicit ChildProcess(const std::function<void(const Inside&)>& work);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  void pause();
  void resume();
  // Asks it to say what it has; resumes it for that.
  void ask_to_end();
  void kill();

  // Where its words come from; reading does not block.
  int pipe() const { return pipe_; }
  // False: the child has closed the pipe, by its end.
  bool read(std::string& bytes);
  // After the end: how it ended, in words; empty when it ended as it should.
  std::string reap();
  // Memory that it occupies besides what it had from its parent, in bytes.
  std::uint64_t own_memory() const;

 private:
  pid_t id_ = -1;
  int pipe_ = -1;
  bool paused_ = false;
  std::uint64_t inherited_ = 0;
  std::string ending_;
};

// How many processors this process may use.
std::uint32_t usable_processors();

// Memory that is free for use, in bytes; 0 where it is not known.
std::uint64_t available_memory();

}  // namespace cohort::strategy
