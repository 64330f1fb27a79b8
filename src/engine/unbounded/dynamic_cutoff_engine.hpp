// The engine `dynamic-cutoff`: proofs for any number of threads from complete searches with few of them.
#pragma once

#include "engine/engine.hpp"
#include "engine/unbounded/counter_system.hpp"

namespace cohort::engine::unbounded {

class DynamicCutoffEngine : public Engine {
 public:
  std::string_view name() const override { return "dynamic-cutoff"; }
  std::string_view purpose() const override {
    return "Searches 1, 2, ... threads and proves that more reach no other thread state.";
  }
  std::string_view fragment() const override {
    return "Any number of threads, broadcasts that no thread can block; assertions, error labels and targets.";
  }
  bool judges(model::PropertyKind kind) const override { return CounterSystem::judges(kind); }
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;
};

}  // namespace cohort::engine::unbounded
