// Proofs for any number of processes that point to each other, by what a few of them can see
// (engine/pointer/closed_views.hpp), and violations with few processes.
#pragma once

#include "engine/engine.hpp"

namespace cohort::engine::pointer {

class AnyNumberEngine : public Engine {
 public:
  std::string_view name() const override { return "pointer-views"; }
  std::string_view purpose() const override;
  std::string_view fragment() const override;
  option::Members knows(const EngineOptions& options) const override { return option::Members(options.inactive); }
  bool judges(model::PropertyKind kind) const override;
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;
};

}  // namespace cohort::engine::pointer
