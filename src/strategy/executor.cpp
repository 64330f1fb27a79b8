#include "strategy/executor.hpp"

#include <poll.h>

#include <algorithm>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/memory_guard.hpp"
#include "base/source.hpp"
#include "strategy/child_process.hpp"

namespace cohort::strategy {

namespace {

constexpr double head_start = 0.1;      // seconds of the first job alone
constexpr double shortest_slice = 0.2;  // seconds
constexpr double growth = 0.25;         // a slice is at least this part of what the job has had so far
constexpr double patience = 300;        // seconds for jobs without end, where nobody set a limit
constexpr double courtesy = 1;          // seconds to say what was established after a signal
constexpr double memory_interval = 0.1;
constexpr double share_of_free_memory = 0.8;

// Before the end of the time, so much is kept for last words.
double time_for_last_words(double limit) {
  return std::min(0.3, limit * 0.05);
}

void send(const ChildProcess::Inside& inside, const model::Program& program, Message::Kind kind, std::string text) {
  Message message;
  message.kind = kind;
  message.text = std::move(text);
  inside.write(encode(message, program));
}

// In the child.
void work(const ChildProcess::Inside& inside, Env env, const model::Program& program, const Job& job) {
  env.limits.set_interrupt_flag(inside.interrupt_flag());
  env.statistics = {};
  env.set_progress([&](std::string_view text) {
    if (!text.empty()) send(inside, program, Message::Kind::Progress, std::string(text));
  });
  const MemoryGuard guard(env.limits);
  try {
    Message message;
    message.kind = Message::Kind::Answer;
    try {
      message.result = job.engine->check(env, {program, job.bound, job.options});
    } catch (const Stopped& stopped) {
      message.result = result::Result::unknown(stopped.what());  // a limit is a result, not a failure
    } catch (const MemoryLimitReached& lack) {
      message.result = result::Result::unknown(describe_lack_of_memory(lack, env.limits));
    }
    message.statistics = env.statistics;
    inside.write(encode(message, program));
  } catch (const std::bad_alloc&) {
    send(inside, program, Message::Kind::Failure, "out of memory");
  } catch (const InputError& error) {
    const std::string place = to_string(error.span());
    send(inside, program, Message::Kind::Unsupported,
         fmt::format("unsupported: {}{}", error.what(), place.empty() ? "" : " at " + place));
  } catch (const std::exception& error) {
    send(inside, program, Message::Kind::Failure, fmt::format("internal error: {}", error.what()));
  }
}

}  // namespace

struct Executor::Worker {
  Job job;
  MessageReader reader;
  std::unique_ptr<ChildProcess> process{};
  bool running = false;
  bool ended = false;
  double had = 0;  // seconds
  double since = 0;
  double slice_end = 0;
  std::optional<double> asked_at{};
  std::string said{};

  bool waits() const { return !running && !ended; }
  double due() const { return had / job.share; }
  bool alive() const { return process != nullptr && !ended; }
};

Executor::Executor(Env& env, const model::Program& program, const std::vector<Job>& jobs, std::uint32_t parallel)
    : env_(env), program_(program), parallel_(parallel) {
  COHORT_EXPECT(parallel > 0, "somebody may work");
  for (const Job& job : jobs) add(job);
  began_ = now();
  if (const auto limit = env.limits.time_limit()) last_call_ = *limit - time_for_last_words(*limit);
  const auto free = static_cast<double>(available_memory());
  memory_limit_ = env.limits.memory_limit().value_or(static_cast<std::uint64_t>(free * share_of_free_memory));
}

Executor::~Executor() = default;

void Executor::add(const Job& job) {
  workers_.push_back({.job = job, .reader = MessageReader(program_of(job))});
}

void Executor::add_late_jobs() {
  if (late_.jobs == nullptr || (anyone_left() && now() - began_ < late_.seconds)) return;
  const auto jobs = std::exchange(late_.jobs, nullptr);
  for (const Job& job : jobs()) add(job);
}

void Executor::end_jobs(const std::function<bool(const Job&)>& which, const std::string& why) {
  for (Worker& worker : workers_) {
    if (worker.ended || !which(worker.job)) continue;
    if (worker.running) worker.had += now() - worker.since;
    worker.running = false;
    worker.ended = true;
    worker.said = why;
    worker.process.reset();
  }
}

bool Executor::run(const Judge& judge) {
  while (anyone_left() || late_.jobs != nullptr) {
    if (last_call_ && now() >= *last_call_) stopped_by_ = StopReason::TimeLimit;
    if (env_.poll_now("portfolio-wait")) stopped_by_ = env_.stop_reason();
    if (stopped_by_ != StopReason::None) return finish(judge);
    add_late_jobs();
    give_slices();
    double wait = 0.05;
    if (last_call_) wait = std::min(wait, *last_call_ - now());
    for (const Worker& worker : workers_) {
      if (worker.running) wait = std::min(wait, worker.slice_end - now());
    }
    if (now() - began_ < head_start) wait = std::min(wait, began_ + head_start - now());
    if (listen(judge, std::max(wait, 0.001))) return true;
    env_.report_progress([&] { return describe(); });
    end_slices();
    watch_memory();
  }
  return false;
}

bool Executor::anyone_left() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return !worker.ended; });
}

// A line for each engine that has been given time and goes on.
std::string Executor::describe() const {
  std::string text;
  for (const Worker& worker : workers_) {
    if (!worker.alive()) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", worker.job.title(),
                        worker.said.empty() ? "at work" : worker.said);
  }
  return text;
}

Executor::Worker* Executor::next_in_line() {
  Worker* next = nullptr;
  for (Worker& worker : workers_) {
    if (worker.waits() && (next == nullptr || worker.due() < next->due())) next = &worker;
  }
  return next;
}

void Executor::give_slices() {
  for (;;) {
    const auto running = static_cast<std::size_t>(
        std::count_if(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.running; }));
    if (running >= parallel_ || (running > 0 && now() - began_ < head_start)) return;
    Worker* worker = next_in_line();
    if (worker == nullptr) return;
    start(*worker);
  }
}

void Executor::start(Worker& worker) {
  worker.since = now();
  worker.slice_end = worker.since + std::max(shortest_slice, growth * worker.had);
  if (worker.process != nullptr) {
    worker.process->resume();
    worker.running = true;
    return;
  }
  Env env = env_;
  if (last_call_) env.limits.set_time_limit(std::max(0.0, *last_call_));
  try {
    worker.process = std::make_unique<ChildProcess>(
        [&](const ChildProcess::Inside& inside) { work(inside, env, program_of(worker.job), worker.job); });
    worker.running = true;
  } catch (const std::system_error& error) {
    worker.ended = true;
    worker.said = fmt::format("there can be no more processes: {}", error.what());
  }
}

bool Executor::listen(const Judge& judge, double seconds) {
  std::vector<pollfd> pipes;
  std::vector<Worker*> speakers;
  for (Worker& worker : workers_) {
    if (!worker.alive()) continue;
    pipes.push_back({.fd = worker.process->pipe(), .events = POLLIN, .revents = 0});
    speakers.push_back(&worker);
  }
  if (pipes.empty()) return false;
  if (poll(pipes.data(), pipes.size(), static_cast<int>(seconds * 1000) + 1) <= 0) return false;
  for (std::size_t i = 0; i < pipes.size(); ++i) {
    if (pipes[i].revents != 0 && speakers[i]->alive() && hear(*speakers[i], judge)) return true;
  }
  return false;
}

// Reads what there is.  True: something decisive.
bool Executor::hear(Worker& worker, const Judge& judge) {
  std::string bytes;
  const bool goes_on = worker.process->read(bytes);
  worker.reader.add(bytes);
  try {
    while (auto message = worker.reader.next()) {
      if (take(worker, std::move(*message), judge)) return true;
      if (worker.ended) break;
    }
  } catch (const DamagedMessage& damaged) {
    worker.ended = true;
    worker.said = fmt::format("it failed: {}", damaged.what());
  }
  if (!goes_on && !worker.ended) {
    worker.ended = true;
    const std::string how = worker.process->reap();
    if (worker.asked_at && worker.said.empty()) worker.said = "memory limit reached";
    if (!worker.asked_at) worker.said = fmt::format("it failed: {}", how.empty() ? "it said nothing" : how);
  }
  if (worker.ended && worker.process != nullptr) {
    if (worker.running) worker.had += now() - worker.since;
    worker.running = false;
    worker.process.reset();
  }
  return false;
}

bool Executor::take(Worker& worker, Message message, const Judge& judge) {
  switch (message.kind) {
    case Message::Kind::Progress: worker.said = message.text; return false;
    case Message::Kind::Unsupported:
      worker.said = message.text;
      worker.ended = true;
      return false;
    case Message::Kind::Failure:
      worker.said = fmt::format("it failed: {}", message.text);
      worker.ended = true;
      return false;
    case Message::Kind::Answer: break;
  }
  worker.ended = true;
  return judge(worker.job, message, worker.said);
}

// A slice that is over ends only where somebody waits who has had less.
void Executor::end_slices() {
  const double time = now();
  for (Worker& worker : workers_) {
    if (!worker.running) continue;
    if (worker.slice_end <= time) {
      worker.had += time - worker.since;
      worker.since = time;
      const bool too_long = worker.job.endless && !last_call_ && worker.had > patience;
      if (too_long && !worker.asked_at) {
        worker.process->ask_to_end();
        worker.asked_at = time;
      }
      const Worker* next = next_in_line();
      if (next != nullptr && next->due() <= worker.due() && !worker.asked_at) {
        worker.process->pause();
        worker.running = false;
      } else {
        worker.slice_end = time + std::max(shortest_slice, growth * worker.had);
      }
    }
  }
}

void Executor::watch_memory() {
  const double time = now();
  if (memory_limit_ == 0 || time < next_look_at_memory_) return;
  next_look_at_memory_ = time + memory_interval;
  std::uint64_t total = resident_memory();
  Worker* largest = nullptr;
  std::uint64_t most = 0;
  for (Worker& worker : workers_) {
    if (!worker.alive()) continue;
    const std::uint64_t own = worker.process->own_memory();
    total += own;
    if (largest == nullptr || own > most) {
      largest = &worker;
      most = own;
    }
  }
  if (total < memory_limit_ || largest == nullptr) return;
  if (!largest->asked_at) {
    largest->process->ask_to_end();
    largest->asked_at = time;
    largest->since = time;
    largest->running = true;
  } else if (time - *largest->asked_at > courtesy) {
    largest->process->kill();
  }
}

// The time is up: last words, and the end of all.
bool Executor::finish(const Judge& judge) {
  const double limit = env_.limits.time_limit().value_or(now() + courtesy);
  const double end = stopped_by_ == StopReason::TimeLimit ? limit : now() + courtesy;
  for (Worker& worker : workers_) {
    if (!worker.alive()) continue;
    worker.process->ask_to_end();
    worker.asked_at = now();
    if (!worker.running) worker.since = now();
    worker.running = true;
  }
  const auto alive = [](const Worker& worker) { return worker.alive(); };
  while (std::any_of(workers_.begin(), workers_.end(), alive) && now() < end) {
    if (listen(judge, std::max(0.001, end - now()))) return true;
  }
  for (Worker& worker : workers_) {
    if (worker.running) worker.had += now() - worker.since;
    worker.running = false;
    worker.ended = true;
    worker.process.reset();
  }
  return false;
}

std::vector<JobReport> Executor::reports() const {
  std::vector<JobReport> all;
  for (const Worker& worker : workers_) {
    if (worker.had == 0 && worker.said.empty() && worker.process == nullptr && !worker.ended) continue;
    all.push_back({worker.job.title(), std::string(worker.job.engine->name()), worker.had, worker.said});
  }
  return all;
}

}  // namespace cohort::strategy
