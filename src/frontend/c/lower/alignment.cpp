// Objects have addresses here, one after the other, each a multiple of 8; in C they have others.  What a program finds
// out from the low bits of one (`(uintptr_t)p % 8`, `& 1`, `& ~7`) is right where the type of the object promises as
// much: its alignment is the size of its largest scalar, and that of allocated memory is at least 8.  Whoever looks at
// more is not modelled.  Which of two objects comes first, and what becomes of an address in other computations (a
// hash), is that of one layout, which the ledger says.
#include "frontend/c/lower/alignment.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/layout.hpp"
#include "frontend/c/lower/propagate.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using TypeKind = ir::Type::Kind;

namespace {

constexpr std::uint64_t best = 8;  // of the layout

class AddressLooks {
 public:
  AddressLooks(const Flat& flat, const PointsTo& points_to) : flat_(flat), points_to_(points_to) {}

  // The first thing that the node looks at and C does not promise.
  std::optional<std::string> find(const Node& node) {
    found_.reset();
    computes_ = false;
    if (node.has_term) visit(node.term);
    if (node.kind == Node::Kind::Spawn) visit(node.argument);
    if (node.has_number) visit(node.number);
    if (node.has_access) visit(flat_.access(node.access));
    return found_;
  }

  // Did that node compute with an address in another way?
  bool computes() const { return computes_; }

 private:
  void visit(const Access& access) {
    if (!access.inst) visit(access.pointer);
    for (const Index& index : access.indices) visit(index.term);
  }

  void visit(TermId id) {
    const Term& term = flat_.term(id);
    for (const TermId arg : term.args) visit(arg);
    if (term.op == Op::Load || term.op == Op::AddressOf) visit(flat_.access(term.access));
    switch (term.op) {
      case Op::Mod:
      case Op::BitAnd: return look(term);
      // What is left of an address in a narrower number is not followed.
      case Op::Cast: {
        const ir::Type& type = flat_.unit.type(term.type);
        const bool narrows = type.kind == TypeKind::Int && type.width < 64;
        computes_ = computes_ || (narrows && !objects(term.args[0]).empty());
        return;
      }
      case Op::Div:
      case Op::Mul:
      case Op::Shl:
      case Op::Shr: computes_ = computes_ || !objects(term.args[0]).empty(); return;
      case Op::Lt:
      case Op::Le:
      case Op::Gt:
      case Op::Ge: {
        std::set<InstId> both = objects(term.args[0]);
        both.merge(objects(term.args[1]));
        computes_ = computes_ || both.size() > 1;
        return;
      }
      default: return;
    }
  }

  // The objects whose addresses the value may be, or be made of; bytes of addresses are none.
  std::set<InstId> objects(TermId id) const {
    const Term& term = flat_.term(id);
    const ir::Type& type = flat_.unit.type(term.type);
    std::set<InstId> result;
    if (type.kind == TypeKind::Pointer || (term.op == Op::Load && type.kind == TypeKind::Int && type.width == 64)) {
      for (const Target& target : points_to_.targets(id)) {
        if (!target.function) result.insert(target.inst);
      }
      return result;
    }
    if (type.kind != TypeKind::Int || term.op == Op::PointerDiff || (term.op >= Op::Eq && term.op <= Op::Ge)) return {};
    for (const TermId arg : term.args) result.merge(objects(arg));
    return result;
  }

  void look(const Term& term) {
    for (const std::size_t side : {0, 1}) {
      if (side == 1 && term.op == Op::Mod) return;
      const std::set<InstId> addresses = objects(term.args[side]);
      if (addresses.empty()) continue;
      const auto other = number(flat_, term.args[1 - side]);
      const auto needed = other ? alignment_needed(term.op, static_cast<std::uint64_t>(*other)) : std::nullopt;
      if (!needed) {
        computes_ = true;
        continue;
      }
      for (const InstId id : addresses) {
        const std::uint64_t known = alignment(flat_.inst(id));
        if (known >= *needed || found_) continue;
        found_ = fmt::format("a look at the low bits of the address of {}, which is a multiple of {}",
                             flat_.inst(id).name, known);
      }
    }
  }

  // What the address must be a multiple of for the result to be the same for all addresses; none where the operation
  // is about more than its low bits.
  static std::optional<std::uint64_t> alignment_needed(Op op, std::uint64_t other) {
    constexpr std::uint64_t largest = 1U << 16;
    if (op == Op::Mod) return std::has_single_bit(other) && other <= largest ? std::optional(other) : std::nullopt;
    for (const std::uint64_t mask : {other, ~other}) {
      if (mask < largest) return mask == 0 ? std::uint64_t{1} : std::bit_floor(mask) * 2;
    }
    return std::nullopt;
  }

  std::uint64_t alignment(const Inst& inst) const {
    if (inst.kind == Inst::Kind::Heap) return best;
    if (inst.kind == Inst::Kind::Text) return 1;
    std::uint64_t result = 1;
    const std::uint64_t whole = size_of(flat_.unit, inst.type);
    for (const auto& [offset, type] : scalars_of(flat_.unit, inst.type)) {
      const std::uint64_t size = size_of(flat_.unit, type);
      COHORT_EXPECT(offset >= 0 && size > 0, "a scalar lies in its object");
      // In a packed record nothing is where its type wants it.
      if (static_cast<std::uint64_t>(offset) % size != 0 || whole % size != 0) return 1;
      result = std::max(result, std::min(size, best));
    }
    return result;
  }

  const Flat& flat_;
  const PointsTo& points_to_;
  std::optional<std::string> found_;
  bool computes_ = false;
};

}  // namespace

std::vector<std::string> cut_looks_at_addresses(Flat& flat, const PointsTo& points_to) {
  std::vector<std::string> notes;
  AddressLooks looks(flat, points_to);
  for (Body& body : flat.bodies) {
    for (Node& node : body.nodes) {
      poll(flat.options.env, "points-to");
      if (node.in_model) continue;
      const auto message = looks.find(node);
      if (!message && looks.computes() && notes.empty()) {
        const std::string place =
            node.span.known() ? fmt::format(" ({}:{})", node.span.file->name(), node.span.line) : "";
        notes.push_back("the numbers of addresses are those of one layout of the objects" + place);
      }
      if (!message) continue;
      node.kind = Node::Kind::Cut;
      node.message = *message;
      node.has_term = node.has_access = node.has_number = false;
      node.next.clear();
    }
  }
  return notes;
}

}  // namespace cohort::frontend::c::lower
