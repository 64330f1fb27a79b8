// Asking at a stopping point where the environment may be absent: without one there are no limits.
#pragma once

#include <string_view>

#include "base/env.hpp"

namespace cohort {

// Throws Stopped.
inline void poll(Env* env, std::string_view point) {
  if (env != nullptr) env->poll(point);
}

}  // namespace cohort
