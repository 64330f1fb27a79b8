#include "strategy/portfolio.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "result/replay.hpp"
#include "strategy/child_process.hpp"
#include "strategy/executor.hpp"
#include "strategy/parts.hpp"
#include "strategy/unknown.hpp"

namespace cohort::strategy {

using result::Answer;
using result::Result;
using result::Verdict;

namespace {

constexpr double undivided = 1;         // seconds before the parts of a question are asked about, too
constexpr double share_of_parts = 0.5;  // of what an engine has for the whole

// Hears what all jobs have to say, about the whole question or a part of it.
class Jury {
 public:
  Jury(Env& env, const Programs& programs, const Options& options)
      : env_(env),
        programs_(programs),
        options_(options),
        scope_{.bound = bound_of_answer(programs.flat, options.threads)},
        unknown_(env, scope_) {}

  Answer run(const Plan& plan) {
    const std::uint32_t parallel = options_.jobs > 0 ? options_.jobs : usable_processors();
    Executor executor(env_, programs_.seen(), plan.jobs, parallel);
    executor_ = &executor;
    if (has_parts(programs_.flat, options_.threads, options_.engine_options))
      executor.add_later(undivided, [this] { return jobs_of_parts(); });
    const bool is_decided = executor.run([this](const Job& job, Message& message, std::string& said) {
      try {
        return hear(job, message, said);
      } catch (const WrongResult& wrong) {
        said = fmt::format("it failed: {}", wrong.what());
        return false;
      }
    });
    if (!is_decided) return unknown_.answer(executor.reports(), executor.stopped_by());
    decided_.attempts = attempts_of(executor.reports());
    return std::move(decided_);
  }

 private:
  std::vector<Job> jobs_of_parts() {
    std::vector<Job> jobs;
    try {
      parts_ = parts_of(programs_.flat);
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (programs_.simplified != nullptr) parts_[i]->simplify(env_);
        const model::Program& seen = parts_[i]->programs().seen();
        for (Job& job : make_plan(seen, options_.threads, options_.engine_options).jobs) {
          job.share *= share_of_parts;
          job.part = i;
          job.program = &seen;
          job.about = parts_[i]->name();
          jobs.push_back(std::move(job));
        }
      }
    } catch (const Stopped&) {
      jobs.clear();  // the jobs of the whole question meet the same limit
    }
    safe_.resize(parts_.size());
    return jobs;
  }

  bool hear(const Job& job, Message& message, std::string& said) {
    const Programs& programs = job.part ? parts_[*job.part]->programs() : programs_;
    Answer answer = judge(env_, programs, options_.threads, job, std::move(message.result));
    if (answer.result.verdict == Verdict::Safe && job.options.certificate) check_proof(env_, programs, answer);
    if (answer.result.verdict == Verdict::Unknown) {
      said = answer.result.reason;
      if (!job.part) unknown_.add(answer, message.statistics);
      return false;
    }
    if (job.part && answer.result.verdict == Verdict::Unsafe) see_in_whole(answer);
    if (job.part && answer.result.verdict == Verdict::Safe && !complete(*job.part, answer)) {
      said = "none";
      executor_->end_jobs([&](const Job& other) { return other.part == job.part; }, "answered by another");
      return false;
    }
    decided_ = std::move(answer);
    env_.statistics = message.statistics;
    return true;
  }

  // A violation of a part is one of the whole question, or comes after one.
  void see_in_whole(Answer& answer) const {
    COHORT_EXPECT(answer.result.run, "a violation has a run");
    const result::Replay replay = result::replay(programs_.flat, scope_.bound, *answer.result.run);
    if (!replay.succeeded) throw WrongResult(fmt::format("its run is none of the whole question: {}", replay.message));
    answer.result.property = replay.violated;
    answer.scope = scope_;
  }

  // Is every part answered with this one?  Then `answer` becomes that to the whole.
  bool complete(std::size_t part, Answer& answer) {
    safe_[part] = std::move(answer);
    if (std::any_of(safe_.begin(), safe_.end(), [](const auto& one) { return !one.has_value(); })) return false;
    answer = std::move(*safe_.front());
    answer.scope = scope_;
    answer.result.sufficient_threads.reset();  // each part may need another number of them
    for (std::size_t i = 1; i < safe_.size(); ++i) {
      const Answer& other = *safe_[i];
      if (answer.engine.find(other.engine) == std::string::npos) answer.engine += ", " + other.engine;
      answer.result.holds_without_bound = answer.result.holds_without_bound && other.result.holds_without_bound;
      for (const std::string& remark : other.remarks) {
        if (std::find(answer.remarks.begin(), answer.remarks.end(), remark) == answer.remarks.end())
          answer.remarks.push_back(remark);
      }
    }
    return true;
  }

  Env& env_;
  const Programs& programs_;
  const Options& options_;
  const result::Scope scope_;
  Unknown unknown_;
  Executor* executor_ = nullptr;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<std::optional<Answer>> safe_;  // of each part
  Answer decided_;
};

}  // namespace

Answer ask_all(Env& env, const Programs& programs, const Options& options, const Plan& plan) {
  const result::Scope scope{.bound = bound_of_answer(programs.flat, options.threads)};
  if (plan.jobs.empty()) return {.result = Result::unknown(plan.refusals), .scope = scope};
  if (env.poll_now("portfolio")) return {.result = Result::unknown(env.describe_stop()), .scope = scope};
  return Jury(env, programs, options).run(plan);
}

}  // namespace cohort::strategy
