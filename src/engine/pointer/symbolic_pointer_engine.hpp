// The method of the RED paper: sets of states as decision diagrams, with symbolic indirection, inactive-variable
// elimination and the IbSINC reduction.  docs/pointer.md describes it.
#pragma once

#include "engine/engine.hpp"

namespace cohort::engine::pointer {

class SymbolicPointerEngine : public Engine {
 public:
  enum class Direction : std::uint8_t { Forward, Backward };

  explicit SymbolicPointerEngine(Direction direction = Direction::Forward) : direction_(direction) {}

  std::string_view name() const override {
    return direction_ == Direction::Forward ? "pointer-symbolic" : "pointer-backward";
  }
  std::string_view purpose() const override;
  std::string_view fragment() const override;
  option::Members knows(const EngineOptions& options) const override {
    return option::Members(options.symmetry, options.inactive);
  }
  bool judges(model::PropertyKind kind) const override;
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;

 private:
  Direction direction_;
};

}  // namespace cohort::engine::pointer
