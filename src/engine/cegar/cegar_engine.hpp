// Counterexample-guided abstraction refinement with symmetric predicate abstraction (SymmPA), for a bounded and for any
// number of threads: abstract by the image oracle, prove with views of two threads, look for an abstract violation with
// few threads, simulate it bit-precisely, add predicates, again.
#pragma once

#include "engine/engine.hpp"

namespace cohort::engine::cegar {

struct Settings {
  // Many programs need no lemmas; those that do are known by a loop that goes on.
  std::size_t iterations_without_lemmas = 3;
  // After so many the same is tried with counts of threads, where there is something to count; then it goes on.
  std::size_t iterations_without_ghosts = 10;
};

class CegarEngine final : public Engine {
 public:
  // `checker` is for Boolean programs with broadcasts, and outlives this engine; none: they are refused.
  explicit CegarEngine(Settings settings = {}, const Engine* checker = nullptr)
      : settings_(settings), checker_(checker) {}

  std::string_view name() const override { return "cegar"; }
  std::string_view purpose() const override {
    return "Predicate abstraction with refinement for numbers, for a bounded or any number of threads.";
  }
  std::string_view fragment() const override {
    return "Programs whose threads share variables and look at no other thread's locals; assertions, error labels, "
           "faults.";
  }
  option::Members knows(const EngineOptions& options) const override { return option::Members(options.abstraction); }
  bool judges(model::PropertyKind kind) const override;
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;

 private:
  Settings settings_;
  const Engine* checker_;
};

}  // namespace cohort::engine::cegar
