// Runs the jobs of a plan side by side, each in a process of its own, until one of them decides.
//
// Time is given out in slices.  Whoever has had the least for its share is next; when a slice is over, the job is
// paused and keeps what it has found.  A job that ends by itself takes no more time, so whatever it leaves goes to the
// others and the whole limit is used.  The first job has a head start: what it decides at once is its own.
//
// Limits hold for all processes together.  A little before the time is up all are asked what they have established;
// when memory runs short, the largest goes.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "strategy/message.hpp"
#include "strategy/plan.hpp"

namespace cohort::strategy {

// What became of a job.
struct JobReport {
  std::string title;
  std::string engine;
  double seconds = 0;
  std::string said;  // why it came to nothing, or how far it is
};

class Executor {
 public:
  // Looks at what a job found; true: that decides, and the others are ended.  `said` is for the report where it does
  // not.
  using Judge = std::function<bool(const Job& job, Message& message, std::string& said)>;

  Executor(Env& env, const model::Program& program, const std::vector<Job>& jobs, std::uint32_t parallel);
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  ~Executor();

  // More jobs, for what is not decided after some seconds.
  void add_later(double seconds, std::function<std::vector<Job>()> jobs) { late_ = {seconds, std::move(jobs)}; }
  // True when the judge found something decisive.
  bool run(const Judge& judge);
  // For the judge: the jobs are not needed any more, since `why`.
  void end_jobs(const std::function<bool(const Job&)>& which, const std::string& why);
  // Of the jobs that were started, in the order of the plan.
  std::vector<JobReport> reports() const;
  // What ended the run from outside: a limit or a signal.
  StopReason stopped_by() const { return stopped_by_; }

 private:
  struct Worker;
  struct Late {
    double seconds = 0;
    std::function<std::vector<Job>()> jobs{};
  };

  double now() const { return env_.limits.elapsed_seconds(); }
  void add(const Job& job);
  void add_late_jobs();
  void start(Worker& worker);
  const model::Program& program_of(const Job& job) const { return job.program != nullptr ? *job.program : program_; }
  void give_slices();
  Worker* next_in_line();
  bool listen(const Judge& judge, double seconds);
  bool hear(Worker& worker, const Judge& judge);
  bool take(Worker& worker, Message message, const Judge& judge);
  void end_slices();
  void watch_memory();
  bool finish(const Judge& judge);
  bool anyone_left() const;
  std::string describe() const;

  Env& env_;
  const model::Program& program_;
  std::list<Worker> workers_;  // they stay where they are
  Late late_;
  std::size_t parallel_;
  double began_ = 0;
  std::optional<double> last_call_;  // when all are asked what they have
  std::uint64_t memory_limit_ = 0;   // for all together; 0: not known
  double next_look_at_memory_ = 0;
  StopReason stopped_by_ = StopReason::None;
};

}  // namespace cohort::strategy
