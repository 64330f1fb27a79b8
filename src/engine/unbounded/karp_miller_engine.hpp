// The engine `karp-miller`: safety for any number of threads by the Karp-Miller construction on the thread system.
#pragma once

#include "engine/engine.hpp"
#include "engine/unbounded/counter_system.hpp"

namespace cohort::engine::unbounded {

class KarpMillerEngine : public Engine {
 public:
  std::string_view name() const override { return "karp-miller"; }
  std::string_view purpose() const override {
    return "Decides safety for any number of threads, forwards, and knows every reachable thread state.";
  }
  std::string_view fragment() const override {
    return "Programs whose threads are alike, with thread creation, atomic sections and nondeterminism, but without "
           "broadcasts.";
  }
  option::Members knows(const EngineOptions& options) const override {
    return option::Members(options.order, options.karp_miller);
  }
  bool judges(model::PropertyKind kind) const override { return CounterSystem::judges(kind); }
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;
};

// So many uninitialised variables that the explicit construction would begin with thousands of roots?  Then the
// symbolic one is used.
bool has_many_starts(const Task& task);

}  // namespace cohort::engine::unbounded
