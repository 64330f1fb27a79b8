// A pointer to a freed object is *stale*.  With an allocator that never gives an address out again, no stale pointer
// equals a pointer to a living object; with a real one it may, which is how a compare-and-exchange succeeds that should
// not (the ABA problem).
//
// An allocation therefore chooses: a new object, or any object of the same type that was freed, wherever it came from.
// That is done for an object only where it can be seen.  Let an execution use addresses again, and rename the objects
// so that none is handed out twice.  Up to the first step that depends on a stale pointer the renamed execution is one
// of the program: steps see addresses only by comparing them, by following them, and by making numbers of them.  To
// follow a stale pointer is undefined, and the renamed execution shows it, too: it is a fault where faults are looked
// for.  So an object is handed out again only if
//
//   1. it is freed somewhere, and
//   2. a pointer that may lead to it is compared with another that may lead to an object of its type, or becomes a
//      number.
//
// Objects of different types, and those whose size is known at run time only, do not share addresses.  In an object
// that is handed out again stands what stood there before, as allocators leave it, or zeros from calloc.  Both are said
// with the verdict.  (Any value would be allowed; whoever reads what nobody has written gets it from a new object.)
//
// Cost: one points-to analysis where something is freed; in the model, one Boolean for each such object.
#include "frontend/c/lower/reuse.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "frontend/c/lower/points_to.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using TypeKind = ir::Type::Kind;

namespace {

class Reuse {
 public:
  explicit Reuse(Flat& flat) : flat_(flat) {}

  void run() {
    find_types();
    if (types_.empty() || !frees()) return;
    find_reused();
    if (reused_.empty()) return;
    for (const InstId object : reused_) add_marks(object);
    const std::vector<Allocation> sites = flat_.allocations;
    for (const Allocation& site : sites) offer(site);
  }

 private:
  void find_types() {
    for (const Allocation& one : flat_.allocations) types_.emplace(one.object, one.type);
  }

  bool frees() const {
    return std::any_of(flat_.bodies.begin(), flat_.bodies.end(), [](const Body& body) {
      return std::any_of(body.nodes.begin(), body.nodes.end(),
                         [](const Node& node) { return node.kind == Node::Kind::Free; });
    });
  }

  bool same_type(InstId left, InstId right) const {
    return flat_.unit.type(types_.at(left)) == flat_.unit.type(types_.at(right));
  }

  // The allocated objects that the value may point to.
  std::set<InstId> objects(const PointsTo& points_to, TermId pointer) const {
    std::set<InstId> result;
    for (const Target& target : points_to.targets(pointer)) {
      if (!target.function && types_.contains(target.inst)) result.insert(target.inst);
    }
    return result;
  }

  void find_reused() {
    flat_.initial.resize(flat_.insts.size());
    const PointsTo points_to(flat_);
    std::set<InstId> freed;
    std::set<InstId> seen;
    std::set<TermId> visited;
    for (const Body& body : flat_.bodies) {
      for (const Node& node : body.nodes) {
        if (node.kind == Node::Kind::Free) freed.merge(objects(points_to, node.term));
        if (node.has_term) look(points_to, node.term, visited, seen);
        if (node.kind == Node::Kind::Spawn) look(points_to, node.argument, visited, seen);
        if (node.has_access) look(points_to, flat_.access(node.access), visited, seen);
      }
    }
    std::set_intersection(freed.begin(), freed.end(), seen.begin(), seen.end(),
                          std::inserter(reused_, reused_.begin()));
  }

  // Collects in `seen` the objects whose addresses the term compares or makes numbers of.
  void look(const PointsTo& points_to, TermId id, std::set<TermId>& visited, std::set<InstId>& seen) const {
    if (!visited.insert(id).second) return;
    const Term& term = flat_.term(id);
    for (const TermId arg : term.args) look(points_to, arg, visited, seen);
    if (term.op == Op::Load || term.op == Op::AddressOf) look(points_to, flat_.access(term.access), visited, seen);
    switch (term.op) {
      case Op::Eq:
      case Op::Ne:
      case Op::Lt:
      case Op::Le:
      case Op::Gt:
      case Op::Ge:
      case Op::PointerDiff: compare(objects(points_to, term.args[0]), objects(points_to, term.args[1]), seen); break;
      case Op::Cast: {
        const TypeKind to = flat_.unit.type(term.type).kind;
        const bool is_number = flat_.type_of(term.args[0]).kind == TypeKind::Pointer && to == TypeKind::Int;
        if (is_number) seen.merge(objects(points_to, term.args[0]));
        break;
      }
      default: break;
    }
  }

  void look(const PointsTo& points_to, const Access& access, std::set<TermId>& visited, std::set<InstId>& seen) const {
    if (!access.inst) look(points_to, access.pointer, visited, seen);
    for (const Index& index : access.indices) look(points_to, index.term, visited, seen);
  }

  void compare(const std::set<InstId>& left, const std::set<InstId>& right, std::set<InstId>& seen) const {
    for (const InstId one : left) {
      for (const InstId other : right) {
        if (!same_type(one, other)) continue;
        seen.insert(one);
        seen.insert(other);
      }
    }
  }

  std::uint64_t count(InstId object) const {
    const Inst& inst = flat_.inst(object);
    return inst.is_pool ? flat_.unit.type(inst.type).count : 1;
  }

  // Which of its objects have been freed.
  void add_marks(InstId object) {
    ir::TypeId type = flat_.bool_type();
    if (flat_.inst(object).is_pool)
      type = flat_.unit.add_type({.kind = TypeKind::Array, .target = type, .count = count(object)});
    const Inst& inst = flat_.inst(object);
    const InstId freed = flat_.add(Inst{.name = inst.name + " freed",
                                        .type = type,
                                        .kind = Inst::Kind::Static,
                                        .is_bookkeeping = true,
                                        .span = inst.span});
    flat_.insts[object.value].freed = freed;
  }

  AccessId mark(InstId object, std::uint64_t number) {
    const ir::TypeId type = flat_.bool_type();
    const auto offset = static_cast<std::int64_t>(number * size_of(flat_.unit, type));
    return flat_.add(Access{.inst = flat_.inst(object).freed, .offset = offset, .type = type});
  }

  TermId address(InstId object, std::uint64_t number, ir::TypeId type, ir::TypeId pointer) {
    std::uint64_t stride = 0;
    if (flat_.inst(object).is_pool) stride = size_of(flat_.unit, flat_.unit.type(flat_.inst(object).type).target);
    const auto offset = static_cast<std::int64_t>(number * stride);
    return flat_.address_of(flat_.add(Access{.inst = object, .offset = offset, .type = type}), pointer);
  }

  NodeId add(const Allocation& site, const Node& like, Node node) {
    node.span = like.span;
    node.text = like.text;
    node.call = like.call;
    node.statement = like.statement;
    node.is_atomic_access = true;
    auto& nodes = flat_.bodies[site.body.value].nodes;
    nodes.push_back(std::move(node));
    return NodeId(nodes.size() - 1);
  }

  NodeId assign(const Allocation& site, const Node& like, AccessId access, TermId value, NodeId next) {
    return add(site, like,
               {.kind = Node::Kind::Assign,
                .has_term = true,
                .has_access = true,
                .term = value,
                .access = access,
                .next = {next}});
  }

  // Before the allocation itself: may one of the freed objects do?
  void offer(const Allocation& site) {
    const Node like = flat_.bodies[site.body.value].nodes[site.site.value];
    const NodeId fresh = add(site, like, like);
    flat_.bodies[site.body.value].nodes[fresh.value] = like;
    const NodeId taken = add(site, like, {.kind = Node::Kind::AtomicEnd, .next = {site.next}});
    NodeId next = add(site, like, {.kind = Node::Kind::AtomicEnd, .next = {fresh}});
    for (const InstId object : reused_) {
      if (!same_type(object, site.object)) continue;
      for (std::uint64_t i = 0; i < count(object); ++i) next = alternative(site, like, object, i, taken, next);
    }
    Node begin{.kind = Node::Kind::AtomicBegin, .next = {next}};
    begin.span = like.span;
    begin.text = like.text;
    begin.call = like.call;
    begin.statement = like.statement;
    flat_.bodies[site.body.value].nodes[site.site.value] = std::move(begin);
  }

  NodeId alternative(const Allocation& site, const Node& like, InstId object, std::uint64_t number, NodeId taken,
                     NodeId other) {
    const ir::TypeId truth = flat_.bool_type();
    // Read first: new accesses move the others.
    const ir::TypeId pointer = flat_.access(site.result).type;
    const NodeId give = assign(site, like, site.result, address(object, number, site.type, pointer), taken);
    const auto names = [&](NodeId node) { flat_.bodies[site.body.value].nodes[node.value].hands_out = true; };
    names(give);
    // What malloc leaves as it is holds what was there before.
    NodeId renew = give;
    if (site.zeroed) {
      renew = add(site, like,
                  {.kind = Node::Kind::Declare, .zeroed = true, .element = number, .inst = object, .next = {give}});
      names(renew);
    }
    const NodeId take = assign(site, like, mark(object, number), flat_.constant(0, truth), renew);
    const TermId any = flat_.add(Term{.op = Op::Nondet, .type = truth});
    const TermId chosen = flat_.add(Term{
        .op = Op::BitAnd, .type = flat_.int_type(), .args = {as_int(any), as_int(flat_.load(mark(object, number)))}});
    return add(site, like, {.kind = Node::Kind::Branch, .has_term = true, .term = chosen, .next = {take, other}});
  }

  TermId as_int(TermId truth) { return flat_.add(Term{.op = Op::Cast, .type = flat_.int_type(), .args = {truth}}); }

  Flat& flat_;
  std::map<InstId, ir::TypeId> types_;  // of the objects of allocations
  std::set<InstId> reused_;
};

}  // namespace

void allow_reuse(Flat& flat) {
  Reuse(flat).run();
}

}  // namespace cohort::frontend::c::lower
