// The kinds of mistakes that violations are, for everybody who sorts or exchanges them.  Front ends say what a
// violation is called (`Property::words`); the one table behind `mistake_called` says which mistake each of these names
// is, and whoever makes such a property asks it (a contract), so that no name goes unsorted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/program.hpp"

namespace cohort::model {

enum class Mistake : std::uint8_t {
  Assertion,
  Abort,
  ErrorLabel,
  UnsafeState,
  DataRace,
  Deadlock,
  UnlockNotHeld,
  DoubleLock,
  UninitialisedLock,
  LockMisuse,
  UseAfterFree,
  UseAfterScope,
  DoubleFree,
  InvalidFree,
  UseAfterClose,
  NullDereference,
  InvalidAccess,
  OutOfBounds,
  WriteToConstant,
  DivisionByZero,
  InvalidShift,
  SignedOverflow,
  ValueOutOfRange,
  Undefined,  // behaviour of another kind
};

// Which mistake has this name?  After the name may follow ` on ` and what it happens to.
std::optional<Mistake> mistake_called(std::string_view words);

// What the mistake happens to, if the name says it: `x` of "data race on x".
std::string_view object_of_mistake(std::string_view words);

// That of a violation of the property.  A property of kind Fault stands for several: the step's fault tells.
Mistake mistake_of(const Property& property);

}  // namespace cohort::model
