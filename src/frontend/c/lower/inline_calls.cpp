// Calls: of functions with a body, through pointers, of the intrinsics of the library, and of functions that nobody
// defines.
#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "base/contract.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/inline.hpp"
#include "frontend/c/lower/threads.hpp"
#include "model/passes/cuts.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using TypeKind = ir::Type::Kind;

namespace {

// Can the function have the arguments as its parameters: numbers and addresses for such, structs for those of their
// size?
bool takes(const Flat& flat, const ir::Function& function, const std::vector<TermId>& args) {
  for (std::size_t i = 0; i < std::min(args.size(), function.params.size()); ++i) {
    const ir::TypeId wanted = flat.unit.object(function.params[i]).type;
    const ir::TypeId given = flat.term(args[i]).type;
    const bool is_plain = is_scalar(flat.unit.type(wanted));
    if (is_plain != is_scalar(flat.unit.type(given))) return false;
    if (!is_plain && size_of(flat.unit, wanted) != size_of(flat.unit, given)) return false;
  }
  return true;
}

bool is_detachment(const ir::Function& function) {
  return function.is_library && ir::is_detach(function.name);
}

// Functions that --linux puts before the program are C like the program's own, but nobody wrote them there.
bool is_of_prelude(const ir::Function& function) {
  return function.span.known() && function.span.file->name().ends_with("/cohort_prelude.h");
}

constexpr std::int64_t most_variable_args = 256;  // of one call

}  // namespace

NodeId Inliner::translate_call(Frame& frame, const ir::Node& node, NodeId next) {
  std::vector<TermId> args;
  for (const ir::ExprId arg : node.args) {
    if (const auto reason = unsupported_in(arg)) return cut(frame, node, *reason);
    args.push_back(clone(frame, arg));
  }
  if (!node.callee) return call_through_pointer(frame, node, args, next);
  const ir::Function& callee = flat_.unit.function(*node.callee);
  const std::string name = callee.name;
  if (!callee.has_body) {
    if (const auto intrinsic = ir::intrinsic_named(name)) return call_intrinsic(frame, node, *intrinsic, args, next);
    if (const auto input = call_scanf(frame, node, args, next)) return *input;
    return call_bodiless(frame, node, *node.callee, args, next);
  }
  if (!takes(flat_, callee, args)) {
    return cut(frame, node, fmt::format("a call of {} with arguments of other types", callee.name));
  }
  return call_function(frame, node, *node.callee, args, next);
}

// Why the call is not inlined.  Through a pointer anything that fits may be called, mostly in vain: there, nothing
// calls itself.
std::optional<std::string> Inliner::too_deep(const Frame& frame, const ir::Node& node, ir::FunctionId callee) const {
  constexpr std::size_t max_recursive_nodes = 10'000;
  std::uint32_t depth = 0;
  for (const Frame* outer = &frame; outer != nullptr; outer = outer->caller) depth += outer->function == callee ? 1 : 0;
  if (depth == 0) return std::nullopt;
  const std::string& name = flat_.unit.function(callee).name;
  if (!node.callee) return fmt::format("the recursion of {} through a pointer", name);
  if (depth > flat_.options.recursion) {
    return model::exceeded_bound_text(fmt::format("a recursion of {} of more than {} calls", name, depth),
                                      "--recursion", flat_.options.recursion);
  }
  if (flat_.bodies[current_.value].nodes.size() > max_recursive_nodes)
    return fmt::format("so many calls of {} from itself", name);
  return std::nullopt;
}

// Who has been detached is remembered where some call looks at its result, or may join it.
bool Inliner::looks_at_detachment() {
  if (looks_at_detachment_) return *looks_at_detachment_;
  if (model(ir::claim_thread_model)) return *(looks_at_detachment_ = true);
  const auto looks = [&](const ir::Node& node) {
    if (node.kind != ir::Node::Kind::Call || !node.result) return false;
    return !node.callee || is_detachment(flat_.unit.function(*node.callee));
  };
  const auto is_own = [&](const ir::Function& function) {
    return !function.is_library && std::any_of(function.nodes.begin(), function.nodes.end(), looks);
  };
  const bool mentioned = std::any_of(flat_.unit.functions.begin(), flat_.unit.functions.end(), is_detachment);
  looks_at_detachment_ = mentioned && std::any_of(flat_.unit.functions.begin(), flat_.unit.functions.end(), is_own);
  return *looks_at_detachment_;
}

NodeId Inliner::call_function(Frame& frame, const ir::Node& node, ir::FunctionId id, const std::vector<TermId>& args,
                              NodeId next) {
  const ir::Function callee = flat_.unit.function(id);
  // The call is the violation, whatever a program's own definition does then.
  if (!callee.is_library && ir::is_error_call(callee.name)) {
    return new_node(
        frame, node,
        {.kind = Node::Kind::Violation, .violation = Wrong::Assertion, .message = callee.name + " is called"});
  }
  if (callee.is_library) {
    if (is_detachment(callee) && !frame.in_library && !looks_at_detachment()) return next;
    if (const auto copied = copy_memory(frame, node, callee.name, args, next)) return *copied;
  }
  if (const auto reason = too_deep(frame, node, id)) return cut(frame, node, *reason);
  COHORT_EXPECT(callee.has_body, "what is inlined is defined");
  Frame inner{.function = id, .caller = &frame};
  inner.in_library = callee.is_library;
  inner.is_plain = callee.is_library && !ir::synchronises(callee.name);
  inner.span = frame.is_told_as_call ? frame.span : node.span;
  inner.text = frame.is_told_as_call ? frame.text : node.text;
  inner.is_told_as_call = callee.is_library || is_of_prelude(callee);
  inner.call = inner.is_told_as_call ? frame.call : flat_.calls.add(callee.name, inner.span, inner.text, frame.call);
  const bool atomic = !callee.is_library && ir::is_atomic_by_name(callee.name);
  NodeId after = next;
  const bool has_result = flat_.unit.type(callee.result).kind != TypeKind::Void;
  if (has_result) {
    inner.result = new_temporary(callee.name + "()", callee.result, node);
  }
  if (has_result && node.result) {
    if (const auto reason = unsupported_in(*node.result)) return cut(frame, node, *reason);
    const AccessId result = clone(frame, *node.result);
    const TermId value = flat_.load(flat_.whole(*inner.result));
    const ir::TypeId wanted = flat_.access(result).type;
    const TermId converted =
        is_scalar(flat_.unit.type(wanted)) ? fold(flat_, Term{.op = Op::Cast, .type = wanted, .args = {value}}) : value;
    after = copy_record(frame, node, result, converted, after);
  }
  if (atomic) after = new_node(frame, node, {.kind = Node::Kind::AtomicEnd, .next = {after}});
  inner.return_to = leave_frame(inner, node, after);
  Saved given;
  std::vector<InstId> missing;
  for (std::size_t i = 0; i < callee.params.size(); ++i) {
    if (i >= args.size()) {
      missing.push_back(instance(inner, callee.params[i]));
      continue;
    }
    const ir::TypeId type = flat_.unit.object(callee.params[i]).type;
    TermId value = args[i];
    if (is_scalar(flat_.unit.type(type))) value = fold(flat_, Term{.op = Op::Cast, .type = type, .args = {value}});
    if (is_constant(flat_, value) && !is_modified(callee.params[i])) {
      inner.constants.emplace(callee.params[i], value);
    } else {
      given.emplace_back(instance(inner, callee.params[i]), value);
    }
  }
  COHORT_EXPECT(inner.constants.size() + given.size() + missing.size() == callee.params.size(),
                "every parameter is given once");
  // What is given beyond the parameters, as to printf, is evaluated like the rest.
  if (callee.is_variadic && !callee.is_library) inner.number = next_variable_call_++;
  for (std::size_t i = callee.params.size(); i < args.size(); ++i) {
    given.emplace_back(new_temporary("argument", flat_.term(args[i]).type, node), args[i]);
    inner.variable_args.push_back(flat_.load(flat_.whole(given.back().first)));
  }
  NodeId entry = inline_function(inner);
  // Arguments are evaluated before the call, and so outside of the section.
  if (atomic) entry = new_node(frame, node, {.kind = Node::Kind::AtomicBegin, .next = {entry}});
  entry = give(frame, inner, node, given, entry);
  for (const InstId param : missing) {
    entry = new_node(frame, node, {.kind = Node::Kind::Declare, .inst = param, .next = {entry}});
  }
  return entry;
}

NodeId Inliner::call_through_pointer(Frame& frame, const ir::Node& node, const std::vector<TermId>& args, NodeId next) {
  if (const auto reason = unsupported_in(node.callee_pointer)) return cut(frame, node, *reason);
  const TermId pointer = clone(frame, node.callee_pointer);
  const Term known = flat_.term(pointer);
  if (known.op == Op::FunctionAddr) {
    const ir::Function& callee = flat_.unit.function(known.function);
    if (!callee.has_body) return call_bodiless(frame, node, known.function, args, next);
    if (takes(flat_, callee, args)) return call_function(frame, node, known.function, args, next);
    return cut(frame, node, fmt::format("a call of {} through a pointer of another type", callee.name));
  }
  // The pointer is read once, then compared.
  const InstId copy = new_temporary("callee", known.type, node);
  const ir::Type function = flat_.unit.type(flat_.unit.type(known.type).target);
  const TermId null = flat_.constant(0, known.type);
  const TermId is_null =
      fold(flat_, Term{.op = Op::Eq, .type = flat_.int_type(), .args = {flat_.load(flat_.whole(copy)), null}});
  const auto fault = [&](std::string message) {
    return new_node(frame, node,
                    {.kind = Node::Kind::Violation, .violation = Wrong::Fault, .message = std::move(message)});
  };
  const auto where = [&](TermId condition, NodeId then, NodeId otherwise) {
    return new_node(frame, node,
                    {.kind = Node::Kind::Branch, .has_term = true, .term = condition, .next = {then, otherwise}});
  };
  const auto equals = [&](TermId target) {
    return fold(flat_, Term{.op = Op::Eq, .type = flat_.int_type(), .args = {flat_.load(flat_.whole(copy)), target}});
  };
  NodeId otherwise = fault("a call through a pointer that leads to no function");
  if (calls_undefined()) {
    const NodeId unknown = cut(frame, node, "a call of a function that one that nobody defines has given");
    for (const TermId foreign : foreign_pointers(known.type)) otherwise = where(equals(foreign), unknown, otherwise);
  }
  otherwise = where(is_null, fault("a call through NULL"), otherwise);
  for (const ir::FunctionId candidate : callable(args.size(), function.target)) {
    const NodeId call = call_candidate(frame, node, candidate, args, function.target, next);
    const TermId target = flat_.add(Term{.op = Op::FunctionAddr, .type = known.type, .function = candidate});
    otherwise = where(equals(target), call, otherwise);
  }
  return assign(frame, node, flat_.whole(copy), pointer, otherwise);
}

// The functions that a call through a pointer may lead to.  Those of another type are called where none has the right
// one, as common platforms do it; where some have, mostly in vain, they are only told apart.
std::vector<ir::FunctionId> Inliner::callable(std::size_t args, ir::TypeId result) {
  std::vector<ir::FunctionId> all = address_taken();
  std::stable_partition(all.begin(), all.end(), [&](ir::FunctionId id) { return fits(id, args, result); });
  return all;
}

NodeId Inliner::call_candidate(Frame& frame, const ir::Node& node, ir::FunctionId id, const std::vector<TermId>& args,
                               ir::TypeId result, NodeId next) {
  const ir::Function& function = flat_.unit.function(id);
  if (!function.has_body) return call_bodiless(frame, node, id, args, next);
  if (!takes(flat_, function, args)) {
    return cut(frame, node, fmt::format("a call of {} through a pointer of another type", function.name));
  }
  if (fits(id, args.size(), result)) return call_function(frame, node, id, args, next);
  const auto& others = address_taken();
  const bool some_fit =
      std::any_of(others.begin(), others.end(), [&](ir::FunctionId other) { return fits(other, args.size(), result); });
  const ir::Type& given = flat_.unit.type(function.result);
  const bool is_simple = (is_scalar(given) || given.kind == TypeKind::Void) && function.params.size() <= args.size();
  if (some_fit || !is_simple || function.is_library) {
    return cut(frame, node, fmt::format("a call of {} through a pointer of another type", function.name));
  }
  ir::Node call = node;
  if (given.kind == TypeKind::Void && node.result) {
    const ir::TypeId type = flat_.unit.place(*node.result).type;
    next = set_result(frame, node, flat_.add(Term{.op = Op::Nondet, .type = type, .span = node.span}), next);
    call.result.reset();
  }
  return call_function(frame, call, id, args, next);
}

NodeId Inliner::set_result(Frame& frame, const ir::Node& node, TermId value, NodeId next) {
  if (!node.result) return next;
  if (const auto reason = unsupported_in(*node.result)) return cut(frame, node, *reason);
  const AccessId place = clone(frame, *node.result);
  const ir::TypeId wanted = flat_.access(place).type;
  if (is_scalar(flat_.unit.type(wanted)) && flat_.term(value).op != Op::Nondet) {
    value = fold(flat_, Term{.op = Op::Cast, .type = wanted, .args = {value}});
  }
  return copy_record(frame, node, place, value, next);
}

NodeId Inliner::call_bodiless(Frame& frame, const ir::Node& node, ir::FunctionId id, const std::vector<TermId>& args,
                              NodeId next) {
  const ir::Function& callee = flat_.unit.function(id);
  // One that gives no value does something else.
  if (!ir::gives_any_value(callee.name) || flat_.unit.type(callee.result).kind == TypeKind::Void) {
    return call_undefined(frame, node, id, args, next);
  }
  if (!node.result) return next;
  const ir::TypeId type = flat_.unit.place(*node.result).type;
  // Of floating-point numbers nobody knows the value anyway.
  if (flat_.unit.type(type).is_float) return set_result(frame, node, flat_.constant(0, type), next);
  return set_result(frame, node, flat_.add(Term{.op = Op::Nondet, .type = type, .span = node.span}), next);
}

// The text of a literal argument of an intrinsic.
std::string Inliner::literal(const ir::Node& node, std::size_t arg) const {
  if (arg >= node.args.size()) return {};
  ir::ExprId id = node.args[arg];
  while (flat_.unit.expr(id).op == Op::Cast) id = flat_.unit.expr(id).args[0];
  return flat_.unit.expr(id).op == Op::Text ? flat_.unit.expr(id).text : std::string();
}

InstId Inliner::thread_array(std::optional<InstId>& inst, const std::string& name, ir::TypeId element) {
  if (!inst) inst = flat_.add(Inst{.name = name, .type = element, .kind = Inst::Kind::Static, .is_bookkeeping = true});
  return *inst;
}

// A condition in terms of what it was read from: whether a thread has finished is looked at when the wait ends.
TermId Inliner::settled(TermId condition) {
  return rewrite(flat_, condition, [&](Term term) {
    const Access& access = flat_.access(term.access);
    const auto known = access.inst ? observed_.find(*access.inst) : observed_.end();
    return known != observed_.end() ? known->second : flat_.add(std::move(term));
  });
}

NodeId Inliner::call_intrinsic(Frame& frame, const ir::Node& node, ir::Intrinsic intrinsic,
                               const std::vector<TermId>& args, NodeId next) {
  using Kind = Node::Kind;
  const auto with_term = [&](Kind kind, TermId term) {
    return new_node(frame, node, {.kind = kind, .has_term = true, .term = term, .next = {next}});
  };
  // The models keep to their header; a program need not.
  if (args.size() < ir::arguments_of(intrinsic)) return cut(frame, node, "an intrinsic without its arguments");
  switch (intrinsic) {
    case ir::Intrinsic::AtomicBegin: return new_node(frame, node, {.kind = Kind::AtomicBegin, .next = {next}});
    case ir::Intrinsic::AtomicEnd: return new_node(frame, node, {.kind = Kind::AtomicEnd, .next = {next}});
    case ir::Intrinsic::AtomicBeginWhen: return with_term(Kind::AtomicBegin, settled(args[0]));
    case ir::Intrinsic::AtomicBeginWhenOrByChance: {
      const NodeId begin = with_term(Kind::AtomicBegin, settled(args[0]));
      body().nodes[begin.value].by_chance = true;
      return begin;
    }
    case ir::Intrinsic::SetJump: return set_jump(frame, node, args[0], next);
    case ir::Intrinsic::LongJump: return long_jump(frame, node, args[0], args[1]);
    case ir::Intrinsic::Assume: return with_term(Kind::Assume, args[0]);
    case ir::Intrinsic::Violation: {
      const auto wrong = ir::wrong_named(literal(node, 0));
      if (!wrong) return cut(frame, node, "a violation of no kind that there is");
      return new_node(frame, node, {.kind = Kind::Violation, .violation = *wrong, .message = literal(node, 1)});
    }
    case ir::Intrinsic::Unsupported: return cut(frame, node, literal(node, 0));
    case ir::Intrinsic::FirstArgument: {
      const std::int64_t first = std::int64_t{frame.number} * most_variable_args;
      return set_result(frame, node, flat_.constant(first, flat_.int_type()), next);
    }
    case ir::Intrinsic::Argument: return next_argument(frame, node, args[0], next);
    case ir::Intrinsic::Note: add_note(literal(node, 0), frame.is_told_as_call ? frame.span : node.span); return next;
    case ir::Intrinsic::Spawn: return spawn(frame, node, args, next);
    case ir::Intrinsic::EndProcess: return new_node(frame, node, {.kind = Kind::EndProcess});
    case ir::Intrinsic::Exit: return finish_process(frame, node, new_node(frame, node, {.kind = Kind::EndProcess}));
    case ir::Intrinsic::ExitThread: return finish_thread(frame, node, args[0]);
    case ir::Intrinsic::Free: return with_term(Kind::Free, args[0]);
    case ir::Intrinsic::Allocate: return allocate(frame, node, args[0], false, next);
    case ir::Intrinsic::AllocateZero: return allocate(frame, node, args[0], true, next);
    case ir::Intrinsic::Self: return own_number(frame, node, next);
    case ir::Intrinsic::Finished: return look_at_thread(frame, node, args[0], true, next);
    case ir::Intrinsic::Result: return look_at_thread(frame, node, args[0], false, next);
  }
  COHORT_UNREACHABLE("every intrinsic has a meaning");
}

NodeId Inliner::allocate(Frame& frame, const ir::Node& node, TermId size, bool zeroed, NodeId next) {
  if (!node.result) return next;
  return new_node(frame, node,
                  {.kind = Node::Kind::Allocate,
                   .has_term = true,
                   .has_access = true,
                   .zeroed = zeroed,
                   .term = size,
                   .access = clone(frame, *node.result),
                   .next = {next}});
}

NodeId Inliner::own_number(Frame& frame, const ir::Node& node, NodeId next) {
  threads_.numbers = true;
  if (body().is_main) return set_result(frame, node, flat_.constant(main_number, flat_.int_type()), next);
  if (!body().number) {
    body().number = flat_.add(
        Inst{.name = "thread number", .type = flat_.int_type(), .kind = Inst::Kind::Thread, .body = current_});
  }
  return set_result(frame, node, flat_.load(flat_.whole(*body().number)), next);
}

// Whether the thread with this handle has ended, or what it gave back.
NodeId Inliner::look_at_thread(Frame& frame, const ir::Node& node, TermId handle, bool finished, NodeId next) {
  const ir::TypeId element = finished ? flat_.bool_type() : flat_.unit.function(*node.callee).result;
  const InstId array =
      thread_array(finished ? threads_.finished : threads_.results, finished ? "finished" : "results", element);
  const Index index{handle, size_of(flat_.unit, element), 0};
  const TermId value = flat_.load(flat_.add(Access{.inst = array, .indices = {index}, .type = element}));
  if (node.result) {
    const Access target = flat_.access(clone(frame, *node.result));
    if (target.inst && finished) {
      observed_[*target.inst] = fold(flat_, Term{.op = Op::Cast, .type = target.type, .args = {value}});
    }
  }
  return set_result(frame, node, value, next);
}

// What a va_list comes to next: an argument of a call that has not returned.
NodeId Inliner::next_argument(Frame& frame, const ir::Node& node, TermId position, NodeId next) {
  NodeId otherwise = new_node(frame, node,
                              {.kind = Node::Kind::Violation,
                               .violation = Wrong::Fault,
                               .message = "va_arg where no argument of the call is left"});
  const ir::Type& wanted = flat_.unit.type(flat_.unit.place(*node.result).type);
  for (const Frame* call = &frame; call != nullptr; call = call->caller) {
    if (call->number == 0) continue;
    const std::size_t count = std::min<std::size_t>(call->variable_args.size(), most_variable_args);
    for (std::size_t i = 0; i < count; ++i) {
      const TermId value = call->variable_args[i];
      const bool fits =
          is_scalar(wanted)
              ? is_scalar(flat_.type_of(value)) && wanted.is_float == flat_.type_of(value).is_float
              : size_of(flat_.unit, flat_.term(value).type) == size_of(flat_.unit, flat_.unit.place(*node.result).type);
      const NodeId there = fits ? set_result(frame, node, value, next)
                                : cut(frame, node, "an argument that is taken for something of another type");
      const std::int64_t number = std::int64_t{call->number} * most_variable_args + static_cast<std::int64_t>(i);
      const TermId known = flat_.constant(number, flat_.term(position).type);
      const TermId is_it = fold(flat_, Term{.op = Op::Eq, .type = flat_.int_type(), .args = {position, known}});
      otherwise = new_node(frame, node,
                           {.kind = Node::Kind::Branch, .has_term = true, .term = is_it, .next = {there, otherwise}});
    }
  }
  return otherwise;
}

void Inliner::add_note(const std::string& text, const SourceSpan& span) {
  auto note = std::find_if(notes_.begin(), notes_.end(), [&](const auto& known) { return known.first == text; });
  if (note == notes_.end()) note = notes_.insert(notes_.end(), {text, {}});
  const std::string place = span.known() ? fmt::format("{}:{}", span.file->name(), span.line) : "";
  auto& places = note->second;
  if (!place.empty() && std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
}

std::vector<std::string> Inliner::notes() const {
  constexpr std::size_t most_places = 3;
  std::vector<std::string> result;
  for (const auto& [text, places] : notes_) {
    const std::size_t shown = std::min(places.size(), most_places);
    std::string where = fmt::format("{}", fmt::join(places.begin(), places.begin() + static_cast<long>(shown), ", "));
    if (places.size() > shown) where += fmt::format(" and {} more", places.size() - shown);
    result.push_back(where.empty() ? text : fmt::format("{} ({})", text, where));
  }
  if (!undefined_.empty()) result.push_back(note_on_undefined());
  return result;
}

NodeId Inliner::spawn(Frame& frame, const ir::Node& node, const std::vector<TermId>& args, NodeId next) {
  Node spawn{.kind = Node::Kind::Spawn, .has_term = true, .term = args[0], .argument = args[1], .next = {next}};
  if (node.result) {
    spawn.access = clone(frame, *node.result);
    spawn.has_access = true;
  }
  return new_node(frame, node, std::move(spawn));
}

std::optional<ir::FunctionId> Inliner::model(std::string_view name) const {
  const auto& functions = flat_.unit.functions;
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const ir::Function& function) { return function.name == name; });
  if (found == functions.end() || !found->is_library || !found->has_body) return std::nullopt;
  return ir::FunctionId(static_cast<std::size_t>(found - functions.begin()));
}

// The thread's own data is destroyed at its end, if some key may have a destructor.
NodeId Inliner::destroy_values(Frame& frame, const ir::Node& node, NodeId next) {
  const auto gives_destructor = [&](const ir::Node& call) {
    if (call.kind != ir::Node::Kind::Call || !call.callee || call.args.size() != 2) return false;
    if (!ir::creates_key(flat_.unit.function(*call.callee).name)) return false;
    ir::ExprId argument = call.args[1];
    while (flat_.unit.expr(argument).op == Op::Cast) argument = flat_.unit.expr(argument).args[0];
    return flat_.unit.expr(argument).op != Op::Const || flat_.unit.expr(argument).value != 0;
  };
  const auto model = this->model(ir::destroy_values_model);
  const auto& functions = flat_.unit.functions;
  const bool needed = std::any_of(functions.begin(), functions.end(), [&](const ir::Function& function) {
    return std::any_of(function.nodes.begin(), function.nodes.end(), gives_destructor);
  });
  return needed && model ? call_function(frame, node, *model, {}, next) : next;
}

bool Inliner::registers_handlers() const {
  const auto is_it = [&](const ir::Node& node) {
    return node.kind == ir::Node::Kind::Call && node.callee &&
           ir::registers_handler(flat_.unit.function(*node.callee).name);
  };
  return std::any_of(flat_.unit.functions.begin(), flat_.unit.functions.end(), [&](const ir::Function& function) {
    return !function.is_library && std::any_of(function.nodes.begin(), function.nodes.end(), is_it);
  });
}

// Calls of the functions that run before main, or at the end of the process.
NodeId Inliner::run_marked(Frame& frame, const ir::Node& node, bool before, NodeId next) {
  std::vector<std::pair<int, ir::FunctionId>> marked;
  for (std::size_t i = 0; i < flat_.unit.functions.size(); ++i) {
    const ir::Function& function = flat_.unit.functions[i];
    const std::optional<int>& priority = before ? function.constructor : function.destructor;
    if (priority && function.has_body) marked.emplace_back(before ? -*priority : *priority, ir::FunctionId(i));
  }
  std::stable_sort(marked.begin(), marked.end(),
                   [](const auto& left, const auto& right) { return left.first < right.first; });
  for (const auto& [priority, function] : marked) {
    ir::Node call = node;
    call.kind = ir::Node::Kind::Call;
    call.callee = function;
    call.result.reset();
    next = call_function(frame, call, function, {}, next);
  }
  return next;
}

// What exit and the return from main do before the process ends.
NodeId Inliner::finish_process(Frame& frame, const ir::Node& node, NodeId end) {
  end = run_marked(frame, node, false, end);
  const auto handlers = model(ir::run_handlers_model);
  const bool has_handlers = handlers && registers_handlers();
  return has_handlers ? call_function(frame, node, *handlers, {}, end) : end;
}

// argc and argv, if main looks at them.
NodeId Inliner::give_arguments(Frame& frame, const ir::Node& node, NodeId next) {
  const std::vector<ir::ObjectId> params = flat_.unit.function(frame.function).params;
  const auto& places = flat_.unit.places;
  const auto is_used = [&](std::size_t i) {
    return i < params.size() &&
           std::any_of(places.begin(), places.end(), [&](const ir::Place& place) { return place.object == params[i]; });
  };
  const auto count = model(ir::argument_count_model);
  const auto arguments = model(ir::command_line_model);
  COHORT_EXPECT(count && arguments, "the library gives main its arguments");
  if (is_used(2)) return cut(frame, node, "a look at the environment of the program");
  const auto give = [&](std::size_t i, ir::FunctionId model, const std::vector<TermId>& args, NodeId after) {
    const ir::TypeId type = flat_.unit.object(params[i]).type;
    ir::Node call = node;
    call.kind = ir::Node::Kind::Call;
    call.callee = model;
    call.result = flat_.unit.add_place({.object = params[i], .base_type = type, .type = type, .span = node.span});
    return call_function(frame, call, model, args, after);
  };
  const bool has_arguments = is_used(1);
  if (has_arguments) next = give(1, *arguments, {flat_.load(flat_.whole(instance(frame, params[0])))}, next);
  if (has_arguments || is_used(0)) next = give(0, *count, {}, next);
  return next;
}

// Of scanf and its kind: some of the numbers that the pointers lead to, the first ones, become any numbers.
std::optional<NodeId> Inliner::call_scanf(Frame& frame, const ir::Node& node, const std::vector<TermId>& args,
                                          NodeId next) {
  const std::size_t first = ir::first_input(flat_.unit.function(*node.callee).name);
  if (first == 0) return std::nullopt;
  const ir::TypeId integer = flat_.int_type();
  const InstId count = new_temporary("conversions", integer, node);
  const TermId read = flat_.load(flat_.whole(count));
  next = set_result(frame, node, read, next);
  std::vector<std::int64_t> counts{-1};
  for (std::size_t i = first; i < args.size(); ++i) counts.push_back(static_cast<std::int64_t>(counts.size()) - 1);
  counts.push_back(static_cast<std::int64_t>(counts.size()) - 1);
  for (std::size_t i = args.size(); i-- > first;) {
    const ir::Type& pointer = flat_.type_of(args[i]);
    const ir::TypeId type = pointer.target;
    const bool is_number = pointer.kind == TypeKind::Pointer && flat_.unit.type(type).kind == TypeKind::Int;
    if (!is_number || flat_.unit.type(type).width == 8) return cut(frame, node, "input of something that is no number");
    const AccessId target = fold(flat_, Access{.pointer = args[i], .type = type});
    const NodeId store =
        assign(frame, node, target, flat_.add(Term{.op = Op::Nondet, .type = type, .span = node.span}), next);
    const TermId before = flat_.constant(static_cast<std::int64_t>(i - first), integer);
    const TermId is_read = flat_.add(Term{.op = Op::Gt, .type = integer, .args = {read, before}});
    next =
        new_node(frame, node, {.kind = Node::Kind::Branch, .has_term = true, .term = is_read, .next = {store, next}});
  }
  const TermId choice = flat_.add(Term{.op = Op::Nondet, .type = integer, .choices = counts, .span = node.span});
  return assign(frame, node, flat_.whole(count), choice, next);
}

NodeId Inliner::finish_thread(Frame& frame, const ir::Node& node, std::optional<TermId> result) {
  NodeId end = destroy_values(frame, node, new_node(frame, node, {.kind = Node::Kind::EndThread}));
  end = leave_frames(frame, nullptr, node, end);
  if (!result || !body().has_result) return end;
  const ir::TypeId type = flat_.inst(body().result).type;
  const TermId value = fold(flat_, Term{.op = Op::Cast, .type = type, .args = {*result}});
  return assign(frame, node, flat_.whole(body().result), value, end);
}

}  // namespace cohort::frontend::c::lower
