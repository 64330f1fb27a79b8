// The engine `coverability`: safety for any number of threads by all methods of this folder together.
#pragma once

#include <cstdint>

#include "engine/engine.hpp"
#include "engine/unbounded/counter_system.hpp"

namespace cohort::engine::unbounded {

// How the methods take turns.  The first turns are short, and one after the other: most programs need no more.
struct Turns {
  std::uint64_t first_steps = 3'500;
  int in_one_thread = 3;            // then both sides go on at the same time, where there are two processors
  bool always_two_threads = false;  // also where there is one
  bool in_step = false;             // each waits for the other after a turn: no scheduler decides what they hear
};

class CoverabilityEngine : public Engine {
 public:
  CoverabilityEngine() = default;
  explicit CoverabilityEngine(const Turns& turns) : turns_(turns) {}

  std::string_view name() const override { return "coverability"; }
  std::string_view purpose() const override {
    return "Decides safety for any number of threads: Karp-Miller, the marking equation, directed and backward search "
           "in turns.";
  }
  std::string_view fragment() const override {
    return "Programs whose threads are alike, with thread creation, atomic sections, broadcasts and transfers.";
  }
  bool judges(model::PropertyKind kind) const override { return CounterSystem::judges(kind); }
  std::optional<std::string> refuses(const Task& task) const override;
  result::Result check(Env& env, const Task& task) const override;

 private:
  Turns turns_;
};

}  // namespace cohort::engine::unbounded
