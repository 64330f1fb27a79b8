// Every call gets a copy of its callee, with its own instances of the automatic objects.  A parameter that the callee
// never assigns, given a constant (a number, the address of an object or a function), is that constant in the copy: so
// the models of the library functions become direct accesses to the mutex they are called with, and function pointers
// that are handed down are resolved on the way.  Calls through other pointers branch over the functions whose address
// is taken somewhere and whose type fits; propagation prunes what cannot be.
//
// Recursion is inlined to a bound.  What lies beyond it, and whatever else is not modelled, becomes a Cut node: the
// program is not refused for code that no execution reaches, and no claim of safety survives a reachable Cut.
//
// Code of the library shows the place and text of the user's call, since that is what a trace should speak of.
#include "frontend/c/lower/inline.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/layout.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/threads.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using IrKind = ir::Node::Kind;
using TypeKind = ir::Type::Kind;

namespace {

constexpr std::size_t max_leaves = 4096;  // scalars of one assignment of a record

}  // namespace

BodyId Inliner::body_of(ir::FunctionId function, bool is_main) {
  const auto known = bodies_.find(function);
  if (known != bodies_.end()) return known->second;
  const BodyId id(flat_.bodies.size());
  bodies_.emplace(function, id);
  flat_.bodies.emplace_back();
  const BodyId outer = current_;
  current_ = id;
  const ir::Function& source = flat_.unit.function(function);
  COHORT_EXPECT(source.has_body, "threads run functions that are defined");
  const std::string source_name = source.name;
  body().name = source_name;
  body().function = function;
  body().is_main = is_main;
  Frame frame{.function = function};
  frame.in_library = source.is_library;
  frame.first_statement = next_statement_;
  const ir::Node root{.span = source.span, .text = source.name};
  const NodeId end = new_node(frame, root, {.kind = is_main ? Node::Kind::EndProcess : Node::Kind::EndThread});
  frame.return_to =
      is_main ? finish_process(frame, root, end) : leave_frame(frame, root, destroy_values(frame, root, end));
  const ir::TypeId result = source.result;
  if (is_scalar(flat_.unit.type(result)) && !is_main) {
    frame.result = flat_.add(Inst{.name = "result",
                                  .type = result,
                                  .kind = Inst::Kind::Automatic,
                                  .body = id,
                                  .is_temporary = true,
                                  .span = source.span});
    body().result = *frame.result;
    body().has_result = true;
  }
  std::vector<NodeId> chain;
  for (std::size_t i = 0; i < flat_.unit.function(function).params.size(); ++i) {
    const InstId param = instance(frame, flat_.unit.function(function).params[i]);
    if (i == 0 && !is_main) {
      body().parameter = param;
    } else {
      chain.push_back(new_node(frame, root, {.kind = Node::Kind::Declare, .inst = param}));
    }
  }
  NodeId entry = inline_function(frame);
  if (is_main && source_name == ir::main_name) entry = give_arguments(frame, root, entry);
  if (is_main && source_name != ir::main_name) entry = give_any_arguments(frame, root, entry);
  if (is_main) entry = run_marked(frame, root, true, entry);
  for (const NodeId node : chain) {
    body().nodes[node.value].next = {entry};
    entry = node;
  }
  body().entry = entry;
  // The threads that CPROVER's labels begin live on when main has returned.
  if (is_main && body().has_async) body().nodes[end.value].kind = Node::Kind::EndThread;
  current_ = outer;
  return id;
}

NodeId Inliner::new_node(const Frame& frame, const ir::Node& source, Node node) {
  if (body().nodes.size() >= flat_.options.max_nodes) {
    throw_unsupported(source.span, "the program is too large after its calls are inlined");
  }
  node.span = frame.is_told_as_call ? frame.span : source.span;
  node.text = frame.is_told_as_call ? frame.text : source.text;
  if (!frame.in_library) node.statement = frame.first_statement + source.statement;
  node.atomic_group = source.atomic_group == 0 ? 0 : frame.first_group + source.atomic_group;
  node.is_atomic_access = node.is_atomic_access || (frame.in_library && !frame.is_plain) || source.atomic_group != 0;
  node.in_model = frame.in_library;
  node.call = frame.call;
  body().nodes.push_back(std::move(node));
  return NodeId(body().nodes.size() - 1);
}

NodeId Inliner::assign(const Frame& frame, const ir::Node& source, AccessId access, TermId value, NodeId next) {
  const bool fills_memory =
      source.kind == IrKind::Call && source.callee && ir::memory_call(flat_.unit.function(*source.callee).name);
  const bool follows = source.kind == IrKind::Assign && !flat_.unit.place(source.place).object;
  return new_node(frame, source,
                  {.kind = Node::Kind::Assign,
                   .has_term = true,
                   .has_access = true,
                   .term = value,
                   .access = access,
                   .next = {next},
                   .through_pointer = follows || fills_memory});
}

NodeId Inliner::cut(const Frame& frame, const ir::Node& source, std::string message) {
  return new_node(frame, source, {.kind = Node::Kind::Cut, .message = std::move(message)});
}

NodeId Inliner::inline_function(Frame& frame) {
  const std::size_t count = flat_.unit.function(frame.function).nodes.size();
  frame.first_statement = next_statement_;
  frame.first_group = next_group_;
  for (const ir::Node& node : flat_.unit.function(frame.function).nodes) {
    next_statement_ = std::max(next_statement_, frame.first_statement + node.statement + 1);
    next_group_ = std::max(next_group_, frame.first_group + node.atomic_group + 1);
  }
  frame.starts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ir::Node source = flat_.unit.function(frame.function).nodes[i];
    frame.starts.push_back(new_node(frame, source, {.kind = Node::Kind::Skip}));
  }
  // Only what constants leave reachable: that is what ends a recursion with a constant argument.
  frame.pending.insert(flat_.unit.function(frame.function).entry);
  std::vector<bool> done(count, false);
  while (!frame.pending.empty()) {
    poll(flat_.options.env, "inline-c");
    const ir::NodeId id = *frame.pending.begin();
    frame.pending.erase(frame.pending.begin());
    if (done[id.value]) continue;
    done[id.value] = true;
    translate(frame, id);
  }
  return frame.starts[flat_.unit.function(frame.function).entry.value];
}

void Inliner::translate(Frame& frame, ir::NodeId id) {
  const ir::Node node = flat_.unit.function(frame.function).nodes[id.value];
  const NodeId start = frame.starts[id.value];
  frame.at = id;
  const auto next = [&](std::size_t i) {
    frame.pending.insert(node.next[i]);
    return frame.starts[node.next[i].value];
  };
  const auto go = [&](NodeId to) { body().nodes[start.value].next = {to}; };
  switch (node.kind) {
    case IrKind::Skip: go(next(0)); break;
    case IrKind::Assign: go(translate_assign(frame, node, next(0))); break;
    case IrKind::Branch: {
      if (const auto reason = unsupported_in(node.value)) {
        go(cut(frame, node, *reason));
        break;
      }
      const TermId term = clone(frame, node.value);
      if (const auto value = number(flat_, term)) {
        go(next(*value != 0 ? 0 : 1));
        break;
      }
      go(new_node(frame, node,
                  {.kind = Node::Kind::Branch, .has_term = true, .term = term, .next = {next(0), next(1)}}));
      break;
    }
    case IrKind::Call: go(translate_call(frame, node, next(0))); break;
    case IrKind::Return: {
      const bool is_wanted = frame.result || body().is_main;
      if (!node.has_value || !is_wanted || flat_.unit.type(flat_.unit.expr(node.value).type).kind == TypeKind::Void) {
        go(frame.return_to);
        break;
      }
      if (const auto reason = unsupported_in(node.value)) {
        go(cut(frame, node, *reason));
        break;
      }
      const TermId value = clone(frame, node.value);
      // Nobody wants what main returns, but it is computed.
      const InstId result = frame.result ? *frame.result : new_temporary("result", flat_.term(value).type, node);
      go(copy_record(frame, node, flat_.whole(result), value, frame.return_to));
      break;
    }
    case IrKind::Declare: {
      const InstId inst = instance(frame, *node.object);
      go(new_node(frame, node, {.kind = Node::Kind::Declare, .inst = inst, .next = {next(0)}}));
      break;
    }
    case IrKind::Live:
    case IrKind::Leave: go(set_ended(frame, node, *node.object, node.kind == IrKind::Leave, next(0))); break;
    case IrKind::Async:
      body().has_async = true;
      go(new_node(frame, node, {.kind = Node::Kind::Async, .next = {next(0), next(1)}}));
      break;
    case IrKind::EndAsync: go(new_node(frame, node, {.kind = Node::Kind::EndAsync})); break;
    case IrKind::Unsupported: go(cut(frame, node, node.text)); break;
  }
}

NodeId Inliner::translate_assign(Frame& frame, const ir::Node& node, NodeId next) {
  auto reason = unsupported_in(node.value);
  if (!reason) reason = unsupported_in(node.place);
  if (reason) return cut(frame, node, *reason);
  const TermId value = clone(frame, node.value);
  const AccessId place = clone(frame, node.place);
  return copy_record(frame, node, place, value, next);
}

InstId Inliner::new_temporary(std::string name, ir::TypeId type, const ir::Node& node) {
  return flat_.add(Inst{.name = std::move(name),
                        .type = type,
                        .kind = Inst::Kind::Automatic,
                        .body = current_,
                        .is_temporary = true,
                        .span = node.span});
}

// Can nothing that happens between two evaluations of the term change its value?
bool Inliner::is_stable(TermId id) {
  if (addressed_.empty()) {
    addressed_.resize(flat_.unit.objects.size(), false);
    for (const ir::Expr& expr : flat_.unit.exprs) {
      if (expr.op != Op::AddressOf) continue;
      if (const auto& object = flat_.unit.place(expr.place).object) addressed_[object->value] = true;
    }
  }
  bool stable = true;
  for_each_access(flat_, id, [&](AccessId access, bool is_load) {
    if (!is_load) return;
    const auto& inst = flat_.access(access).inst;
    const bool own = inst && flat_.inst(*inst).kind == Inst::Kind::Automatic;
    const auto object = own ? flat_.inst(*inst).object : std::nullopt;
    stable = stable && own && (flat_.inst(*inst).is_temporary || (object && !addressed_[object->value]));
  });
  return stable;
}

TermId Inliner::computed_once(const ir::Node& node, TermId term, Saved& saved) {
  if (is_stable(term)) return term;
  const InstId copy = new_temporary("address", flat_.term(term).type, node);
  saved.emplace_back(copy, term);
  return flat_.load(flat_.whole(copy));
}

Access Inliner::computed_once(const ir::Node& node, Access access, Saved& saved) {
  if (!access.inst) access.pointer = computed_once(node, access.pointer, saved);
  for (Index& index : access.indices) index.term = computed_once(node, index.term, saved);
  return access;
}

NodeId Inliner::save(const Frame& frame, const ir::Node& node, const Saved& saved, NodeId next) {
  for (auto it = saved.rbegin(); it != saved.rend(); ++it) {
    next = assign(frame, node, flat_.whole(it->first), it->second, next);
  }
  return next;
}

// Assigns a scalar, or a record scalar by scalar.
NodeId Inliner::copy_record(const Frame& frame, const ir::Node& node, AccessId to, TermId value, NodeId next) {
  if (is_scalar(flat_.unit.type(flat_.access(to).type))) return assign(frame, node, to, value, next);
  Saved saved;
  const Access target = computed_once(node, flat_.access(to), saved);
  std::vector<Leaf> leaves;
  collect_leaves(target.type, 0, leaves);
  if (leaves.size() > max_leaves) return cut(frame, node, "the assignment of a very large object");
  const Term source = flat_.term(value);
  if (source.op != Op::Load && source.op != Op::Nondet) return cut(frame, node, "this value of a struct");
  const bool loads = source.op == Op::Load;
  const Access origin = loads ? computed_once(node, flat_.access(source.access), saved) : Access{};
  for (auto leaf = leaves.rbegin(); leaf != leaves.rend(); ++leaf) {
    Access part = target;
    part.offset += leaf->offset;
    part.type = leaf->type;
    part.is_bit_field = leaf->bits > 0;
    TermId part_value;
    if (loads) {
      Access from = origin;
      from.offset += leaf->offset;
      from.type = leaf->type;
      from.is_bit_field = leaf->bits > 0;
      part_value = flat_.load(flat_.add(std::move(from)));
    } else {
      part_value = flat_.add(Term{.op = Op::Nondet, .type = leaf->type});
    }
    next = assign(frame, node, flat_.add(std::move(part)), part_value, next);
  }
  return save(frame, node, saved, next);
}

ir::TypeId Inliner::not_atomic(ir::TypeId id) const {
  ir::Type plain = flat_.unit.type(id);
  if (!plain.is_atomic) return id;
  plain.is_atomic = false;
  return flat_.unit.add_type(std::move(plain));
}

void Inliner::collect_leaves(ir::TypeId id, std::int64_t offset, std::vector<Leaf>& leaves, bool with_padding) const {
  const ir::Type type = flat_.unit.type(id);  // a copy: types are added on the way
  if (leaves.size() > max_leaves) return;
  if (type.kind == TypeKind::Array) {
    const auto size = static_cast<std::int64_t>(size_of(flat_.unit, type.target));
    for (std::uint64_t i = 0; i < type.count && leaves.size() <= max_leaves; ++i) {
      collect_leaves(type.target, offset + static_cast<std::int64_t>(i) * size, leaves, with_padding);
    }
  } else if (type.kind == TypeKind::Record) {
    const ir::RecordId record = type.record;
    if (flat_.unit.record(record).is_union) {
      for (const Cell& cell : union_cells(flat_.unit, record)) leaves.push_back({offset + cell.offset, cell.type});
    } else {
      const std::vector<ir::Field> fields = flat_.unit.record(record).fields;
      for (const ir::Field& field : fields) {
        const std::size_t first = leaves.size();
        collect_leaves(field.type, offset + static_cast<std::int64_t>(field.offset), leaves, with_padding);
        // What copies a record does not access its atomic members atomically.
        for (std::size_t i = first; i < leaves.size(); ++i) leaves[i].type = not_atomic(leaves[i].type);
        if (!field.location || leaves.size() == first) continue;
        leaves.back().bits = field.bits;
        leaves.back().shift = field.shift;
      }
    }
    if (!with_padding) return;
    const ir::TypeId character = flat_.unit.add_type({.kind = TypeKind::Int, .width = 8, .is_signed = true});
    for (const Gap& gap : gaps(flat_.unit, record)) {
      for (std::uint64_t i = 0; i < gap.size; ++i) {
        leaves.push_back({offset + gap.offset + static_cast<std::int64_t>(i), character});
      }
    }
  } else if (is_scalar(type)) {
    leaves.push_back({offset, id});
  }
}

TermId Inliner::clone(Frame& frame, ir::ExprId id) {
  const ir::Expr source = flat_.unit.expr(id);
  Term term{.op = source.op, .type = source.type, .value = source.value, .function = source.function};
  term.span = source.span;
  if (source.op == Op::Text) {
    const InstId inst = text_instance(source.text, id, source.span);
    return flat_.address_of(flat_.add(Access{.inst = inst, .type = flat_.unit.type(source.type).target}), source.type);
  }
  if (source.op == Op::Load) {
    const ir::Place& place = flat_.unit.place(source.place);
    if (place.object && place.steps.empty()) {
      const auto constant = frame.constants.find(*place.object);
      if (constant != frame.constants.end()) return constant->second;
    }
  }
  if (source.op == Op::Load || source.op == Op::AddressOf) {
    term.access = clone(frame, source.place);
    return source.op == Op::Load ? flat_.add(std::move(term)) : fold(flat_, std::move(term));
  }
  for (const ir::ExprId arg : source.args) term.args.push_back(clone(frame, arg));
  return fold(flat_, std::move(term));
}

AccessId Inliner::clone(Frame& frame, ir::PlaceId id) {
  const ir::Place source = flat_.unit.place(id);
  Access access{.type = source.type};
  if (source.object) {
    access.inst = instance(frame, *source.object);
  } else {
    access.pointer = clone(frame, source.pointer);
  }
  ir::TypeId at = source.base_type;
  for (const ir::Place::Step& step : source.steps) {
    const ir::Type type = flat_.unit.type(at);
    if (step.kind == ir::Place::Step::Kind::Field) {
      const ir::Field& field = flat_.unit.record(type.record).fields[step.field];
      access.offset += static_cast<std::int64_t>(field.offset);
      access.is_bit_field = field.location.has_value();
      at = field.type;
    } else {
      access.indices.push_back({clone(frame, step.index), size_of(flat_.unit, type.target), type.count});
      at = type.target;
    }
  }
  return fold(flat_, std::move(access));
}

InstId Inliner::instance(Frame& frame, ir::ObjectId object) {
  const ir::Object source = flat_.unit.object(object);
  if (source.storage == ir::Object::Storage::Static) return flat_.static_inst(object);
  const bool of_thread = source.storage == ir::Object::Storage::Thread;
  if (of_thread) {
    const auto known = thread_objects_.find({current_, object});
    if (known != thread_objects_.end()) return known->second;
  } else if (const auto known = frame.objects.find(object); known != frame.objects.end()) {
    return known->second;
  }
  const InstId inst = flat_.add(Inst{.name = source.name,
                                     .type = source.type,
                                     .kind = of_thread ? Inst::Kind::Thread : Inst::Kind::Automatic,
                                     .body = current_,
                                     .object = object,
                                     .is_temporary = source.is_temporary,
                                     .is_readonly = source.is_readonly,
                                     .span = source.span});
  if (of_thread) {
    thread_objects_.emplace(std::pair(current_, object), inst);
  } else {
    frame.objects.emplace(object, inst);
  }
  return inst;
}

InstId Inliner::text_instance(const std::string& text, ir::ExprId id, const SourceSpan& span) {
  const auto known = texts_.find(id);
  if (known != texts_.end()) return known->second;
  const ir::TypeId character = flat_.unit.add_type({.kind = TypeKind::Int, .width = 8, .is_signed = true});
  const ir::TypeId type = flat_.unit.add_type({.kind = TypeKind::Array, .target = character, .count = text.size() + 1});
  const InstId inst =
      flat_.add(Inst{.name = fmt::format("\"{}\"", text), .type = type, .kind = Inst::Kind::Text, .span = span});
  texts_.emplace(id, inst);
  return inst;
}

bool Inliner::is_modified(ir::ObjectId object) {
  if (modified_.empty()) {
    modified_.resize(flat_.unit.objects.size(), false);
    const auto mark = [&](ir::PlaceId id) {
      const ir::Place& place = flat_.unit.place(id);
      if (place.object) modified_[place.object->value] = true;
    };
    for (const ir::Function& function : flat_.unit.functions) {
      for (const ir::Node& node : function.nodes) {
        if (node.kind == IrKind::Assign) mark(node.place);
        if (node.kind == IrKind::Call && node.result) mark(*node.result);
      }
    }
    for (const ir::Expr& expr : flat_.unit.exprs) {
      if (expr.op == Op::AddressOf) mark(expr.place);
    }
  }
  return modified_[object.value];
}

void Inliner::read_initial_values() {
  Frame nowhere{};
  for (std::size_t i = flat_.initial.size(); i < flat_.insts.size(); ++i) {
    flat_.initial.emplace_back();
    const Inst inst = flat_.insts[i];
    const bool is_number = inst.kind == Inst::Kind::Thread && flat_.bodies[inst.body.value].number == InstId(i);
    if (is_number && flat_.bodies[inst.body.value].is_main) {
      flat_.initial[i][0] = flat_.constant(main_number, inst.type);
    }
    if (!inst.object || inst.kind == Inst::Kind::Automatic) continue;
    const std::vector<ir::InitialValue> values = flat_.unit.object(*inst.object).initial;
    for (const ir::InitialValue& initial : values) {
      ir::TypeId at = inst.type;
      std::int64_t offset = 0;
      for (const std::uint64_t step : initial.path) {
        const ir::Type& type = flat_.unit.type(at);
        if (type.kind == TypeKind::Record) {
          const ir::Field& field = flat_.unit.record(type.record).fields[step];
          offset += static_cast<std::int64_t>(field.offset);
          at = field.type;
        } else {
          offset += static_cast<std::int64_t>(step * size_of(flat_.unit, type.target));
          at = type.target;
        }
      }
      const TermId value = clone(nowhere, initial.value);
      flat_.initial[i][offset] = fold(flat_, Term{.op = Op::Cast, .type = at, .args = {value}});
    }
  }
}

std::optional<std::string> Inliner::unsupported_in(ir::ExprId id) const {
  const ir::Expr& expr = flat_.unit.expr(id);
  const ir::Type& type = flat_.unit.type(expr.type);
  if (type.kind == TypeKind::Unsupported) return type.reason;
  if (expr.op == Op::Load || expr.op == Op::AddressOf) return unsupported_in(expr.place);
  for (const ir::ExprId arg : expr.args) {
    if (auto reason = unsupported_in(arg)) return reason;
  }
  return std::nullopt;
}

std::optional<std::string> Inliner::unsupported_in(ir::PlaceId id) const {
  const ir::Place& place = flat_.unit.place(id);
  const ir::Type& type = flat_.unit.type(place.type);
  if (type.kind == TypeKind::Unsupported) return type.reason;
  if (!place.object) {
    if (auto reason = unsupported_in(place.pointer)) return reason;
  }
  for (const ir::Place::Step& step : place.steps) {
    if (step.kind != ir::Place::Step::Kind::Index) continue;
    if (auto reason = unsupported_in(step.index)) return reason;
  }
  return std::nullopt;
}

const std::vector<ir::FunctionId>& Inliner::address_taken() {
  if (address_taken_) return *address_taken_;
  address_taken_.emplace();
  for (const ir::Expr& expr : flat_.unit.exprs) {
    if (expr.op != Op::FunctionAddr) continue;
    const ir::Function& function = flat_.unit.function(expr.function);
    if (!function.has_body && function.is_library) continue;
    const auto known = std::find(address_taken_->begin(), address_taken_->end(), expr.function);
    if (known == address_taken_->end()) address_taken_->push_back(expr.function);
  }
  return *address_taken_;
}

// Types are not compared to the letter: a struct may be known in one file and only named in another, and the address
// decides in the end.
bool Inliner::fits(ir::FunctionId candidate, std::size_t args, ir::TypeId result) const {
  const ir::Function& function = flat_.unit.function(candidate);
  const ir::Type& given = flat_.unit.type(function.result);
  const ir::Type& wanted = flat_.unit.type(result);
  const bool same_count = function.is_variadic ? function.params.size() <= args : function.params.size() == args;
  return same_count && given.kind == wanted.kind && size_of(flat_.unit, function.result) == size_of(flat_.unit, result);
}

}  // namespace cohort::frontend::c::lower
