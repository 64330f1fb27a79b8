// The engine `bmc`: bounded model checking with an SMT solver, restricted to projections.
#pragma once

#include "engine/engine.hpp"

namespace cohort::engine::bmc {

class BmcEngine : public Engine {
 public:
  std::string_view name() const override { return "bmc"; }
  std::string_view purpose() const override;
  std::string_view fragment() const override;
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;
};

}  // namespace cohort::engine::bmc
