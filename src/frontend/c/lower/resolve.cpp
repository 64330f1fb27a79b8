#include "frontend/c/lower/resolve.hpp"

#include "base/contract.hpp"

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

Resolved Resolver::resolve(AccessId id, Expressions& expressions) {
  const Access access = flat_.access(id);
  const std::uint64_t size = size_of(flat_.unit, access.type);
  Resolved result;
  result.fault = access.inst ? "an access outside of its object" : "an access through NULL or outside of its object";
  const auto refuse = [&](ExprId guard, std::string what) {
    if (!program_.exprs.is_false(guard)) result.unmodelled.emplace_back(guard, std::move(what));
  };
  std::optional<ExprId> address;
  for (const Target& place : points_to_.places(id)) {
    if (place.function) continue;
    const Inst& inst = flat_.inst(place.inst);
    const auto group = layout_.find(place.inst, place.offset);
    const bool is_text = inst.kind == Inst::Kind::Text;
    const std::uint64_t found = group ? size_of(flat_.unit, layout_.group(*group).type) : 0;
    if (group && !is_text && found == size && access.inst) {
      if (auto spot = resolve_direct(access, *group, expressions)) {
        result.spots.push_back(std::move(*spot));
        continue;
      }
    }
    if (!address) address = expressions.address(access);
    const auto bytes = is_text ? 1 : static_cast<std::int64_t>(size_of(flat_.unit, inst.type));
    const auto inside = [&] { return in_range(*address, layout_.address_of(place.inst), bytes, expressions); };
    if (!group || is_text || found < size) {
      refuse(inside(), is_text ? "reading a string literal" : other_type(inst));
      continue;
    }
    ExprId odd = found == size ? program_.exprs.falsity() : inside_cell(*group, *address, expressions);
    for (std::uint64_t part = 0; part + size <= found; part += size) {
      Spot spot = resolve_address(*group, *address, part, expressions);
      if (program_.exprs.is_false(spot.guard)) continue;
      spot.is_part = found != size;
      spot.shift = static_cast<unsigned>(8 * part);
      spot.width = static_cast<unsigned>(8 * size);
      odd = program_.exprs.conj(odd, program_.exprs.negate(spot.guard));
      result.spots.push_back(std::move(spot));
    }
    refuse(odd, other_type(inst));
  }
  return result;
}

std::string Resolver::other_type(const Inst& inst) {
  return "an access to " + inst.name + " as something of another type or size";
}

// Does the address lie in some scalar of the group?
ExprId Resolver::inside_cell(GroupId id, ExprId address, Expressions& expressions) {
  const std::uint64_t size = size_of(flat_.unit, layout_.group(id).type);
  ExprId result = program_.exprs.falsity();
  for (std::uint64_t part = 0; part < size; ++part) {
    result = program_.exprs.disj(result, resolve_address(id, address, part, expressions).guard);
  }
  return result;
}

// The indices of the access, one for each dimension of the group; none where they do not match.
std::optional<Spot> Resolver::resolve_direct(const Access& access, GroupId id, Expressions& expressions) {
  const Group group = layout_.group(id);
  std::int64_t rest = access.offset - group.offset;
  Spot spot{program_.exprs.truth(), id};
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
  if (!group.dimensions.empty()) spot.index = element;
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
  const std::int64_t first = layout_.address_of(group.inst) + group.offset + static_cast<std::int64_t>(part);
  if (group.dimensions.empty()) {
    return {expressions.compare(ModelOp::Eq, address, expressions.constant(first, type)), id};
  }
  const Dimension& outer = group.dimensions.front();
  const auto extent = static_cast<std::int64_t>(outer.stride * outer.count);
  Spot spot{in_range(address, first, extent, expressions), id};
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
  spot.index = element;
  return spot;
}

}  // namespace cohort::frontend::c::lower
