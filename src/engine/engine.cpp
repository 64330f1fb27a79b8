#include "engine/engine.hpp"

namespace cohort::engine {

option::Members Engine::knows(const EngineOptions&) const {
  return {};
}

}  // namespace cohort::engine
