// Most programs never look at a thread's number, or only to join it.  Threads that are told apart cannot be counted
// together, so numbers are given sparingly: none where nothing asks; a constant for each place that starts one thread
// (which propagation then carries to the join); and only for places in loops a number that is counted up at run time.
// Those come from a fixed supply, and an execution that would need more is cut.  Violations are still looked for
// beyond: there, the new thread has a number that nobody else has and never moves, as if the scheduler forgot it.
//
// The threads of a group (thread_groups.hpp) have one number g together, and how many of them have ended is counted.
// Their handles are g + k * S, where S is how many numbers there are and k counts the creations of the group: they all
// differ, and tell the group.  Who waits for the end of one takes one away from the count, once for each k.
//
// Where what they return is looked at, they are not counted but meet who waits: `asked[g]` is 0 while nobody wants a
// thread of the group, 1 while somebody does, and 2 when one has answered, which leaves its result in `results[g]` and
// is gone.  Only one thread asks, and it reads the result before it asks again, so one cell for each group is enough.
#include "frontend/c/lower/threads.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/thread_groups.hpp"
#include "model/analysis/components.hpp"
#include "model/passes/cuts.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;

std::vector<bool> nodes_in_loops(const Body& body) {
  const auto after = [&](std::uint32_t node) {
    std::vector<std::uint32_t> result;
    for (const NodeId to : body.nodes[node].next) result.push_back(to.value);
    return result;
  };
  std::vector<bool> result(body.nodes.size(), false);
  model::for_each_component(body.nodes.size(), std::vector{body.entry.value}, after, [&](const auto& component) {
    for (const std::uint32_t member : component.members) result[member] = component.cyclic;
  });
  return result;
}

bool may_start(const Flat& flat, const Node& spawn, const Body& body) {
  if (spawn.kind != Node::Kind::Spawn || body.is_main) return false;
  const Term& routine = flat.term(spawn.term);
  return routine.op != Op::FunctionAddr || routine.function == body.function;
}

std::vector<bool> bodies_of_many(const Flat& flat) {
  const std::size_t count = flat.bodies.size();
  std::vector<bool> many(count, false);
  for (std::size_t i = 0; i < count; ++i) many[i] = flat.bodies[i].has_async;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < count; ++i) {
      poll(flat.options.env, "count-threads");
      if (many[i] || flat.bodies[i].is_main) continue;
      std::size_t starts = 0;
      for (std::size_t j = 0; j < count; ++j) {
        std::vector<bool> loops;
        for (std::size_t k = 0; k < flat.bodies[j].nodes.size(); ++k) {
          if (!may_start(flat, flat.bodies[j].nodes[k], flat.bodies[i])) continue;
          if (loops.empty()) loops = nodes_in_loops(flat.bodies[j]);
          starts += loops[k] || many[j] ? 2 : 1;
        }
      }
      if (starts <= 1) continue;
      many[i] = true;
      changed = true;
    }
  }
  return many;
}

namespace {

std::vector<NodeId> reachable_nodes(const Body& body) {
  std::vector<bool> seen(body.nodes.size(), false);
  std::vector<NodeId> reached{body.entry};
  seen[body.entry.value] = true;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const NodeId next : body.nodes[reached[i].value].next) {
      if (seen[next.value]) continue;
      seen[next.value] = true;
      reached.push_back(next);
    }
  }
  return reached;
}

// The objects that get the numbers, directly; one place gives them to several threads.
std::set<InstId> handles_of_many(const Flat& flat) {
  const std::vector<bool> many = bodies_of_many(flat);
  std::set<InstId> handles;
  for (std::size_t i = 0; i < flat.bodies.size(); ++i) {
    const std::vector<bool> loops = nodes_in_loops(flat.bodies[i]);
    for (std::size_t j = 0; j < loops.size(); ++j) {
      const Node& node = flat.bodies[i].nodes[j];
      if (node.kind != Node::Kind::Spawn || !node.has_access || (!loops[j] && !many[i])) continue;
      if (const auto& inst = flat.access(node.access).inst) handles.insert(*inst);
    }
  }
  return handles;
}

// What the numbering knows of a group.
struct GroupState {
  const ThreadGroup& group;
  std::uint64_t number = 0;
  std::uint64_t capacity = 0;       // handles, where they are no row
  std::optional<InstId> created{};  // counts the handles, where that is not known before
  std::optional<InstId> ended{};    // counts ends, of a row whose routine no others execute; else the table does
  std::optional<InstId> joined{};   // _Bool [capacity + 1]; nobody sets the last one; not of a row
};

class Numbering {
 public:
  Numbering(Flat& flat, const ThreadTable& table, const std::vector<ThreadGroup>& groups)
      : flat_(flat), table_(table), many_(bodies_of_many(flat)) {
    for (const ThreadGroup& group : groups) {
      groups_.push_back({group, next_++});
      for (const NodeId site : group.sites) sites_[{group.creator, site}] = groups_.size() - 1;
    }
  }

  std::uint64_t run() {
    const auto creates = [](const Body& body) {
      return std::any_of(body.nodes.begin(), body.nodes.end(),
                         [](const Node& node) { return node.kind == Node::Kind::Spawn; });
    };
    creators_ = std::count_if(flat_.bodies.begin(), flat_.bodies.end(), creates);
    for (std::size_t i = 0; i < flat_.bodies.size(); ++i) number_spawns(i);
    for (const Body& body : flat_.bodies) {
      if (!body.is_main || !body.number) continue;
      flat_.initial.resize(flat_.insts.size());
      flat_.initial[body.number->value][0] = flat_.constant(main_number, flat_.int_type());
    }
    supply_ = next_ + (counter_ ? numbered_ : 0);
    if (counter_) {
      flat_.initial.resize(flat_.insts.size());
      flat_.initial[counter_->value][0] = integer(next_);
      for (const auto& [body, node] : checks_) {
        flat_.bodies[body].nodes[node.value].term =
            binary(Op::Lt, flat_.load(flat_.whole(*counter_)), integer(supply_));
      }
    }
    if (table_.finished && !groups_.empty()) flat_.insts[table_.finished->value].type = flat_.int_type();
    for (GroupState& group : groups_) start_group(group);
    if (meeting() && !asked_) asked_ = new_counter("asked");
    if (table_.finished && !groups_.empty()) await_groups();
    if (meeting()) hand_over_results();
    if (counter_ && table_.finished) wait_for_forgotten();
    const auto widen = [&](InstId inst) {
      const ir::TypeId element = flat_.inst(inst).type;
      const std::uint64_t spare = counter_ || !groups_.empty() ? 1 : 0;
      flat_.insts[inst.value].type =
          flat_.unit.add_type({.kind = ir::Type::Kind::Array, .target = element, .count = supply_ + spare});
    };
    COHORT_EXPECT(supply_ > main_number, "main has a number");
    if (asked_) widen(*asked_);
    if (table_.finished) {
      finished_type_ = flat_.inst(*table_.finished).type;
      widen(*table_.finished);
    }
    if (table_.results) {
      result_type_ = flat_.inst(*table_.results).type;
      widen(*table_.results);
    }
    if (!table_.finished && !table_.results) return supply_;
    for (std::size_t i = 0; i < flat_.bodies.size(); ++i) announce_ends(i);
    return supply_;
  }

 private:
  TermId integer(std::uint64_t value) { return flat_.constant(static_cast<std::int64_t>(value), flat_.int_type()); }

  TermId binary(Op op, TermId left, TermId right) {
    return fold(flat_, Term{.op = op, .type = flat_.int_type(), .args = {left, right}});
  }

  TermId choose(TermId condition, TermId yes, TermId no) {
    return fold(flat_, Term{.op = Op::Conditional, .type = flat_.int_type(), .args = {condition, yes, no}});
  }

  AccessId element(InstId array, ir::TypeId type, TermId index) {
    return flat_.add(Access{.inst = array, .indices = {{index, size_of(flat_.unit, type), 0}}, .type = type});
  }

  // The numbers of threads that never move all lead to the element after the last, which nobody sets.
  void wait_for_forgotten() {
    COHORT_EXPECT(counter_ && table_.finished, "somebody waits for threads that are counted at run time");
    const TermId limit = integer(supply_);
    const auto replace = [&](Term load) {
      Access access = flat_.access(load.access);
      if (access.inst == table_.finished && access.indices.size() == 1) {
        Index& index = access.indices[0];
        const TermId created = binary(Op::Lt, index.term, flat_.load(flat_.whole(*counter_)));
        index.term = choose(binary(Op::Lt, index.term, limit), index.term, choose(created, limit, index.term));
        load.access = flat_.add(std::move(access));
      }
      return flat_.add(std::move(load));
    };
    for (Body& body : flat_.bodies) {
      for (Node& node : body.nodes) {
        if (node.has_term) node.term = rewrite(flat_, node.term, replace);
      }
    }
  }

  NodeId add(std::size_t body, const Node& like, Node node) {
    node.span = like.span;
    node.text = like.text;
    node.call = like.call;
    node.statement = like.statement;
    node.is_atomic_access = true;
    flat_.bodies[body].nodes.push_back(std::move(node));
    return NodeId(flat_.bodies[body].nodes.size() - 1);
  }

  NodeId assign(std::size_t body, const Node& like, AccessId access, TermId value, NodeId next) {
    return add(body, like,
               {.kind = Node::Kind::Assign,
                .has_term = true,
                .has_access = true,
                .term = value,
                .access = access,
                .next = {next}});
  }

  NodeId branch(std::size_t body, const Node& like, TermId condition, NodeId yes, NodeId no) {
    return add(body, like, {.kind = Node::Kind::Branch, .has_term = true, .term = condition, .next = {yes, no}});
  }

  void number_spawns(std::size_t body) {
    const std::vector<bool> loops = nodes_in_loops(flat_.bodies[body]);
    for (std::size_t i = 0; i < loops.size(); ++i) {
      if (flat_.bodies[body].nodes[i].kind != Node::Kind::Spawn || sites_.contains({BodyId(body), NodeId(i)})) continue;
      if (table_.looked_at() && (loops[i] || many_[body])) {
        if (!counter_) {
          const std::uint64_t room = std::min(room_for_handles(flat_), most_handles);
          numbered_ = std::max<std::uint64_t>(flat_.options.numbered_threads, room);
          counter_ = new_counter("threads created");
        }
        const TermId current = flat_.load(flat_.whole(*counter_));
        checks_.emplace_back(body, count_at_run_time(body, NodeId(i), *counter_, current, current, current, numbered_));
      } else {
        const TermId number = integer(next_++);
        give(body, NodeId(i), number, number);
      }
    }
    if (!table_.looked_at()) return;
    auto& own = flat_.bodies[body].number;
    if (!own) {
      own = flat_.add(
          Inst{.name = "thread number", .type = flat_.int_type(), .kind = Inst::Kind::Thread, .body = BodyId(body)});
    }
    if (!flat_.bodies[body].is_main) return;
    flat_.initial.resize(flat_.insts.size());
    flat_.initial[own->value][0] = flat_.constant(main_number, flat_.int_type());
  }

  InstId new_counter(const std::string& name) {
    return flat_.add(Inst{.name = name, .type = flat_.int_type(), .kind = Inst::Kind::Static, .is_bookkeeping = true});
  }

  // Hands the number to the new thread and, after that, the handle to whoever wants the result.
  void give(std::size_t body, NodeId id, TermId number, TermId handle) {
    COHORT_EXPECT(flat_.bodies[body].nodes[id.value].kind == Node::Kind::Spawn, "numbers are given to new threads");
    Node spawn = flat_.bodies[body].nodes[id.value];
    if (table_.looked_at()) {
      spawn.number = number;
      spawn.has_number = true;
    }
    if (spawn.has_access) {
      const ir::TypeId type = flat_.access(spawn.access).type;
      const TermId value = fold(flat_, Term{.op = Op::Cast, .type = type, .args = {handle}});
      const NodeId store = assign(body, spawn, spawn.access, value, spawn.next[0]);
      flat_.bodies[body].nodes[store.value].is_atomic_access = false;
      spawn.next = {store};
      spawn.has_access = false;
    }
    flat_.bodies[body].nodes[id.value] = std::move(spawn);
  }

  // Returns the node that decides, by the truth of `check`, whether there is a handle for the new thread.
  NodeId count_at_run_time(std::size_t body, NodeId id, InstId counter, TermId number, TermId handle, TermId check,
                           std::uint64_t most) {
    const Node like = flat_.bodies[body].nodes[id.value];
    COHORT_EXPECT(like.kind == Node::Kind::Spawn && like.next.size() == 1, "a creation goes on");
    COHORT_EXPECT(most > 0, "there is a handle for some thread");
    const TermId more = binary(Op::Add, flat_.load(flat_.whole(counter)), integer(1));
    NodeId after = like.next[0];
    if (like.has_access && flat_.options.asks_for(Wrong::Race)) {
      // The handle is there before the thread is, but to store it is no part of any section.
      after = assign(body, like, like.access, flat_.load(like.access), after);
      flat_.bodies[body].nodes[after.value].is_atomic_access = false;
    }
    // Where one thread creates all of them, nobody else looks at the counter.
    const bool alone = creators_ == 1 && !many_[body];
    const auto bracket = [&](Node::Kind kind) { return alone ? Node::Kind::Skip : kind; };
    const NodeId end = add(body, like, {.kind = bracket(Node::Kind::AtomicEnd), .next = {after}});
    const NodeId count = assign(body, like, flat_.whole(counter), more, end);
    Node spawn = like;
    spawn.has_access = false;
    spawn.next = {count};
    flat_.bodies[body].nodes.push_back(std::move(spawn));
    const NodeId moved(flat_.bodies[body].nodes.size() - 1);
    give(body, moved, number, handle);
    NodeId cut = add(body, like,
                     {.kind = Node::Kind::Cut,
                      .message = model::exceeded_bound_text(
                          fmt::format("more than {} threads that are created in loops and told apart", most),
                          "--told-apart", most)});
    // A thread that never moves is none that waits.
    if (!flat_.options.asks_for(Wrong::Deadlock)) {
      cut = branch(body, like, flat_.add(Term{.op = Op::Nondet, .type = flat_.bool_type()}), count, cut);
    }
    const NodeId decision = branch(body, like, check, moved, cut);
    NodeId first = decision;
    if (like.has_access) {
      const ir::TypeId type = flat_.access(like.access).type;
      const TermId value = fold(flat_, Term{.op = Op::Cast, .type = type, .args = {handle}});
      first = assign(body, like, like.access, value, decision);
    }
    Node begin{.kind = bracket(Node::Kind::AtomicBegin), .next = {first}};
    begin.span = like.span;
    begin.text = like.text;
    begin.call = like.call;
    begin.statement = like.statement;
    flat_.bodies[body].nodes[id.value] = std::move(begin);
    return decision;
  }

  void start_group(GroupState& state) {
    const ThreadGroup& group = state.group;
    COHORT_EXPECT(!group.sites.empty() && group.creator.value < flat_.bodies.size(), "a group is created somewhere");
    COHORT_EXPECT(!many_[group.creator.value], "one thread creates a group");
    const std::size_t body = group.creator.value;
    const auto handle = [&](TermId count) {
      return binary(Op::Add, integer(state.number), binary(Op::Mul, integer(supply_), count));
    };
    if (group.drops_argument) flat_.bodies[group.routine.value].drops_argument = true;
    if (group.row) {
      start_row(state);
      return;
    }
    state.capacity = handles_followed(flat_, group);
    if (group.repeated) state.created = new_counter("threads created");
    for (std::size_t i = 0; i < group.sites.size(); ++i) {
      Node& spawn = flat_.bodies[body].nodes[group.sites[i].value];
      if (group.drops_argument) spawn.argument = flat_.constant(0, flat_.term(spawn.argument).type);
      if (!state.created) {
        give(body, group.sites[i], integer(state.number), handle(integer(i)));
        continue;
      }
      const TermId count = flat_.load(flat_.whole(*state.created));
      count_at_run_time(body, group.sites[i], *state.created, integer(state.number), handle(count),
                        binary(Op::Lt, count, integer(state.capacity)), state.capacity);
    }
    if (!table_.finished) return;
    state.joined = flat_.add(Inst{.name = "joined", .kind = Inst::Kind::Static, .is_bookkeeping = true});
    flat_.insts[state.joined->value].type =
        flat_.unit.add_type({.kind = ir::Type::Kind::Array, .target = flat_.bool_type(), .count = state.capacity + 1});
  }

  // The j-th wait is for the j-th handle, which is taken out as j: as many threads must have ended as are waited for.
  void start_row(GroupState& state) {
    const ThreadGroup& group = state.group;
    COHORT_EXPECT(table_.finished && !group.meets && group.repeated, "a row is waited for, and counted");
    const std::size_t body = group.creator.value;
    const TermId created = flat_.load(flat_.whole(*(state.created = new_counter("threads created"))));
    for (const NodeId site : group.sites) {
      Node& spawn = flat_.bodies[body].nodes[site.value];
      if (group.drops_argument) spawn.argument = flat_.constant(0, flat_.term(spawn.argument).type);
      const Node like = spawn;
      const TermId more = binary(Op::Add, created, integer(1));
      const NodeId count = assign(body, like, flat_.whole(*state.created), more, like.next[0]);
      flat_.bodies[body].nodes[site.value].next = {count};
      give(body, site, integer(state.number), integer(state.number));
    }
    // Nobody reads what is stored; but where there is no room, the execution ends.
    for (const auto& store : group.row->stores) {
      if (!store.room) continue;
      const Node like = flat_.bodies[body].nodes[store.node.value];
      const NodeId end = add(body, like,
                             {.kind = Node::Kind::Violation,
                              .violation = Wrong::Fault,
                              .message = "an access through NULL or outside of its object"});
      const TermId room = integer(static_cast<std::uint64_t>(std::min<std::int64_t>(*store.room, INT32_MAX)));
      const NodeId check = branch(body, like, binary(Op::Le, created, room), like.next[0], end);
      flat_.bodies[body].nodes[store.node.value] = flat_.bodies[body].nodes[check.value];
    }
    for (const HandleRow::Look& look : group.row->looks) {
      const Node like = flat_.bodies[body].nodes[look.node.value];
      const NodeId cut =
          add(body, like,
              {.kind = Node::Kind::Cut,
               .message = model::needed_switch_text("a wait for a thread that was never created", "--no-late-naming")});
      const TermId written = fold(flat_, Term{.op = Op::Cast, .type = flat_.int_type(), .args = {look.index}});
      const TermId plus = flat_.constant(look.plus, flat_.int_type());
      const TermId index = look.plus == 0 ? written : binary(Op::Add, written, plus);
      Term number{.op = Op::Cast, .type = flat_.access(like.access).type, .args = {index}};
      const NodeId take = assign(body, like, like.access, fold(flat_, std::move(number)), like.next[0]);
      const NodeId check = branch(body, like, binary(Op::Lt, index, created), take, cut);
      flat_.bodies[body].nodes[look.node.value] = flat_.bodies[body].nodes[check.value];
    }
    if (is_only_source(flat_, group)) state.ended = new_counter("threads ended");
    const AccessId ended =
        state.ended ? flat_.whole(*state.ended) : element(*table_.finished, flat_.int_type(), integer(state.number));
    for (const NodeId wait : group.row->waits) {
      Node& begin = flat_.bodies[body].nodes[wait.value];
      const auto number = awaited_handle(flat_, begin, table_);
      COHORT_EXPECT(number.has_value(), "a wait is for somebody");
      Term before{.op = Op::Cast, .type = flat_.int_type(), .args = {*number}};
      begin.term = binary(Op::Gt, flat_.load(ended), fold(flat_, std::move(before)));
    }
  }

  bool meeting() const {
    return std::any_of(groups_.begin(), groups_.end(), [](const GroupState& state) { return state.group.meets; });
  }

  AccessId asked(std::uint64_t number) { return element(*asked_, flat_.int_type(), integer(number)); }

  // Who has met a thread of a group finds its result in the group's cell, and empties it.
  void hand_over_results() {
    if (!table_.results) return;
    const InstId results = *table_.results;
    const ir::TypeId type = flat_.inst(results).type;
    std::optional<TermId> met;  // the number in the last handle that was seen
    const auto replace = [&](Term load) {
      Access access = flat_.access(load.access);
      if (access.inst == results && access.indices.size() == 1) {
        met = binary(Op::Mod, access.indices[0].term, integer(supply_));
        access.indices[0].term = *met;
        load.access = flat_.add(std::move(access));
      }
      return flat_.add(std::move(load));
    };
    for (std::size_t i = 0; i < flat_.bodies.size(); ++i) {
      const std::size_t count = flat_.bodies[i].nodes.size();
      for (std::size_t j = 0; j < count; ++j) {
        const Node like = flat_.bodies[i].nodes[j];
        if (!like.has_term) continue;
        met.reset();
        const TermId term = rewrite(flat_, like.term, replace);
        if (!met) continue;
        COHORT_EXPECT(like.kind == Node::Kind::Assign, "what a thread returned is stored");
        TermId cell = integer(supply_);
        for (const GroupState& state : groups_) {
          const TermId number = integer(state.number);
          if (state.group.meets) cell = choose(binary(Op::Eq, *met, number), number, cell);
        }
        const NodeId empty = assign(i, like, element(results, type, cell), flat_.constant(0, type), like.next[0]);
        Node& node = flat_.bodies[i].nodes[j];
        node.term = term;
        node.next = {empty};
      }
    }
  }

  void await_groups() {
    for (std::size_t i = 0; i < flat_.bodies.size(); ++i) {
      const std::size_t count = flat_.bodies[i].nodes.size();
      for (std::size_t j = 0; j < count; ++j) {
        if (const auto handle = awaited_handle(flat_, flat_.bodies[i].nodes[j], table_)) {
          await_group(i, NodeId(j), *handle);
        }
      }
    }
  }

  // The wait ends when a thread of the handle's group has ended and is not taken, or the handle has taken one before.
  void await_group(std::size_t body, NodeId id, TermId handle) {
    const Node like = flat_.bodies[body].nodes[id.value];
    COHORT_EXPECT(supply_ > 0 && like.kind == Node::Kind::AtomicBegin, "somebody waits for a thread with a number");
    const TermId kind = binary(Op::Mod, handle, integer(supply_));
    const TermId count = binary(Op::Div, handle, integer(supply_));
    TermId known = integer(0);
    TermId ended = integer(0);
    NodeId next = like.next[0];
    std::vector<std::pair<const GroupState*, std::pair<TermId, TermId>>> meetings;  // new handles, and known ones
    for (const GroupState& group : groups_) {
      if (group.group.row) continue;
      const TermId limit = integer(group.capacity);
      const TermId created = group.created ? flat_.load(flat_.whole(*group.created)) : limit;
      const TermId valid =
          binary(Op::BitAnd, binary(Op::Eq, kind, integer(group.number)), binary(Op::Lt, count, created));
      const TermId followed = binary(Op::BitAnd, valid, binary(Op::Lt, count, limit));
      const AccessId own = element(*group.joined, flat_.bool_type(), choose(followed, count, limit));
      const AccessId total = element(*table_.finished, flat_.int_type(), integer(group.number));
      const TermId joined = binary(Op::Ne, flat_.load(own), flat_.constant(0, flat_.bool_type()));
      const bool meets = group.group.meets;
      const TermId some = meets ? binary(Op::Eq, flat_.load(asked(group.number)), integer(2))
                                : binary(Op::Gt, flat_.load(total), integer(0));
      known = binary(Op::BitOr, known, valid);
      ended = binary(Op::BitOr, ended, binary(Op::BitAnd, followed, binary(Op::BitOr, joined, some)));
      const NodeId take =
          meets ? assign(body, like, asked(group.number), integer(0), take_columns(body, like, group, count, next))
                : assign(body, like, total, binary(Op::Sub, flat_.load(total), integer(1)), next);
      const NodeId mark = assign(body, like, own, flat_.constant(1, flat_.bool_type()), take);
      const TermId first =
          binary(Op::BitAnd, followed, binary(Op::Eq, flat_.load(own), flat_.constant(0, flat_.bool_type())));
      next = branch(body, like, first, mark, next);
      if (meets) meetings.push_back({&group, {first, binary(Op::BitAnd, followed, joined)}});
    }
    const TermId single =
        flat_.load(element(*table_.finished, flat_.int_type(), choose(known, integer(supply_), handle)));
    Node begin = like;
    begin.term = binary(Op::BitOr, binary(Op::Ne, single, integer(0)), ended);
    begin.next = {next};
    if (meetings.empty()) {
      flat_.bodies[body].nodes[id.value] = std::move(begin);
      return;
    }
    flat_.bodies[body].nodes.push_back(std::move(begin));
    NodeId start(flat_.bodies[body].nodes.size() - 1);
    for (const auto& [group, terms] : meetings) {
      const NodeId cut =
          add(body, like,
              {.kind = Node::Kind::Cut,
               .message = model::needed_switch_text("a thread that is joined twice", "--no-late-naming")});
      const NodeId ask = assign(body, like, asked(group->number), integer(1), start);
      start = branch(body, like, terms.second, cut, branch(body, like, terms.first, ask, start));
    }
    flat_.bodies[body].nodes[id.value] = {
        .kind = Node::Kind::Skip, .next = {start}, .span = like.span, .text = like.text};
  }

  // The element that the handle's thread was created with gets what the thread that was met had in it.
  NodeId take_columns(std::size_t body, const Node& like, const GroupState& state, TermId handle, NodeId next) {
    if (!state.group.columns) return next;
    const Columns& columns = *state.group.columns;
    const TermId slot = flat_.load(element(columns.slots, flat_.int_type(), handle));
    next =
        assign(body, like, element(columns.taken, flat_.bool_type(), slot), flat_.constant(0, flat_.bool_type()), next);
    for (const Column& column : columns.columns) {
      const std::uint64_t stride = size_of(flat_.unit, flat_.inst(column.own).type);
      for (const auto& [offset, field] : column.fields) {
        const auto at = [&](InstId inst, std::vector<Index> indices) {
          return flat_.add(Access{.inst = inst, .offset = offset, .indices = std::move(indices), .type = field.type});
        };
        next = assign(body, like, at(column.answer, {}), flat_.constant(0, field.type), next);
        next = assign(body, like, at(column.array, {{slot, stride, columns.count}}), flat_.load(at(column.answer, {})),
                      next);
      }
    }
    return next;
  }

  NodeId answer_columns(std::size_t body, const Node& like, NodeId next) {
    for (const GroupState& state : groups_) {
      if (!state.group.columns || state.group.routine != BodyId(body)) continue;
      for (const Column& column : state.group.columns->columns) {
        for (const auto& [offset, field] : column.fields) {
          const auto at = [&](InstId inst) {
            return flat_.add(Access{.inst = inst, .offset = offset, .type = field.type});
          };
          next = assign(body, like, at(column.answer), flat_.load(at(column.own)), next);
        }
      }
    }
    return next;
  }

  // Does a thread of the body meet who waits for it?
  bool meets(std::size_t body) const {
    return std::any_of(groups_.begin(), groups_.end(), [&](const GroupState& state) {
      return state.group.meets && state.group.routine == BodyId(body);
    });
  }

  std::optional<InstId> counter_of_ends(std::size_t body) const {
    for (const GroupState& state : groups_) {
      if (state.ended && state.group.routine == BodyId(body)) return state.ended;
    }
    return std::nullopt;
  }

  void announce_ends(std::size_t body) {
    const std::size_t count = flat_.bodies[body].nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (flat_.bodies[body].nodes[i].kind != Node::Kind::EndThread) continue;
      Node end = flat_.bodies[body].nodes[i];
      const Node like = end;
      COHORT_EXPECT(flat_.bodies[body].number.has_value(), "whoever announces its end has a number");
      const auto own = [&](InstId array, ir::TypeId type) {
        return element(array, type, flat_.load(flat_.whole(*flat_.bodies[body].number)));
      };
      flat_.bodies[body].nodes.push_back(std::move(end));
      NodeId next(flat_.bodies[body].nodes.size() - 1);
      if (meets(body)) {
        next = assign(body, like, own(*asked_, flat_.int_type()), integer(2), answer_columns(body, like, next));
      }
      if (const auto counter = counter_of_ends(body)) {
        const TermId more = binary(Op::Add, flat_.load(flat_.whole(*counter)), integer(1));
        next = assign(body, like, flat_.whole(*counter), more, next);
      } else if (table_.finished && !meets(body)) {
        const AccessId ended = own(*table_.finished, finished_type_);
        const TermId one = flat_.constant(1, finished_type_);
        next = assign(body, like, ended, groups_.empty() ? one : binary(Op::Add, flat_.load(ended), one), next);
      }
      if (table_.results && flat_.bodies[body].has_result) {
        const TermId value = flat_.load(flat_.whole(flat_.bodies[body].result));
        const TermId converted = fold(flat_, Term{.op = Op::Cast, .type = result_type_, .args = {value}});
        next = assign(body, like, own(*table_.results, result_type_), converted, next);
      }
      Node begin{.kind = Node::Kind::AtomicBegin, .next = {next}};
      if (meets(body)) {
        begin.has_term = true;
        begin.term = binary(Op::Eq, flat_.load(own(*asked_, flat_.int_type())), integer(1));
      }
      begin.span = like.span;
      begin.text = like.text;
      begin.call = like.call;
      begin.statement = like.statement;
      flat_.bodies[body].nodes[i] = std::move(begin);
    }
  }

  Flat& flat_;
  const ThreadTable& table_;
  const std::vector<bool> many_;
  std::ptrdiff_t creators_ = 0;  // bodies
  std::vector<GroupState> groups_;
  std::map<std::pair<BodyId, NodeId>, std::size_t> sites_;
  std::uint64_t next_ = main_number + 1;
  std::uint64_t numbered_ = 0;  // threads that a place in a loop can create
  std::uint64_t supply_ = 0;
  std::optional<InstId> counter_;
  std::optional<InstId> asked_;  // where threads meet who waits for them
  std::vector<std::pair<std::size_t, NodeId>> checks_;
  ir::TypeId finished_type_{};
  ir::TypeId result_type_{};
};

}  // namespace

// Numbers are followed from object to object.  One that is stored through a pointer may be in every object of its type
// whose address is taken, and every load of its type through a pointer may read it.
bool reads_handles(const Flat& flat) {
  std::set<InstId> handles = handles_of_many(flat);
  const auto is_handle = [&](AccessId id) {
    const auto& inst = flat.access(id).inst;
    return inst && handles.contains(*inst);
  };
  const auto copied = [&](const Node& node) {
    const Term* value = &flat.term(node.term);
    while (value->op == Op::Cast) value = &flat.term(value->args[0]);
    return value->op == Op::Load && is_handle(value->access);
  };
  std::vector<const Node*> nodes;
  std::vector<AccessId> addressed;
  std::vector<AccessId> through_pointers;  // what is loaded so
  for (const Body& body : flat.bodies) {
    for (const NodeId id : reachable_nodes(body)) {
      const Node& node = body.nodes[id.value];
      nodes.push_back(&node);
      for_each_access(flat, node, [&](AccessId access, bool is_load) {
        if (!is_load && flat.access(access).inst) addressed.push_back(access);
        if (is_load && !flat.access(access).inst) through_pointers.push_back(access);
      });
    }
  }
  for (bool grows = !handles.empty(); grows;) {
    grows = false;
    const auto add = [&](InstId inst) { grows = handles.insert(inst).second || grows; };
    for (const Node* node : nodes) {
      bool reads = false;
      for_each_access(flat, *node,
                      [&](AccessId access, bool is_load) { reads = reads || (is_load && is_handle(access)); });
      if (!reads) continue;
      if (node->kind != Node::Kind::Assign || !copied(*node)) return true;
      const Access& target = flat.access(node->access);
      if (target.inst) {
        add(*target.inst);
        continue;
      }
      const auto fits = [&](AccessId access) {
        return flat.unit.type(flat.access(access).type) == flat.unit.type(target.type);
      };
      if (std::any_of(through_pointers.begin(), through_pointers.end(), fits)) return true;
      for (const AccessId access : addressed) {
        if (fits(access)) add(*flat.access(access).inst);
      }
    }
  }
  return false;
}

std::uint64_t number_threads(Flat& flat, const ThreadTable& table, const std::vector<ThreadGroup>& groups) {
  return Numbering(flat, table, groups).run();
}

}  // namespace cohort::frontend::c::lower
