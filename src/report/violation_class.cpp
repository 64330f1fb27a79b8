#include "report/violation_class.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::report {

using model::Mistake;

namespace {

constexpr std::string_view reaches_error = "G ! call(reach_error())";

}  // namespace

const std::vector<ViolationClass>& violation_classes() {
  static const std::vector<ViolationClass> all = {
      {Mistake::Assertion, "assertion", "Assertion failed", {617}, "unreach-call", reaches_error},
      {Mistake::Abort, "abort", "abort is called", {617}, "", "G ! call(abort())"},
      {Mistake::ErrorLabel, "error-label", "Error label reached", {}, "unreach-call", reaches_error},
      {Mistake::UnsafeState, "unsafe-state", "Unsafe state reached", {}, "", ""},
      {Mistake::DataRace, "data-race", "Data race", {366, 362}, "no-data-race", "G ! data-race"},
      {Mistake::Deadlock, "deadlock", "Deadlock", {833}, "no-deadlock", "G ! deadlock"},
      {Mistake::UnlockNotHeld,
       "unlock-not-held",
       "Unlock of a lock that is not held",
       {832, 667},
       "",
       "G ! lock-misuse"},
      {Mistake::DoubleLock, "double-lock", "Lock taken twice", {764, 667}, "", "G ! lock-misuse"},
      {Mistake::UninitialisedLock,
       "uninitialised-lock",
       "Use of a lock that nobody has initialised",
       {908, 667},
       "",
       "G ! lock-misuse"},
      {Mistake::LockMisuse, "lock-misuse", "Misuse of a lock", {667}, "", "G ! lock-misuse"},
      {Mistake::UseAfterFree, "use-after-free", "Use after free", {416}, "valid-deref", "G valid-deref"},
      {Mistake::UseAfterScope,
       "use-after-scope",
       "Use of a local after its end",
       {562, 825},
       "valid-deref",
       "G valid-deref"},
      {Mistake::DoubleFree, "double-free", "Object freed twice", {415}, "valid-free", "G valid-free"},
      {Mistake::InvalidFree, "invalid-free", "Free of what was not allocated", {590}, "valid-free", "G valid-free"},
      {Mistake::UseAfterClose, "use-after-close", "Use of a file that is closed", {672}, "", "G ! fault"},
      {Mistake::NullDereference, "null-dereference", "Access through NULL", {476}, "valid-deref", "G valid-deref"},
      {Mistake::InvalidAccess,
       "invalid-access",
       "Access through NULL or outside of an object",
       {119, 476},
       "valid-deref",
       "G valid-deref"},
      {Mistake::OutOfBounds, "out-of-bounds", "Access outside of an object", {119}, "valid-deref", "G valid-deref"},
      {Mistake::WriteToConstant, "write-to-constant", "Write to a constant", {758}, "valid-deref", "G valid-deref"},
      {Mistake::DivisionByZero, "division-by-zero", "Division by zero", {369}, "", "G ! fault"},
      {Mistake::InvalidShift, "invalid-shift", "Shift by too much", {1335}, "", "G ! fault"},
      {Mistake::SignedOverflow, "signed-overflow", "Signed overflow", {190}, "no-overflow", "G ! overflow"},
      {Mistake::ValueOutOfRange, "value-out-of-range", "Value out of range", {}, "", "G ! fault"},
      {Mistake::Undefined, "undefined-behaviour", "Undefined behaviour", {758}, "", "G ! fault"},
  };
  return all;
}

const ViolationClass& class_of(const Violation& violation) {
  const auto& all = violation_classes();
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const ViolationClass& one) { return one.mistake == violation.mistake; });
  COHORT_EXPECT(it != all.end(), "every mistake has a class");
  return *it;
}

}  // namespace cohort::report
