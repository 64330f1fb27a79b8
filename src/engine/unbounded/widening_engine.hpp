// The engine `widening`: backward search with guesses, vetoed by a forward search.
#pragma once

#include "engine/engine.hpp"
#include "engine/unbounded/counter_system.hpp"

namespace cohort::engine::unbounded {

class WideningEngine : public Engine {
 public:
  std::string_view name() const override { return "widening"; }
  std::string_view purpose() const override {
    return "Decides safety for any number of threads, backwards with guesses that a forward search may veto.";
  }
  std::string_view fragment() const override {
    return "Any number of threads, broadcasts that no thread can block; assertions, error labels and targets.";
  }
  bool judges(model::PropertyKind kind) const override { return CounterSystem::judges(kind); }
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;
};

}  // namespace cohort::engine::unbounded
