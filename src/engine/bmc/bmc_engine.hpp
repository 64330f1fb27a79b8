// The engine `bmc`: bounded model checking with an SMT solver, restricted to projections.
#pragma once

#include "engine/engine.hpp"

namespace cohort::engine::bmc {

class BmcEngine : public Engine {
 public:
  // With projections: how many conflicts the solver may spend before the constraint that leaves only projections is
  // added; 0: it is there from the start.
  explicit BmcEngine(unsigned conflicts_before_projection = 1000)
      : conflicts_before_projection_(conflicts_before_projection) {}

  std::string_view name() const override { return "bmc"; }
  std::string_view purpose() const override;
  std::string_view fragment() const override;
  option::Members knows(const EngineOptions& options) const override {
    return option::Members(options.symmetry, options.bmc);
  }
  bool judges(model::PropertyKind kind) const override;
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;

 private:
  unsigned conflicts_before_projection_;
};

}  // namespace cohort::engine::bmc
