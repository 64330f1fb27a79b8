// Andersen's inclusion constraints, solved by passing over the nodes until nothing changes: programs of this size need
// nothing cleverer.  Flow-insensitive, but context-sensitive by inlining; field-sensitive; the elements of an array are
// one.  Integers are followed like pointers, so a pointer survives being cast to an integer and back.
#include "frontend/c/lower/points_to.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/layout.hpp"
#include "frontend/c/lower/threads.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;

namespace {

// Is the place inside an array whose elements have this size?
bool in_array(const ir::Unit& unit, ir::TypeId id, std::int64_t offset, std::uint64_t element) {
  const ir::Type& type = unit.type(id);
  if (type.kind == ir::Type::Kind::Array) {
    const std::uint64_t size = size_of(unit, type.target);
    const auto inner = offset % static_cast<std::int64_t>(size);
    return (size == element && inner == 0) || in_array(unit, type.target, inner, element);
  }
  // The elements of arrays in a union are cells of their own.
  if (type.kind != ir::Type::Kind::Record || unit.record(type.record).is_union) return false;
  const auto& fields = unit.record(type.record).fields;
  return std::any_of(fields.begin(), fields.end(), [&](const ir::Field& field) {
    const auto begin = static_cast<std::int64_t>(field.offset);
    const auto end = begin + static_cast<std::int64_t>(size_of(unit, field.type));
    return begin <= offset && offset < end && in_array(unit, field.type, offset - begin, element);
  });
}

// May a pointer that is moved by so many bytes still be in an array on the way to the place, at another element?  The
// place stands for that of every element, so it need not be there that the bytes are counted from.
bool may_stay_in_array(const ir::Unit& unit, ir::TypeId id, std::int64_t offset, std::int64_t bytes) {
  const ir::Type& type = unit.type(id);
  if (offset < 0 || bytes == 0) return false;
  if (type.kind == ir::Type::Kind::Array) {
    const auto size = static_cast<std::int64_t>(size_of(unit, type.target));
    const auto whole = static_cast<std::int64_t>(size_of(unit, id));
    if (size == 0) return false;
    if (bytes % size == 0 && -whole < bytes && bytes < whole) return true;
    return may_stay_in_array(unit, type.target, offset % size, bytes);
  }
  if (type.kind != ir::Type::Kind::Record || unit.record(type.record).is_union) return false;
  const auto& fields = unit.record(type.record).fields;
  return std::any_of(fields.begin(), fields.end(), [&](const ir::Field& field) {
    const auto begin = static_cast<std::int64_t>(field.offset);
    const auto end = begin + static_cast<std::int64_t>(size_of(unit, field.type));
    return begin <= offset && offset < end && may_stay_in_array(unit, field.type, offset - begin, bytes);
  });
}

// Does an index with this stride lead from an element of an array on the way to the place to another element?
bool is_index_of(const ir::Unit& unit, ir::TypeId id, std::int64_t offset, std::uint64_t stride) {
  const ir::Type& type = unit.type(id);
  if (type.kind == ir::Type::Kind::Array) {
    const std::uint64_t size = size_of(unit, type.target);
    return size == stride || is_index_of(unit, type.target, offset % static_cast<std::int64_t>(size), stride);
  }
  if (type.kind != ir::Type::Kind::Record || unit.record(type.record).is_union) return false;
  const auto& fields = unit.record(type.record).fields;
  return std::any_of(fields.begin(), fields.end(), [&](const ir::Field& field) {
    const auto begin = static_cast<std::int64_t>(field.offset);
    const auto end = begin + static_cast<std::int64_t>(size_of(unit, field.type));
    return begin <= offset && offset < end && is_index_of(unit, field.type, offset - begin, stride);
  });
}

// Bytes of an object that a place stands for: a scalar, or a gap between scalars.
struct Span {
  std::int64_t begin = 0;
  std::int64_t size = 0;
};

// Those that the place in an object of the type stands for; of the elements of arrays the first and the last.
void collect_spans(const ir::Unit& unit, ir::TypeId id, std::int64_t offset, std::int64_t base,
                   std::vector<Span>& spans) {
  const ir::Type& type = unit.type(id);
  const auto size = static_cast<std::int64_t>(size_of(unit, id));
  if (offset < 0 || offset >= size) return;
  if (type.kind == ir::Type::Kind::Array) {
    const auto element = static_cast<std::int64_t>(size_of(unit, type.target));
    collect_spans(unit, type.target, offset % element, base, spans);
    if (type.count > 1) collect_spans(unit, type.target, offset % element, base + size - element, spans);
    return;
  }
  if (type.kind != ir::Type::Kind::Record) return spans.push_back({base, size});
  const auto holds = [&](std::int64_t begin, std::int64_t bytes) { return begin <= offset && offset < begin + bytes; };
  if (unit.record(type.record).is_union) {
    for (const Cell& cell : union_cells(unit, type.record)) {
      const auto bytes = static_cast<std::int64_t>(size_of(unit, cell.type));
      if (holds(cell.offset, bytes)) return spans.push_back({base + cell.offset, bytes});
    }
  } else {
    for (const ir::Field& field : unit.record(type.record).fields) {
      const auto begin = static_cast<std::int64_t>(field.offset);
      if (!holds(begin, static_cast<std::int64_t>(size_of(unit, field.type)))) continue;
      return collect_spans(unit, field.type, offset - begin, base + begin, spans);
    }
  }
  for (const Gap& gap : gaps(unit, type.record)) {
    const auto bytes = static_cast<std::int64_t>(gap.size);
    if (holds(gap.offset, bytes)) return spans.push_back({base + gap.offset, bytes});
  }
}

// Does an object of the type consist of nothing but elements of this size?
bool is_array_of(const ir::Unit& unit, ir::TypeId id, std::uint64_t element) {
  const ir::Type& type = unit.type(id);
  if (type.kind != ir::Type::Kind::Array) return false;
  return size_of(unit, type.target) == element || is_array_of(unit, type.target, element);
}

void collect_offsets(const ir::Unit& unit, ir::TypeId id, std::int64_t offset, std::set<std::int64_t>& offsets) {
  const ir::Type& type = unit.type(id);
  if (type.kind == ir::Type::Kind::Array) {
    collect_offsets(unit, type.target, offset, offsets);
  } else if (type.kind == ir::Type::Kind::Record) {
    offsets.insert(offset);
    for (const Gap& gap : gaps(unit, type.record)) offsets.insert(offset + gap.offset);
    if (unit.record(type.record).is_union) {
      for (const Cell& cell : union_cells(unit, type.record)) offsets.insert(offset + cell.offset);
      return;
    }
    for (const ir::Field& field : unit.record(type.record).fields) {
      collect_offsets(unit, field.type, offset + static_cast<std::int64_t>(field.offset), offsets);
    }
  } else {
    offsets.insert(offset);
  }
}

void collect_scalars(const ir::Unit& unit, ir::TypeId id, std::int64_t offset,
                     std::map<std::int64_t, ir::TypeId>& scalars) {
  const ir::Type& type = unit.type(id);
  if (type.kind == ir::Type::Kind::Array) {
    collect_scalars(unit, type.target, offset, scalars);
  } else if (type.kind == ir::Type::Kind::Record && unit.record(type.record).is_union) {
    for (const Cell& cell : union_cells(unit, type.record)) scalars.emplace(offset + cell.offset, cell.type);
  } else if (type.kind == ir::Type::Kind::Record && !unit.record(type.record).is_library) {
    for (const ir::Field& field : unit.record(type.record).fields) {
      collect_scalars(unit, field.type, offset + static_cast<std::int64_t>(field.offset), scalars);
    }
  } else if (is_scalar(type)) {
    scalars.emplace(offset, id);
  }
}

}  // namespace

std::map<std::int64_t, ir::TypeId> scalars_of(const ir::Unit& unit, ir::TypeId type) {
  std::map<std::int64_t, ir::TypeId> scalars;
  collect_scalars(unit, type, 0, scalars);
  return scalars;
}

bool is_writable_from_outside(const Inst& inst) {
  return !inst.is_readonly && inst.kind != Inst::Kind::Text;
}

PointsTo::PointsTo(const Flat& flat) : flat_(flat) {
  COHORT_EXPECT(flat.initial.size() <= flat.insts.size(), "initial values are of objects that there are");
  for (std::size_t i = 0; i < flat.initial.size(); ++i) {
    for (const auto& [offset, value] : flat.initial[i]) {
      const auto at = collapse(flat.unit, flat.insts[i].type, offset);
      if (at) cells_[{InstId(i), *at}].merge(targets(value));
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Body& body : flat.bodies) {
      for (const Node& node : body.nodes) {
        poll(flat.options.env, "points-to");
        changed = pass(node) || changed;
      }
    }
  }
}

bool PointsTo::pass(const Node& node) {
  COHORT_EXPECT(node.kind != Node::Kind::Assign || (node.has_access && node.has_term),
                "an assignment has a place and a value");
  if (node.kind == Node::Kind::Assign) return store(node.access, targets(node.term));
  if (node.kind == Node::Kind::Spawn) {
    bool changed = false;
    for (const Body& body : flat_.bodies) {
      if (!body.parameter || !may_start(flat_, node, body)) continue;
      auto& cell = cells_[{*body.parameter, 0}];
      const std::size_t before = cell.size();
      cell.merge(targets(node.argument));
      changed = changed || cell.size() != before;
    }
    return changed;
  }
  return node.kind == Node::Kind::Havoc && change_from_outside(node);
}

std::set<InstId> PointsTo::reachable(TermId pointer) const {
  std::set<InstId> result;
  std::vector<InstId> pending;
  const auto reach = [&](const std::set<Target>& targets) {
    for (const Target& target : targets) {
      if (!target.function && result.insert(target.inst).second) pending.push_back(target.inst);
    }
  };
  reach(targets(pointer));
  while (!pending.empty()) {
    const InstId inst = pending.back();
    pending.pop_back();
    for (auto cell = cells_.lower_bound({inst, INT64_MIN}); cell != cells_.end() && cell->first.first == inst; ++cell) {
      reach(cell->second);
    }
  }
  return result;
}

// Pointers in what the node changes may lead to the object that stands for those of others.
bool PointsTo::change_from_outside(const Node& node) {
  COHORT_EXPECT(node.kind == Node::Kind::Havoc && flat_.inst(node.inst).is_foreign,
                "what a function that nobody defines gives is foreign");
  bool changed = false;
  for (const InstId inst : reachable(node.term)) {
    if (!is_writable_from_outside(flat_.inst(inst))) continue;
    for (const auto& [offset, type] : scalars_of(flat_.unit, flat_.inst(inst).type)) {
      if (flat_.unit.type(type).kind != ir::Type::Kind::Pointer) continue;
      changed = cells_[{inst, offset}].insert({std::nullopt, node.inst, 0}).second || changed;
    }
  }
  return changed;
}

bool PointsTo::store(AccessId access, const std::set<Target>& values) {
  if (values.empty()) return false;
  bool changed = false;
  for (const Target& place : places(access)) {
    if (place.function) continue;
    COHORT_EXPECT(place.offset >= 0, "what is stored to lies in its object");
    auto& cell = cells_[{place.inst, place.offset}];
    const std::size_t before = cell.size();
    cell.insert(values.begin(), values.end());
    changed = changed || cell.size() != before;
  }
  return changed;
}

const std::set<Target>& PointsTo::content(InstId inst, std::int64_t offset) const {
  static const std::set<Target> nothing;
  const auto found = cells_.find({inst, offset});
  return found == cells_.end() ? nothing : found->second;
}

std::set<Target> PointsTo::places(AccessId id) const {
  const Access& access = flat_.access(id);
  std::set<Target> result;
  const auto add = [&](InstId inst, std::int64_t offset) {
    const ir::TypeId type = flat_.inst(inst).type;
    const auto at = collapse(flat_.unit, type, offset);
    if (at) result.insert({std::nullopt, inst, *at});
    // Who counts bytes may see the array as the beginning of more.
    const auto leaves_array = [&](const Index& index) {
      const bool is_open = index.count == 0 && index.stride == 1 && !is_array_of(flat_.unit, type, 1);
      return is_open || !is_index_of(flat_.unit, type, offset, index.stride);
    };
    const bool leads_out = std::any_of(access.indices.begin(), access.indices.end(), leaves_array);
    if (!leads_out && (!at || is_inside_scalar(inst, *at, access))) return;
    std::set<std::int64_t> offsets;
    collect_offsets(flat_.unit, type, 0, offsets);
    for (const std::int64_t other : offsets) result.insert({std::nullopt, inst, other});
  };
  if (access.inst) {
    add(*access.inst, access.offset);
    return result;
  }
  for (const Target& target : targets(access.pointer)) {
    if (!target.function) add(target.inst, target.offset + access.offset);
  }
  return result;
}

// Does what is accessed lie in one scalar, wherever the access begins in that?
bool PointsTo::is_inside_scalar(InstId inst, std::int64_t offset, const Access& access) const {
  if (!is_scalar(flat_.unit.type(access.type))) return true;
  const std::uint64_t size = size_of(flat_.unit, access.type);
  const std::uint64_t found = scalar_size(flat_.unit, flat_.inst(inst).type, offset);
  return size == found || (size < found && found % size == 0);
}

std::set<Target> PointsTo::targets(TermId id) const {
  const Term& term = flat_.term(id);
  std::set<Target> result;
  switch (term.op) {
    case Op::FunctionAddr: result.insert({term.function, InstId{}, 0}); break;
    case Op::AddressOf:
      result = places(term.access);
      // The address of an empty or a one-past place still belongs to its object.
      if (const Access& access = flat_.access(term.access); result.empty() && access.inst) {
        result.insert({std::nullopt, *access.inst, 0});
        const ir::TypeId type = flat_.inst(*access.inst).type;
        const bool is_end = access.offset == static_cast<std::int64_t>(size_of(flat_.unit, type));
        if (is_end && flat_.unit.type(type).kind == ir::Type::Kind::Record) {
          result.insert({std::nullopt, *access.inst, access.offset});
        }
      }
      add_parts(flat_.access(term.access).type, result);
      break;
    case Op::Load:
      for (const Target& place : places(term.access)) {
        if (place.function) continue;
        const auto& content = this->content(place.inst, place.offset);
        result.insert(content.begin(), content.end());
      }
      break;
    case Op::PointerAdd: return moved(term);
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::LogicalNot:
    case Op::LogicalAnd:
    case Op::LogicalOr:
    case Op::PointerDiff: break;
    case Op::Conditional:
      result = targets(term.args[1]);
      result.merge(targets(term.args[2]));
      break;
    case Op::Cast: {
      result = targets(term.args[0]);
      const ir::Type& type = flat_.unit.type(term.type);
      if (type.kind == ir::Type::Kind::Pointer) add_parts(type.target, result);
      break;
    }
    case Op::Const:
    case Op::Nondet:
    case Op::Text: break;
    default:
      // Arithmetic on an integer that holds an address can lead anywhere in the object.
      for (const TermId arg : term.args) {
        for (const Target& target : targets(arg)) add_moved(target, 1, std::nullopt, result);
      }
  }
  return result;
}

std::set<Target> PointsTo::moved(const Term& sum) const {
  COHORT_EXPECT(sum.op == Op::PointerAdd && sum.args.size() == 2, "a pointer is moved by a number");
  const std::uint64_t element = size_of(flat_.unit, flat_.unit.type(sum.type).target);
  std::set<Target> result;
  for (const Target& target : targets(sum.args[0])) add_moved(target, element, number(flat_, sum.args[1]), result);
  return result;
}

// A pointer to a record that begins with an array of bytes may be seen as one to the bytes of all of the record, which
// nothing distinguishes from the array.
void PointsTo::add_parts(ir::TypeId type, std::set<Target>& targets) const {
  if (flat_.unit.type(type).kind != ir::Type::Kind::Record) return;
  std::set<Target> parts;
  for (const Target& target : targets) {
    if (target.function || !in_array(flat_.unit, flat_.inst(target.inst).type, target.offset, 1)) continue;
    std::set<std::int64_t> offsets;
    collect_offsets(flat_.unit, type, target.offset, offsets);
    for (const std::int64_t offset : offsets) {
      const auto at = collapse(flat_.unit, flat_.inst(target.inst).type, offset);
      if (at) parts.insert({std::nullopt, target.inst, *at});
    }
  }
  targets.merge(parts);
}

// Who goes over an object in small steps gets to all that it consists of, from wherever in a scalar it is, and back
// from behind its end (verdicts/hostile.c, WALKS).
void PointsTo::add_neighbours(const Target& target, std::int64_t bytes, std::set<Target>& result) const {
  const ir::TypeId type = flat_.inst(target.inst).type;
  const auto whole = static_cast<std::int64_t>(size_of(flat_.unit, type));
  std::vector<Span> spans;
  collect_spans(flat_.unit, type, target.offset, 0, spans);
  for (const Span& span : spans) {
    COHORT_EXPECT(span.size > 0 && span.begin + span.size <= whole, "a part of an object lies in it");
    for (std::int64_t i = 0; i < span.size; ++i) {
      const std::int64_t offset = span.begin + i + bytes;
      if (offset == whole) result.insert({std::nullopt, target.inst, whole});
      if (is_between_slots(flat_.unit, type, offset)) continue;
      if (const auto at = collapse(flat_.unit, type, offset)) result.insert({std::nullopt, target.inst, *at});
    }
  }
}

void PointsTo::add_moved(const Target& target, std::uint64_t element, std::optional<std::int64_t> steps,
                         std::set<Target>& result) const {
  if (target.function) {
    result.insert(target);
    return;
  }
  const ir::TypeId type = flat_.inst(target.inst).type;
  const std::int64_t bytes = steps.value_or(0) * static_cast<std::int64_t>(element);
  constexpr std::int64_t small = 8;
  const bool is_small = bytes != 0 && -small < bytes && bytes < small;
  const bool stays = in_array(flat_.unit, type, target.offset, element);
  // Bytes may be those of whatever the array is a part of; who leaves an array of anything else goes wrong.
  if (is_small && (!stays || element == 1)) add_neighbours(target, bytes, result);
  if (stays) {
    result.insert(target);
    return;
  }
  if (steps) {
    const auto size = static_cast<std::int64_t>(size_of(flat_.unit, type));
    const bool leads_away = bytes < 0 ? target.offset < 0 : target.offset >= size;
    if (is_small && leads_away) {
      result.insert(target);
      return;
    }
    const std::int64_t offset = target.offset + bytes;
    if (may_stay_in_array(flat_.unit, type, target.offset, bytes)) result.insert(target);
    if (const auto at = collapse(flat_.unit, type, offset)) {
      result.insert({std::nullopt, target.inst, *at});
      return;
    }
    // A pointer that leaves its object may come back to it, as what container_of makes of the head of a list does
    // (cases/idioms.c, 1).  Who goes far away in a loop is not followed there.
    constexpr std::int64_t most = 1024;
    const bool is_near = offset > -most && offset < size + most;
    result.insert(is_near ? Target{std::nullopt, target.inst, offset} : target);
    return;
  }
  std::set<std::int64_t> offsets;
  collect_offsets(flat_.unit, type, 0, offsets);
  for (const std::int64_t offset : offsets) result.insert({std::nullopt, target.inst, offset});
}

}  // namespace cohort::frontend::c::lower
