// Must-be-written analysis, forward, for the scalars of automatic objects; arrays and allocated objects are flagged
// whenever they are read at all.  An object that other threads see must be written before any of them can exist: it is
// flagged if a thread was started before its declaration, or starts while it may be unwritten.
#include "frontend/c/lower/uninitialised.hpp"

#include <algorithm>
#include <map>

#include "frontend/c/lower/propagate.hpp"

namespace cohort::frontend::c::lower {

namespace {

class Analysis {
 public:
  Analysis(const Flat& flat, const PointsTo& points_to, const Sharing& sharing, Layout& layout)
      : flat_(flat), points_to_(points_to), sharing_(sharing), layout_(layout) {}

  std::set<GroupId> run() {
    find_loaded();
    for (std::size_t i = 0; i < flat_.insts.size(); ++i) {
      const Inst& inst = flat_.insts[i];
      if (!sharing_.is_accessed(InstId(i))) continue;
      if (inst.kind == Inst::Kind::Automatic && !inst.is_temporary && !is_parameter(InstId(i))) {
        for (const GroupId group : layout_.groups_of(InstId(i))) {
          if (layout_.group(group).dimensions.empty()) {
            scalars_[inst.body].insert(group);
          } else {
            flag(group);
          }
        }
      } else if (inst.starts_unknown && inst.kind != Inst::Kind::Text) {
        for (const GroupId group : layout_.groups_of(InstId(i))) flag(group);
      }
    }
    for (const auto& [body, groups] : scalars_) analyse(flat_.bodies[body.value], groups);
    return result_;
  }

 private:
  using Written = std::set<GroupId>;

  struct Facts {
    Written written;
    bool has_spawned = false;
  };

  bool is_parameter(InstId inst) const {
    return std::any_of(flat_.bodies.begin(), flat_.bodies.end(),
                       [&](const Body& body) { return body.parameter == inst; });
  }

  void flag(GroupId group) {
    if (loaded_.contains(group)) result_.insert(group);
  }

  template <class Visit>
  void for_each_group(AccessId id, Visit&& visit) {
    for (const Target& place : points_to_.places(id)) {
      if (place.function) continue;
      if (const auto group = layout_.find(place.inst, place.offset)) visit(*group);
    }
  }

  template <class Visit>
  void for_each_part(const Node& store, Visit&& visit) {
    const std::uint64_t size = size_of(flat_.unit, flat_.access(store.access).type);
    for_each_group(store.access, [&](GroupId group) {
      if (size_of(flat_.unit, layout_.group(group).type) != size) visit(group);
    });
  }

  void find_loaded() {
    for (const Body& body : flat_.bodies) {
      for (const Node& node : body.nodes) {
        for_each_access(flat_, node, [&](AccessId access, bool is_load) {
          if (is_load) for_each_group(access, [&](GroupId group) { loaded_.insert(group); });
        });
        // A store to a part keeps the rest.
        if (node.kind == Node::Kind::Assign) for_each_part(node, [&](GroupId group) { loaded_.insert(group); });
      }
    }
  }

  void analyse(const Body& body, const Written& groups) {
    std::vector<std::optional<Facts>> before(body.nodes.size());
    std::vector<NodeId> pending{body.entry};
    before[body.entry.value] = Facts{};
    while (!pending.empty()) {
      const NodeId at = pending.back();
      pending.pop_back();
      const Facts after = execute(body.nodes[at.value], *before[at.value]);
      for (const NodeId next : body.nodes[at.value].next) {
        auto& known = before[next.value];
        const std::size_t size = known ? known->written.size() : 0;
        const bool spawned = known && known->has_spawned;
        if (!known) {
          known = after;
        } else {
          std::erase_if(known->written, [&](GroupId group) { return !after.written.contains(group); });
          known->has_spawned = known->has_spawned || after.has_spawned;
          if (known->written.size() == size && known->has_spawned == spawned) continue;
        }
        pending.push_back(next);
      }
    }
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
      if (before[i]) check(body.nodes[i], *before[i], groups);
    }
  }

  Facts execute(const Node& node, Facts facts) {
    if (node.kind == Node::Kind::Declare) {
      std::erase_if(facts.written, [&](GroupId group) { return layout_.group(group).inst == node.inst; });
    }
    if (node.kind == Node::Kind::Spawn || node.kind == Node::Kind::Async) facts.has_spawned = true;
    if (node.has_access && node.kind == Node::Kind::Assign) {
      const Access& access = flat_.access(node.access);
      if (access.inst && access.indices.empty()) {
        const std::uint64_t size = size_of(flat_.unit, access.type);
        for_each_group(node.access, [&](GroupId group) {
          if (size_of(flat_.unit, layout_.group(group).type) == size) facts.written.insert(group);
        });
      }
    }
    return facts;
  }

  void check(const Node& node, const Facts& facts, const Written& groups) {
    for_each_access(flat_, node, [&](AccessId access, bool is_load) {
      if (!is_load) return;
      for_each_group(access, [&](GroupId group) {
        if (groups.contains(group) && !facts.written.contains(group)) flag(group);
      });
    });
    if (node.kind == Node::Kind::Assign) {
      for_each_part(node, [&](GroupId group) {
        if (groups.contains(group) && !facts.written.contains(group)) flag(group);
      });
    }
    const bool spawns = node.kind == Node::Kind::Spawn;
    if (!spawns && !(node.kind == Node::Kind::Declare && facts.has_spawned)) return;
    for (const GroupId group : groups) {
      const InstId inst = layout_.group(group).inst;
      if (sharing_.owner(inst) || facts.written.contains(group)) continue;
      if (spawns || node.inst == inst) flag(group);
    }
  }

  const Flat& flat_;
  const PointsTo& points_to_;
  const Sharing& sharing_;
  Layout& layout_;
  std::set<GroupId> loaded_;
  std::map<BodyId, Written> scalars_;
  std::set<GroupId> result_;
};

}  // namespace

std::set<GroupId> read_uninitialised(const Flat& flat, const PointsTo& points_to, const Sharing& sharing,
                                     Layout& layout) {
  return Analysis(flat, points_to, sharing, layout).run();
}

}  // namespace cohort::frontend::c::lower
