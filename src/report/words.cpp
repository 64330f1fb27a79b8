#include "report/words.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/analysis/thread_bound.hpp"
#include "model/any_number.hpp"
#include "model/eval.hpp"
#include "model/property.hpp"

namespace cohort::report {

using model::Property;
using result::Answer;
using result::Verdict;

namespace {

std::string violation_words(const Property& property) {
  if (!property.words.empty()) return property.words;
  switch (property.kind) {
    case Property::Kind::Assertion: return "assertion failed";
    case Property::Kind::ErrorLabel: return "error label reached";
    case Property::Kind::Cover: return property.threads.empty() ? "property violated" : "target covered";
    case Property::Kind::Condition: return "bad state reached";
    case Property::Kind::Fault: return "fault";
    case Property::Kind::Cut: return "end of the model reached";
    case Property::Kind::Deadlock: return "deadlock";
  }
  COHORT_UNREACHABLE("every kind of property has words for its violation");
}

// Of an access that leads nowhere, what the run tells: is one of the pointers that the last step looks at NULL?  None:
// it looks at no pointer.
std::optional<bool> meets_null(const model::Program& program, const model::Run& run) {
  const model::Transition& step = run.steps.back();
  const auto& guard = program.edge(step.edge).actions.front().guard;
  if (!guard) return std::nullopt;
  const model::State& before = run.steps.size() == 1 ? run.initial : run.steps[run.steps.size() - 2].target;
  model::EvalContext context{.program = &program, .shared = &before.shared};
  context.state = &before;
  context.self_slot = step.thread;
  context.self = &*before.threads[step.thread];
  std::optional<bool> found;
  for_each_node(program.exprs, *guard, [&](const model::Expr& node, model::ExprId) {
    const bool is_local = node.op == model::Op::LocalVar;
    if (!is_local && node.op != model::Op::SharedVar) return;
    const model::Variable& variable =
        is_local ? program.templ(step.edge.templ).local(node.var) : program.shared[node.var.value];
    if (variable.look.kind != model::Look::Kind::Pointer) return;
    const auto index = node.args.empty() ? std::nullopt : std::optional<model::ExprId>(node.args[0]);
    const auto slot = model::slot_of(context, variable, index);
    const bool is_known = slot && !context.fault;
    context.fault.reset();
    if (is_known) found = found.value_or(false) || (is_local ? context.self->locals : before.shared)[*slot] == 0;
  });
  return found;
}

// What the front end leaves open, the run decides.
void make_exact(const model::Program& program, const model::Run& run, Violation& violation) {
  if (violation.mistake != model::Mistake::InvalidAccess || run.steps.empty()) return;
  const auto is_null = meets_null(program, run);
  if (!is_null) return;
  violation.mistake = *is_null ? model::Mistake::NullDereference : model::Mistake::OutOfBounds;
  violation.words = *is_null ? "an access through NULL" : "an access outside of its object";
}

}  // namespace

std::string exact_words(const model::Program& program, const model::Run& run, const Property& property) {
  Violation violation{.kind = {}, .words = violation_words(property), .text = {}, .span = {}};
  violation.mistake = model::mistake_of(property);
  make_exact(program, run, violation);
  return violation.words;
}

std::string_view verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::Safe: return "SAFE";
    case Verdict::Unsafe: return "UNSAFE";
    case Verdict::Unknown: return "UNKNOWN";
  }
  COHORT_UNREACHABLE("every verdict has a word");
}

std::string count_threads(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "thread" : "threads");
}

std::string bound_words(const model::Program& program, std::optional<std::uint32_t> bound) {
  if (!bound) {
    const auto most = model::most_threads(program);
    return most && *most > 0 ? fmt::format("for all threads that it can have (at most {})", *most)
                             : "for any number of threads";
  }
  // Where the program starts with as many threads as fit, the bound is their number from the start on, not only a
  // limit.
  const bool open =
      std::any_of(program.initial.begin(), program.initial.end(), [](const auto& group) { return !group.count; });
  const bool exact = open || *bound == 1 || model::fixed_thread_count(program) == bound;
  return fmt::format("for {}{}", exact ? "" : "up to ", count_threads(*bound));
}

std::string scope_words(const model::Program& program, const Answer& answer) {
  if (answer.result.verdict == Verdict::Unsafe) {
    return fmt::format("with {}", count_threads(result::threads_needed(*answer.result.run)));
  }
  std::string words = bound_words(program, answer.scope.bound);
  for (const std::string& name : model::any_numbers(program)) words += fmt::format(", for every {} >= 1", name);
  return words;
}

Violation violation_of(const model::Program& program, const Answer& answer) {
  COHORT_EXPECT(answer.result.verdict == Verdict::Unsafe && answer.result.run, "only UNSAFE violates a property");
  if (answer.result.property) {
    const Property& property = program.properties[answer.result.property->value];
    Violation violation{to_string(property.kind), violation_words(property), property.text, property.span,
                        model::mistake_of(property)};
    make_exact(program, *answer.result.run, violation);
    return violation;
  }
  COHORT_EXPECT(!answer.result.run->steps.empty(), "a fault happens in a step");
  const model::Transition& step = answer.result.run->steps.back();
  COHORT_EXPECT(step.fault, "a run without a violated property ends in a fault");
  const model::Action& action = program.edge(step.edge).actions[step.fault_action];
  const auto mistake = model::mistake_called(to_string(*step.fault));
  COHORT_EXPECT(mistake, "a fault is a mistake that has a name");
  return {"fault", std::string(to_string(*step.fault)), action.text, action.span, *mistake};
}

std::string sufficient_words(const Answer& answer) {
  if (answer.result.verdict != Verdict::Safe || answer.scope.bound) return "";
  if (const auto threads = answer.result.sufficient_threads) {
    return fmt::format("{} {} every thread state{} that any number of threads reaches", count_threads(*threads),
                       *threads == 1 ? "reaches" : "reach", answer.simplified ? " of the simplified program" : "");
  }
  if (!answer.result.cutoff_open) return "";
  return "how many threads reach all that any number reaches takes longer to find: ask `cohort cutoff`";
}

std::string headline(const model::Program& program, const Answer& answer) {
  std::string line = fmt::format("{} {}", verdict_word(answer.result.verdict), scope_words(program, answer));
  if (!answer.up_to.empty()) return fmt::format("SAFE up to {} ({})", answer.up_to, scope_words(program, answer));
  if (answer.checks_nothing) line += ": there is nothing to check";
  if (answer.result.verdict == Verdict::Unknown) return line + ": " + answer.result.reason;
  if (answer.result.verdict == Verdict::Safe) return line;
  const Violation violation = violation_of(program, answer);
  line += ": " + violation.words;
  if (violation.span.known()) line += " at " + to_string(violation.span);
  return line;
}

}  // namespace cohort::report
