// Calls of functions that nobody defines.  Such a function evaluates its arguments, calls the functions among them any
// number of times, changes what the others lead to (havoc.hpp) unless they are declared to lead to constants, and
// returns any value.  A pointer that it gives is NULL, one that it was given, or one to an object that the program does
// not know: whoever accesses that comes to something that is not modelled.  Everything else that it might do is assumed
// not to happen, and the ledger says so.
#include <algorithm>
#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "base/contract.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/inline.hpp"

namespace cohort::frontend::c::lower {

namespace {

constexpr std::string_view errno_object = "cohort_error";  // of library/system.c

}  // namespace

using ir::Op;
using TypeKind = ir::Type::Kind;

bool Inliner::calls_undefined() const {
  if (flat_.options.undefined == ir::Undefined::Refuse) return false;
  const auto is_undefined = [&](const ir::Node& node) {
    if (node.kind != ir::Node::Kind::Call || !node.callee) return false;
    const ir::Function& callee = flat_.unit.function(*node.callee);
    return !callee.has_body && !ir::has_other_effects(callee.name);
  };
  return std::any_of(flat_.unit.functions.begin(), flat_.unit.functions.end(), [&](const ir::Function& function) {
    return std::any_of(function.nodes.begin(), function.nodes.end(), is_undefined);
  });
}

NodeId Inliner::call_undefined(Frame& frame, const ir::Node& node, ir::FunctionId id, const std::vector<TermId>& args,
                               NodeId next) {
  const ir::Function callee = flat_.unit.function(id);
  if (flat_.options.undefined == ir::Undefined::Refuse || ir::has_other_effects(callee.name) || frame.in_library) {
    return cut(frame, node, fmt::format("a call of {}, which is neither defined nor modelled", callee.name));
  }
  undefined_.emplace(callee.name, node.span);
  const std::size_t first = body().nodes.size();
  std::vector<TermId> values;
  std::vector<InstId> saved;
  for (const TermId arg : args) {
    const bool is_known = is_constant(flat_, arg);
    saved.push_back(is_known ? Flat::no_inst : new_temporary("argument", flat_.term(arg).type, node));
    values.push_back(is_known || !is_scalar(flat_.type_of(arg)) ? arg : flat_.load(flat_.whole(saved.back())));
  }
  std::vector<TermId> given;
  for (const TermId value : values) {
    const ir::Type& type = flat_.type_of(value);
    const bool is_object = type.kind == TypeKind::Pointer && flat_.unit.type(type.target).kind != TypeKind::Function;
    if (is_object && number(flat_, value) != 0) given.push_back(value);
  }
  NodeId entry = callee.is_noreturn ? new_node(frame, node, {.kind = Node::Kind::EndProcess})
                                    : any_result(frame, node, given, next);
  if (flat_.options.undefined == ir::Undefined::Havoc && !callee.is_noreturn) entry = change_errno(frame, node, entry);
  for (std::size_t i = values.size(); flat_.options.undefined == ir::Undefined::Havoc && i-- > 0;) {
    const ir::Type type = flat_.type_of(values[i]);
    if (type.kind != TypeKind::Pointer || number(flat_, values[i]) == 0) continue;
    if (flat_.unit.type(type.target).kind == TypeKind::Function) {
      entry = call_back(frame, node, values[i], given, entry);
    } else if (i >= 64 || (node.read_only_args >> i & 1U) == 0) {
      entry = change_argument(frame, node, values[i], entry);
    }
  }
  for (std::size_t i = args.size(); i-- > 0;) {
    if (saved[i] != Flat::no_inst) entry = copy_record(frame, node, flat_.whole(saved[i]), args[i], entry);
  }
  // What a function does is no part of the statement that calls it.
  for (std::size_t i = first; i < body().nodes.size(); ++i) {
    Node& made = body().nodes[i];
    if (made.statement == frame.first_statement + node.statement) made.statement = 0;
  }
  return entry;
}

NodeId Inliner::either(Frame& frame, const ir::Node& node, NodeId one, NodeId other) {
  const TermId choice =
      flat_.add(Term{.op = Op::Nondet, .type = flat_.int_type(), .choices = {0, 1}, .span = node.span});
  return new_node(frame, node, {.kind = Node::Kind::Branch, .has_term = true, .term = choice, .next = {one, other}});
}

// What is wrong may be told in errno.
NodeId Inliner::change_errno(Frame& frame, const ir::Node& node, NodeId next) {
  for (std::size_t i = 0; i < flat_.unit.objects.size(); ++i) {
    const ir::Object object = flat_.unit.objects[i];
    if (!object.is_library || object.name != errno_object) continue;
    const AccessId number = flat_.whole(instance(frame, ir::ObjectId(i)));
    return assign(frame, node, number, flat_.add(Term{.op = Op::Nondet, .type = object.type, .span = node.span}), next);
  }
  return next;
}

NodeId Inliner::change_argument(Frame& frame, const ir::Node& node, TermId pointer, NodeId next) {
  return new_node(
      frame, node,
      {.kind = Node::Kind::Havoc, .has_term = true, .term = pointer, .inst = flat_.foreign_inst(), .next = {next}});
}

// Any number of calls of whatever the pointer leads to.
NodeId Inliner::call_back(Frame& frame, const ir::Node& node, TermId function, const std::vector<TermId>& given,
                          NodeId next) {
  const NodeId again = new_node(frame, node, {.kind = Node::Kind::Skip});
  NodeId calls = again;
  const Term known = flat_.term(function);
  if (known.op == Op::FunctionAddr) {
    if (flat_.unit.function(known.function).has_body) calls = call_with_any(frame, node, known.function, given, again);
  } else {
    for (const ir::FunctionId candidate : address_taken()) {
      if (flat_.unit.function(candidate).is_library) continue;
      const TermId target = flat_.add(Term{.op = Op::FunctionAddr, .type = known.type, .function = candidate});
      const TermId is_it = fold(flat_, Term{.op = Op::Eq, .type = flat_.int_type(), .args = {function, target}});
      const NodeId call = call_with_any(frame, node, candidate, given, again);
      calls =
          new_node(frame, node, {.kind = Node::Kind::Branch, .has_term = true, .term = is_it, .next = {call, calls}});
    }
  }
  if (calls == again) return next;
  body().nodes[again.value].next = {either(frame, node, calls, next)};
  return again;
}

NodeId Inliner::call_with_any(Frame& frame, const ir::Node& node, ir::FunctionId function,
                              const std::vector<TermId>& given, NodeId next) {
  ir::Node call = node;
  call.callee = function;
  call.result.reset();
  call.args.clear();
  std::vector<TermId> args;
  std::vector<InstId> pointers;
  const std::vector<ir::ObjectId> params = flat_.unit.function(function).params;
  for (const ir::ObjectId param : params) {
    const ir::TypeId type = flat_.unit.object(param).type;
    const TypeKind kind = flat_.unit.type(type).kind;
    if (kind == TypeKind::Unsupported) return cut(frame, node, flat_.unit.type(type).reason);
    if (kind == TypeKind::Pointer) {
      pointers.push_back(new_temporary("argument", type, node));
      args.push_back(flat_.load(flat_.whole(pointers.back())));
    } else {
      args.push_back(flat_.add(Term{.op = Op::Nondet, .type = type, .span = node.span}));
    }
  }
  NodeId entry = call_function(frame, call, function, args, next);
  for (const InstId pointer : pointers) {
    const ir::TypeId type = flat_.inst(pointer).type;
    std::vector<TermId> candidates = of_kind(given, type);
    if (candidates.empty()) candidates = foreign_pointers(type);
    NodeId chosen = assign(frame, node, flat_.whole(pointer), candidates.front(), entry);
    for (std::size_t i = 1; i < candidates.size(); ++i) {
      chosen = either(frame, node, assign(frame, node, flat_.whole(pointer), candidates[i], entry), chosen);
    }
    entry = chosen;
  }
  return entry;
}

// Those of the pointers that lead to the same kind of thing, or to something of no type, cast.
std::vector<TermId> Inliner::of_kind(const std::vector<TermId>& pointers, ir::TypeId type) const {
  const auto target = [&](ir::TypeId pointer) { return flat_.unit.type(pointer).target; };
  const auto is_open = [&](ir::TypeId id) { return flat_.unit.type(id).kind == TypeKind::Void; };
  std::vector<TermId> result;
  if (flat_.unit.type(target(type)).kind == TypeKind::Function) return result;
  for (const TermId pointer : pointers) {
    const ir::TypeId other = flat_.term(pointer).type;
    const bool fits = target(other) == target(type) || is_open(target(other)) || is_open(target(type));
    if (fits) result.push_back(fold(flat_, Term{.op = Op::Cast, .type = type, .args = {pointer}}));
  }
  return result;
}

// Addresses of objects that the program does not know.  One is enough unless pointers are compared.
std::vector<TermId> Inliner::foreign_pointers(ir::TypeId type) {
  constexpr std::int64_t distance = 1024;
  const ir::TypeId character = flat_.unit.add_type({.kind = TypeKind::Int, .width = 8, .is_signed = true});
  const std::int64_t count = compares_pointers() ? 3 : 1;
  std::vector<TermId> result;
  for (std::int64_t i = 0; i < count; ++i) {
    const AccessId place = flat_.add(Access{.inst = flat_.foreign_inst(), .offset = i * distance, .type = character});
    result.push_back(flat_.address_of(place, type));
  }
  return result;
}

// Does the program look at pointers as anything else than the way to an object, or as none?
bool Inliner::compares_pointers() {
  if (compares_pointers_) return *compares_pointers_;
  const auto is_pointer = [&](ir::ExprId id) {
    return flat_.unit.type(flat_.unit.expr(id).type).kind == TypeKind::Pointer;
  };
  const auto is_null = [&](ir::ExprId id) {
    while (flat_.unit.expr(id).op == Op::Cast) id = flat_.unit.expr(id).args[0];
    return flat_.unit.expr(id).op == Op::Const;
  };
  compares_pointers_ = std::any_of(flat_.unit.exprs.begin(), flat_.unit.exprs.end(), [&](const ir::Expr& expr) {
    const bool is_number = flat_.unit.type(expr.type).kind == TypeKind::Int;
    if (expr.op == Op::Cast) return is_number && is_pointer(expr.args[0]) && !is_null(expr.args[0]);
    const bool compares = (expr.op >= Op::Eq && expr.op <= Op::Ge) || expr.op == Op::PointerDiff;
    return compares && is_pointer(expr.args[0]) && !is_null(expr.args[0]) && !is_null(expr.args[1]);
  });
  return *compares_pointers_;
}

// NULL, one of those given, or one to an object of somebody else.
NodeId Inliner::any_pointer(Frame& frame, const ir::Node& node, AccessId to, const std::vector<TermId>& given,
                            NodeId next) {
  const ir::TypeId type = flat_.access(to).type;
  NodeId entry = assign(frame, node, to, flat_.constant(0, type), next);
  std::vector<TermId> candidates = of_kind(given, type);
  for (const TermId foreign : foreign_pointers(type)) candidates.push_back(foreign);
  for (const TermId candidate : candidates) {
    entry = either(frame, node, assign(frame, node, to, candidate, next), entry);
  }
  return entry;
}

NodeId Inliner::any_result(Frame& frame, const ir::Node& node, const std::vector<TermId>& given, NodeId next) {
  if (!node.result) return next;
  if (const auto reason = unsupported_in(*node.result)) return cut(frame, node, *reason);
  const AccessId result = clone(frame, *node.result);
  const ir::TypeId type = flat_.access(result).type;
  const TypeKind kind = flat_.unit.type(type).kind;
  // Of floating-point numbers nobody knows the value anyway.
  if (flat_.unit.type(type).is_float) return assign(frame, node, result, flat_.constant(0, type), next);
  if (kind == TypeKind::Pointer) return any_pointer(frame, node, result, given, next);
  NodeId entry = next;
  if (!is_scalar(flat_.unit.type(type))) {
    std::vector<Leaf> leaves;
    collect_leaves(type, 0, leaves);
    for (const Leaf& leaf : leaves) {
      if (flat_.unit.type(leaf.type).kind != TypeKind::Pointer) continue;
      Access part = flat_.access(result);
      part.offset += leaf.offset;
      part.type = leaf.type;
      entry = any_pointer(frame, node, flat_.add(std::move(part)), given, entry);
    }
  }
  return copy_record(frame, node, result, flat_.add(Term{.op = Op::Nondet, .type = type, .span = node.span}), entry);
}

// Numbers are declared, which makes them any; pointers lead to nothing that the program has.
NodeId Inliner::give_any_arguments(Frame& frame, const ir::Node& node, NodeId next) {
  const std::vector<ir::ObjectId> params = flat_.unit.function(frame.function).params;
  if (!params.empty()) {
    add_note(fmt::format("{} is given any numbers, and pointers that are NULL or lead to objects that are not known",
                         flat_.unit.function(frame.function).name),
             node.span);
  }
  for (const ir::ObjectId param : params) {
    std::vector<Leaf> leaves;
    const InstId inst = instance(frame, param);
    collect_leaves(flat_.inst(inst).type, 0, leaves);
    for (const Leaf& leaf : leaves) {
      if (flat_.unit.type(leaf.type).kind != TypeKind::Pointer) continue;
      const AccessId place = flat_.add(Access{.inst = inst, .offset = leaf.offset, .type = leaf.type});
      next = any_pointer(frame, node, place, {}, next);
    }
  }
  return next;
}

std::string Inliner::note_on_undefined() const {
  std::vector<std::string> names;
  for (const auto& [name, span] : undefined_) {
    names.push_back(span.known() ? fmt::format("{} ({}:{})", name, span.file->name(), span.line) : name);
  }
  const bool writes = flat_.options.undefined == ir::Undefined::Havoc;
  return fmt::format(
      "functions that nobody defines return any value (pointers: NULL, those they were given, or to objects of their "
      "own), {}, and do nothing else (--undefined={}): {}; a file that defines them says what they do",
      writes ? "write anything to what their arguments lead to (not to constants and locks), call the functions they "
               "are given meanwhile, may set errno"
             : "write nothing",
      writes ? "havoc" : "pure", fmt::join(names, ", "));
}

}  // namespace cohort::frontend::c::lower
