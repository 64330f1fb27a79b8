// Keeps a limit on resident memory where it would be passed at once: by one large allocation, such as that of a vector
// that grows to twice its size.  Loops ask for the limit every few milliseconds (base/env.hpp), which is soon enough
// for everything small; a large allocation is asked about here, in `operator new` itself, so that no engine has to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

#include "base/env.hpp"

namespace cohort {

// The allocation would have passed the limit; nothing was allocated.
class MemoryLimitReached : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "memory limit reached"; }
};

// As long as the object lives, large allocations of the whole process throw MemoryLimitReached where they would pass
// the memory limit, if there is one.  Objects are nested, and the innermost counts.
class MemoryGuard {
 public:
  explicit MemoryGuard(const Limits& limits);
  MemoryGuard(const MemoryGuard&) = delete;
  MemoryGuard& operator=(const MemoryGuard&) = delete;
  ~MemoryGuard();

 private:
  std::uint64_t outer_;
};

// Why there was no memory: the limit, or the machine.
std::string describe_lack_of_memory(const std::bad_alloc& lack, const Limits& limits);

}  // namespace cohort
