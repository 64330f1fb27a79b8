// An access that fits the scalars of its object leads to one of them.  One that does not is taken apart: into a part of
// a larger scalar, into a run of neighbours in an array, or, where neither is the case, into whatever lies at each of
// the bytes where it may begin.
#include "frontend/c/lower/resolve.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "frontend/c/lower/havoc.hpp"

namespace cohort::frontend::c::lower {

using model::ExprId;
using ModelOp = model::Op;

namespace {

const model::Type wide = model::Type::fixed(64, true);

}  // namespace

std::vector<GroupId> Resolver::groups(AccessId id) {
  std::vector<GroupId> result;
  for (const Target& place : points_to_.places(id)) {
    if (place.function) continue;
    if (const auto group = layout_.find(place.inst, place.offset)) result.push_back(*group);
  }
  return result;
}

std::set<InstId> Resolver::heap_objects(TermId pointer) const {
  std::set<InstId> result;
  for (const Target& target : points_to_.targets(pointer)) {
    if (!target.function && flat_.inst(target.inst).kind == Inst::Kind::Heap) result.insert(target.inst);
  }
  return result;
}

bool Resolver::may_be_foreign(TermId pointer) const {
  const std::set<Target> targets = points_to_.targets(pointer);
  return std::any_of(targets.begin(), targets.end(),
                     [&](const Target& target) { return !target.function && flat_.inst(target.inst).is_foreign; });
}

ExprId Resolver::in_foreign(ExprId address, Expressions& expressions) {
  const auto size = static_cast<std::int64_t>(size_of(flat_.unit, flat_.inst(*flat_.foreign).type));
  return in_range(address, layout_.address_of(*flat_.foreign), size, expressions);
}

bool Resolver::is_changed_from_outside(GroupId group) {
  if (!changed_from_outside_) {
    changed_from_outside_.emplace();
    for (const Body& body : flat_.bodies) {
      for (const Node& node : body.nodes) {
        if (node.kind != Node::Kind::Havoc) continue;
        for (const InstId inst : points_to_.reachable(node.term)) {
          const auto forgotten = forgotten_groups(flat_, layout_, inst);
          changed_from_outside_->insert(forgotten.begin(), forgotten.end());
        }
      }
    }
  }
  return changed_from_outside_->contains(group);
}

std::vector<GroupId> Resolver::neighbours(GroupId group) {
  if (!layout_.group(group).location) return {};
  if (!stored_bit_fields_) {
    stored_bit_fields_.emplace();
    for (const Body& body : flat_.bodies) {
      for (const Node& node : body.nodes) {
        if (node.kind != Node::Kind::Assign) continue;
        for (const GroupId stored : groups(node.access)) {
          if (layout_.group(stored).location) stored_bit_fields_->insert(stored);
        }
      }
    }
  }
  std::vector<GroupId> result;
  for (const GroupId other : layout_.groups_of(layout_.group(group).inst)) {
    const bool is_neighbour = other != group && layout_.group(other).location == layout_.group(group).location;
    if (is_neighbour && stored_bit_fields_->contains(other)) result.push_back(other);
  }
  return result;
}

Resolved Resolver::resolve(AccessId id, Expressions& expressions) {
  const Access access = flat_.access(id);
  const std::uint64_t size = size_of(flat_.unit, access.type);
  Resolved result;
  result.fault = access.inst ? "an access outside of its object" : "an access through NULL or outside of its object";
  std::optional<ExprId> address;
  const std::vector<GroupId> known = groups(id);
  for (const Target& place : points_to_.places(id)) {
    if (place.function) continue;
    const Inst& inst = flat_.inst(place.inst);
    if (is_between_slots(flat_.unit, inst.type, place.offset)) continue;
    const auto group = layout_.find(place.inst, place.offset);
    const bool is_text = inst.kind == Inst::Kind::Text;
    const std::uint64_t found = group ? size_of(flat_.unit, layout_.group(*group).type) : 0;
    const bool is_member = group && layout_.group(*group).location.has_value();
    if (group && !is_text && found == size && access.inst && is_member == access.is_bit_field) {
      if (auto spot = resolve_direct(access, *group, expressions)) {
        result.spots.push_back(std::move(*spot));
        continue;
      }
    }
    if (!address) address = expressions.address(access);
    if (!group || is_text || is_member != access.is_bit_field) {
      const auto bytes = is_text && !inst.is_foreign ? 1 : static_cast<std::int64_t>(size_of(flat_.unit, inst.type));
      const ExprId inside = in_range(*address, layout_.address_of(place.inst), bytes, expressions);
      if (program_.exprs.is_false(inside)) continue;
      result.unmodelled.emplace_back(inside, inst.is_foreign
                                                 ? "an access to an object of a function that nobody defines"
                                             : is_text   ? "reading a string literal"
                                             : is_member ? "bit-fields of " + inst.name + " as bytes"
                                                         : other_type(inst));
      continue;
    }
    if (found >= size) {
      resolve_parts(access, *group, *address, expressions, result);
    } else {
      resolve_run(access, *group, *address, expressions, result);
    }
    resolve_bytes(access, place, *address, known, expressions, result);
  }
  keep_floats_apart(access, result);
  return result;
}

// Nothing is known of the bits of a floating-point number.
void Resolver::keep_floats_apart(const Access& access, Resolved& result) const {
  const bool is_float = flat_.unit.type(access.type).is_float;
  const auto is_other = [&](const Piece& piece) {
    return flat_.unit.type(layout_.group(piece.group).type).is_float != is_float;
  };
  std::erase_if(result.spots, [&](const Spot& spot) {
    if (std::none_of(spot.pieces.begin(), spot.pieces.end(), is_other)) return false;
    result.unmodelled.emplace_back(spot.guard, "a floating-point number and something of another type in one place");
    return true;
  });
}

std::string Resolver::other_type(const Inst& inst) {
  return "an access to " + inst.name + " as something of another type or size";
}

// A scalar of the group, or an aligned part of one.
void Resolver::resolve_parts(const Access& access, GroupId group, ExprId address, Expressions& expressions,
                             Resolved& result) {
  const std::uint64_t size = size_of(flat_.unit, access.type);
  const std::uint64_t found = size_of(flat_.unit, layout_.group(group).type);
  for (std::uint64_t part = 0; part + size <= found; part += size) {
    Spot spot = resolve_address(group, address, part, expressions);
    if (program_.exprs.is_false(spot.guard)) continue;
    Piece& piece = spot.pieces.front();
    piece.is_whole = found == size;
    piece.shift = static_cast<unsigned>(8 * part);
    piece.width = static_cast<unsigned>(8 * size);
    result.spots.push_back(std::move(spot));
  }
}

// Neighbours in the innermost array of the group, which lie next to each other.
void Resolver::resolve_run(const Access& access, GroupId id, ExprId address, Expressions& expressions,
                           Resolved& result) {
  const Group group = layout_.group(id);
  const std::uint64_t size = size_of(flat_.unit, access.type);
  const std::uint64_t found = size_of(flat_.unit, group.type);
  if (group.dimensions.empty() || group.dimensions.back().stride != found || size % found != 0) return;
  const auto count = static_cast<model::Value>(size / found);
  const auto inner = static_cast<model::Value>(group.dimensions.back().count);
  if (count > inner) return;
  Spot spot = resolve_address(id, address, 0, expressions);
  const ExprId first = *spot.pieces.front().index;
  const ExprId place = expressions.arithmetic(ModelOp::Mod, first, expressions.constant(inner, wide), wide);
  spot.guard = program_.exprs.conj(spot.guard,
                                   expressions.compare(ModelOp::Le, place, expressions.constant(inner - count, wide)));
  if (program_.exprs.is_false(spot.guard)) return;
  spot.pieces.clear();
  const auto bits = static_cast<unsigned>(8 * found);
  for (model::Value i = 0; i < count; ++i) {
    const auto delta = static_cast<std::uint32_t>(i);
    const ExprId index = expressions.arithmetic(ModelOp::Add, first, expressions.constant(i, wide), wide);
    spot.pieces.push_back({.group = id,
                           .index = index,
                           .element = {},
                           .delta = delta,
                           .is_whole = false,
                           .shift = 0,
                           .width = bits,
                           .at = bits * delta});
  }
  result.spots.push_back(std::move(spot));
}

// Each byte at which the access may begin, as far as the ways above leave it open.  What lies there must be known to be
// touched: others rely on that.
void Resolver::resolve_bytes(const Access& access, const Target& place, ExprId address,
                             const std::vector<GroupId>& known, Expressions& expressions, Resolved& result) {
  constexpr std::int64_t most_bytes = 2048;
  const Inst& inst = flat_.inst(place.inst);
  const std::uint64_t size = size_of(flat_.unit, access.type);
  const auto bytes = static_cast<std::int64_t>(size_of(flat_.unit, inst.type));
  const std::int64_t base = layout_.address_of(place.inst);
  COHORT_EXPECT(size > 0, "what is accessed has a size");
  ExprId open = in_range(address, base, bytes - static_cast<std::int64_t>(size) + 1, expressions);
  for (const Spot& spot : result.spots) {
    if (spot.inst == place.inst) open = program_.exprs.conj(open, program_.exprs.negate(spot.guard));
  }
  if (program_.exprs.is_false(open)) return;
  std::vector<std::int64_t> starts;
  for (std::int64_t at = 0; at + static_cast<std::int64_t>(size) <= bytes && at < most_bytes; ++at) {
    if (collapse(flat_.unit, inst.type, at) == place.offset && !is_regular(place.inst, at, size)) starts.push_back(at);
  }
  if (starts.empty() && bytes <= most_bytes) return;
  const model::Type type = memory_.pointer_type();
  ExprId other = program_.exprs.falsity();
  for (const std::int64_t at : starts) {
    const ExprId here = expressions.compare(ModelOp::Eq, address, expressions.constant(base + at, type));
    const ExprId guard = program_.exprs.conj(open, here);
    if (program_.exprs.is_false(guard)) continue;
    const std::int64_t last = at + static_cast<std::int64_t>(size) - 1;
    if (is_between_slots(flat_.unit, inst.type, last)) continue;
    auto spot = spot_at(place.inst, at, size, expressions);
    const auto is_known = [&](const Piece& piece) {
      return std::find(known.begin(), known.end(), piece.group) != known.end();
    };
    if (!spot || !std::all_of(spot->pieces.begin(), spot->pieces.end(), is_known)) {
      other = program_.exprs.disj(other, guard);
      continue;
    }
    spot->guard = guard;
    result.spots.push_back(std::move(*spot));
  }
  if (bytes > most_bytes) other = program_.exprs.disj(other, in_range(address, base + most_bytes, bytes, expressions));
  if (!program_.exprs.is_false(other)) result.unmodelled.emplace_back(other, other_type(inst));
}

// Does an access of this size that begins here lie in one scalar, aligned, or in a run of neighbours?
bool Resolver::is_regular(InstId inst, std::int64_t offset, std::uint64_t size) {
  const auto byte = layout_.byte_at(inst, offset);
  if (!byte) return false;
  const Group& group = layout_.group(byte->group);
  const std::uint64_t found = size_of(flat_.unit, group.type);
  if (found >= size) return byte->byte % size == 0 && byte->byte + size <= found;
  if (group.dimensions.empty() || group.dimensions.back().stride != found || size % found != 0) return false;
  const std::uint64_t inner = group.dimensions.back().count;
  return byte->byte == 0 && byte->element % inner + size / found <= inner;
}

// What lies at these bytes; none where that is not all modelled.
std::optional<Spot> Resolver::spot_at(InstId inst, std::int64_t offset, std::uint64_t size, Expressions& expressions) {
  Spot spot{.guard = program_.exprs.truth(), .inst = inst};
  for (std::uint64_t done = 0; done < size;) {
    const auto byte = layout_.byte_at(inst, offset + static_cast<std::int64_t>(done));
    if (!byte || layout_.group(byte->group).location) return std::nullopt;
    const Group& group = layout_.group(byte->group);
    const std::uint64_t length = std::min(size_of(flat_.unit, group.type) - byte->byte, size - done);
    Piece piece{.group = byte->group,
                .index = {},
                .element = static_cast<std::uint32_t>(byte->element),
                .is_whole = false,
                .shift = static_cast<unsigned>(8 * byte->byte),
                .width = static_cast<unsigned>(8 * length),
                .at = static_cast<unsigned>(8 * done)};
    if (!group.dimensions.empty()) {
      piece.index = expressions.constant(static_cast<model::Value>(byte->element), wide);
      if (!spot.outer) {
        std::uint64_t inner = 1;
        for (std::size_t i = 1; i < group.dimensions.size(); ++i) inner *= group.dimensions[i].count;
        spot.outer = expressions.constant(static_cast<model::Value>(byte->element / inner), wide);
      }
    }
    COHORT_EXPECT(length > 0 && piece.shift + piece.width <= 64, "a piece has bits of one scalar");
    spot.pieces.push_back(piece);
    done += length;
  }
  return spot;
}

// The indices of the access, one for each dimension of the group; none where they do not match.
std::optional<Spot> Resolver::resolve_direct(const Access& access, GroupId id, Expressions& expressions) {
  const Group group = layout_.group(id);
  std::int64_t rest = access.offset - group.offset;
  Spot spot{.guard = program_.exprs.truth(), .inst = group.inst, .outer = {}, .pieces = {{.group = id}}};
  ExprId element = expressions.constant(0, wide);
  std::size_t used = 0;
  for (const Dimension& dimension : group.dimensions) {
    const auto stride = static_cast<std::int64_t>(dimension.stride);
    const auto count = static_cast<std::int64_t>(dimension.count);
    if (rest < 0) return std::nullopt;
    const std::int64_t fixed = rest / stride;
    rest -= fixed * stride;
    ExprId index = expressions.constant(fixed, wide);
    for (const Index& part : access.indices) {
      if (part.stride != dimension.stride) continue;
      index = expressions.arithmetic(ModelOp::Add, expressions.index(part.term), index, wide);
      ++used;
    }
    const ExprId above = expressions.compare(ModelOp::Ge, index, expressions.constant(0, wide));
    const ExprId below = expressions.compare(ModelOp::Lt, index, expressions.constant(count, wide));
    spot.guard = program_.exprs.conj(spot.guard, program_.exprs.conj(above, below));
    if (!spot.outer) spot.outer = index;
    const ExprId scaled = expressions.arithmetic(ModelOp::Mul, element, expressions.constant(count, wide), wide);
    element = expressions.arithmetic(ModelOp::Add, scaled, index, wide);
  }
  if (rest != 0 || used != access.indices.size()) return std::nullopt;
  if (!group.dimensions.empty()) spot.pieces.front().index = element;
  return spot;
}

ExprId Resolver::in_range(ExprId address, std::int64_t first, std::int64_t size, Expressions& expressions) {
  const model::Type type = memory_.pointer_type();
  const ExprId above = expressions.compare(ModelOp::Ge, address, expressions.constant(first, type));
  const ExprId below = expressions.compare(ModelOp::Lt, address, expressions.constant(first + size, type));
  return program_.exprs.conj(above, below);
}

Spot Resolver::resolve_address(GroupId id, ExprId address, std::uint64_t part, Expressions& expressions) {
  const Group group = layout_.group(id);
  const model::Type type = memory_.pointer_type();
  COHORT_EXPECT(part < size_of(flat_.unit, group.type), "a part lies in its scalar");
  const std::int64_t first = layout_.address_of(group.inst) + group.offset + static_cast<std::int64_t>(part);
  if (group.dimensions.empty()) {
    const ExprId here = expressions.compare(ModelOp::Eq, address, expressions.constant(first, type));
    return {.guard = here, .inst = group.inst, .outer = {}, .pieces = {{.group = id}}};
  }
  const Dimension& outer = group.dimensions.front();
  const auto extent = static_cast<std::int64_t>(outer.stride * outer.count);
  Spot spot{.guard = in_range(address, first, extent, expressions),
            .inst = group.inst,
            .outer = {},
            .pieces = {{.group = id}}};
  ExprId rest =
      expressions.arithmetic(ModelOp::Sub, expressions.convert(address, wide), expressions.constant(first, wide), wide);
  ExprId element = expressions.constant(0, wide);
  for (const Dimension& dimension : group.dimensions) {
    const ExprId stride = expressions.constant(static_cast<model::Value>(dimension.stride), wide);
    const ExprId count = expressions.constant(static_cast<model::Value>(dimension.count), wide);
    const ExprId index = expressions.arithmetic(ModelOp::Div, rest, stride, wide);
    if (!spot.outer) spot.outer = index;
    if (&dimension != &group.dimensions.front()) {
      spot.guard = program_.exprs.conj(spot.guard, expressions.compare(ModelOp::Lt, index, count));
    }
    element =
        expressions.arithmetic(ModelOp::Add, expressions.arithmetic(ModelOp::Mul, element, count, wide), index, wide);
    rest = dimension.stride == 1 ? expressions.constant(0, wide)
                                 : expressions.arithmetic(ModelOp::Mod, rest, stride, wide);
  }
  const ExprId aligned = expressions.compare(ModelOp::Eq, rest, expressions.constant(0, wide));
  spot.guard = program_.exprs.conj(spot.guard, aligned);
  spot.pieces.front().index = element;
  return spot;
}

}  // namespace cohort::frontend::c::lower
