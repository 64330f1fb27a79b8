// The engine `backward`: safety for any number of threads by backward search over upward-closed sets.
#pragma once

#include "engine/engine.hpp"
#include "engine/unbounded/counter_system.hpp"

namespace cohort::engine::unbounded {

class BackwardEngine : public Engine {
 public:
  std::string_view name() const override { return "backward"; }
  std::string_view purpose() const override {
    return "Decides safety for any number of threads, backwards from the violations, with executions of few threads.";
  }
  std::string_view fragment() const override {
    return "Programs whose threads are alike, with thread creation, atomic sections, broadcasts and transfers.";
  }
  bool judges(model::PropertyKind kind) const override { return CounterSystem::judges(kind); }
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;
};

}  // namespace cohort::engine::unbounded
