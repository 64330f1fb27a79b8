// Decides, for engines on the thread system, which property a set of threads violates: an error location, or a Cover
// target.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/thread_system.hpp"

namespace cohort::engine::explicit_ {

struct Cell {
  model::LocalId local = 0;
  std::uint32_t count = 0;

  bool operator==(const Cell&) const = default;
};

class ViolationCheck {
 public:
  explicit ViolationCheck(const model::ThreadSystem& system);

  // `cells` may list a local state more than once.
  std::optional<model::PropertyId> operator()(model::SharedId shared, std::span<const Cell> cells);
  // The property of kind Deadlock.
  std::optional<model::PropertyId> deadlock() const { return deadlock_; }
  const model::Location& location(model::LocalId local) const;
  // Has a thread there a step that changes nothing?
  bool runs_in_circles(model::SharedId shared, model::LocalId local) const;
  // Could it step without others, whoever is inside of an atomic section?
  bool could_step(model::SharedId shared, model::LocalId local) const;
  // The violated property if none of these threads can move.
  std::optional<model::PropertyId> deadlock(std::span<const Cell> cells) const;

 private:
  bool condition_holds(std::size_t target, model::SharedId shared);

  const model::ThreadSystem* system_;
  std::vector<model::PropertyId> targets_;  // the Cover properties
  std::optional<model::PropertyId> deadlock_;
  std::vector<std::unordered_map<model::SharedId, bool>> conditions_;  // of each target, by shared state
};

}  // namespace cohort::engine::explicit_
