// The engine `coverability`: safety for any number of threads by all methods of this folder together.
#pragma once

#include "engine/engine.hpp"
#include "engine/unbounded/counter_system.hpp"

namespace cohort::engine::unbounded {

class CoverabilityEngine : public Engine {
 public:
  std::string_view name() const override { return "coverability"; }
  std::string_view purpose() const override {
    return "decides safety for any number of threads: Karp-Miller, the marking equation, directed and backward search "
           "in "
           "turns";
  }
  std::string_view fragment() const override {
    return "programs whose threads are alike, with thread creation, atomic sections, and broadcasts and transfers that "
           "no thread can block";
  }
  bool judges(model::PropertyKind kind) const override { return CounterSystem::judges(kind); }
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;
};

}  // namespace cohort::engine::unbounded
