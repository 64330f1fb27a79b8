// The engine `marking-equation`: proofs by the marking equation and traps alone; it never says UNSAFE.
#pragma once

#include "engine/engine.hpp"
#include "engine/unbounded/counter_system.hpp"

namespace cohort::engine::unbounded {

class MarkingEquationEngine : public Engine {
 public:
  std::string_view name() const override { return "marking-equation"; }
  std::string_view purpose() const override {
    return "Quick proofs for any number of threads, by weights that no step increases and by traps; never UNSAFE.";
  }
  std::string_view fragment() const override {
    return "Programs whose threads are alike, with thread creation, atomic sections, and broadcasts and transfers that "
           "no thread can block.";
  }
  bool judges(model::PropertyKind kind) const override { return CounterSystem::judges(kind); }
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;
};

}  // namespace cohort::engine::unbounded
