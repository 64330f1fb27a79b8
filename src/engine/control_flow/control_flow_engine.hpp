// The engine `control-flow`: SAFE at once, for any number of threads, where no error location is reachable in the
// control flow.  It spares every other engine the state space of programs that have nothing to check, as predicate
// abstraction makes them when a property is proved by the path alone.
#pragma once

#include "engine/engine.hpp"
#include "model/analysis/control_flow.hpp"

namespace cohort::engine::control_flow {

class ControlFlowEngine : public Engine {
 public:
  std::string_view name() const override { return "control-flow"; }
  std::string_view purpose() const override {
    return "Answers SAFE at once where the control flow alone keeps threads from every error location.";
  }
  std::string_view fragment() const override {
    return "Programs whose control flow reaches no error location and that cannot fault.";
  }
  bool judges(model::PropertyKind kind) const override { return model::control_flow_judges(kind); }
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;
};

}  // namespace cohort::engine::control_flow
