// The engine `modular`: SAFE for any number of threads by an invariant that speaks of the shared variables and of one,
// two or three threads at a time (lemma/houdini.hpp finds it).  It never answers UNSAFE: that there is no such
// invariant says nothing about the program.
#pragma once

#include "engine/engine.hpp"

namespace cohort::engine::modular {

class ModularEngine : public Engine {
 public:
  // `spacer_seconds`: what Spacer may spend in vain before the answer is that nothing was found.  Its budgets would add
  // up over all levels and settings.
  explicit ModularEngine(double spacer_seconds = 60) : spacer_seconds_(spacer_seconds) {}

  std::string_view name() const override { return "modular"; }
  std::string_view purpose() const override {
    return "Proves programs over numbers safe for any number of threads by invariants of a few threads at a time.";
  }
  std::string_view fragment() const override {
    return "Programs without references to threads; it proves, and finds no violations.";
  }
  bool judges(model::PropertyKind kind) const override;
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;

 private:
  double spacer_seconds_;
};

}  // namespace cohort::engine::modular
