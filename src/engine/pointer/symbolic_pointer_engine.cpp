#include "engine/pointer/symbolic_pointer_engine.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/pointer/pointer_engine.hpp"
#include "engine/pointer/symbolic_search.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::engine::pointer {

using model::Expr;
using model::ExprId;
using model::Op;
using result::Result;
using result::Verdict;

namespace {

// Diagrams of values are lists of cases, so values must be few and operators be those that Terms knows.
std::optional<std::string> refuses_node(const Expr& node) {
  switch (node.op) {
    case Op::Mod:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case Op::BitNot:
    case Op::Shl:
    case Op::Shr: return "the symbolic pointer engine takes no bit operations";
    default: break;
  }
  if (node.type.kind() == model::Type::Kind::Int)
    return "the symbolic pointer engine takes no integers that wrap around";
  return std::nullopt;
}

// Several assignments at once happen one after the other here; with constants that is the same.
bool is_simple(const model::ExprPool& pool, const model::Action& action) {
  if (action.assigns.size() <= 1) return true;
  return !action.guard && std::all_of(action.assigns.begin(), action.assigns.end(), [&](const model::Assign& assign) {
    return !assign.target.ref && pool[assign.value].op == Op::Const;
  });
}

std::optional<std::string> refuses_symbolic(const model::Program& program) {
  std::optional<std::string> refusal;
  const auto look = [&](const Expr& node, ExprId) {
    if (!refusal) refusal = refuses_node(node);
  };
  for (const auto& [action, edge, templ] : model::actions_of(program)) {
    for_each_node(program.exprs, action, look);
    if (!is_simple(program.exprs, action)) return "the symbolic pointer engine takes one assignment at a time";
  }
  for (const model::Property& property : program.properties) {
    if (property.condition) for_each_node(program.exprs, *property.condition, look);
  }
  if (program.initial_condition) for_each_node(program.exprs, *program.initial_condition, look);
  return refusal;
}

}  // namespace

std::string_view SymbolicPointerEngine::purpose() const {
  if (direction_ == Direction::Backward)
    return "The same with decision diagrams, from the bad states to the initial ones.";
  return "Decision diagrams for algorithms with pointers between processes (the RED method): symbolic indirection, "
         "IbSINC "
         "process symmetry, forward from the initial states.";
}

std::string_view SymbolicPointerEngine::fragment() const {
  return "As the pointer engine, and many initial states besides; variables need few values.";
}

bool SymbolicPointerEngine::judges(model::PropertyKind kind) const {
  using Kind = model::PropertyKind;
  switch (kind) {
    case Kind::Assertion:
    case Kind::ErrorLabel:
    case Kind::Cut:
    case Kind::Condition:
    case Kind::Fault: return true;
    case Kind::Cover:
    case Kind::Deadlock: return false;
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

std::optional<std::string> SymbolicPointerEngine::refuses(const Task& task) const {
  const auto judged = [this](model::PropertyKind kind) { return judges(kind); };
  if (auto reason = model::unjudged(task.program, judged)) return reason;
  if (auto refusal = refuses_certificate(task)) return refusal;
  if (auto refusal = refuses_task(task)) return refusal;
  if (task.options.order == SearchOrder::DepthFirst) return "the symbolic pointer engine searches breadth first only";
  return refuses_symbolic(task.program);
}

Result SymbolicPointerEngine::check(Env& env, const Task& task) const {
  COHORT_EXPECT(!refuses(task), "an engine checks only what it takes");
  Result result;
  try {
    SymbolicSearch search(env, task, direction_ == Direction::Backward);
    try {
      result.run = search.run();
      if (result.run) {
        result.verdict = Verdict::Unsafe;
      } else if (search.finished()) {
        result.verdict = Verdict::Safe;
      } else {
        result.reason = fmt::format("{}; {}", env.describe_stop(), search.established());
      }
      search.record(env.statistics);
    } catch (const dd::OutOfMemory& problem) {
      result.reason =
          fmt::format("{}; {}", env.poll_now() ? env.describe_stop() : problem.what(), search.established());
    }
  } catch (const dd::OutOfMemory& problem) {
    result.reason = env.poll_now() ? env.describe_stop() : problem.what();
  }
  return result;
}

}  // namespace cohort::engine::pointer
