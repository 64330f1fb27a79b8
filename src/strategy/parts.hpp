// The question in parts.  Who asks for everything at once asks about deadlocks, races and wrong steps together, and
// what answers one of these may not answer the others: invariants say nothing of deadlocks, and where only deadlocks
// are asked about, most data do not matter.  So each class of properties is also asked about alone.
//
// If all parts are safe, so is the whole: the first violation on an execution is one of some part, and before it the
// execution is one of that part's program, too (model/passes/questions.hpp).  A run to a violation of a part is
// executed on the whole program before it counts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "model/passes/simplify.hpp"
#include "strategy/judge.hpp"

namespace cohort::strategy {

class Part {
 public:
  Part(std::string name, model::Program flat) : name_(std::move(name)), flat_(std::move(flat)) {}
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() = default;

  // "deadlocks alone".
  const std::string& name() const { return name_; }
  Programs programs() const { return {flat_, simplified_ ? &*simplified_ : nullptr}; }
  void simplify(Env& env);

 private:
  std::string name_;
  model::Program flat_;
  std::optional<model::Simplified> simplified_;
};

// None where the question is of one class only.
std::vector<std::unique_ptr<Part>> parts_of(const model::Program& flat);

// Is the question one whose parts are worth being asked about?  Nobody decides about deadlocks of any number of
// threads, and a certificate is for the whole.
bool has_parts(const model::Program& flat, const Threads& threads, const engine::EngineOptions& options);

}  // namespace cohort::strategy
