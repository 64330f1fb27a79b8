// The engine `symbolic`: Boolean programs with a bounded number of threads, by decision diagrams.  With symmetry it is
// symbolic counter abstraction (counter_search.hpp), without it the plain baseline (plain_search.hpp).
#pragma once

#include "engine/engine.hpp"

namespace cohort::engine::symbolic {

class SymbolicEngine final : public Engine {
 public:
  std::string_view name() const override { return "symbolic"; }
  std::string_view purpose() const override {
    return "Bounded numbers of threads in programs with much nondeterministic data: sets of states as decision "
           "diagrams, threads counted.";
  }
  std::string_view fragment() const override {
    return "Boolean variables, a bound on the threads, broadcasts; no thread references, arrays, rendezvous or moves "
           "of passive threads.";
  }
  option::Members knows(const EngineOptions& options) const override {
    return option::Members(options.partial_order, options.symmetry, options.merging, options.reorder);
  }
  bool judges(model::PropertyKind kind) const override;
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;
};

}  // namespace cohort::engine::symbolic
