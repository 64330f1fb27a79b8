// An object that is on the stack of each of many threads, and that others can reach through a pointer, cannot be a
// local variable of the model.  Threads are numbered then, and the object becomes an array, of which each thread has
// the element with its number: numbers are given once, so an element has one owner, and its address stays what it was.
//
// The array starts unwritten.  A second life of the object in the same thread (a declaration in a loop) finds what the
// first has left there, as it does on a real stack.
#include "frontend/c/lower/spread.hpp"

#include "base/contract.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/heap.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;

namespace {

class Spreading {
 public:
  Spreading(Flat& flat, const std::set<InstId>& objects, std::uint64_t threads)
      : flat_(flat), objects_(objects), threads_(threads) {}

  void run() {
    for (Body& body : flat_.bodies) {
      if (body.parameter && objects_.contains(*body.parameter)) receive(body);
    }
    for (const InstId object : objects_) widen(object);
    for (Body& body : flat_.bodies) {
      for (Node& node : body.nodes) rewrite_node(node);
    }
  }

 private:
  // The argument arrives in a variable of its own and is copied to the object.
  void receive(Body& body) {
    const InstId object = *body.parameter;
    COHORT_EXPECT(body.entry.value < body.nodes.size(), "the body begins at one of its nodes");
    Inst copy = flat_.inst(object);
    copy.object.reset();
    body.parameter = flat_.add(std::move(copy));
    flat_.initial.resize(flat_.insts.size());
    Node store = body.nodes[body.entry.value];
    store = {.kind = Node::Kind::Assign,
             .has_term = true,
             .has_access = true,
             .term = flat_.load(flat_.whole(*body.parameter)),
             .access = flat_.whole(object),
             .next = {body.entry},
             .span = store.span,
             .text = store.text,
             .call = store.call};
    body.nodes.push_back(std::move(store));
    body.entry = NodeId(body.nodes.size() - 1);
  }

  void widen(InstId object) {
    const Inst before = flat_.inst(object);
    const auto& number = flat_.bodies[before.body.value].number;
    COHORT_EXPECT(number, "threads are numbered where objects are spread");
    const ir::TypeId element = padded(flat_, before.type);
    const std::uint64_t stride = size_of(flat_.unit, element);
    index_[object] = {flat_.load(flat_.whole(*number)), stride, threads_};
    Inst& inst = flat_.insts[object.value];
    inst.type = flat_.unit.add_type({.kind = ir::Type::Kind::Array, .target = element, .count = threads_});
    inst.kind = Inst::Kind::Static;
    inst.starts_unknown = before.kind == Inst::Kind::Automatic && !before.ends;
    inst.object.reset();
    inst.is_readonly = false;  // its initialisers come again, in each thread
    if (object.value >= flat_.initial.size()) return;
    const std::map<std::int64_t, TermId> values = flat_.initial[object.value];
    for (std::uint64_t i = 1; i < threads_; ++i) {
      for (const auto& [offset, value] : values) {
        flat_.initial[object.value][offset + static_cast<std::int64_t>(i * stride)] = value;
      }
    }
  }

  void rewrite_node(Node& node) {
    if (node.kind == Node::Kind::Declare && objects_.contains(node.inst)) {
      node = {.kind = Node::Kind::Skip, .next = node.next, .span = node.span, .text = node.text, .call = node.call};
      return;
    }
    if (node.has_term) node.term = spread(node.term);
    if (node.kind == Node::Kind::Spawn) node.argument = spread(node.argument);
    if (node.has_number) node.number = spread(node.number);
    if (node.has_access) node.access = spread(node.access);
  }

  TermId spread(TermId id) {
    Term term = flat_.term(id);
    for (TermId& arg : term.args) arg = spread(arg);
    if (term.op == Op::Load || term.op == Op::AddressOf) term.access = spread(term.access);
    return term.op == Op::Load ? flat_.add(std::move(term)) : fold(flat_, std::move(term));
  }

  AccessId spread(AccessId id) {
    Access access = flat_.access(id);
    if (!access.inst) access.pointer = spread(access.pointer);
    for (Index& index : access.indices) index.term = spread(index.term);
    if (access.inst && objects_.contains(*access.inst)) {
      access.indices.insert(access.indices.begin(), index_.at(*access.inst));
    }
    return fold(flat_, std::move(access));
  }

  Flat& flat_;
  const std::set<InstId>& objects_;
  const std::uint64_t threads_;
  std::map<InstId, Index> index_;
};

}  // namespace

void spread_objects(Flat& flat, const std::set<InstId>& objects, std::uint64_t threads) {
  COHORT_EXPECT(threads > 0, "there is an element for some thread");
  Spreading(flat, objects, threads).run();
}

}  // namespace cohort::frontend::c::lower
