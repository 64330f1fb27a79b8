// Evaluation of expressions in a concrete state.  A fault (division by zero, NULL, an index or value out of range) is
// recorded in the context, with its kind, and the evaluation goes on with 0: whoever asked looks at the fault before
// using the value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/program.hpp"
#include "model/state.hpp"

namespace cohort::model {

enum class FaultKind : std::uint8_t { DivisionByZero, NullReference, IndexOutOfBounds, OutOfRange, Overflow };

std::string_view to_string(FaultKind kind);

// A passive thread before and after a step.
struct PassivePair {
  const ThreadState* before = nullptr;
  const ThreadState* after = nullptr;
};

struct EvalContext {
  const Program* program = nullptr;
  const Valuation* shared = nullptr;
  const Valuation* shared_after = nullptr;  // primed
  const ThreadState* self = nullptr;
  const ThreadState* self_after = nullptr;
  const ThreadState* passive = nullptr;
  const ThreadState* passive_after = nullptr;
  // Where an expression ties several passive threads: the second one, and so on.
  std::span<const PassivePair> further_passive;
  // All threads, for references and quantifiers; null where only one thread is in view.
  const State* state = nullptr;
  std::size_t self_slot = 0;
  // The chosen value of choice_nodes[i] is choice_values[i].
  std::span<const ExprId> choice_nodes;
  std::span<const Value> choice_values;
  std::vector<std::size_t> bound_slots;
  std::optional<FaultKind> fault;
};

Value evaluate(EvalContext& context, ExprId id);

// Does a condition over whole states hold?  Three-valued as in the RED paper: one that faults does not.  Throws
// InputError (unsupported) when the value of an integer leaves 64 bits, since what the condition says is not known
// then.
bool holds(EvalContext& context, ExprId condition);

// Mathematical integers have no end, the interpreter's values do: a limit of Cohort, neither a violation nor a step
// that cannot be taken.  Throws InputError (unsupported) when `fault` is that.
void expect_within_64_bits(FaultKind fault, const SourceSpan& span);

// The slot in `variables`' valuation that `index` selects; records a fault and returns none when it is out of bounds.
std::optional<std::size_t> slot_of(EvalContext& context, const Variable& variable, std::optional<ExprId> index);

// The thread that a reference value denotes; records a fault for NULL and for a thread that is not alive.
const ThreadState* dereference(EvalContext& context, Value reference);

}  // namespace cohort::model
