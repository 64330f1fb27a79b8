#include "frontend/c/lower/cells.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::frontend::c::lower {

using model::ExprId;
using ModelOp = model::Op;

namespace {

const model::Type wide = model::Type::fixed(64, true);

std::uint64_t mask(const Piece& piece) {
  COHORT_EXPECT(piece.width > 0 && piece.shift < 64, "a piece has bits of its scalar");
  return piece.width < 64 ? (std::uint64_t{1} << piece.width) - 1 : ~std::uint64_t{0};
}

}  // namespace

ExprId Cells::read(const Variable& variable, std::optional<ExprId> index) const {
  model::ExprPool& pool = program_.exprs;
  const auto op = variable.is_shared ? ModelOp::SharedVar : ModelOp::LocalVar;
  if (index) return pool.element(op, variable.var, variable.type, *index);
  return variable.is_shared ? pool.shared(variable.var, variable.type) : pool.local(variable.var, variable.type);
}

model::LValue Cells::target(const Variable& variable, std::optional<ExprId> index) {
  return {.kind = variable.is_shared ? model::LValue::Kind::Shared : model::LValue::Kind::Local,
          .var = variable.var,
          .index = index};
}

bool Cells::fills_scalar(const Piece& piece) const {
  return piece.is_whole || piece.width == 8 * size_of(flat_.unit, layout_.group(piece.group).type);
}

ExprId Cells::bits_of(const Piece& piece, bool is_only, ExprId cell, Expressions& expressions) const {
  const auto apply = [&](ModelOp op, ExprId left, std::uint64_t right) {
    return expressions.arithmetic(op, left, expressions.constant(static_cast<model::Value>(right), wide), wide);
  };
  ExprId bits = expressions.convert(cell, wide);
  if (piece.shift > 0) bits = apply(ModelOp::Shr, bits, piece.shift);
  if (is_only) return bits;
  bits = apply(ModelOp::BitAnd, bits, mask(piece));
  return piece.at > 0 ? apply(ModelOp::Shl, bits, piece.at) : bits;
}

ExprId Cells::read(const Spot& spot, Expressions& expressions) const {
  if (spot.pieces.size() == 1) return part(spot, read(spot.pieces.front()), expressions);
  ExprId sum = expressions.constant(0, wide);
  for (const Piece& piece : spot.pieces) {
    sum = expressions.arithmetic(ModelOp::BitOr, sum, bits_of(piece, false, read(piece), expressions), wide);
  }
  return sum;
}

ExprId Cells::part(const Spot& spot, ExprId cell, Expressions& expressions) const {
  COHORT_EXPECT(spot.pieces.size() == 1, "the value of one scalar tells all of the spot");
  return spot.is_whole() ? cell : bits_of(spot.pieces.front(), true, cell, expressions);
}

ExprId Cells::with_piece(const Piece& piece, ExprId cell, ExprId value, Expressions& expressions) const {
  const auto apply = [&](ModelOp op, ExprId left, std::uint64_t right) {
    return expressions.arithmetic(op, left, expressions.constant(static_cast<model::Value>(right), wide), wide);
  };
  ExprId bits = expressions.convert(value, wide);
  if (piece.at > 0) bits = apply(ModelOp::Shr, bits, piece.at);
  bits = apply(ModelOp::BitAnd, bits, mask(piece));
  if (fills_scalar(piece)) return bits;
  const ExprId kept = apply(ModelOp::BitAnd, expressions.convert(cell, wide), ~(mask(piece) << piece.shift));
  if (piece.shift > 0) bits = apply(ModelOp::Shl, bits, piece.shift);
  return expressions.arithmetic(ModelOp::BitOr, kept, bits, wide);
}

void Cells::begin_life(InstId id, std::uint64_t element, bool zeroed, model::Action& action) const {
  model::ExprPool& pool = program_.exprs;
  const Inst& inst = flat_.inst(id);
  const std::uint64_t count = inst.is_pool ? flat_.unit.type(inst.type).count : 1;
  COHORT_EXPECT(element < count, "of a pool one object begins to live");
  const auto fill = [&](const Variable& variable, ExprId value) {
    if (!variable.type.is_array()) {
      action.assigns.push_back({target(variable, std::nullopt), value});
      return;
    }
    const std::uint64_t each = variable.type.array_size() / count;
    COHORT_EXPECT(each * count == variable.type.array_size(), "the objects of a pool have as many scalars each");
    for (std::uint64_t i = element * each; i < (element + 1) * each; ++i) {
      const ExprId index = pool.constant(static_cast<model::Value>(i), model::Type::fixed(64, true));
      action.assigns.push_back({target(variable, index), value});
    }
  };
  for (const GroupId group : layout_.groups_of(id)) {
    if (const Variable* flag = memory_.flag(group)) fill(*flag, zeroed ? pool.truth() : pool.falsity());
    if (!zeroed && !is_of_library_at(flat_.unit, inst.type, layout_.group(group).offset)) continue;
    const model::Type type = memory_.type_of(layout_.group(group).type);
    fill(memory_.variable(group), type.is_bool() ? pool.falsity() : pool.constant(0, type));
  }
}

bool Cells::keep_neighbours(BodyId body, const Piece& piece, const std::vector<GroupId>& neighbours,
                            model::Action& look, model::Action& store) const {
  constexpr std::size_t first = 1000;  // the temporaries with small numbers are for what the node loads
  if (!memory_.is_shared(piece.group)) return false;
  for (const GroupId other : neighbours) {
    const Variable variable = memory_.variable(other);
    const model::Type type = variable.type.element();
    const model::VarId kept = memory_.temporary(body, type, first + look.assigns.size());
    look.assigns.push_back({{.kind = model::LValue::Kind::Local, .var = kept}, read(variable, piece.index)});
    store.assigns.push_back({target(variable, piece.index), program_.exprs.local(kept, type)});
  }
  return !look.assigns.empty();
}

void Cells::add_effects(const std::vector<model::Assign>& effects, model::Action& action) {
  for (const model::Assign& effect : effects) {
    const bool known = std::any_of(action.assigns.begin(), action.assigns.end(), [&](const model::Assign& other) {
      return other.target.kind == effect.target.kind && other.target.var == effect.target.var &&
             other.target.index == effect.target.index;
    });
    if (!known) action.assigns.push_back(effect);
  }
}

}  // namespace cohort::frontend::c::lower
