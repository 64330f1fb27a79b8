// Late naming: which thread has which handle matters only when it is joined.  A group is a set of places P of one body
// that is executed once, all of which start the same routine with the same argument, such that no node on a path from
// P to P touches an object that another body may touch.
//
// Why its threads need no names.  Between two creations of the group the creator touches nothing of others, so these
// steps and the creations themselves change places with the steps of others before them, and every execution is
// equivalent to one that creates the group at once.  The threads are in the same state then.  Handles are handed out in
// the order of creation whatever the threads do, so they are data of the creator like any other; they meet the threads
// only in a wait for an end.  So for every execution and every bijection between handles and threads there is one that
// differs in nothing but names, and the bijection can be chosen when it is first looked at: a wait for a handle takes
// any thread of the group that has ended and has not been taken.  A handle that has been waited for stays ended.
//
// This needs: no thread asks who it is, and nobody asks whether a thread has ended without waiting for it.  Other
// groups and threads with numbers do not matter.  Where a condition fails, threads have numbers as before: the
// conditions decide about cost alone.  (A creation that loops through a wait, as in rounds of work, is not one group: a
// thread of the second round is not one of the first.)
//
// Where values that threads return are looked at, threads of a group differ at their end.  So each keeps what it
// returns until it is chosen by a wait (it *meets* who waits; threads.cpp).  One thread waits for all of them, the one
// that created them, and all threads that run their routine meet: else they have numbers.  For deadlocks, too, since a
// thread that nobody waits for must not look like one that waits.
//
// What is touched by whom is asked of a copy of the program whose allocations have been resolved; nodes keep their
// numbers there.  Cost: one points-to analysis, and a search of the creator's graph for each group.
#include "frontend/c/lower/thread_groups.hpp"

#include <algorithm>
#include <set>

#include "base/contract.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/heap.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/sections.hpp"
#include "frontend/c/lower/sharing.hpp"
#include "frontend/c/lower/threads.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;

namespace {

bool loads(const Flat& flat, const Node& node, InstId inst) {
  bool found = false;
  for_each_access(flat, node, [&](AccessId access, bool) { found = found || flat.access(access).inst == inst; });
  return found;
}

// Is the table of ended threads used to wait and for nothing else?
bool only_waits(const Flat& flat, const ThreadTable& table) {
  COHORT_EXPECT(table.finished.has_value(), "there is a table of ended threads");
  for (const Body& body : flat.bodies) {
    for (const Node& node : body.nodes) {
      if (loads(flat, node, *table.finished) && !awaited_handle(flat, node, table)) return false;
    }
  }
  return true;
}

// The body that the node starts a thread of, where that is certain.
std::optional<BodyId> started(const Flat& flat, const Node& spawn) {
  COHORT_EXPECT(spawn.kind == Node::Kind::Spawn, "threads are started by Spawn nodes");
  std::optional<BodyId> result;
  if (flat.term(spawn.term).op != Op::FunctionAddr) return result;
  for (std::size_t i = 0; i < flat.bodies.size(); ++i) {
    if (!may_start(flat, spawn, flat.bodies[i])) continue;
    if (result) return std::nullopt;
    result = BodyId(i);
  }
  return result;
}

// Where nobody looks at results, returning the parameter is no use of it.
bool reads_parameter(const Flat& flat, const Body& body, bool results_matter) {
  if (!body.parameter) return false;
  return std::any_of(body.nodes.begin(), body.nodes.end(), [&](const Node& node) {
    const bool returns = !results_matter && node.kind == Node::Kind::Assign && body.has_result &&
                         flat.access(node.access).inst == body.result;
    return !returns && loads(flat, node, *body.parameter);
  });
}

// The elements of arrays that a store to the place chooses from.
std::uint64_t room(const Flat& flat, const Access& access) {
  if (!access.inst) return 0;
  const std::uint64_t size = size_of(flat.unit, flat.inst(*access.inst).type);
  std::uint64_t count = 0;
  for (const Index& index : access.indices) {
    count = std::max(count, index.count != 0 ? index.count : size / std::max<std::uint64_t>(index.stride, 1));
  }
  return count;
}

// Calls visit(AccessId) for each place that the handle of the Spawn node is stored in: the model of pthread_create
// hands it on from one temporary to the next.
template <class Visit>
void for_each_handle(const Flat& flat, const Body& body, const Node& spawn, Visit&& visit) {
  if (!spawn.has_access) return;
  std::set<InstId> temporaries;
  const auto store = [&](AccessId access) {
    visit(access);
    const auto& inst = flat.access(access).inst;
    return inst && is_scalar(flat.unit.type(flat.inst(*inst).type)) && temporaries.insert(*inst).second;
  };
  const auto hands_on = [&](const Node& node) {
    return node.kind == Node::Kind::Assign &&
           std::any_of(temporaries.begin(), temporaries.end(), [&](InstId inst) { return loads(flat, node, inst); });
  };
  for (bool grows = store(spawn.access); grows;) {
    grows = false;
    for (const Node& node : body.nodes) {
      if (hands_on(node)) grows = store(node.access) || grows;
    }
  }
}

std::uint64_t handles_of(const Flat& flat, const PointsTo& points_to, const Body& body, const Node& spawn) {
  std::uint64_t count = 0;
  for_each_handle(flat, body, spawn, [&](AccessId id) {
    const Access& access = flat.access(id);
    count = std::max(count, room(flat, access));
    if (access.inst) return;
    const std::uint64_t stride = std::max<std::uint64_t>(size_of(flat.unit, access.type), 1);
    for (const Target& place : points_to.places(id)) {
      if (!place.function) count = std::max(count, size_of(flat.unit, flat.inst(place.inst).type) / stride);
    }
  });
  return count;
}

using Marks = std::vector<bool>;

class GroupFinder {
 public:
  GroupFinder(const Flat& flat, Flat& resolved, const ThreadTable& table)
      : flat_(flat), resolved_(resolved), table_(table), points_to_(resolved), sharing_(resolved, points_to_) {}

  std::vector<ThreadGroup> run() {
    const std::vector<bool> many = bodies_of_many(flat_);
    for (std::size_t i = 0; i < flat_.bodies.size(); ++i) {
      if (!many[i]) find_in(BodyId(i));
    }
    keep_those_that_meet();
    find_rows();
    return std::move(groups_);
  }

 private:
  const Body& resolved(BodyId body) const { return resolved_.bodies[body.value]; }

  void find_in(BodyId body) {
    const auto& nodes = flat_.bodies[body.value].nodes;
    COHORT_EXPECT(resolved(body).nodes.size() >= nodes.size(),
                  "nodes keep their numbers when allocations are resolved");
    loops_ = nodes_in_loops(resolved(body));
    std::vector<bool> done(nodes.size(), false);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (done[i] || nodes[i].kind != Node::Kind::Spawn || !started(flat_, nodes[i])) continue;
      std::vector<NodeId> sites{NodeId(i)};
      for (std::size_t j = i + 1; j < nodes.size(); ++j) {
        if (!done[j] && alike(nodes[i], nodes[j])) sites.push_back(NodeId(j));
      }
      // Sites that are no group together may be one without the others.
      while (!sites.empty() && !is_group(body, sites)) sites.pop_back();
      std::optional<Columns> columns = columns_of(body, NodeId(i), sites);
      for (const NodeId site : sites) done[site.value] = true;
      const bool repeated = std::any_of(sites.begin(), sites.end(), [&](NodeId site) { return loops_[site.value]; });
      if (sites.empty() || (sites.size() == 1 && !repeated)) continue;
      ThreadGroup group{.creator = body, .routine = *started(flat_, nodes[i]), .sites = sites, .repeated = repeated};
      group.drops_argument = columns || drops_argument(nodes[i]);
      group.columns = std::move(columns);
      for (const NodeId site : sites) {
        const Node& spawn = resolved(body).nodes[site.value];
        group.handles = std::max(group.handles, handles_of(resolved_, points_to_, resolved(body), spawn));
      }
      groups_.push_back(std::move(group));
    }
  }

  void keep_those_that_meet() {
    for (ThreadGroup& group : groups_) group.meets = table_.results || group.columns;
    // A group that has numbers keeps others of its routine from meeting.
    while (std::erase_if(groups_, [&](const ThreadGroup& group) { return group.meets && !can_meet(group); }) > 0) {
    }
  }

  // Where faults and races are looked for, handles are read like anything else.
  void find_rows() {
    if (flat_.options.asks_for(Wrong::Fault) || flat_.options.asks_for(Wrong::Race)) return;
    for (ThreadGroup& group : groups_) {
      if (!group.repeated || group.meets || !table_.finished) continue;
      group.row = find_row(flat_, resolved_, points_to_, sharing_, table_, group.creator, group.sites);
    }
  }

  bool can_meet(const ThreadGroup& group) const {
    const BodyId body = group.routine;
    if (flat_.options.asks_for(Wrong::Deadlock) || flat_.options.interleave_statements) return false;
    if (flat_.bodies[body.value].has_async) return false;
    const auto is_another = [&](const ThreadGroup& other) { return &other != &group && other.routine == body; };
    if (group.columns && std::any_of(groups_.begin(), groups_.end(), is_another)) return false;
    // Whoever meets somebody gives way to others.
    const auto in_section = [&](BodyId id, auto&& concerns) {
      const Body& of = flat_.bodies[id.value];
      const std::vector<Depths> depths = section_depths(of);
      for (std::size_t i = 0; i < depths.size(); ++i) {
        if ((depths[i] & ~outside) != 0 && concerns(of.nodes[i])) return true;
      }
      return false;
    };
    const auto waits = [&](const Node& node) { return awaited_handle(flat_, node, table_).has_value(); };
    if (in_section(group.creator, waits)) return false;
    if (in_section(body, [](const Node& node) { return node.kind == Node::Kind::EndThread; })) return false;
    const auto is_grouped = [&](BodyId creator, NodeId site) {
      return std::any_of(groups_.begin(), groups_.end(), [&](const ThreadGroup& other) {
        return other.creator == creator && std::find(other.sites.begin(), other.sites.end(), site) != other.sites.end();
      });
    };
    for (std::size_t i = 0; i < flat_.bodies.size(); ++i) {
      const auto& nodes = flat_.bodies[i].nodes;
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        if (BodyId(i) != group.creator && awaited_handle(flat_, nodes[j], table_)) return false;
        if (may_start(flat_, nodes[j], flat_.bodies[body.value]) && !is_grouped(BodyId(i), NodeId(j))) return false;
      }
    }
    return true;
  }

  // Threads that are no group because each works on an element of its own; `sites` are then all places that create
  // some.
  std::optional<Columns> columns_of(BodyId creator, NodeId first, std::vector<NodeId>& sites) {
    const auto& nodes = flat_.bodies[creator.value].nodes;
    const Node& spawn = nodes[first.value];
    const bool is_one = sites.size() == 1 && !loops_[first.value];
    if ((!sites.empty() && !is_one) || drops_argument(spawn) || !table_.finished) return std::nullopt;
    const BodyId routine = *started(flat_, spawn);
    std::vector<NodeId> all;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (may_start(flat_, nodes[i], flat_.bodies[routine.value])) all.push_back(NodeId(i));
    }
    if (routine == creator || (all.size() == 1 && !loops_[all.front().value])) return std::nullopt;
    auto columns =
        find_columns(flat_, resolved_, points_to_, sharing_, creator, routine, all, table_.results.has_value());
    if (!columns || !is_group(creator, all, &*columns)) return std::nullopt;
    sites = std::move(all);
    return columns;
  }

  bool drops_argument(const Node& spawn) const {
    COHORT_EXPECT(started(flat_, spawn).has_value(), "it is certain what the thread runs");
    const Body& body = flat_.bodies[started(flat_, spawn)->value];
    return !reads_parameter(flat_, body, table_.results.has_value()) && !matters(flat_, spawn.argument);
  }

  bool alike(const Node& left, const Node& right) const {
    if (right.kind != Node::Kind::Spawn || started(flat_, left) != started(flat_, right)) return false;
    if (drops_argument(left) && drops_argument(right)) return true;
    return equal_constants(flat_, left.argument, right.argument).value_or(false);
  }

  // Nodes after a site from which a site can be reached.
  Marks between(const Body& body, const std::vector<NodeId>& sites) const {
    Marks after(body.nodes.size(), false);
    std::vector<NodeId> pending;
    const auto follow = [&](const Node& node) { pending.insert(pending.end(), node.next.begin(), node.next.end()); };
    for (const NodeId site : sites) follow(body.nodes[site.value]);
    while (!pending.empty()) {
      const NodeId at = pending.back();
      pending.pop_back();
      if (after[at.value]) continue;
      after[at.value] = true;
      follow(body.nodes[at.value]);
    }
    Marks before(body.nodes.size(), false);
    for (const NodeId site : sites) before[site.value] = true;
    for (bool grows = true; grows;) {
      grows = false;
      for (std::size_t i = 0; i < before.size(); ++i) {
        const auto& next = body.nodes[i].next;
        if (before[i] || std::none_of(next.begin(), next.end(), [&](NodeId to) { return before[to.value]; })) continue;
        before[i] = grows = true;
      }
    }
    for (std::size_t i = 0; i < after.size(); ++i) after[i] = after[i] && before[i];
    return after;
  }

  bool is_group(BodyId id, const std::vector<NodeId>& sites, const Columns* columns = nullptr) const {
    COHORT_EXPECT(!sites.empty(), "a group has a first thread");
    const Body& body = resolved(id);
    const Marks marks = between(body, sites);
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (marks[i] && is_visible(id, body.nodes[i], columns)) return false;
    }
    if (columns != nullptr) return true;
    const auto same_argument = [&](NodeId site) {
      const Node& spawn = flat_.bodies[id.value].nodes[site.value];
      return drops_argument(spawn) || is_constant(flat_, spawn.argument) || stays(id, marks, spawn.argument);
    };
    return std::all_of(sites.begin(), sites.end(), same_argument);
  }

  // May another thread see what the node does, or change what it sees?
  bool is_visible(BodyId body, const Node& node, const Columns* columns) const {
    if (node.kind == Node::Kind::Async || node.kind == Node::Kind::Free || node.kind == Node::Kind::Allocate ||
        node.kind == Node::Kind::Havoc)
      return true;
    const auto is_hidden = [&](AccessId access) {
      return (columns != nullptr && is_of_columns(resolved_, *columns, access)) || is_private(body, access);
    };
    bool visible = node.has_access && !is_hidden(node.access);
    for_each_access(resolved_, node,
                    [&](AccessId access, bool is_load) { visible = visible || (is_load && !is_hidden(access)); });
    return visible;
  }

  bool is_private(BodyId body, AccessId id) const {
    const Access& access = resolved_.access(id);
    if (access.inst) return sharing_.owner(*access.inst) == body;
    const std::set<Target> places = points_to_.places(id);
    return !places.empty() && std::all_of(places.begin(), places.end(), [&](const Target& place) {
      return !place.function && sharing_.owner(place.inst) == body;
    });
  }

  // Has the term the same value at all sites?
  bool stays(BodyId body, const Marks& marks, TermId term) const {
    std::set<InstId> read;
    bool known = true;
    const auto see = [&](TermId id, auto&& self) -> void {
      if (flat_.term(id).op == Op::Nondet) known = false;
      for (const TermId arg : flat_.term(id).args) self(arg, self);
    };
    see(term, see);
    for_each_access(flat_, term, [&](AccessId access, bool is_load) {
      if (!is_load) return;
      const auto& inst = flat_.access(access).inst;
      known = known && inst && sharing_.owner(*inst) == body;
      if (inst) read.insert(*inst);
    });
    const auto writes = [&](const Node& node) {
      if (node.kind == Node::Kind::Declare) return read.contains(node.inst);
      if (!node.has_access) return false;
      const std::set<Target> places = points_to_.places(node.access);
      return std::any_of(places.begin(), places.end(),
                         [&](const Target& place) { return !place.function && read.contains(place.inst); });
    };
    for (std::size_t i = 0; known && i < marks.size(); ++i) known = !marks[i] || !writes(resolved(body).nodes[i]);
    return known;
  }

  const Flat& flat_;
  Flat& resolved_;
  const ThreadTable& table_;
  const PointsTo points_to_;
  const Sharing sharing_;
  std::vector<bool> loops_;
  std::vector<ThreadGroup> groups_;
};

}  // namespace

bool is_only_source(const Flat& flat, const ThreadGroup& group) {
  const auto& sites = group.sites;
  for (std::size_t i = 0; i < flat.bodies.size(); ++i) {
    const auto& nodes = flat.bodies[i].nodes;
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      if (!may_start(flat, nodes[j], flat.bodies[group.routine.value])) continue;
      if (BodyId(i) != group.creator || std::find(sites.begin(), sites.end(), NodeId(j)) == sites.end()) return false;
    }
  }
  return true;
}

std::optional<TermId> awaited_handle(const Flat& flat, const Node& node, const ThreadTable& table) {
  if (node.kind != Node::Kind::AtomicBegin || !node.has_term || !table.finished) return std::nullopt;
  const Term* term = &flat.term(node.term);
  while (term->op == Op::Cast) term = &flat.term(term->args[0]);
  if (term->op != Op::Load || flat.access(term->access).inst != table.finished) return std::nullopt;
  const Access& access = flat.access(term->access);
  if (access.indices.size() != 1 || access.offset != 0) return std::nullopt;
  return access.indices[0].term;
}

std::uint64_t room_for_handles(const Flat& flat) {
  Flat resolved = flat;
  resolve_allocations(resolved);
  resolved.initial.resize(resolved.insts.size());
  const PointsTo points_to(resolved);
  std::uint64_t count = 0;
  for (const Body& body : resolved.bodies) {
    for (const Node& node : body.nodes) {
      if (node.kind == Node::Kind::Spawn) count = std::max(count, handles_of(resolved, points_to, body, node));
    }
  }
  return count;
}

std::uint64_t handles_followed(const Flat& flat, const ThreadGroup& group) {
  if (!group.repeated) return group.sites.size();
  return std::max<std::uint64_t>(flat.options.numbered_threads, std::min(group.handles, most_handles));
}

void separate_columns(Flat& flat, const ThreadTable& table, std::vector<ThreadGroup>& groups) {
  for (ThreadGroup& group : groups) {
    if (!group.columns) continue;
    group.sites = separate_columns(flat, *group.columns, group.creator, group.routine, group.sites, group.repeated,
                                   table.results.has_value(), handles_followed(flat, group));
  }
}

void drop_idle_looks(Flat& flat, const ThreadTable& table) {
  if (!table.finished) return;
  std::vector<bool> read(flat.insts.size(), false);
  for (const Body& body : flat.bodies) {
    for (const Node& node : body.nodes) {
      for_each_access(flat, node, [&](AccessId access, bool) {
        if (const auto& inst = flat.access(access).inst) read[inst->value] = true;
      });
    }
  }
  for (Body& body : flat.bodies) {
    for (Node& node : body.nodes) {
      if (node.kind != Node::Kind::Assign || !loads(flat, node, *table.finished)) continue;
      const auto& target = flat.access(node.access).inst;
      if (!target || read[target->value] || flat.inst(*target).kind != Inst::Kind::Automatic) continue;
      node = {.kind = Node::Kind::Skip, .next = node.next, .statement = node.statement, .span = node.span};
    }
  }
}

std::vector<ThreadGroup> find_groups(const Flat& flat, const ThreadTable& table) {
  if (table.numbers || (table.finished && !only_waits(flat, table))) return {};
  COHORT_EXPECT(!table.results || table.finished, "who takes what a thread returns has waited for it");
  Flat resolved = flat;
  resolve_allocations(resolved);
  resolved.initial.resize(resolved.insts.size());
  COHORT_EXPECT(resolved.bodies.size() == flat.bodies.size(), "allocations add no bodies");
  return GroupFinder(flat, resolved, table).run();
}

}  // namespace cohort::frontend::c::lower
