// Explicit-state search for algorithms with pointers between processes: states are kept up to admissible permutations
// of the processes, in exact canonical forms, with inactive variables reset.  docs/pointer.md describes the method.
#pragma once

#include "engine/engine.hpp"

namespace cohort::engine::pointer {

class PointerEngine : public Engine {
 public:
  std::string_view name() const override { return "pointer"; }
  std::string_view purpose() const override;
  std::string_view fragment() const override;
  option::Members knows(const EngineOptions& options) const override {
    return option::Members(options.symmetry, options.inactive, options.order);
  }
  bool judges(model::PropertyKind kind) const override;
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;
};

// What all engines of this folder refuse.
std::optional<std::string> refuses_task(const Task& task);
// What those refuse that write no certificates.
std::optional<std::string> refuses_certificate(const Task& task);

}  // namespace cohort::engine::pointer
