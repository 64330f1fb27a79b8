// memcpy, memmove and memset of regions whose scalars are known become assignments, scalar by scalar; everything else
// is left to the models of the library, which go byte by byte.  Which scalars a region consists of is read off the
// object if the call names it, and off the types of the pointers before they were cast otherwise.  That is only a
// question of cost: an access that does not fit the scalars of its object is taken apart where it is resolved.
#include <algorithm>

#include "base/contract.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/inline.hpp"
#include "frontend/c/lower/layout.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using TypeKind = ir::Type::Kind;

namespace {

constexpr std::size_t most_scalars = 256;

// Has a value of this type scalars that could be copied?
bool has_scalars(const ir::Unit& unit, ir::TypeId id) {
  const TypeKind kind = unit.type(id).kind;
  return kind != TypeKind::Void && kind != TypeKind::Function && kind != TypeKind::Unsupported && size_of(unit, id) > 0;
}

// A scalar each of whose bytes is this one; of a bit-field only its own bits count, which may begin inside of a byte.
std::int64_t filled(const ir::Type& type, unsigned bits, unsigned shift, std::uint8_t byte) {
  COHORT_EXPECT(shift < 8, "a bit-field begins in one of the bits of a byte");
  const std::uint64_t all = std::uint64_t{0x0101010101010101} * byte;
  if (bits == 0) return convert(type, static_cast<std::int64_t>(all));
  const std::uint64_t own = shift == 0 ? all : all >> shift | all << (64 - shift);
  if (type.kind != TypeKind::Int) return static_cast<std::int64_t>(own & 1);
  ir::Type narrow = type;
  narrow.width = bits;
  return convert(narrow, static_cast<std::int64_t>(own));
}

}  // namespace

// The scalars of the object that the call names, if the region begins and ends with some of them.
std::optional<std::vector<Inliner::Leaf>> Inliner::named_region(TermId pointer, std::uint64_t size) const {
  const Term& term = flat_.term(pointer);
  if (term.op != Op::AddressOf) return std::nullopt;
  const Access& access = flat_.access(term.access);
  if (!access.inst || !access.indices.empty() || access.offset < 0) return std::nullopt;
  const ir::TypeId type = flat_.inst(*access.inst).type;
  const auto end = access.offset + static_cast<std::int64_t>(size);
  if (end > static_cast<std::int64_t>(size_of(flat_.unit, type))) return std::nullopt;
  std::vector<Leaf> all;
  collect_leaves(type, 0, all, true);
  std::vector<Leaf> inside;
  for (const Leaf& leaf : all) {
    const auto leaf_end = leaf.offset + static_cast<std::int64_t>(size_of(flat_.unit, leaf.type));
    if (leaf_end <= access.offset || end <= leaf.offset) continue;
    if (leaf.offset < access.offset || end < leaf_end) return std::nullopt;
    inside.push_back({leaf.offset - access.offset, leaf.type, leaf.bits, leaf.shift});
  }
  return inside;
}

// The scalars of as many elements as the region has room for, of the type that the pointer had before it was cast.
std::optional<std::vector<Inliner::Leaf>> Inliner::typed_region(ir::ExprId given, std::uint64_t size) const {
  while (flat_.unit.expr(given).op == Op::Cast) given = flat_.unit.expr(given).args[0];
  const ir::Type& pointer = flat_.unit.type(flat_.unit.expr(given).type);
  if (pointer.kind != TypeKind::Pointer || !has_scalars(flat_.unit, pointer.target)) return std::nullopt;
  const std::uint64_t element = size_of(flat_.unit, pointer.target);
  if (size % element != 0 || size / element > most_scalars) return std::nullopt;
  std::vector<Leaf> leaves;
  for (std::uint64_t at = 0; at < size; at += element) {
    collect_leaves(pointer.target, static_cast<std::int64_t>(at), leaves, true);
  }
  return leaves;
}

std::optional<std::vector<Inliner::Leaf>> Inliner::region(const ir::Node& node, const std::vector<TermId>& args,
                                                          std::size_t pointers, std::uint64_t size) const {
  std::optional<std::vector<Leaf>> best;
  const auto consider = [&](std::optional<std::vector<Leaf>> leaves) {
    if (!leaves || leaves->empty() || leaves->size() > most_scalars) return;
    if (!best || leaves->size() < best->size()) best = std::move(leaves);
  };
  for (std::size_t i = 0; i < pointers; ++i) consider(named_region(args[i], size));
  for (std::size_t i = 0; i < pointers && !best; ++i) consider(typed_region(node.args[i], size));
  for (std::size_t i = 1; i < pointers; ++i) consider(typed_region(node.args[i], size));
  return best;
}

std::optional<NodeId> Inliner::copy_memory(Frame& frame, const ir::Node& node, const std::string& name,
                                           const std::vector<TermId>& args, NodeId next) {
  const auto call = ir::memory_call(name);
  const bool reads = call == ir::MemoryCall::Read;
  const std::size_t wanted = reads ? 2 : 3;
  if (!call || args.size() != wanted || node.args.size() != wanted) return std::nullopt;
  const bool sets = *call == ir::MemoryCall::Set;
  const auto size = number(flat_, args.back());
  const auto byte = sets ? number(flat_, args[1]) : std::optional<std::int64_t>(0);
  if (!size || *size <= 0 || !byte) return std::nullopt;
  const auto leaves = region(node, args, sets || reads ? 1U : 2U, static_cast<std::uint64_t>(*size));
  if (!leaves) return std::nullopt;
  Saved saved;
  std::vector<TermId> pointers;
  for (const TermId arg : args) pointers.push_back(computed_once(node, arg, saved));
  const auto part = [&](TermId pointer, const Leaf& leaf) {
    const bool is_bit_field = leaf.bits > 0;
    return fold(
        flat_,
        Access{.pointer = pointer, .offset = leaf.offset, .type = not_atomic(leaf.type), .is_bit_field = is_bit_field});
  };
  if (reads) {
    for (auto leaf = leaves->rbegin(); leaf != leaves->rend(); ++leaf) {
      const InstId seen = new_temporary("read", leaf->type, node);
      next = assign(frame, node, flat_.whole(seen), flat_.load(part(pointers[0], *leaf)), next);
    }
    return save(frame, node, saved, next);
  }
  next = set_result(frame, node, pointers[0], next);
  // What memmove moves may overlap: all of it is read before anything is written.
  std::vector<std::pair<InstId, TermId>> moved;
  for (auto leaf = leaves->rbegin(); leaf != leaves->rend(); ++leaf) {
    TermId value = sets ? flat_.constant(filled(flat_.unit.type(leaf->type), leaf->bits, leaf->shift,
                                                static_cast<std::uint8_t>(*byte)),
                                         leaf->type)
                        : flat_.load(part(pointers[1], *leaf));
    if (*call == ir::MemoryCall::Move && leaves->size() > 1) {
      moved.emplace_back(new_temporary("moved", leaf->type, node), value);
      value = flat_.load(flat_.whole(moved.back().first));
    }
    next = assign(frame, node, part(pointers[0], *leaf), value, next);
  }
  for (const auto& [copy, value] : moved) next = assign(frame, node, flat_.whole(copy), value, next);
  return save(frame, node, saved, next);
}

}  // namespace cohort::frontend::c::lower
