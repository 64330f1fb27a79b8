// How threads get their columns: the element that a new thread is given begins to be `taken`, a counter of creations
// says which element the k-th thread has, and accesses of the creator to an element that is taken become cuts.
#include <algorithm>

#include "base/contract.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/own_element.hpp"
#include "model/passes/cuts.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;

namespace {

// Puts the elements of new threads into their own objects and keeps the creator away from them.
class Separation {
 public:
  Separation(Flat& flat, Columns& columns, BodyId creator, BodyId routine, std::uint64_t capacity)
      : flat_(flat), columns_(columns), creator_(creator), routine_(routine), capacity_(capacity) {}

  std::vector<NodeId> run(const std::vector<NodeId>& sites, bool repeated, bool results_matter) {
    const std::set<InstId> aliases = aliases_of(flat_, flat_.bodies[routine_.value]);
    add_own_elements(flat_, columns_, routine_);
    use_own_elements(flat_, columns_, aliases, flat_.bodies[routine_.value], results_matter);
    flat_.initial.resize(flat_.insts.size());
    for (Column& column : columns_.columns) {
      for (const auto& [offset, field] : column.fields) {
        if (field.start) flat_.initial[column.own.value][offset] = flat_.constant(*field.start, field.type);
      }
      column.answer = bookkeeping("answer", flat_.inst(column.own).type);
    }
    columns_.taken = bookkeeping("taken", array_of(flat_.bool_type(), columns_.count + 1));
    columns_.slots = bookkeeping("slots", array_of(flat_.int_type(), capacity_ + 1));
    if (repeated) columns_.created = bookkeeping("elements given", flat_.int_type());
    for (const auto& [node, elements] : columns_.looks) watch(node, elements);
    std::vector<NodeId> result;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const auto choice = std::find_if(columns_.choices.begin(), columns_.choices.end(),
                                       [&](const SlotChoice& one) { return one.site == sites[i]; });
      COHORT_EXPECT(choice != columns_.choices.end(), "an element is chosen for each creation");
      result.push_back(give_element(*choice, i));
    }
    return result;
  }

 private:
  InstId bookkeeping(const char* name, ir::TypeId type) {
    return flat_.add(Inst{.name = name, .type = type, .kind = Inst::Kind::Static, .is_bookkeeping = true});
  }
  ir::TypeId array_of(ir::TypeId type, std::uint64_t count) {
    return flat_.unit.add_type({.kind = ir::Type::Kind::Array, .target = type, .count = count});
  }
  ir::TypeId long_type() { return flat_.unit.add_type({.kind = ir::Type::Kind::Int, .width = 64, .is_signed = true}); }
  TermId number_of(std::uint64_t value) { return flat_.constant(static_cast<std::int64_t>(value), long_type()); }
  TermId compare(Op op, TermId left, TermId right) {
    return fold(flat_, Term{.op = op, .type = flat_.int_type(), .args = {left, right}});
  }
  TermId value(const ElementNumber& element) {
    if (element.constant) return flat_.constant(*element.constant, long_type());
    return fold(flat_, Term{.op = Op::Cast, .type = long_type(), .args = {element.term}});
  }
  TermId is_element(TermId index) {
    return compare(Op::BitAnd, compare(Op::Ge, index, number_of(0)), compare(Op::Lt, index, number_of(columns_.count)));
  }
  AccessId element(InstId array, ir::TypeId type, TermId index) {
    return flat_.add(Access{.inst = array, .indices = {{index, size_of(flat_.unit, type), 0}}, .type = type});
  }

  Body& body() { return flat_.bodies[creator_.value]; }

  NodeId add(const Node& like, Node node) {
    node.span = like.span;
    node.text = like.text;
    node.call = like.call;
    node.statement = like.statement;
    node.atomic_group = like.atomic_group;
    node.in_model = like.in_model;
    node.is_atomic_access = true;
    body().nodes.push_back(std::move(node));
    return NodeId(body().nodes.size() - 1);
  }
  NodeId branch(const Node& like, TermId condition, NodeId yes, NodeId no) {
    return add(like, {.kind = Node::Kind::Branch, .has_term = true, .term = condition, .next = {yes, no}});
  }
  NodeId assign(const Node& like, AccessId access, TermId value, NodeId next) {
    return add(like, {.kind = Node::Kind::Assign,
                      .has_term = true,
                      .has_access = true,
                      .term = value,
                      .access = access,
                      .next = {next}});
  }
  NodeId cut(const Node& like, const char* what) {
    return add(like, {.kind = Node::Kind::Cut, .message = model::needed_switch_text(what, "--no-late-naming")});
  }
  // What leads to the node leads to `first` now.
  void put_before(NodeId node, NodeId first) {
    const Node like = body().nodes[node.value];
    Node skip{
        .kind = Node::Kind::Skip, .next = {first}, .statement = like.statement, .atomic_group = like.atomic_group};
    skip.span = like.span;
    skip.text = like.text;
    skip.call = like.call;
    skip.in_model = like.in_model;
    body().nodes[node.value] = std::move(skip);
  }
  NodeId move(NodeId node) {
    body().nodes.push_back(Node(body().nodes[node.value]));
    return NodeId(body().nodes.size() - 1);
  }

  void watch(NodeId node, const std::vector<ElementNumber>& elements) {
    const Node like = body().nodes[node.value];
    NodeId first = move(node);
    const NodeId stop = cut(like, "an access to what a thread works on that is not waited for");
    for (const ElementNumber& one : elements) {
      const TermId index = value(one);
      const TermId last = number_of(columns_.count);
      const TermId known =
          fold(flat_, Term{.op = Op::Conditional, .type = long_type(), .args = {is_element(index), index, last}});
      first = branch(like, flat_.load(element(columns_.taken, flat_.bool_type(), known)), stop, first);
    }
    put_before(node, first);
  }

  NodeId give_element(const SlotChoice& choice, std::size_t number) {
    Inst inst{
        .name = "element", .type = long_type(), .kind = Inst::Kind::Automatic, .body = creator_, .is_temporary = true};
    inst.is_bookkeeping = true;
    const AccessId chosen = flat_.whole(flat_.add(std::move(inst)));
    const Node like = body().nodes[choice.site.value];
    COHORT_EXPECT(like.kind == Node::Kind::Spawn, "elements are given to new threads");
    const NodeId moved = move(choice.site);
    const NodeId stop = cut(like, "threads that begin with different values, or share an element");
    const TermId index = flat_.load(chosen);
    NodeId first = moved;
    const TermId position = columns_.created ? flat_.load(flat_.whole(*columns_.created))
                                             : flat_.constant(static_cast<std::int64_t>(number), flat_.int_type());
    if (columns_.created) {
      const TermId more =
          fold(flat_,
               Term{.op = Op::Add, .type = flat_.int_type(), .args = {position, flat_.constant(1, flat_.int_type())}});
      first = assign(like, flat_.whole(*columns_.created), more, first);
    }
    const TermId as_int = fold(flat_, Term{.op = Op::Cast, .type = flat_.int_type(), .args = {index}});
    first = assign(like, element(columns_.slots, flat_.int_type(), position), as_int, first);
    first =
        assign(like, element(columns_.taken, flat_.bool_type(), index), flat_.constant(1, flat_.bool_type()), first);
    for (const Column& column : columns_.columns) {
      for (const auto& [offset, field] : column.fields) {
        if (!field.start) continue;
        const std::uint64_t stride = size_of(flat_.unit, flat_.inst(column.own).type);
        const AccessId cell = flat_.add(Access{
            .inst = column.array, .offset = offset, .indices = {{index, stride, columns_.count}}, .type = field.type});
        first = branch(like, compare(Op::Eq, flat_.load(cell), flat_.constant(*field.start, field.type)), first, stop);
      }
    }
    first = branch(like, flat_.load(element(columns_.taken, flat_.bool_type(), index)), stop, first);
    first = branch(like, is_element(index), first, stop);
    // What follows says itself that there are too many.
    const TermId followed =
        compare(Op::Lt, position, flat_.constant(static_cast<std::int64_t>(capacity_), flat_.int_type()));
    first = branch(like, followed, first, moved);
    if (choice.chosen == choice.site) {
      put_before(choice.site, assign(like, chosen, value(choice.element), first));
    } else {
      put_before(choice.site, first);
      Node& store = body().nodes[choice.chosen.value];
      const Node as = store;
      const NodeId kept = assign(as, chosen, value(choice.element), as.next[0]);
      body().nodes[choice.chosen.value].next = {kept};
    }
    return moved;
  }

  Flat& flat_;
  Columns& columns_;
  const BodyId creator_;
  const BodyId routine_;
  const std::uint64_t capacity_;
};

}  // namespace

std::vector<NodeId> separate_columns(Flat& flat, Columns& columns, BodyId creator, BodyId routine,
                                     const std::vector<NodeId>& sites, bool repeated, bool results_matter,
                                     std::uint64_t capacity) {
  return Separation(flat, columns, creator, routine, capacity).run(sites, repeated, results_matter);
}

}  // namespace cohort::frontend::c::lower
