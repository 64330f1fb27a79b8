// Conditional constant propagation (Wegman and Zadeck), on the flat graphs and optimistic across threads: what a start
// routine is given is the meet over all reachable places that start it.  Only scalars that no pointer can reach are
// followed: automatic and thread-local objects whose address is never taken and that no other body names.  Since an
// access through a known address becomes a direct one, each round takes away reasons for an object's address to be
// taken, and the rounds go on while that helps.
//
// A missing entry of an environment means "any value"; an unreached node has no environment.  Environments only shrink,
// so the work is bounded by nodes times constants.
#include "frontend/c/lower/propagate.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/layout.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;

namespace {

using Environment = std::map<std::pair<InstId, std::int64_t>, TermId>;

class Propagation {
 public:
  Propagation(Flat& flat, const FixedCells& fixed) : flat_(flat), fixed_(fixed), seen_(seen_by_others(flat)) {
    for (const Body& body : flat.bodies) {
      before_.emplace_back(body.nodes.size());
      COHORT_EXPECT(body.entry.value < body.nodes.size(), "a body begins at one of its nodes");
      pending_.emplace_back();
    }
  }

  void run() {
    for (std::size_t i = 0; i < flat_.bodies.size(); ++i) {
      if (flat_.bodies[i].is_main) enter(BodyId(i), initial_environment(BodyId(i)));
    }
    solve();
    for (std::size_t i = 0; i < flat_.bodies.size(); ++i) rewrite_body(BodyId(i));
  }

 private:
  bool is_tracked(InstId inst) const {
    const Inst::Kind kind = flat_.inst(inst).kind;
    return (kind == Inst::Kind::Automatic || kind == Inst::Kind::Thread) && !seen_[inst.value];
  }

  Environment initial_environment(BodyId body) const {
    Environment result;
    for (std::size_t i = 0; i < flat_.insts.size(); ++i) {
      const Inst& inst = flat_.insts[i];
      if (inst.kind != Inst::Kind::Thread || inst.body != body || seen_[i]) continue;
      if (i < flat_.initial.size()) {
        for (const auto& [offset, value] : flat_.initial[i]) result[{InstId(i), offset}] = value;
      }
      if (is_scalar(flat_.unit.type(inst.type)) && !result.contains({InstId(i), 0})) {
        result[{InstId(i), 0}] = flat_.constant(0, inst.type);
      }
    }
    return result;
  }

  bool same(TermId left, TermId right) const {
    return left == right || equal_constants(flat_, left, right).value_or(false);
  }

  // Keeps what both agree on; says whether `into` changed.
  bool meet(Environment& into, const Environment& other) const {
    const std::size_t before = into.size();
    std::erase_if(into, [&](const auto& entry) {
      const auto found = other.find(entry.first);
      return found == other.end() || !same(entry.second, found->second);
    });
    return into.size() != before;
  }

  void flow(BodyId body, NodeId to, const Environment& environment) {
    auto& known = before_[body.value][to.value];
    if (!known) {
      known = environment;
    } else if (!meet(*known, environment)) {
      return;
    }
    pending_[body.value].insert(to);
  }

  void enter(BodyId body, const Environment& environment) { flow(body, flat_.bodies[body.value].entry, environment); }

  void solve() {
    for (bool busy = true; busy;) {
      busy = false;
      for (std::size_t i = 0; i < pending_.size(); ++i) {
        while (!pending_[i].empty()) {
          busy = true;
          poll(flat_.options.env, "propagate");
          const NodeId node = *pending_[i].begin();
          pending_[i].erase(pending_[i].begin());
          execute(BodyId(i), node);
        }
      }
    }
  }

  TermId evaluate(TermId id, const Environment& environment) {
    return rewrite(flat_, id, [&](Term term) { return read(std::move(term), environment); });
  }

  AccessId evaluate(AccessId id, const Environment& environment) {
    return rewrite(flat_, id, [&](Term term) { return read(std::move(term), environment); });
  }

  TermId read(Term term, const Environment& environment) {
    const Access access = flat_.access(term.access);
    // Bit-fields have bytes of their own here: what is known of them says nothing about the bytes they have in C.
    const bool is_plain =
        access.inst && access.is_bit_field == is_bit_field_at(flat_.unit, flat_.inst(*access.inst).type, access.offset);
    if (is_plain && access.indices.empty()) {
      if (const auto value = fixed_(*access.inst, access.offset, access.type)) return *value;
      const auto known = environment.find({*access.inst, access.offset});
      if (known != environment.end()) {
        const std::uint64_t size = size_of(flat_.unit, flat_.term(known->second).type);
        if (size == size_of(flat_.unit, term.type)) {
          return fold(flat_, Term{.op = Op::Cast, .type = term.type, .args = {known->second}});
        }
      }
    }
    return flat_.add(std::move(term));
  }

  void forget(Environment& environment, InstId inst) const {
    std::erase_if(environment, [&](const auto& entry) { return entry.first.first == inst; });
  }

  void write(Environment& environment, AccessId id, std::optional<TermId> value) const {
    const Access& access = flat_.access(id);
    if (!access.inst || !is_tracked(*access.inst)) return;
    if (!access.indices.empty()) return forget(environment, *access.inst);
    const auto size = static_cast<std::int64_t>(size_of(flat_.unit, access.type));
    COHORT_EXPECT(size > 0, "what is stored has a size");
    std::erase_if(environment, [&](const auto& entry) {
      if (entry.first.first != *access.inst) return false;
      const auto other = static_cast<std::int64_t>(size_of(flat_.unit, flat_.term(entry.second).type));
      return entry.first.second < access.offset + size && access.offset < entry.first.second + other;
    });
    COHORT_EXPECT(!value || flat_.term(*value).type.value < flat_.unit.types.size(), "a value has a type");
    if (value && is_constant(flat_, *value)) environment[{*access.inst, access.offset}] = *value;
  }

  void execute(BodyId body, NodeId id) {
    const Node node = flat_.bodies[body.value].nodes[id.value];
    COHORT_EXPECT(before_[body.value][id.value].has_value(), "what is executed has been reached");
    Environment environment = *before_[body.value][id.value];
    switch (node.kind) {
      case Node::Kind::Assign: {
        const TermId value = evaluate(node.term, environment);
        const AccessId place = evaluate(node.access, environment);
        write(environment, place, value);
        // Who reads what lives no more must do so.
        const auto& written = flat_.access(place).inst;
        if (written && flat_.inst(*written).ends) forget(environment, *flat_.inst(*written).ends);
        break;
      }
      case Node::Kind::Branch: {
        const TermId value = evaluate(node.term, environment);
        const auto truth = truth_of(value);
        if (!truth || *truth) flow(body, node.next[0], environment);
        if (!truth || !*truth) flow(body, node.next[1], environment);
        return;
      }
      case Node::Kind::Assume:
      case Node::Kind::AtomicBegin:
        if (node.has_term && truth_of(evaluate(node.term, environment)) == false) return;
        break;
      case Node::Kind::Declare: forget(environment, node.inst); break;
      case Node::Kind::Allocate: write(environment, evaluate(node.access, environment), std::nullopt); break;
      case Node::Kind::Spawn:
        start_threads(node, environment);
        if (node.has_access) write(environment, evaluate(node.access, environment), std::nullopt);
        break;
      default: break;
    }
    for (const NodeId next : node.next) flow(body, next, environment);
  }

  std::optional<bool> truth_of(TermId id) const {
    if (const auto value = number(flat_, id)) return *value != 0;
    if (is_address(flat_, id)) return true;
    return std::nullopt;
  }

  // The address of an object on a stack means something else in each thread that has one.
  bool is_same_for_all(TermId id) const {
    const Term& term = flat_.term(id);
    if (term.op != Op::AddressOf) return true;
    const Inst& inst = flat_.inst(*flat_.access(term.access).inst);
    if (inst.kind != Inst::Kind::Automatic && inst.kind != Inst::Kind::Thread) return true;
    const Body& owner = flat_.bodies[inst.body.value];
    return owner.is_main && !owner.has_async;
  }

  void start_threads(const Node& node, const Environment& environment) {
    const TermId routine = evaluate(node.term, environment);
    const TermId argument = evaluate(node.argument, environment);
    const std::optional<TermId> number =
        node.has_number ? std::optional(evaluate(node.number, environment)) : std::nullopt;
    const Term target = flat_.term(routine);
    for (std::size_t i = 0; i < flat_.bodies.size(); ++i) {
      const Body& body = flat_.bodies[i];
      if (body.is_main || (target.op == Op::FunctionAddr && target.function != body.function)) continue;
      Environment start = initial_environment(BodyId(i));
      if (body.parameter && is_tracked(*body.parameter) && is_constant(flat_, argument) && is_same_for_all(argument)) {
        start[{*body.parameter, 0}] = argument;
      }
      if (body.number) {
        start.erase({*body.number, 0});
        if (number && is_tracked(*body.number) && is_constant(flat_, *number)) start[{*body.number, 0}] = *number;
      }
      enter(BodyId(i), start);
    }
  }

  void rewrite_body(BodyId id) {
    const std::size_t count = flat_.bodies[id.value].nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
      Node node = flat_.bodies[id.value].nodes[i];
      const auto& environment = before_[id.value][i];
      if (!environment) {
        node = Node{.kind = Node::Kind::Skip};
      } else {
        if (node.has_term) node.term = evaluate(node.term, *environment);
        if (node.kind == Node::Kind::Spawn) node.argument = evaluate(node.argument, *environment);
        if (node.has_number) node.number = evaluate(node.number, *environment);
        if (node.has_access) node.access = evaluate(node.access, *environment);
        if (node.kind == Node::Kind::Branch) {
          if (const auto truth = truth_of(node.term)) {
            node.next = {node.next[*truth ? 0 : 1]};
            node.kind = Node::Kind::Skip;
            node.has_term = false;
          }
        }
        if (node.kind == Node::Kind::Assume && truth_of(node.term) == true) {
          node.kind = Node::Kind::Skip;
          node.has_term = false;
        }
        if (node.kind == Node::Kind::AtomicBegin && node.has_term && truth_of(node.term) == true) {
          node.has_term = false;
        }
      }
      flat_.bodies[id.value].nodes[i] = std::move(node);
    }
  }

  Flat& flat_;
  const FixedCells& fixed_;
  const std::vector<bool> seen_;
  std::vector<std::vector<std::optional<Environment>>> before_;
  std::vector<std::set<NodeId>> pending_;
};

// Instances that some term reads or takes the address of.
std::vector<bool> used_instances(const Flat& flat) {
  std::vector<bool> used(flat.insts.size(), false);
  // Accesses to an object look at its size.
  for (const Inst& inst : flat.insts) {
    if (inst.extent) used[inst.extent->value] = true;
    if (inst.ended) used[inst.ended->value] = true;
  }
  for (const Body& body : flat.bodies) {
    if (body.parameter) used[body.parameter->value] = true;
    for (const Node& node : body.nodes) {
      for_each_access(flat, node, [&](AccessId id, bool) {
        if (flat.access(id).inst) used[flat.access(id).inst->value] = true;
      });
    }
  }
  return used;
}

// May the operator itself go wrong, whatever its operands are?
bool operator_can_fail(const Flat& flat, const Term& term) {
  const auto right = term.args.size() == 2 ? number(flat, term.args[1]) : std::nullopt;
  const auto width = static_cast<std::int64_t>(flat.unit.type(term.type).width);
  switch (term.op) {
    case Op::Div:
    case Op::Mod: return right.value_or(0) == 0 || (right == -1 && flat.options.asks_for(Wrong::Overflow));
    case Op::Shl:
      if (flat.options.asks_for(Wrong::Overflow)) return true;
      [[fallthrough]];
    case Op::Shr: return right.value_or(-1) < 0 || *right >= width;
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Neg: return flat.options.asks_for(Wrong::Overflow);
    default: return false;
  }
}

// Does a model give a number to an object that the program declares with a type of its own, as in `typedef int
// pthread_t`?  Such a program does not mean the library's types, so what does not fit is not out of bounds.
bool is_stand_in(const Flat& flat, const Node& node) {
  COHORT_EXPECT(node.has_access && flat.access(node.access).inst, "the node stores to an object");
  const Access& access = flat.access(node.access);
  const Inst& inst = flat.inst(*access.inst);
  const auto is_number = [&](ir::TypeId type) { return flat.unit.type(type).kind == ir::Type::Kind::Int; };
  return node.in_model && access.offset == 0 && is_number(access.type) && is_number(inst.type) && !inst.extent;
}

constexpr const char* outside_of_object = "an access outside of its object";

// What becomes of each object.
struct Uses {
  std::vector<bool> read;
  std::vector<bool> seen_by_others;
};

// Does the node store what nobody reads, and nothing else?
bool is_unread(const Flat& flat, const Body& body, const Uses& uses, const Node& node, bool all_bodies) {
  const Access& access = flat.access(node.access);
  if (access.inst && !all_bodies && flat.inst(*access.inst).kind == Inst::Kind::Static) return false;
  if (!access.inst || uses.read[access.inst->value] || matters(flat, node.term)) return false;
  if (body.has_result && access.inst == body.result) return false;
  // Two threads that store at once can be seen where that is asked for, and an index out of bounds.
  const Inst::Kind kind = flat.inst(*access.inst).kind;
  const bool is_own =
      (kind == Inst::Kind::Automatic || kind == Inst::Kind::Thread) && !uses.seen_by_others[access.inst->value];
  if (flat.options.asks_for(Wrong::Race) && (!access.indices.empty() || !is_own)) return false;
  if (changes_constant(flat, node, *access.inst)) return false;
  if (flat.options.asks_for(Wrong::Fault) && !is_inside(flat, access)) return false;
  if (access.indices.empty()) return is_inside(flat, access) || is_stand_in(flat, node);
  return std::none_of(access.indices.begin(), access.indices.end(),
                      [&](const Index& index) { return matters(flat, index.term); });
}

// Is the index inside of the array that the object is?  None where that is not all there is to ask.
std::optional<TermId> is_in_array(Flat& flat, const Access& access) {
  const Inst& inst = flat.inst(*access.inst);
  const ir::Type type = flat.unit.type(inst.type);
  if (inst.extent || inst.ended || type.kind != ir::Type::Kind::Array || access.indices.size() != 1)
    return std::nullopt;
  const Index index = access.indices.front();
  const auto stride = static_cast<std::int64_t>(size_of(flat.unit, type.target));
  const auto inner = access.offset % stride + static_cast<std::int64_t>(size_of(flat.unit, access.type));
  if (index.stride != size_of(flat.unit, type.target) || access.offset < 0 || inner > stride) return std::nullopt;
  const ir::TypeId count = flat.unit.add_type({.kind = ir::Type::Kind::Int, .width = 64, .is_signed = false});
  TermId place = fold(flat, Term{.op = Op::Cast, .type = count, .args = {index.term}});
  if (access.offset >= stride) {
    const TermId first = flat.constant(access.offset / stride, count);
    place = fold(flat, Term{.op = Op::Add, .type = count, .args = {place, first}});
  }
  const TermId end = flat.constant(static_cast<std::int64_t>(type.count), count);
  return fold(flat, Term{.op = Op::Lt, .type = flat.int_type(), .args = {place, end}});
}

// What nobody reads is not stored, but the execution ends where there is no place for it.  Says whether that changed
// something.
bool drop_store(Flat& flat, BodyId id, NodeId at) {
  const auto node = [&]() -> Node& { return flat.bodies[id.value].nodes[at.value]; };
  const Access access = flat.access(node().access);
  const auto inside = access.indices.empty() ? std::nullopt : is_in_array(flat, access);
  if (!inside && !access.indices.empty()) {
    if (number(flat, node().term) == 0) return false;
    const TermId zero = flat.constant(0, access.type);
    node().term = zero;
    return true;
  }
  if (!inside || number(flat, *inside) == 1) {
    node() = Node{.kind = Node::Kind::Skip, .next = node().next};
    return true;
  }
  Node wrong = node();
  wrong.kind = Node::Kind::Violation;
  wrong.violation = Wrong::Fault;
  wrong.message = outside_of_object;
  wrong.has_term = wrong.has_access = false;
  wrong.next.clear();
  node().kind = Node::Kind::Branch;
  node().has_access = false;
  node().term = *inside;
  node().next.push_back(NodeId(flat.bodies[id.value].nodes.size()));
  flat.bodies[id.value].nodes.push_back(std::move(wrong));
  return true;
}

void drop_unread(Flat& flat, bool all_bodies) {
  for (bool changed = true; changed;) {
    changed = false;
    poll(flat.options.env, "propagate");
    const Uses uses{used_instances(flat), seen_by_others(flat)};
    for (std::size_t i = 0; i < flat.bodies.size(); ++i) {
      for (std::size_t j = 0; j < flat.bodies[i].nodes.size(); ++j) {
        Node& node = flat.bodies[i].nodes[j];
        if (node.kind == Node::Kind::Declare && !uses.read[node.inst.value]) {
          node = Node{.kind = Node::Kind::Skip, .next = node.next};
          changed = true;
        } else if (node.kind == Node::Kind::Assign && is_unread(flat, flat.bodies[i], uses, node, all_bodies)) {
          changed = drop_store(flat, BodyId(i), NodeId(j)) || changed;
        }
      }
    }
  }
}

// Leaves out Skip nodes and what cannot be reached any more.
void compress(Body& body) {
  const auto target = [&](NodeId id) {
    std::set<NodeId> seen;
    while (body.nodes[id.value].kind == Node::Kind::Skip && body.nodes[id.value].next.size() == 1 &&
           seen.insert(id).second) {
      id = body.nodes[id.value].next[0];
    }
    return id;
  };
  std::vector<Node> kept;
  std::map<NodeId, NodeId> names;
  std::vector<NodeId> order;
  const auto name = [&](NodeId id) {
    const NodeId to = target(id);
    const auto [it, fresh] = names.emplace(to, NodeId(names.size()));
    if (fresh) order.push_back(to);
    return it->second;
  };
  body.entry = name(body.entry);
  for (std::size_t i = 0; i < order.size(); ++i) {
    Node node = body.nodes[order[i].value];
    for (NodeId& next : node.next) next = name(next);
    kept.push_back(std::move(node));
  }
  COHORT_EXPECT(kept.size() == order.size() && body.entry.value < kept.size(),
                "every node that is reached is kept once");
  body.nodes = std::move(kept);
}

}  // namespace

std::vector<bool> seen_by_others(const Flat& flat) {
  std::vector<bool> seen(flat.insts.size(), false);
  for (std::size_t i = 0; i < flat.bodies.size(); ++i) {
    const auto named = [&](AccessId id, bool takes_address) {
      const auto& inst = flat.access(id).inst;
      if (inst && (takes_address || flat.inst(*inst).body != BodyId(i))) seen[inst->value] = true;
    };
    for (const Node& node : flat.bodies[i].nodes) {
      for_each_access(flat, node, [&](AccessId id, bool is_load) { named(id, !is_load); });
      if (node.has_access) named(node.access, false);
    }
  }
  for (const auto& values : flat.initial) {
    for (const auto& [offset, value] : values) {
      const Term& term = flat.term(value);
      if (term.op != Op::AddressOf) continue;
      if (const auto& inst = flat.access(term.access).inst) seen[inst->value] = true;
    }
  }
  return seen;
}

bool is_inside(const Flat& flat, const Access& access) {
  if (!access.inst || !access.indices.empty() || access.offset < 0) return false;
  const Inst& inst = flat.inst(*access.inst);
  if (inst.extent || inst.ended || (inst.kind == Inst::Kind::Heap && flat.options.asks_for(Wrong::Fault))) return false;
  const std::uint64_t end = static_cast<std::uint64_t>(access.offset) + size_of(flat.unit, access.type);
  return end <= size_of(flat.unit, inst.type);
}

bool matters(const Flat& flat, TermId id) {
  const Term& term = flat.term(id);
  if (operator_can_fail(flat, term)) return true;
  const auto inner = [&](TermId arg) { return matters(flat, arg); };
  if (std::any_of(term.args.begin(), term.args.end(), inner)) return true;
  if (term.op != Op::Load && term.op != Op::AddressOf) return false;
  const Access& access = flat.access(term.access);
  if (term.op == Op::Load) return flat.options.asks_for(Wrong::Race) || !is_inside(flat, access);
  if (!access.inst && inner(access.pointer)) return true;
  return std::any_of(access.indices.begin(), access.indices.end(),
                     [&](const Index& index) { return inner(index.term); });
}

void propagate(Flat& flat, const FixedCells& fixed, bool all_bodies) {
  constexpr int max_rounds = 4;
  for (int round = 0; round < max_rounds; ++round) {
    const std::size_t accesses = flat.accesses.size();
    Propagation(flat, fixed).run();
    drop_unread(flat, all_bodies);
    for (Body& body : flat.bodies) compress(body);
    if (flat.accesses.size() == accesses) break;
  }
}

}  // namespace cohort::frontend::c::lower
