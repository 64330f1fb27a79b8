// An allocation that is executed once is an object like any other.  One in a loop, or in a routine that many threads
// run, hands out the elements of an array one by one; an execution that would need more of them is cut.  What is freed
// stays where it is and can be recognised; where somebody could tell, it is handed out again (reuse.hpp).
//
// What malloc returns has no type.  The type of the object is that of the pointers its address is stored in: of
// several, the largest record, else the largest scalar.  Where there is more room than for one record and not for
// several, what follows the record is its flexible array, or else bytes.  Where the size is not a constant, the object
// is an array of a fixed number of elements, of which only as many exist as were asked for; an execution that asks for
// more is cut.  The type is a question of cost only: what does not fit it is taken apart (resolve.cpp).
// One that nobody reads (handles of threads that nobody waits for) needs no elements at all: where neither faults nor
// races are looked for, stores to it are left out.
#include "frontend/c/lower/heap.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/points_to.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/threads.hpp"
#include "model/passes/cuts.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using TypeKind = ir::Type::Kind;

namespace {

// Follows the address of a new object through copies and collects the types it is seen with.
class TypeFinder {
 public:
  explicit TypeFinder(const Flat& flat) : flat_(flat) {}

  std::optional<ir::TypeId> type_of(const Access& result) {
    see(result.type);
    if (result.inst) holders_.insert(*result.inst);
    for (bool changed = result.inst.has_value(); changed;) {
      const std::size_t before = holders_.size();
      for (const Body& body : flat_.bodies) {
        for (const Node& node : body.nodes) visit(node);
      }
      changed = holders_.size() != before;
    }
    return best_;
  }

 private:
  void visit(const Node& node) {
    if (node.has_term) look(node.term);
    if (node.has_access && !flat_.access(node.access).inst) look(flat_.access(node.access).pointer);
    if (node.kind != Node::Kind::Assign || !holds(node.term)) return;
    const Access& target = flat_.access(node.access);
    see(target.type);
    if (target.inst && target.indices.empty() && target.offset == 0) holders_.insert(*target.inst);
  }

  // Is the value of the term the address, perhaps cast?
  bool holds(TermId id) const {
    const Term& term = flat_.term(id);
    if (term.op == Op::Cast) return holds(term.args[0]);
    if (term.op != Op::Load) return false;
    const Access& access = flat_.access(term.access);
    return access.inst && access.indices.empty() && access.offset == 0 && holders_.contains(*access.inst);
  }

  void look(TermId id) {
    const Term& term = flat_.term(id);
    if (holds(id)) see(term.type);
    for (const TermId arg : term.args) look(arg);
    if (term.op != Op::Load && term.op != Op::AddressOf) return;
    const Access& access = flat_.access(term.access);
    if (!access.inst) look(access.pointer);
    for (const Index& index : access.indices) look(index.term);
  }

  void see(ir::TypeId pointer) {
    const ir::Type& type = flat_.unit.type(pointer);
    if (type.kind != TypeKind::Pointer) return;
    const ir::Type& target = flat_.unit.type(type.target);
    if (target.kind == TypeKind::Void || target.kind == TypeKind::Function) return;
    if (target.kind == TypeKind::Unsupported || size_of(flat_.unit, type.target) == 0) return;
    if (!best_ || rank(type.target) > rank(*best_)) best_ = type.target;
  }

  std::pair<bool, std::uint64_t> rank(ir::TypeId id) const {
    return {flat_.unit.type(id).kind == TypeKind::Record, size_of(flat_.unit, id)};
  }

  const Flat& flat_;
  std::set<InstId> holders_;
  std::optional<ir::TypeId> best_;
};

constexpr std::int64_t most_bytes = std::int64_t{1} << 20;  // of one allocation

class Pools {
 public:
  explicit Pools(Flat& flat) : flat_(flat), many_(bodies_of_many(flat)) {}

  using Site = std::pair<std::size_t, NodeId>;

  // The objects of allocations whose size is known at run time only.
  const std::map<Site, InstId>& open_objects() const { return open_objects_; }

  void run() {
    for (std::size_t i = 0; i < flat_.bodies.size(); ++i) {
      const std::vector<bool> loops = nodes_in_loops(flat_.bodies[i]);
      for (std::size_t j = 0; j < loops.size(); ++j) {
        if (flat_.bodies[i].nodes[j].kind == Node::Kind::Allocate) resolve(i, NodeId(j), loops[j] || many_[i]);
      }
    }
  }

 private:
  void resolve(std::size_t body, NodeId id, bool repeated) {
    const Node node = flat_.bodies[body].nodes[id.value];
    COHORT_EXPECT(node.kind == Node::Kind::Allocate && node.next.size() == 1, "an allocation goes on");
    const auto size = number(flat_, node.term);
    if (size && (*size < 0 || *size > most_bytes)) {
      Node cut{.kind = Node::Kind::Cut, .message = fmt::format("an allocation of more than {} bytes", most_bytes)};
      copy_place(node, cut);
      flat_.bodies[body].nodes[id.value] = std::move(cut);
      return;
    }
    if (size) {
      const ir::TypeId object = object_type(node, static_cast<std::uint64_t>(*size));
      allocate(body, id, node, object, repeated);
      flat_.allocations.push_back({BodyId(body), id, node.next[0], node.access, last_object_, object, node.zeroed});
      return;
    }
    const std::uint64_t count = flat_.options.heap_array;
    const ir::TypeId element = element_type(node);
    const std::uint64_t tail = tail_offset(element);
    const bool has_tail = tail > 0 && constant_part(node.term) >= static_cast<std::int64_t>(tail);
    const ir::TypeId type = has_tail
                                ? with_tail(element, tail + count * std::max<std::uint64_t>(tail_element(element), 8))
                                : flat_.unit.add_type({.kind = TypeKind::Array, .target = element, .count = count});
    const auto most = static_cast<std::int64_t>(size_of(flat_.unit, type));
    const TermId limit = flat_.constant(most, flat_.term(node.term).type);
    const NodeId inner = add(body, node, node);
    allocate(body, inner, node, type, repeated);
    open_objects_[{body, id}] = last_object_;
    const NodeId cut = add(body, node,
                           {.kind = Node::Kind::Cut,
                            .message = model::exceeded_bound_text(
                                fmt::format("an allocation of more than {} elements, or of no fixed size", count),
                                "--heap-array", count)});
    Node check{.kind = Node::Kind::Branch,
               .has_term = true,
               .term = flat_.add(Term{.op = Op::Le, .type = flat_.int_type(), .args = {node.term, limit}}),
               .next = {inner, cut}};
    copy_place(node, check);
    flat_.bodies[body].nodes[id.value] = std::move(check);
  }

  void allocate(std::size_t body, NodeId id, const Node& node, ir::TypeId type, bool repeated) {
    if (repeated) return hand_out(body, id, node, type);
    const InstId inst = new_object(node, type);
    // Read first: the new access may move the others.
    const ir::TypeId pointer = flat_.access(node.access).type;
    const TermId address = flat_.address_of(flat_.whole(inst), pointer);
    if (is_fixed(node)) return put(body, id, node, node.access, address, node.next[0]);
    const InstId extent = new_extent(inst, node, flat_.term(node.term).type);
    const NodeId second = add(body, node, node);
    put(body, second, node, node.access, address, node.next[0]);
    put(body, id, node, flat_.whole(extent), node.term, second);
  }

  // An object of no bytes has one that nobody may access.
  bool is_fixed(const Node& node) const { return number(flat_, node.term).value_or(0) != 0; }

  InstId new_extent(InstId inst, const Node& node, ir::TypeId type) {
    const InstId extent = flat_.add(
        Inst{.name = flat_.inst(inst).name + " size", .type = type, .kind = Inst::Kind::Static, .span = node.span});
    COHORT_EXPECT(!flat_.inst(inst).extent && flat_.inst(inst).kind == Inst::Kind::Heap,
                  "an object on the heap has one size");
    flat_.insts[inst.value].extent = extent;
    return extent;
  }

  ir::TypeId element_type(const Node& node) {
    return TypeFinder(flat_).type_of(flat_.access(node.access)).value_or(character());
  }

  ir::TypeId object_type(const Node& node, std::uint64_t size) {
    ir::TypeId element = element_type(node);
    const std::uint64_t one = size_of(flat_.unit, element);
    const std::uint64_t tail = tail_offset(element);
    if (tail > 0 && size > tail && (size % one != 0 || tail_element(element) > 0)) return with_tail(element, size);
    if (one > size || size % one != 0) element = character();
    const std::uint64_t count = size / size_of(flat_.unit, element);
    if (count == 1) return element;
    return flat_.unit.add_type(
        {.kind = TypeKind::Array, .target = element, .count = std::max<std::uint64_t>(count, 1)});
  }

  ir::TypeId character() { return flat_.unit.add_type({.kind = TypeKind::Int, .width = 8, .is_signed = true}); }

  const ir::Field* flexible_member(ir::TypeId id) const {
    const ir::Type& type = flat_.unit.type(id);
    if (type.kind != TypeKind::Record || flat_.unit.record(type.record).is_union) return nullptr;
    const auto& fields = flat_.unit.record(type.record).fields;
    if (fields.empty()) return nullptr;
    const ir::Type& last = flat_.unit.type(fields.back().type);
    return last.kind == TypeKind::Array && last.count == 0 ? &fields.back() : nullptr;
  }

  // Where what follows a record begins: with its flexible array, or behind it; 0 where it is no record.
  std::uint64_t tail_offset(ir::TypeId id) const {
    if (const ir::Field* flexible = flexible_member(id)) return flexible->offset;
    return flat_.unit.type(id).kind == TypeKind::Record ? size_of(flat_.unit, id) : 0;
  }

  // The size of the elements of its flexible array; 0 where there is none.
  std::uint64_t tail_element(ir::TypeId id) const {
    const ir::Field* flexible = flexible_member(id);
    return flexible == nullptr ? 0 : size_of(flat_.unit, flat_.unit.type(flexible->type).target);
  }

  // The record with the rest of `size` bytes behind it.
  ir::TypeId with_tail(ir::TypeId id, std::uint64_t size) {
    const std::uint64_t offset = tail_offset(id);
    ir::Record record{.name = "allocation", .size = size};
    ir::TypeId element = character();
    if (const ir::Field* flexible = flexible_member(id)) {
      record.fields = flat_.unit.record(flat_.unit.type(id).record).fields;
      record.fields.pop_back();
      element = flat_.unit.type(flexible->type).target;
    } else {
      record.fields.push_back({"", id, 0});
    }
    COHORT_EXPECT(offset <= size, "what follows a record lies behind it");
    const std::uint64_t count = (size - offset) / std::max<std::uint64_t>(size_of(flat_.unit, element), 1);
    const ir::TypeId rest = flat_.unit.add_type({.kind = TypeKind::Array, .target = element, .count = count});
    if (count > 0) record.fields.push_back({"tail", rest, offset});
    flat_.unit.records.push_back(std::move(record));
    return flat_.unit.add_type({.kind = TypeKind::Record, .record = ir::RecordId(flat_.unit.records.size() - 1)});
  }

  // The sum of the constants in a sum, also in one that a variable was given.
  std::int64_t constant_part(TermId id, int depth = 0) const {
    constexpr int deepest = 8;
    const Term& term = flat_.term(id);
    if (term.op == Op::Const) return term.value;
    if (depth > deepest) return 0;
    if (term.op == Op::Cast) return constant_part(term.args[0], depth + 1);
    if (term.op == Op::Add) return constant_part(term.args[0], depth + 1) + constant_part(term.args[1], depth + 1);
    const auto given = term.op == Op::Load ? only_value(flat_.access(term.access)) : std::nullopt;
    return given ? constant_part(*given, depth + 1) : 0;
  }

  // What the one assignment to a variable gives it.
  std::optional<TermId> only_value(const Access& variable) const {
    std::optional<TermId> value;
    if (!variable.inst || !variable.indices.empty()) return std::nullopt;
    for (const Body& body : flat_.bodies) {
      for (const Node& node : body.nodes) {
        if (node.kind != Node::Kind::Assign || flat_.access(node.access).inst != variable.inst) continue;
        if (value) return std::nullopt;
        value = node.term;
      }
    }
    return value;
  }

  // Objects of the heap have no names in C: readers know them by what they are.
  std::string name_of(ir::TypeId id) const {
    const ir::Type& type = flat_.unit.type(id);
    if (type.kind == TypeKind::Array) return name_of(type.target);
    if (type.kind != TypeKind::Record) return "heap";
    const ir::Record& record = flat_.unit.record(type.record);
    if (record.is_slot) return name_of(record.fields.front().type);
    return record.is_library || record.name.empty() ? "heap" : record.name;
  }

  InstId new_object(const Node& node, ir::TypeId type) {
    last_object_ = flat_.add(Inst{.name = fmt::format("{}{}", name_of(type), ++objects_),
                                  .type = type,
                                  .kind = Inst::Kind::Heap,
                                  .starts_unknown = !node.zeroed,
                                  .span = node.span});
    return last_object_;
  }

  void put(std::size_t body, NodeId id, const Node& like, AccessId access, TermId value, NodeId next) {
    Node assign{.kind = Node::Kind::Assign,
                .has_term = true,
                .has_access = true,
                .term = value,
                .access = access,
                .next = {next},
                .hands_out = true};
    copy_place(like, assign);
    flat_.bodies[body].nodes[id.value] = std::move(assign);
  }

  static void copy_place(const Node& from, Node& to) {
    to.span = from.span;
    to.text = from.text;
    to.call = from.call;
    to.statement = from.statement;
    to.is_atomic_access = true;
  }

  NodeId add(std::size_t body, const Node& like, Node node) {
    copy_place(like, node);
    flat_.bodies[body].nodes.push_back(std::move(node));
    return NodeId(flat_.bodies[body].nodes.size() - 1);
  }

  void hand_out(std::size_t body, NodeId id, const Node& node, ir::TypeId type) {
    const std::uint64_t count = flat_.options.heap_pool;
    const ir::TypeId element = padded(flat_, type);
    const InstId pool =
        new_object(node, flat_.unit.add_type({.kind = TypeKind::Array, .target = element, .count = count}));
    flat_.insts[pool.value].is_pool = true;
    const InstId counter = flat_.add(Inst{.name = flat_.inst(pool).name + " handed out",
                                          .type = flat_.int_type(),
                                          .kind = Inst::Kind::Static,
                                          .is_bookkeeping = true,
                                          .span = node.span});
    const TermId used = flat_.load(flat_.whole(counter));
    const auto sum = [&](Op op, std::int64_t value) {
      return flat_.add(
          Term{.op = op, .type = flat_.int_type(), .args = {used, flat_.constant(value, flat_.int_type())}});
    };
    const auto assign = [&](AccessId access, TermId value, NodeId next) {
      return add(body, node,
                 {.kind = Node::Kind::Assign,
                  .has_term = true,
                  .has_access = true,
                  .term = value,
                  .access = access,
                  .next = {next}});
    };
    const NodeId end = add(body, node, {.kind = Node::Kind::AtomicEnd, .next = node.next});
    const NodeId more = assign(flat_.whole(counter), sum(Op::Add, 1), end);
    const Index index{used, size_of(flat_.unit, element), count};
    const AccessId object = flat_.add(Access{.inst = pool, .indices = {index}, .type = type});
    NodeId take = assign(node.access, flat_.address_of(object, flat_.access(node.access).type), more);
    flat_.bodies[body].nodes[take.value].hands_out = true;
    if (!is_fixed(node)) {
      const ir::TypeId size = flat_.term(node.term).type;
      const InstId extent =
          new_extent(pool, node, flat_.unit.add_type({.kind = TypeKind::Array, .target = size, .count = count}));
      const Index own{used, size_of(flat_.unit, size), count};
      take = assign(flat_.add(Access{.inst = extent, .indices = {own}, .type = size}), node.term, take);
    }
    const NodeId cut = add(body, node,
                           {.kind = Node::Kind::Cut,
                            .message = model::exceeded_bound_text(
                                fmt::format("more than {} objects allocated here", count), "--heap-pool", count)});
    const NodeId check = add(body, node,
                             {.kind = Node::Kind::Branch,
                              .has_term = true,
                              .term = sum(Op::Lt, static_cast<std::int64_t>(count)),
                              .next = {take, cut}});
    Node begin{.kind = Node::Kind::AtomicBegin, .next = {check}};
    copy_place(node, begin);
    flat_.bodies[body].nodes[id.value] = std::move(begin);
  }

  Flat& flat_;
  const std::vector<bool> many_;
  std::size_t objects_ = 0;
  InstId last_object_{};
  std::map<Site, InstId> open_objects_;
};

// Leaves out what is stored in objects of open size that nobody reads, and lets them have one byte.
class UnreadArrays {
 public:
  explicit UnreadArrays(Flat& flat) : flat_(flat), resolved_(flat) {}

  void run() {
    Pools pools(resolved_);
    pools.run();
    if (pools.open_objects().empty()) return;
    resolved_.initial.resize(resolved_.insts.size());
    const PointsTo points_to(resolved_);
    std::set<InstId> unread;
    for (const auto& [site, object] : pools.open_objects()) {
      if (!matters(flat_, flat_.bodies[site.first].nodes[site.second.value].term)) unread.insert(object);
    }
    while (keep_unread(points_to, unread)) continue;
    for (std::size_t i = 0; i < flat_.bodies.size(); ++i) {
      for (std::size_t j = 0; j < flat_.bodies[i].nodes.size(); ++j) {
        Node& node = flat_.bodies[i].nodes[j];
        if (stores(points_to, unread, resolved_.bodies[i].nodes[j])) {
          node = {.kind = Node::Kind::Skip, .next = node.next, .statement = node.statement, .span = node.span};
        }
      }
    }
    for (const auto& [site, object] : pools.open_objects()) {
      Node& node = flat_.bodies[site.first].nodes[site.second.value];
      if (unread.contains(object)) node.term = flat_.constant(1, flat_.term(node.term).type);
    }
  }

 private:
  static bool meets(const std::set<Target>& places, const std::set<InstId>& objects) {
    return std::any_of(places.begin(), places.end(),
                       [&](const Target& place) { return !place.function && objects.contains(place.inst); });
  }

  // Is it a store to such objects and to nothing else, whose value and place can be forgotten?
  bool stores(const PointsTo& points_to, const std::set<InstId>& unread, const Node& node) const {
    if (node.kind != Node::Kind::Assign || matters(resolved_, node.term)) return false;
    const std::set<Target> places = points_to.places(node.access);
    return !places.empty() && std::all_of(places.begin(), places.end(), [&](const Target& place) {
      return !place.function && unread.contains(place.inst);
    });
  }

  // Takes out objects that somebody may read, or store to together with others; false when there are none.
  bool keep_unread(const PointsTo& points_to, std::set<InstId>& unread) const {
    const std::size_t before = unread.size();
    const auto drop = [&](const std::set<Target>& places) {
      for (const Target& place : places) {
        if (!place.function) unread.erase(place.inst);
      }
    };
    for (const Body& body : resolved_.bodies) {
      for (const Node& node : body.nodes) {
        for_each_access(resolved_, node, [&](AccessId access, bool is_load) {
          if (is_load) drop(points_to.places(access));
        });
        if (node.kind == Node::Kind::Havoc) {
          for (const InstId inst : points_to.reachable(node.term)) unread.erase(inst);
        }
        if (!node.has_access) continue;
        const std::set<Target> places = points_to.places(node.access);
        if (meets(places, unread) && !stores(points_to, unread, node)) drop(places);
      }
    }
    return unread.size() != before;
  }

  Flat& flat_;
  Flat resolved_;
};

}  // namespace

ir::TypeId padded(Flat& flat, ir::TypeId type) {
  const std::uint64_t size = (size_of(flat.unit, type) / 8 + 1) * 8;
  COHORT_EXPECT(size > size_of(flat.unit, type), "there is a gap behind the object");
  flat.unit.records.push_back({.name = "pool", .is_slot = true, .size = size, .fields = {{"", type, 0}}});
  return flat.unit.add_type({.kind = TypeKind::Record, .record = ir::RecordId(flat.unit.records.size() - 1)});
}

void resolve_allocations(Flat& flat) {
  if (!flat.options.asks_for(Wrong::Fault) && !flat.options.asks_for(Wrong::Race)) UnreadArrays(flat).run();
  Pools(flat).run();
}

}  // namespace cohort::frontend::c::lower
