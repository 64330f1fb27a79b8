// UNKNOWN in few words: what was established, what was tried and how far each came, and which option would help.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "result/answer.hpp"
#include "strategy/executor.hpp"
#include "strategy/question.hpp"

namespace cohort::strategy {

std::vector<result::Attempt> attempts_of(const std::vector<JobReport>& reports);

// Collects what came to nothing.
class Unknown {
 public:
  Unknown(Env& env, const result::Scope& scope) : env_(env), scope_(scope) {}

  void add(const result::Answer& answer, const Statistics& statistics);
  result::Answer answer(const std::vector<JobReport>& reports, StopReason stopped_by);

 private:
  std::string advice(StopReason stopped_by, bool short_of_memory) const;

  Env& env_;
  result::Scope scope_;
  std::optional<std::uint32_t> safe_bound_;
  std::string engine_;  // the last that said something
};

// A named engine found no violation with a bound that nobody asked for.
void explain_default_bound(result::Answer& answer);

}  // namespace cohort::strategy
