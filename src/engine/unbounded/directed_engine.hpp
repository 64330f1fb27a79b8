// The engine `directed`: a forward search for violations with any number of threads, guided by the marking equation; it
// never says SAFE.
#pragma once

#include "engine/engine.hpp"
#include "engine/unbounded/counter_system.hpp"

namespace cohort::engine::unbounded {

class DirectedEngine : public Engine {
 public:
  std::string_view name() const override { return "directed"; }
  std::string_view purpose() const override {
    return "Looks for violations with any number of threads, guided by the marking equation; with --search bfs for the "
           "shortest; never SAFE.";
  }
  std::string_view fragment() const override {
    return "Programs whose threads are alike, with thread creation, atomic sections and nondeterminism, but without "
           "broadcasts.";
  }
  option::Members knows(const EngineOptions& options) const override { return option::Members(options.order); }
  bool judges(model::PropertyKind kind) const override { return CounterSystem::judges(kind); }
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;
};

}  // namespace cohort::engine::unbounded
