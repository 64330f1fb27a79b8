// The names that mean something to the C front end beyond what C says of them: intrinsics of the models, functions of
// verification tools, and functions of the library whose calls the front end looks at itself.  Nobody else compares a
// function's name with a text, so that what a name means is found here and is the same everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cohort::frontend::c::ir {

// What may go wrong in an execution, and what can be asked for.
enum class Wrong : std::uint8_t { Assertion, Deadlock, Race, Lock, Fault, Overflow, Abort };

// The word that the models use in __cohort_violation.
std::optional<Wrong> wrong_named(std::string_view word);
std::string_view to_string(Wrong wrong);

// What the models are written in, besides C; see library/cohort_intrinsics.h.
enum class Intrinsic : std::uint8_t {
  AtomicBegin,
  AtomicEnd,
  AtomicBeginWhen,
  AtomicBeginWhenOrByChance,
  Assume,
  Violation,
  Unsupported,
  Note,
  FirstArgument,  // of a call with variable arguments; the parser makes calls of these two
  Argument,
  Spawn,
  Self,
  Finished,
  Result,
  ExitThread,
  EndProcess,
  Exit,
  Allocate,
  AllocateZero,
  Free,
  SetJump,  // under the names that programs have for it
  LongJump,
};

std::optional<Intrinsic> intrinsic_named(std::string_view name);
// How many arguments it must be given.
std::size_t arguments_of(Intrinsic intrinsic);

// Models that lowering calls by itself.
inline constexpr std::string_view claim_thread_model = "cohort_claim_thread";
inline constexpr std::string_view destroy_values_model = "cohort_destroy_values";
inline constexpr std::string_view run_handlers_model = "cohort_run_handlers";
inline constexpr std::string_view argument_count_model = "cohort_argument_count";
inline constexpr std::string_view command_line_model = "cohort_command_line";

// What the parser says of a place where a floating-point number matters though none has a value.
inline constexpr std::string_view float_matters = "something that depends on the value of a floating-point number";

// The function that a program starts with, unless another is asked for.
inline constexpr std::string_view main_name = "main";

// Is it an object or a function of the models themselves?
bool is_of_models(std::string_view name);

// Verification tools.
bool is_error_call(std::string_view name);      // the call is the violation, whatever a definition does then
bool states_assertion(std::string_view name);   // something that may fail
bool is_atomic_by_name(std::string_view name);  // a function that runs as one step
bool gives_any_value(std::string_view name);    // where nobody defines it

// Functions of the library.
enum class MemoryCall : std::uint8_t { Set, Copy, Move, Read };
std::optional<MemoryCall> memory_call(std::string_view name);
bool is_detach(std::string_view name);
bool sets_detachment(std::string_view name);  // of an attribute
bool joins_thread(std::string_view name);
bool creates_key(std::string_view name);        // with a destructor as its second argument
bool registers_handler(std::string_view name);  // of the end of the process
bool locks_mutex(std::string_view name);
bool frees_mutex(std::string_view name);          // unlocks or initialises it
bool sets_mutex_kind(std::string_view name);      // of an attribute
bool makes_mutex_of_kind(std::string_view name);  // the kind is the second argument
// Of scanf and its kind: the number of the first argument that input goes to; 0: another function.
std::size_t first_input(std::string_view name);
// Does its model read and write objects of the thread library, atomically?  Others access what belongs to the program
// as the program would itself.
bool synchronises(std::string_view name);
bool initialises_lock(std::string_view name);
// Does it something to threads or to the flow of control, which no value and no store could stand for?
bool has_other_effects(std::string_view name);

}  // namespace cohort::frontend::c::ir
