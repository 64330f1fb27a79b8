// Everybody keeps handles in an array, creates threads from its first element on, and waits for them from its first
// element on.  Such handles need no memory: the j-th wait is for the j-th handle, so handles that are waited for
// differ, and all that a wait asks is whether one more thread of the group has ended than have been waited for.  How
// large the array is, and whether that is known, makes no difference then.
//
// Whether a program does that is found out by following the creator with two counters in mind, of its creations c and
// of its waits w.  Of each scalar of its own is known, at each node, by how much it differs from c and from w, or that
// it is an address (an object or allocation, and an element by its difference from c and w), the newest handle, or what
// was in the element.  Required:
// - each handle is stored before the next creation, wait or look, in element c - 1 of one array (or one field of its
//   elements), which is allocated once and does not begin to live again;
// - what is taken out of the array comes from element w, and is waited for before the next wait and not otherwise used;
// - nobody else gets at these elements, and copies of handles do nothing but be stored there or be waited for, where it
//   is certain that they are copies.
// So element j holds the handle of creation j, if j < c.  Whoever looks at a later one finds what was never stored
// there: the look is a cut then.
//
// Cost: each node is visited a few times for each variable that holds something known; programs that wait in another
// order (or with faults and races, where the loads themselves matter) keep their handles.
#include "frontend/c/lower/handle_rows.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/thread_groups.hpp"
#include "frontend/c/lower/threads.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;

namespace {

// What is known of a number: its value, and what is left when creations or waits so far are taken away.
struct Number {
  std::optional<std::int64_t> value{};
  std::optional<std::int64_t> from_created{};
  std::optional<std::int64_t> from_waited{};

  bool operator==(const Number&) const = default;

  bool is_known() const { return value || from_created || from_waited; }

  Number moved(std::int64_t by) const {
    const auto move = [&](const std::optional<std::int64_t>& part) {
      std::optional<std::int64_t> result;
      std::int64_t sum = 0;
      if (part && !__builtin_add_overflow(*part, by, &sum)) result = sum;
      return result;
    };
    return {move(value), move(from_created), move(from_waited)};
  }

  Number meet(const Number& other) const {
    const auto same = [](const auto& left, const auto& right) { return left == right ? left : std::nullopt; };
    return {same(value, other.value), same(from_created, other.from_created), same(from_waited, other.from_waited)};
  }
};

using Root = std::variant<InstId, NodeId>;  // an object, or where it is allocated

// Elements of an array, or a field of each: `stride` is 0 for an object that is no array.
struct Cells {
  Root root;
  std::int64_t offset = 0;
  std::uint64_t stride = 0;

  bool operator==(const Cells&) const = default;
};

struct Address {
  Cells cells;
  Number index;

  bool operator==(const Address&) const = default;
};

// The handle that was created last.
struct Fresh {
  bool operator==(const Fresh&) const = default;
};

// What an element holds.
struct Taken {
  Address from;

  bool operator==(const Taken&) const = default;
};

using Value = std::variant<std::monostate, Number, Address, Fresh, Taken>;  // the first: anything

bool is_handle(const Value& value) {
  return std::holds_alternative<Fresh>(value) || std::holds_alternative<Taken>(value);
}

bool is_null(const Value& value) {
  const Number* number = std::get_if<Number>(&value);
  return number != nullptr && number->value == 0;
}

Value meet(const Value& left, const Value& right) {
  if (left == right) return left;
  if (const auto* a = std::get_if<Number>(&left)) {
    if (const auto* b = std::get_if<Number>(&right)) {
      const Number both = a->meet(*b);
      if (both.is_known()) return both;
    }
  }
  const auto common = [](const Address* a, const Address* b) -> std::optional<Address> {
    if (a == nullptr || b == nullptr || a->cells != b->cells) return std::nullopt;
    const Number index = a->index.meet(b->index);
    return index.is_known() ? std::optional(Address{a->cells, index}) : std::nullopt;
  };
  if (const auto both = common(std::get_if<Address>(&left), std::get_if<Address>(&right))) return *both;
  const auto* a = std::get_if<Taken>(&left);
  const auto* b = std::get_if<Taken>(&right);
  if (a != nullptr && b != nullptr) {
    if (const auto both = common(&a->from, &b->from)) return Taken{*both};
  }
  return {};
}

// What is known when a node is come to.
struct Knowledge {
  std::map<InstId, Value> values{};  // what is missing may be anything
  std::optional<std::int64_t> created = 0;
  std::optional<std::int64_t> waited = 0;
  bool is_unstored = false;  // the newest handle, on some way

  bool operator==(const Knowledge&) const = default;

  Knowledge meet(const Knowledge& other) const {
    Knowledge both;
    for (const auto& [inst, value] : values) {
      const auto found = other.values.find(inst);
      if (found == other.values.end()) continue;
      Value common = lower::meet(value, found->second);
      if (!std::holds_alternative<std::monostate>(common)) both.values.emplace(inst, std::move(common));
    }
    both.created = created == other.created ? created : std::nullopt;
    both.waited = waited == other.waited ? waited : std::nullopt;
    both.is_unstored = is_unstored || other.is_unstored;
    return both;
  }

  void set(InstId inst, Value value) {
    if (std::holds_alternative<std::monostate>(value)) {
      values.erase(inst);
    } else {
      values.insert_or_assign(inst, std::move(value));
    }
  }

  Number constant(std::int64_t value) const {
    Number number{.value = value};
    if (created) number.from_created = value - *created;
    if (waited) number.from_waited = value - *waited;
    return number;
  }

  template <class Change>
  void change_numbers(Change&& change) {
    for (auto& [inst, value] : values) {
      if (auto* number = std::get_if<Number>(&value)) change(*number);
      if (auto* address = std::get_if<Address>(&value)) change(address->index);
      if (auto* taken = std::get_if<Taken>(&value)) change(taken->from.index);
    }
  }

  void create() {
    if (created) ++*created;
    is_unstored = true;
    change_numbers([](Number& number) { number.from_created = number.moved(-1).from_created; });
    std::erase_if(values, [](const auto& entry) { return std::holds_alternative<Fresh>(entry.second); });
  }

  void wait() {
    if (waited) ++*waited;
    change_numbers([](Number& number) { number.from_waited = number.moved(-1).from_waited; });
  }
};

class RowFinder {
 public:
  RowFinder(const Flat& flat, const Flat& resolved, const PointsTo& points_to, const Sharing& sharing,
            const ThreadTable& table, BodyId creator, const std::vector<NodeId>& sites)
      : flat_(flat),
        resolved_(resolved),
        points_to_(points_to),
        sharing_(sharing),
        table_(table),
        creator_(creator),
        body_(flat.bodies[creator.value]),
        resolved_body_(resolved.bodies[creator.value]),
        sites_(sites.begin(), sites.end()),
        loops_(nodes_in_loops(body_)) {}

  std::optional<HandleRow> run() {
    if (body_.has_async || !table_.finished) return std::nullopt;
    // Which array it is must be known before waits can be counted.
    follow();
    find_stores();
    if (!row_ || !is_row_) return std::nullopt;
    follow();
    const std::set<NodeId> before = std::exchange(stores_, {});
    find_stores();
    COHORT_EXPECT(stores_ == before, "waits change nothing about where new handles are stored");
    find_holders();
    for (std::size_t i = 0; is_row_ && i < body_.nodes.size(); ++i) {
      // Where the analysis comes to no creation or wait, nothing is known of it.
      const bool counts = sites_.contains(NodeId(i)) || awaited_handle(flat_, body_.nodes[i], table_);
      if (!before_[i] && counts) return std::nullopt;
      if (before_[i]) check(NodeId(i));
    }
    if (!is_row_ || found_.waits.empty() || !is_left_alone()) return std::nullopt;
    for (const NodeId store : stores_) found_.stores.push_back({store, room(flat_.access(node(store).access))});
    return std::move(found_);
  }

 private:
  const Node& node(NodeId id) const { return body_.nodes[id.value]; }

  // May only this analysis' own nodes change the object?
  bool is_followed(InstId inst) const {
    return is_scalar(flat_.unit.type(flat_.inst(inst).type)) && sharing_.owner(inst) == creator_;
  }

  static std::optional<Address> step(Address from, std::uint64_t stride, const Value& by) {
    const auto* number = std::get_if<Number>(&by);
    if (number == nullptr || stride == 0) return std::nullopt;
    if (from.cells.stride != 0 && from.cells.stride != stride) return std::nullopt;
    if (!from.index.value && !number->value) return std::nullopt;
    from.cells.stride = stride;
    from.index = number->value ? from.index.moved(*number->value) : number->moved(*from.index.value);
    if (!from.index.is_known()) return std::nullopt;
    return from;
  }

  std::optional<Address> address(const Access& access, const Knowledge& known) const {
    Address result;
    if (access.inst) {
      result = {.cells = {.root = *access.inst}, .index = known.constant(0)};
    } else {
      const Value pointer = value(access.pointer, known);
      const auto* held = std::get_if<Address>(&pointer);
      if (held == nullptr) return std::nullopt;
      result = *held;
    }
    result.cells.offset += access.offset;
    for (const Index& index : access.indices) {
      const auto stepped = step(result, index.stride, value(index.term, known));
      if (!stepped) return std::nullopt;
      result = *stepped;
    }
    // What lies before an element or behind it belongs to another.
    if (const auto stride = static_cast<std::int64_t>(result.cells.stride); stride != 0) {
      std::int64_t inside = result.cells.offset % stride;
      if (inside < 0) inside += stride;
      result.index = result.index.moved((result.cells.offset - inside) / stride);
      result.cells.offset = inside;
    }
    return result;
  }

  // The scalar of the creator that the address is that of, if it is one.
  std::optional<InstId> scalar_at(const Address& at, const Access& access) const {
    const auto* inst = std::get_if<InstId>(&at.cells.root);
    if (inst == nullptr || at.cells.offset != 0 || at.index.value != 0 || !is_followed(*inst)) return std::nullopt;
    if (size_of(flat_.unit, access.type) != size_of(flat_.unit, flat_.inst(*inst).type)) return std::nullopt;
    return *inst;
  }

  // A pointer to the first element is one to an array of what its type says, but for bytes and `void`.
  Value typed(Value value, ir::TypeId id) const {
    const ir::Type& type = flat_.unit.type(id);
    auto* address = std::get_if<Address>(&value);
    if (address == nullptr || address->cells.stride != 0 || type.kind != ir::Type::Kind::Pointer) return value;
    const std::uint64_t size = size_of(flat_.unit, type.target);
    if (size > 1) address->cells.stride = size;
    return value;
  }

  Value cast(Value value, const ir::Type& from, ir::TypeId to) const {
    const ir::Type& type = flat_.unit.type(to);
    const auto keeps = [](const ir::Type& one) {
      return !one.is_float && (one.kind == ir::Type::Kind::Int || one.kind == ir::Type::Kind::Pointer);
    };
    if (!keeps(from) || !keeps(type) || size_of(flat_.unit, to) < sizeof(int)) return {};
    const auto* number = std::get_if<Number>(&value);
    if (number != nullptr && number->value && convert(type, *number->value) != *number->value) return {};
    return typed(std::move(value), to);
  }

  Value value(TermId id, const Knowledge& known) const {
    const Term& term = flat_.term(id);
    switch (term.op) {
      case Op::Const: return known.constant(term.value);
      case Op::Load: return loaded(flat_.access(term.access), known);
      case Op::AddressOf: {
        const auto at = address(flat_.access(term.access), known);
        return at ? typed(*at, term.type) : Value();
      }
      case Op::Cast: return cast(value(term.args[0], known), flat_.unit.type(flat_.term(term.args[0]).type), term.type);
      case Op::Add:
      case Op::Sub: return sum(term, known);
      case Op::PointerAdd: {
        const Value from = value(term.args[0], known);
        const auto* pointer = std::get_if<Address>(&from);
        if (pointer == nullptr) return {};
        const auto at =
            step(*pointer, size_of(flat_.unit, flat_.unit.type(term.type).target), value(term.args[1], known));
        return at ? Value(*at) : Value();
      }
      default: return {};
    }
  }

  Value loaded(const Access& access, const Knowledge& known) const {
    const auto at = address(access, known);
    if (!at) return {};
    if (const auto inst = scalar_at(*at, access)) {
      const auto found = known.values.find(*inst);
      return found == known.values.end() ? Value() : found->second;
    }
    return at->cells.stride != 0 ? Value(Taken{*at}) : Value();
  }

  Value sum(const Term& term, const Knowledge& known) const {
    if (size_of(flat_.unit, term.type) < sizeof(int)) return {};
    const Value left = value(term.args[0], known);
    const Value right = value(term.args[1], known);
    const auto* a = std::get_if<Number>(&left);
    const auto* b = std::get_if<Number>(&right);
    if (a == nullptr || b == nullptr) return {};
    if (b->value && *b->value != INT64_MIN) return a->moved(term.op == Op::Add ? *b->value : -*b->value);
    return term.op == Op::Add && a->value ? Value(b->moved(*a->value)) : Value();
  }

  bool is_wait(const Node& node, const Knowledge& known) const {
    const auto handle = awaited_handle(flat_, node, table_);
    return handle && concerns_row(value(*handle, known));
  }

  // Which way a branch goes, where that is known.  The address of an object is not NULL.
  std::optional<bool> decided(TermId id, const Knowledge& known) const {
    const Term& term = flat_.term(id);
    if (term.op == Op::LogicalNot || term.op == Op::Eq || term.op == Op::Ne) {
      if (term.op != Op::LogicalNot && !is_null(value(term.args[1], known))) return std::nullopt;
      const auto truth = decided(term.args[0], known);
      return truth ? std::optional(*truth == (term.op == Op::Ne)) : std::nullopt;
    }
    const Value held = value(id, known);
    if (std::holds_alternative<Address>(held)) return true;
    const auto* number = std::get_if<Number>(&held);
    return number != nullptr && number->value ? std::optional(*number->value != 0) : std::nullopt;
  }

  std::vector<NodeId> next(NodeId id, const Knowledge& known) const {
    const Node& at = node(id);
    if (at.kind == Node::Kind::Branch) {
      if (const auto truth = decided(at.term, known)) return {at.next[*truth ? 0 : 1]};
    }
    return at.next;
  }

  Knowledge after(NodeId id, Knowledge known) const {
    const Node& at = node(id);
    switch (at.kind) {
      case Node::Kind::Assign: assign(id, known, value(at.term, known)); break;
      case Node::Kind::Declare:
        known.set(at.inst, at.zeroed && is_followed(at.inst) ? Value(known.constant(0)) : Value());
        break;
      case Node::Kind::Allocate: {
        const Address result{.cells = {.root = id}, .index = known.constant(0)};
        assign(id, known, loops_[id.value] ? Value() : Value(result));
        break;
      }
      case Node::Kind::Spawn:
        if (sites_.contains(id)) known.create();
        if (at.has_access) assign(id, known, sites_.contains(id) ? Value(Fresh{}) : Value());
        break;
      case Node::Kind::AtomicBegin:
        if (is_wait(at, known)) known.wait();
        break;
      case Node::Kind::Havoc: known.values.clear(); break;
      default: break;
    }
    return known;
  }

  void assign(NodeId id, Knowledge& known, Value value) const {
    const AccessId access = node(id).access;
    if (const auto at = address(flat_.access(access), known)) {
      if (const auto inst = scalar_at(*at, flat_.access(access))) {
        known.set(*inst, std::move(value));
        return;
      }
      if (at->cells.stride != 0 && std::holds_alternative<Fresh>(value)) known.is_unstored = false;
    }
    const Node& twin = resolved_body_.nodes[id.value];
    if (!twin.has_access) {
      known.values.clear();
      return;
    }
    for (const Target& place : points_to_.places(twin.access)) {
      if (!place.function) known.values.erase(place.inst);
    }
  }

  void follow() {
    before_.assign(body_.nodes.size(), std::nullopt);
    before_[body_.entry.value] = Knowledge{};
    std::set<NodeId> pending{body_.entry};
    while (!pending.empty()) {
      poll(flat_.options.env, "handle-rows");
      const NodeId id = *pending.begin();
      pending.erase(pending.begin());
      const Knowledge known = after(id, *before_[id.value]);
      for (const NodeId to : next(id, known)) {
        auto& there = before_[to.value];
        Knowledge both = there ? there->meet(known) : known;
        if (there && *there == both) continue;
        there = std::move(both);
        pending.insert(to);
      }
    }
  }

  // The array that new handles go to.
  void find_stores() {
    for (std::size_t i = 0; i < body_.nodes.size(); ++i) {
      const Node& at = body_.nodes[i];
      if (!before_[i] || at.kind != Node::Kind::Assign) continue;
      if (!std::holds_alternative<Fresh>(value(at.term, *before_[i]))) continue;
      const auto to = address(flat_.access(at.access), *before_[i]);
      if (to && scalar_at(*to, flat_.access(at.access))) continue;
      if (!to || to->cells.stride == 0 || to->index.from_created != -1 || (row_ && *row_ != to->cells)) {
        is_row_ = false;
        return;
      }
      row_ = to->cells;
      handle_bytes_ = static_cast<std::int64_t>(size_of(flat_.unit, flat_.access(at.access).type));
      stores_.insert(NodeId(i));
    }
  }

  // The scalars that copies of handles go to.
  void find_holders() {
    for (std::size_t i = 0; i < body_.nodes.size(); ++i) {
      const Node& at = body_.nodes[i];
      if (!before_[i] || !at.has_access) continue;
      const bool creates = at.kind == Node::Kind::Spawn && sites_.contains(NodeId(i));
      const bool copies = at.kind == Node::Kind::Assign && concerns_row(value(at.term, *before_[i]));
      if (!creates && !copies) continue;
      const auto to = address(flat_.access(at.access), *before_[i]);
      if (const auto inst = to ? scalar_at(*to, flat_.access(at.access)) : std::nullopt) holders_.insert(*inst);
    }
  }

  // How many elements the row has, where that is a constant.
  std::optional<std::int64_t> room(const Access& handle) const {
    const auto* object = std::get_if<InstId>(&row_->root);
    const auto bytes = object != nullptr
                           ? std::optional(static_cast<std::int64_t>(size_of(flat_.unit, flat_.inst(*object).type)))
                           : number(flat_, node(std::get<NodeId>(row_->root)).term);
    if (!bytes) return std::nullopt;
    const auto behind = *bytes - row_->offset - static_cast<std::int64_t>(size_of(flat_.unit, handle.type));
    return behind < 0 ? 0 : behind / static_cast<std::int64_t>(row_->stride) + 1;
  }

  // Is the value of the term the copy of a handle, and the term no more than that?
  bool is_copy(TermId id, const Knowledge& known) const {
    const Term& term = flat_.term(id);
    if (term.op == Op::Cast) return is_copy(term.args[0], known);
    return term.op == Op::Load && is_handle(value(id, known));
  }

  // No part of the term reads a handle of the row, or what may be a copy of one.
  bool reads_none(TermId id, const Knowledge& known) const {
    bool none = true;
    for_each_access(flat_, id, [&](AccessId access, bool is_load) {
      if (is_load) none = none && !may_be_handle(flat_.access(access), known);
    });
    return none;
  }

  bool may_be_handle(const Access& access, const Knowledge& known) const {
    const Value held = loaded(access, known);
    if (!std::holds_alternative<std::monostate>(held)) return concerns_row(held);
    const auto at = address(access, known);
    const auto inst = at ? scalar_at(*at, access) : std::nullopt;
    return inst && holders_.contains(*inst);
  }

  bool concerns_row(const Value& value) const {
    if (std::holds_alternative<Fresh>(value)) return true;
    const auto* taken = std::get_if<Taken>(&value);
    return taken != nullptr && row_ && taken->from.cells == *row_;
  }

  bool place_reads_none(const Node& at, const Knowledge& known) const {
    if (!at.has_access) return true;
    const Access& access = flat_.access(at.access);
    return (access.inst || reads_none(access.pointer, known)) &&
           std::all_of(access.indices.begin(), access.indices.end(),
                       [&](const Index& index) { return reads_none(index.term, known); });
  }

  void check(NodeId id) {
    const Node& at = node(id);
    const Knowledge& known = *before_[id.value];
    is_row_ = place_reads_none(at, known);
    if (!is_row_) return;
    if (at.kind == Node::Kind::Spawn) {
      const bool is_ready = !sites_.contains(id) || !known.is_unstored;
      is_row_ = is_ready && reads_none(at.term, known) && reads_none(at.argument, known);
      return;
    }
    if (at.kind == Node::Kind::Declare && row_ && row_->root == Root(at.inst)) {
      is_row_ = known.created == 0;
      return;
    }
    if (at.kind == Node::Kind::Havoc) {
      is_row_ = false;
      return;
    }
    if (!at.has_term) return;
    if (const auto handle = awaited_handle(flat_, at, table_)) {
      check_wait(id, *handle, known);
      return;
    }
    if (reads_none(at.term, known)) return;
    is_row_ = at.kind == Node::Kind::Assign && is_copy(at.term, known);
    if (is_row_) check_copy(id, known);
  }

  void check_wait(NodeId id, TermId handle, const Knowledge& known) {
    const Value awaited = value(handle, known);
    if (concerns_row(awaited)) {
      const auto* taken = std::get_if<Taken>(&awaited);
      is_row_ = taken != nullptr && taken->from.index.from_waited == 0 && is_copy(handle, known) && !known.is_unstored;
      if (is_row_) found_.waits.push_back(id);
    } else {
      // Others are counted by nobody here.
      is_row_ = reads_none(handle, known) && !std::holds_alternative<Taken>(awaited);
    }
  }

  // A handle that is copied goes from the creation to the row, or from the row to a wait.
  void check_copy(NodeId id, const Knowledge& known) {
    const Node& at = node(id);
    const Access& target = flat_.access(at.access);
    const auto to = address(target, known);
    const auto inst = to ? scalar_at(*to, target) : std::nullopt;
    is_row_ = inst || stores_.contains(id);
    if (!is_row_) return;
    const TermId source = source_of(at.term);
    const auto from = address(flat_.access(flat_.term(source).access), known);
    if (!from || from->cells.stride == 0) return;
    const auto index = index_of(flat_.access(flat_.term(source).access));
    if (!inst || !index || from->index.from_waited != 0 || known.is_unstored) {
      is_row_ = false;
      return;
    }
    const Value written = value(*index, known);
    const auto* number = std::get_if<Number>(&written);
    is_row_ = number != nullptr && number->from_waited;
    if (is_row_) found_.looks.push_back({id, *index, -*number->from_waited});
  }

  TermId source_of(TermId id) const {
    while (flat_.term(id).op == Op::Cast) id = flat_.term(id).args[0];
    return id;
  }

  // The number of the element, where it is written at the access itself.
  std::optional<TermId> index_of(const Access& access) const {
    if (access.indices.size() == 1) return access.indices[0].term;
    if (access.inst || !access.indices.empty()) return std::nullopt;
    const Term& pointer = flat_.term(source_of(access.pointer));
    if (pointer.op != Op::PointerAdd) return std::nullopt;
    return pointer.args[1];
  }

  // Does nobody but the nodes that were found get at the row, or at copies of handles?
  bool is_left_alone() {
    std::set<Target> places;
    for (const NodeId store : stores_) {
      const auto of = points_to_.places(resolved_body_.nodes[store.value].access);
      places.insert(of.begin(), of.end());
    }
    for (const InstId holder : holders_) places.insert({.inst = holder});
    std::set<NodeId> own = stores_;
    own.insert(found_.waits.begin(), found_.waits.end());
    for (const HandleRow::Look& look : found_.looks) own.insert(look.node);
    for (std::size_t i = 0; i < resolved_.bodies.size(); ++i) {
      const std::size_t count = flat_.bodies[i].nodes.size();
      for (std::size_t j = 0; j < count; ++j) {
        poll(flat_.options.env, "handle-rows");
        const bool is_own = BodyId(i) == creator_ && (own.contains(NodeId(j)) || (before_[j] && is_exact(NodeId(j))));
        if (!is_own && touches(resolved_.bodies[i].nodes[j], places)) return false;
      }
    }
    return true;
  }

  // Does the node access, besides objects that nothing points to, only what it was found to access?
  bool is_exact(NodeId id) const {
    const Node& at = node(id);
    const Knowledge& known = *before_[id.value];
    const auto exact = [&](AccessId of) {
      const Access& access = flat_.access(of);
      const auto to = address(access, known);
      return to && scalar_at(*to, access).has_value();
    };
    bool result = !at.has_access || exact(at.access);
    for_each_access(flat_, at, [&](AccessId access, bool is_load) { result = result && (!is_load || exact(access)); });
    return result;
  }

  bool touches(const Node& node, const std::set<Target>& places) const {
    const auto meets = [&](AccessId access) {
      const auto bytes = static_cast<std::int64_t>(size_of(flat_.unit, resolved_.access(access).type));
      for (const Target& place : points_to_.places(access)) {
        const auto overlaps = [&](const Target& other) {
          return !place.function && place.inst == other.inst && place.offset < other.offset + handle_bytes_ &&
                 other.offset < place.offset + bytes;
        };
        if (std::any_of(places.begin(), places.end(), overlaps)) return true;
      }
      return false;
    };
    if (node.kind == Node::Kind::Havoc) {
      const std::set<InstId> written = points_to_.reachable(node.term);
      return std::any_of(places.begin(), places.end(),
                         [&](const Target& place) { return written.contains(place.inst); });
    }
    bool result = node.has_access && meets(node.access);
    for_each_access(resolved_, node,
                    [&](AccessId access, bool is_load) { result = result || (is_load && meets(access)); });
    return result;
  }

  const Flat& flat_;
  const Flat& resolved_;
  const PointsTo& points_to_;
  const Sharing& sharing_;
  const ThreadTable& table_;
  const BodyId creator_;
  const Body& body_;
  const Body& resolved_body_;
  const std::set<NodeId> sites_;
  const std::vector<bool> loops_;
  std::vector<std::optional<Knowledge>> before_;
  std::set<NodeId> stores_;   // of new handles in the row
  std::set<InstId> holders_;  // of copies of handles
  std::optional<Cells> row_;
  std::int64_t handle_bytes_ = 0;
  bool is_row_ = true;
  HandleRow found_;
};

}  // namespace

std::optional<HandleRow> find_row(const Flat& flat, const Flat& resolved, const PointsTo& points_to,
                                  const Sharing& sharing, const ThreadTable& table, BodyId creator,
                                  const std::vector<NodeId>& sites) {
  COHORT_EXPECT(!sites.empty(), "threads of a group are created somewhere");
  return RowFinder(flat, resolved, points_to, sharing, table, creator, sites).run();
}

}  // namespace cohort::frontend::c::lower
