// Checking by Boolean broadcast programs, as the SymmPA paper does it: the Cartesian abstraction of every command
// (abstraction/cartesian.hpp) becomes a program (boolean_model.hpp), an engine for such programs checks it with n
// threads, and where the abstract violation is not real its steps are looked at first: a step that no concrete step
// justifies is excluded by a conjunct (transition refinement); only when every step is justified are new predicates
// needed.
//
// Transition refinement.  A step of thread t is spurious for a set J of threads with t in J if no concrete step leads
// from a state with the predicate values of J before to one with those after.  J = {t} is tried first, then {t, p} for
// each other thread p.  (The paper asks whether the weakest precondition of the values after is excluded, which never
// finds an assume spurious; here the step itself is part of the query.)  The conjunct forbids a minimal set of values
// that has no step, not the whole state.  Larger J are not tried: the model's constraints speak of one passive thread,
// and neither the paper nor the guide has a program that needs more.
//
// Conjuncts stay when predicates are added; cubes are computed anew.
//
// For any number of threads no Boolean program is made: views and counting search the same abstraction by its images
// (abstraction/cube_images.hpp), and follow() is told of the path that they find.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "abstraction/cartesian.hpp"
#include "engine/cegar/boolean_model.hpp"
#include "engine/cegar/counting.hpp"
#include "engine/cegar/path.hpp"
#include "engine/engine.hpp"
#include "model/run.hpp"

namespace cohort::engine::cegar {

class BooleanCheck {
 public:
  enum class Outcome : std::uint8_t { Safe, Violated, Stopped };

  // All must outlive this object.  `checker` takes Boolean programs with broadcasts and a bound.
  BooleanCheck(Env& env, abstraction::Oracle& oracle, const abstraction::Predicates& predicates, const Engine& checker,
               std::uint32_t cube_length);

  // The abstraction of the predicates that there are now.
  void abstract();
  // Before check(): the Boolean program of the abstraction.
  void make_program();
  // False: a limit stopped it.
  bool is_complete() const { return known_ == predicates_.all().size(); }
  // With `bound` threads at a time.
  Outcome check(std::uint32_t bound);
  // Violated: by which path.
  const Path& path() const { return path_; }
  const std::string& reason() const { return reason_; }
  // A violation that was found by the images.
  void follow(const Counted& counted);
  // Adds conjuncts that exclude steps of the violation; how many.
  std::size_t refine();

  const std::vector<abstraction::BroadcastStep>& steps() const { return steps_; }
  std::size_t conjuncts() const { return conjuncts_; }

 private:
  // Is there a step with these values, beside a thread of the template?
  struct Question {
    std::optional<model::TemplateId> passive;
    abstraction::Cube values;
  };
  // A step of the violation, with the questions for J = {t} and then for pairs.
  struct Moment {
    std::uint32_t command = 0;
    bool trouble = false;  // it goes wrong
    std::vector<Question> questions;
  };
  // The value of a predicate in a role.
  using Value = std::function<bool(std::size_t, abstraction::Role)>;

  void follow(const model::Run& run);
  Moment moment_of(const model::Transition& step, const model::State& before, std::uint32_t command,
                   bool trouble) const;
  abstraction::Cube values(std::uint32_t command, bool trouble, std::optional<model::TemplateId> passive,
                           const Value& value) const;
  bool exclude(const Moment& moment, const Question& question);

  Env& env_;
  abstraction::Oracle& oracle_;
  const abstraction::Predicates& predicates_;
  const Engine& checker_;
  std::uint32_t cube_length_;
  std::size_t known_ = SIZE_MAX;  // the number of predicates that `steps_` are for
  std::vector<abstraction::BroadcastStep> steps_;
  std::vector<std::vector<abstraction::Cube>> refined_;  // by command
  std::optional<BooleanModel> model_;
  Path path_;
  std::vector<Moment> moments_;
  std::string reason_;
  std::size_t conjuncts_ = 0;
};

}  // namespace cohort::engine::cegar
