// An object on a stack whose address is taken has a flag that says whether its life has ended, and whoever accesses it
// looks at that, as at whether an object on the heap has been freed.  Nearly all of these flags are idle: the address
// is handed to a call that is over first.  A flag is kept where some access that may lead to the object comes after an
// end of it in the same body, or stands in a body of other threads.
//
// Forward analysis of each body: the objects that may have ended before each node.  Invariant: the set only grows at a
// node, so that the search ends; an object is in it if some path since the start has ended it after it last began.
#include "frontend/c/lower/lives.hpp"

#include <set>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/points_to.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/threads.hpp"

namespace cohort::frontend::c::lower {

namespace {

class Lives {
 public:
  explicit Lives(Flat& flat) : flat_(flat), points_to_(flat), many_(bodies_of_many(flat)) {}

  std::set<InstId> used_after_end() {
    for (std::size_t i = 0; i < flat_.bodies.size(); ++i) find_uses(BodyId(i));
    return used_;
  }

  // The object whose flag the node sets.
  static std::optional<InstId> object_of(const Flat& flat, const Node& node) {
    if (node.kind != Node::Kind::Assign || !flat.access(node.access).inst) return std::nullopt;
    return flat.inst(*flat.access(node.access).inst).ends;
  }

 private:
  using Ended = std::set<InstId>;

  void find_uses(BodyId id) {
    const Body& body = flat_.bodies[id.value];
    std::vector<std::optional<Ended>> before(body.nodes.size());
    std::vector<NodeId> pending{body.entry};
    before[body.entry.value].emplace();
    while (!pending.empty()) {
      poll(flat_.options.env, "lives");
      const NodeId at = pending.back();
      pending.pop_back();
      Ended after = *before[at.value];
      if (const auto object = object_of(flat_, body.nodes[at.value])) {
        const auto ended = number(flat_, body.nodes[at.value].term);
        COHORT_EXPECT(ended, "flags are set to what is known");
        if (*ended != 0) {
          after.insert(*object);
        } else {
          after.erase(*object);
        }
      }
      for (const NodeId next : body.nodes[at.value].next) {
        auto& known = before[next.value];
        const std::size_t size = known ? known->size() : 0;
        const bool fresh = !known;
        if (fresh) known.emplace();
        known->insert(after.begin(), after.end());
        if (fresh || known->size() != size) pending.push_back(next);
      }
    }
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
      if (before[i]) look(id, body.nodes[i], *before[i]);
    }
  }

  void look(BodyId id, const Node& node, const Ended& ended) {
    const auto access = [&](AccessId place) {
      for (const Target& target : points_to_.places(place)) {
        if (target.function || !flat_.inst(target.inst).ended) continue;
        const bool is_other = flat_.inst(target.inst).body != id || (many_[id.value] && !flat_.access(place).inst);
        if (is_other || ended.contains(target.inst)) used_.insert(target.inst);
      }
    };
    for_each_access(flat_, node, [&](AccessId place, bool is_load) {
      if (is_load) access(place);
    });
    if (node.has_access) access(node.access);
  }

  Flat& flat_;
  const PointsTo points_to_;
  const std::vector<bool> many_;
  std::set<InstId> used_;
};

}  // namespace

void drop_idle_flags(Flat& flat) {
  const std::set<InstId> used = Lives(flat).used_after_end();
  for (Body& body : flat.bodies) {
    for (Node& node : body.nodes) {
      const auto object = Lives::object_of(flat, node);
      if (object && !used.contains(*object)) node = {.kind = Node::Kind::Skip, .next = node.next};
    }
  }
  for (std::size_t i = 0; i < flat.insts.size(); ++i) {
    if (!used.contains(InstId(i))) flat.insts[i].ended.reset();
  }
}

}  // namespace cohort::frontend::c::lower
