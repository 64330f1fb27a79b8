// Reading and writing what an access leads to: a scalar, some bits of one, or pieces of several side by side.
#pragma once

#include <optional>

#include "frontend/c/lower/resolve.hpp"

namespace cohort::frontend::c::lower {

class Cells {
 public:
  Cells(Flat& flat, Layout& layout, Memory& memory, model::Program& program)
      : flat_(flat), layout_(layout), memory_(memory), program_(program) {}

  model::ExprId read(const Variable& variable, std::optional<model::ExprId> index) const;
  // The scalar that the piece is a part of.
  model::ExprId read(const Piece& piece) const { return read(memory_.variable(piece.group), piece.index); }
  // What the spot holds; what is above its bits is cut off by the type of the access.
  model::ExprId read(const Spot& spot, Expressions& expressions) const;
  // The same for a spot of one piece, where its scalar has this value.
  model::ExprId part(const Spot& spot, model::ExprId cell, Expressions& expressions) const;
  // The piece's scalar once its bits are those of the value.
  model::ExprId with_piece(const Piece& piece, model::ExprId cell, model::ExprId value, Expressions& expressions) const;
  // Are the piece's bits all that its scalar has?
  bool fills_scalar(const Piece& piece) const;

  // What happens to memory when the object, or one of a pool, begins to live: nothing in it is written, or all is zero.
  void begin_life(InstId inst, std::uint64_t element, bool zeroed, model::Action& action) const;

  // Neighbouring bit-fields lie in the same bytes.  Adds to the first action that the neighbours of the piece are
  // looked at, and to the second, which stores the piece, that they are stored again; false where no other thread could
  // tell.
  bool keep_neighbours(BodyId body, const Piece& piece, const std::vector<GroupId>& neighbours, model::Action& look,
                       model::Action& store) const;

  // What the action stores anyway is not stored for the sake of a read before it.
  static void add_effects(const std::vector<model::Assign>& effects, model::Action& action);

  static model::LValue target(const Variable& variable, std::optional<model::ExprId> index);

 private:
  model::ExprId bits_of(const Piece& piece, bool is_only, model::ExprId cell, Expressions& expressions) const;

  Flat& flat_;
  Layout& layout_;
  Memory& memory_;
  model::Program& program_;
};

}  // namespace cohort::frontend::c::lower
