#include "report/violation_class.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/contract.hpp"

namespace cohort::report {

namespace {

constexpr std::string_view reaches_error = "G ! call(reach_error())";

// Front ends say what goes wrong in the first words of a property's text.
constexpr std::array<std::pair<std::string_view, std::string_view>, 23> beginnings = {{
    {"data race:", "data-race"},
    {"an access to an object that has been freed", "use-after-free"},
    {"an object is freed twice", "double-free"},
    {"something is freed that was not allocated", "invalid-free"},
    {"realloc of something that was not allocated", "invalid-free"},
    {"a file that is closed is used", "use-after-close"},
    {"a write to a constant", "write-to-constant"},
    {"an access through NULL or outside", "invalid-access"},
    {"an access outside of its object", "out-of-bounds"},
    {"a call through NULL", "null-dereference"},
    {"division by zero", "division-by-zero"},
    {"a shift by", "invalid-shift"},
    {"signed overflow", "signed-overflow"},
    {"access through NULL", "null-dereference"},
    {"array index out of bounds", "out-of-bounds"},
    {"value out of range", "value-out-of-range"},
    {"integer leaves 64 bits", "value-out-of-range"},
    {"a mutex", "lock-misuse"},
    {"a spin lock", "lock-misuse"},
    {"a read-write lock", "lock-misuse"},
    {"a lock is", "lock-misuse"},
    {"a lock that", "lock-misuse"},
    {"a semaphore", "lock-misuse"},
}};

const ViolationClass& find(std::string_view id) {
  const auto& all = violation_classes();
  const auto it = std::find_if(all.begin(), all.end(), [&](const ViolationClass& one) { return one.id == id; });
  COHORT_EXPECT(it != all.end(), "a class of violations is in the list");
  return *it;
}

// Of locks, what exactly is wrong.
std::string_view lock_class(std::string_view text) {
  const auto says = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
  if (says("unlocked") || says("released")) return "unlock-not-held";
  if (says("again") || says("for writing by a thread that holds it")) return "double-lock";
  return says("nobody has initialised") ? "uninitialised-lock" : "lock-misuse";
}

}  // namespace

const std::vector<ViolationClass>& violation_classes() {
  static const std::vector<ViolationClass> all = {
      {"assertion", "Assertion failed", {617}, "unreach-call", reaches_error},
      {"error-label", "Error label reached", {}, "unreach-call", reaches_error},
      {"unsafe-state", "Unsafe state reached", {}, "", ""},
      {"data-race", "Data race", {366, 362}, "no-data-race", "G ! data-race"},
      {"deadlock", "Deadlock", {833}, "no-deadlock", "G ! deadlock"},
      {"unlock-not-held", "Unlock of a lock that is not held", {832, 667}, "", "G ! lock-misuse"},
      {"double-lock", "Lock taken twice", {764, 667}, "", "G ! lock-misuse"},
      {"uninitialised-lock", "Use of a lock that nobody has initialised", {908, 667}, "", "G ! lock-misuse"},
      {"lock-misuse", "Misuse of a lock", {667}, "", "G ! lock-misuse"},
      {"use-after-free", "Use after free", {416}, "valid-deref", "G valid-deref"},
      {"double-free", "Object freed twice", {415}, "valid-free", "G valid-free"},
      {"invalid-free", "Free of what was not allocated", {590}, "valid-free", "G valid-free"},
      {"use-after-close", "Use of a file that is closed", {672}, "", "G ! fault"},
      {"null-dereference", "Access through NULL", {476}, "valid-deref", "G valid-deref"},
      {"invalid-access", "Access through NULL or outside of an object", {119, 476}, "valid-deref", "G valid-deref"},
      {"out-of-bounds", "Access outside of an object", {119}, "valid-deref", "G valid-deref"},
      {"write-to-constant", "Write to a constant", {758}, "valid-deref", "G valid-deref"},
      {"division-by-zero", "Division by zero", {369}, "", "G ! fault"},
      {"invalid-shift", "Shift by too much", {1335}, "", "G ! fault"},
      {"signed-overflow", "Signed overflow", {190}, "no-overflow", "G ! overflow"},
      {"value-out-of-range", "Value out of range", {}, "", "G ! fault"},
  };
  return all;
}

const ViolationClass& class_of(const Violation& violation) {
  if (violation.kind == "deadlock") return find("deadlock");
  if (violation.kind == "error-label") return find("error-label");
  // A fault of the model has its name in the words, one of a C program in the text.
  const std::string_view said = violation.kind == "fault" ? std::string_view(violation.words) : violation.text;
  for (const auto& [beginning, id] : beginnings) {
    if (!said.starts_with(beginning)) continue;
    return find(id == "lock-misuse" ? lock_class(said) : id);
  }
  return find(violation.kind == "assertion" ? "assertion" : "unsafe-state");
}

}  // namespace cohort::report
