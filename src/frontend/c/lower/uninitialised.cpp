// Must-be-written analysis, forward, for the scalars of automatic objects; arrays and allocated objects are flagged
// whenever they are read at all.  An object that other threads see must be written before any of them can exist: it is
// flagged if a thread was started before its declaration, or starts while it may be unwritten.  What a function that
// nobody defines may write is flagged, too: to write any value is to forget the old one.
//
// A byte that is copied from what may be unwritten is as good as unwritten: who sorts or swaps records byte by byte
// moves their padding, whose values make no difference to anybody.
#include "frontend/c/lower/uninitialised.hpp"

#include <algorithm>
#include <map>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/c/lower/havoc.hpp"
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
    for (const Body& body : flat_.bodies) {
      for (const Node& node : body.nodes) {
        if (node.kind == Node::Kind::Havoc) forget_from_outside(node);
      }
    }
    for (std::size_t known = SIZE_MAX; known != result_.size();) {
      known = result_.size();
      for (const auto& [body, groups] : scalars_) analyse(flat_.bodies[body.value], groups);
    }
    return result_;
  }

 private:
  using Bytes = std::uint8_t;  // one bit for each byte of a scalar

  struct Facts {
    std::map<GroupId, Bytes> written;
    bool has_spawned = false;
  };

  bool is_parameter(InstId inst) const {
    return std::any_of(flat_.bodies.begin(), flat_.bodies.end(),
                       [&](const Body& body) { return body.parameter == inst; });
  }

  // Objects of the thread library that nobody has initialised are zeros: who uses them is told so, and what they could
  // be by chance would pass for a lock that somebody holds.
  void flag(GroupId id) {
    const Group& group = layout_.group(id);
    if (is_of_library_at(flat_.unit, flat_.inst(group.inst).type, group.offset)) return;
    if (loaded_.contains(id)) result_.insert(id);
  }

  // What a function that nobody defines may have written has a value when it is read.
  void forget_from_outside(const Node& node) {
    for (const InstId inst : points_to_.reachable(node.term)) {
      for (const GroupId group : forgotten_groups(flat_, layout_, inst)) flag(group);
    }
  }

  template <class Visit>
  void for_each_group(AccessId id, Visit&& visit) {
    for (const Target& place : points_to_.places(id)) {
      if (place.function) continue;
      if (const auto group = layout_.find(place.inst, place.offset)) visit(*group);
    }
  }

  static Bytes bytes(std::uint64_t size, std::int64_t first = 0) {
    COHORT_EXPECT(first >= 0 && static_cast<std::uint64_t>(first) + size <= 8, "a scalar has at most eight bytes");
    return static_cast<Bytes>(((1U << size) - 1) << static_cast<unsigned>(first));
  }

  Bytes all_bytes(GroupId group) const { return bytes(size_of(flat_.unit, layout_.group(group).type)); }

  // The bytes of the scalar that the access certainly is about; none where that depends on more than the place.
  std::optional<Bytes> bytes_of(const Access& access, GroupId id) const {
    const Group& group = layout_.group(id);
    const std::uint64_t size = size_of(flat_.unit, access.type);
    const std::int64_t first = access.offset - group.offset;
    if (!access.inst || !access.indices.empty() || !group.dimensions.empty() || first < 0) return std::nullopt;
    if (static_cast<std::uint64_t>(first) + size > size_of(flat_.unit, group.type)) return std::nullopt;
    return bytes(size, first);
  }

  bool is_written(const Facts& facts, GroupId group, Bytes needed) const {
    const auto known = facts.written.find(group);
    return known != facts.written.end() && (known->second & needed) == needed;
  }

  void find_loaded() {
    for (const Body& body : flat_.bodies) {
      for (const Node& node : body.nodes) {
        for_each_access(flat_, node, [&](AccessId access, bool is_load) {
          if (is_load) for_each_group(access, [&](GroupId group) { loaded_.insert(group); });
        });
      }
    }
  }

  // Keeps what is written on both ways; says whether that is less than before.
  static bool meet(Facts& known, const Facts& other) {
    bool changed = !known.has_spawned && other.has_spawned;
    known.has_spawned = known.has_spawned || other.has_spawned;
    for (auto& [group, bytes] : known.written) {
      const auto found = other.written.find(group);
      const Bytes both = found == other.written.end() ? Bytes{0} : static_cast<Bytes>(bytes & found->second);
      changed = changed || both != bytes;
      bytes = both;
    }
    return changed;
  }

  void analyse(const Body& body, const std::set<GroupId>& groups) {
    std::vector<std::optional<Facts>> before(body.nodes.size());
    std::vector<NodeId> pending{body.entry};
    COHORT_EXPECT(body.entry.value < body.nodes.size(), "the body begins at one of its nodes");
    before[body.entry.value] = Facts{};
    while (!pending.empty()) {
      poll(flat_.options.env, "uninitialised");
      const NodeId at = pending.back();
      pending.pop_back();
      const Facts after = execute(body.nodes[at.value], *before[at.value]);
      for (const NodeId next : body.nodes[at.value].next) {
        auto& known = before[next.value];
        if (!known) {
          known = after;
        } else if (!meet(*known, after)) {
          continue;
        }
        pending.push_back(next);
      }
    }
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
      if (before[i]) check(body.nodes[i], *before[i], groups);
    }
  }

  // Does the node copy a byte of the thread's own that may be unwritten?
  bool copies_unwritten_byte(const Node& node) {
    const Term& term = flat_.term(node.term);
    if (term.op != ir::Op::Load || size_of(flat_.unit, term.type) != 1) return false;
    bool result = false;
    for_each_group(term.access, [&](GroupId group) {
      result = result || (result_.contains(group) && sharing_.owner(layout_.group(group).inst));
    });
    return result;
  }

  Facts execute(const Node& node, Facts facts) {
    if (node.kind == Node::Kind::Declare) {
      std::erase_if(facts.written, [&](const auto& entry) { return layout_.group(entry.first).inst == node.inst; });
    }
    if (node.kind == Node::Kind::Spawn || node.kind == Node::Kind::Async) facts.has_spawned = true;
    if (node.has_access && node.kind == Node::Kind::Assign) {
      const Access& access = flat_.access(node.access);
      const bool forgets = copies_unwritten_byte(node);
      for_each_group(node.access, [&](GroupId group) {
        const auto some = bytes_of(access, group);
        if (some && !forgets) facts.written[group] |= *some;
        if (some && forgets) facts.written.erase(group);
      });
    }
    return facts;
  }

  // Padding that is given padding, though nobody may ever look at it.
  void flag_padding(const Node& node) {
    if (node.kind != Node::Kind::Assign || !copies_unwritten_byte(node)) return;
    for_each_group(node.access, [&](GroupId group) {
      if (layout_.group(group).name.ends_with(padding_name)) result_.insert(group);
    });
  }

  void check(const Node& node, const Facts& facts, const std::set<GroupId>& groups) {
    flag_padding(node);
    for_each_access(flat_, node, [&](AccessId id, bool is_load) {
      if (!is_load) return;
      for_each_group(id, [&](GroupId group) {
        const Bytes needed = bytes_of(flat_.access(id), group).value_or(all_bytes(group));
        if (groups.contains(group) && !is_written(facts, group, needed)) flag(group);
      });
    });
    const bool spawns = node.kind == Node::Kind::Spawn;
    if (!spawns && !(node.kind == Node::Kind::Declare && facts.has_spawned)) return;
    for (const GroupId group : groups) {
      const InstId inst = layout_.group(group).inst;
      if (sharing_.owner(inst) || is_written(facts, group, all_bytes(group))) continue;
      if (spawns || node.inst == inst) flag(group);
    }
  }

  const Flat& flat_;
  const PointsTo& points_to_;
  const Sharing& sharing_;
  Layout& layout_;
  std::set<GroupId> loaded_;
  std::map<BodyId, std::set<GroupId>> scalars_;
  std::set<GroupId> result_;
};

}  // namespace

std::set<GroupId> read_uninitialised(const Flat& flat, const PointsTo& points_to, const Sharing& sharing,
                                     Layout& layout) {
  return Analysis(flat, points_to, sharing, layout).run();
}

}  // namespace cohort::frontend::c::lower
