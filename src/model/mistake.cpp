#include "model/mistake.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/contract.hpp"

namespace cohort::model {

namespace {

// Names of mistakes themselves have no such word.
constexpr std::string_view before_object = " on ";

// What front ends, the models of libraries and the interpreter call them.
constexpr std::array<std::pair<std::string_view, Mistake>, 51> names = {{
    {"assertion failed", Mistake::Assertion},
    {"abort is called", Mistake::Abort},
    {"data race", Mistake::DataRace},
    {"an access to an object that has been freed", Mistake::UseAfterFree},
    {"an access to a local that lives no more", Mistake::UseAfterScope},
    {"an object is freed twice", Mistake::DoubleFree},
    {"something is freed that was not allocated", Mistake::InvalidFree},
    {"realloc of something that was not allocated, or is freed", Mistake::InvalidFree},
    {"a file that is closed is used", Mistake::UseAfterClose},
    {"a folder that is closed is used", Mistake::UseAfterClose},
    {"a write to a constant", Mistake::WriteToConstant},
    {"an access through NULL or outside of its object", Mistake::InvalidAccess},
    {"an access through NULL", Mistake::NullDereference},
    {"access through NULL", Mistake::NullDereference},
    {"a call through NULL", Mistake::NullDereference},
    {"an access outside of its object", Mistake::OutOfBounds},
    {"array index out of bounds", Mistake::OutOfBounds},
    {"a descriptor in a set that is too small for it", Mistake::OutOfBounds},
    {"a negative descriptor in a set", Mistake::OutOfBounds},
    {"division by zero", Mistake::DivisionByZero},
    {"a shift by a negative number or by at least the width of its operand", Mistake::InvalidShift},
    {"signed overflow", Mistake::SignedOverflow},
    {"value out of range", Mistake::ValueOutOfRange},
    {"integer leaves 64 bits", Mistake::ValueOutOfRange},
    {"a call through a pointer that leads to no function", Mistake::Undefined},
    {"va_arg where no argument of the call is left", Mistake::Undefined},
    {"a goto to something that is no label of the function", Mistake::Undefined},
    {"memcpy of objects that overlap", Mistake::Undefined},
    {"a copy of text that overlaps", Mistake::Undefined},
    {"a thread is joined or detached that has been joined", Mistake::Undefined},
    {"a thread is joined that has been detached", Mistake::Undefined},
    {"a thread is detached that has been joined", Mistake::Undefined},
    {"a thread is waited for that there never was", Mistake::Undefined},
    {"a mutex that nobody has initialised is used", Mistake::UninitialisedLock},
    {"a read-write lock that nobody has initialised is used", Mistake::UninitialisedLock},
    {"a mutex is locked again by the thread that holds it", Mistake::DoubleLock},
    {"a spin lock is locked again by the thread that holds it", Mistake::DoubleLock},
    {"a lock is taken again by the thread that holds it", Mistake::DoubleLock},
    {"a read-write lock is locked again by the thread that holds it for writing", Mistake::DoubleLock},
    {"a read-write lock is locked for writing by a thread that holds it", Mistake::DoubleLock},
    {"a mutex is unlocked by a thread that does not hold it", Mistake::UnlockNotHeld},
    {"a spin lock is unlocked by a thread that does not hold it", Mistake::UnlockNotHeld},
    {"a read-write lock is unlocked by a thread that does not hold it", Mistake::UnlockNotHeld},
    {"a read-write lock that is free is unlocked", Mistake::UnlockNotHeld},
    {"a lock is released by a thread that does not hold it", Mistake::UnlockNotHeld},
    {"a file is unlocked by a thread that has not locked it", Mistake::UnlockNotHeld},
    {"a mutex that is held is destroyed", Mistake::LockMisuse},
    {"a spin lock that is held is destroyed", Mistake::LockMisuse},
    {"a read-write lock that is held is destroyed", Mistake::LockMisuse},
    {"a mutex that is held is initialised", Mistake::LockMisuse},
    {"a read-write lock that is held is initialised", Mistake::LockMisuse},
}};

}  // namespace

std::string_view object_of_mistake(std::string_view words) {
  const std::size_t at = words.find(before_object);
  return at == std::string_view::npos ? std::string_view() : words.substr(at + before_object.size());
}

std::optional<Mistake> mistake_called(std::string_view words) {
  const auto called = [](std::string_view name) {
    return std::find_if(names.begin(), names.end(), [&](const auto& row) { return row.first == name; });
  };
  auto row = called(words);
  if (row == names.end()) row = called(words.substr(0, words.find(before_object)));
  return row == names.end() ? std::nullopt : std::optional(row->second);
}

Mistake mistake_of(const Property& property) {
  if (!property.words.empty()) return mistake_called(property.words).value_or(Mistake::Undefined);
  switch (property.kind) {
    case Property::Kind::Assertion: return Mistake::Assertion;
    case Property::Kind::ErrorLabel: return Mistake::ErrorLabel;
    case Property::Kind::Cover:
    case Property::Kind::Condition:
    case Property::Kind::Cut: return Mistake::UnsafeState;
    case Property::Kind::Fault: return Mistake::Undefined;
    case Property::Kind::Deadlock: return Mistake::Deadlock;
  }
  COHORT_UNREACHABLE("every kind of property has a mistake");
}

}  // namespace cohort::model
