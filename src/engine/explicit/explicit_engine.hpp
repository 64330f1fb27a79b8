// The engine `explicit`: explicit-state search for a bounded number of threads, with counter abstraction or, on
// request, without.
#pragma once

#include "engine/engine.hpp"

namespace cohort::engine::explicit_ {

class ExplicitEngine : public Engine {
 public:
  std::string_view name() const override { return "explicit"; }
  std::string_view purpose() const override;
  std::string_view fragment() const override;
  bool judges(model::PropertyKind kind) const override;
  bool chooses_schedules() const override { return true; }
  bool divides_work() const override { return true; }
  option::Members knows(const EngineOptions& options) const override {
    return option::Members(options.partial_order, options.all_orders, options.symmetry, options.order,
                           options.checkpoint.folder, options.checkpoint.seconds);
  }
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;
};

}  // namespace cohort::engine::explicit_
