// `operator new` is replaced for the whole program.  Of what a growing vector asks for, one half is written at once, by
// the copy of the old elements, and beside it the old half still stands; the other half is written little by little,
// while loops ask for the limit.  So half of an allocation must fit.  Whoever writes all of a table at once asks
// Env::has_room() before.
#include "base/memory_guard.hpp"

#include <atomic>
#include <cstdlib>

namespace cohort {

namespace {

// Below this, the clock of the loops is soon enough.
constexpr std::size_t large = std::size_t{1} << 20U;

// In bytes; 0: none.  `operator new` has no other place to look at.
std::atomic<std::uint64_t> limit{0};

void* allocate(std::size_t size) {
  if (size >= large) {
    const std::uint64_t most = limit.load(std::memory_order_relaxed);
    if (most != 0 && resident_memory() + size / 2 > most) throw MemoryLimitReached();
  }
  for (;;) {
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void* allocate_or_not(std::size_t size) noexcept {
  try {
    return allocate(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

MemoryGuard::MemoryGuard(const Limits& limits) : outer_(limit.load(std::memory_order_relaxed)) {
  limit.store(limits.memory_limit().value_or(0), std::memory_order_relaxed);
}

MemoryGuard::~MemoryGuard() {
  limit.store(outer_, std::memory_order_relaxed);
}

std::string describe_lack_of_memory(const std::bad_alloc& lack, const Limits& limits) {
  const bool is_limit = dynamic_cast<const MemoryLimitReached*>(&lack) != nullptr;
  return is_limit ? limits.describe(StopReason::MemoryLimit) : "out of memory";
}

}  // namespace cohort

void* operator new(std::size_t size) {
  return cohort::allocate(size);
}

void* operator new[](std::size_t size) {
  return cohort::allocate(size);
}

// std::stable_sort asks in this way for its buffer, and gives it back in the other: both must be ours.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return cohort::allocate_or_not(size);
}

void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return cohort::allocate_or_not(size);
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete[](void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
