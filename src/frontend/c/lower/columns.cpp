// Columns: if only thread i works on a[i] while it lives, a[i] is a part of its local state, and i tells it from
// nobody.
//
// The threads of a group are given &a[i], or i, and do nothing with it but find their element.  The routine then works
// on an object of its own in place of the element; when a wait meets a thread and names it t[k], what the thread has in
// that object goes to the element that the k-th thread was created with.  Why that is exact is said in
// docs/identity.md.
//
// What is needed is decided in three ways.  That nobody but the creator and the thread itself gets at the array, and
// that the routine does nothing else with its argument, is read off the program: what fails that is no column.  That
// threads begin with the same values is read off what the creator stores, and compared when a thread is created.  That
// the creator keeps away from elements of threads that live is watched while the program runs: `taken` says which
// elements those are, it depends on how far the creator is and on nothing else, and an access to one of them is a cut
// that names the option by which threads are told apart.
#include "frontend/c/lower/columns.hpp"

#include <algorithm>
#include <set>

#include "base/contract.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/own_element.hpp"
#include "frontend/c/lower/threads.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;

namespace {

class ColumnFinder {
 public:
  ColumnFinder(const Flat& flat, const Flat& resolved, const PointsTo& points_to, const Sharing& sharing,
               BodyId creator, BodyId routine, bool results_matter)
      : flat_(flat),
        resolved_(resolved),
        points_to_(points_to),
        sharing_(sharing),
        creator_(creator),
        routine_(routine),
        results_matter_(results_matter),
        aliases_(aliases_of(flat, flat.bodies[routine.value])) {}

  std::optional<Columns> run(const std::vector<NodeId>& sites) {
    if (aliases_.empty() || !choose_slots(sites) || !find_arrays()) return std::nullopt;
    if (!find_fields() || !only_the_two_get_there() || !find_looks() || !find_starts(sites)) return std::nullopt;
    return std::move(result_);
  }

 private:
  const Body& creator() const { return flat_.bodies[creator_.value]; }
  const Body& routine() const { return flat_.bodies[routine_.value]; }

  bool is_column(InstId inst) const {
    return std::any_of(result_.columns.begin(), result_.columns.end(),
                       [&](const Column& column) { return column.array == inst; });
  }

  // Does the creator alone decide about the value?
  bool is_own(TermId term) const {
    bool own = true;
    const auto see = [&](TermId id, auto&& self) -> void {
      if (flat_.term(id).op == Op::Nondet) own = false;
      for (const TermId arg : flat_.term(id).args) self(arg, self);
    };
    see(term, see);
    for_each_access(flat_, term, [&](AccessId id, bool is_load) {
      const auto& inst = flat_.access(id).inst;
      if (is_load) own = own && inst && sharing_.owner(*inst) == creator_;
    });
    return own;
  }

  bool choose_slots(const std::vector<NodeId>& sites) {
    for (const NodeId site : sites) {
      SlotChoice choice{.site = site, .chosen = site};
      TermId given = creator().nodes[site.value].argument;
      if (const auto handed = copied(flat_, given)) {
        const auto store = find_choice(*handed, site);
        if (!store) return false;
        choice.chosen = *store;
        given = creator().nodes[store->value].term;
      }
      given = without_casts(flat_, given);
      const bool by_pointer = flat_.term(given).op == Op::AddressOf;
      if (site != sites.front() && by_pointer != result_.by_pointer) return false;
      result_.by_pointer = by_pointer;
      choice.element = {.constant = {}, .term = given};
      if (by_pointer && !take_address(flat_.access(flat_.term(given).access), choice.element)) return false;
      if (!choice.element.constant && !is_number_of_creator(choice.element.term)) return false;
      result_.choices.push_back(choice);
    }
    return true;
  }

  bool is_number_of_creator(TermId term) const {
    const ir::Type& type = flat_.type_of(term);
    return type.kind == ir::Type::Kind::Int && !type.is_float && is_own(term);
  }

  // The one store to the temporary that hands the argument over.
  std::optional<NodeId> find_choice(InstId handed, NodeId at) const {
    const auto& nodes = creator().nodes;
    if (flat_.inst(handed).kind != Inst::Kind::Automatic) return std::nullopt;
    std::optional<NodeId> store;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (takes_address(flat_, nodes[i], handed)) return std::nullopt;
      if (!stores(flat_, nodes[i], handed)) continue;
      if (store || nodes[i].kind != Node::Kind::Assign) return std::nullopt;
      store = NodeId(i);
    }
    if (!store || !is_whole(flat_, flat_.access(nodes[store->value].access), handed)) return std::nullopt;
    std::vector<bool> storing(nodes.size(), false);
    storing[store->value] = true;
    const Node& site = nodes[at.value];
    if (!stored_first(creator(), handed, storing, [&](const Node& node) { return &node == &site; }))
      return std::nullopt;
    return store;
  }

  bool take_address(const Access& access, ElementNumber& element) {
    if (!access.inst || flat_.unit.type(flat_.inst(*access.inst).type).kind != ir::Type::Kind::Array) return false;
    if (!result_.columns.empty() && !is_column(*access.inst)) return false;
    const auto size = static_cast<std::int64_t>(element_size(flat_, *access.inst));
    if (size == 0 || access.offset < 0) return false;
    if (access.indices.empty() && access.offset % size == 0) {
      element.constant = access.offset / size;
    } else if (access.indices.size() == 1 && access.offset == 0 &&
               access.indices[0].stride == static_cast<std::uint64_t>(size)) {
      element.term = access.indices[0].term;
    } else {
      return false;
    }
    if (result_.columns.empty()) result_.columns.push_back({.array = *access.inst});
    return true;
  }

  bool find_arrays() {
    if (!result_.by_pointer) {
      for (const Node& node : routine().nodes) {
        for_each_place(flat_, node, [&](AccessId id, bool) {
          const Access& access = flat_.access(id);
          if (indexes_own(flat_, access, aliases_) && !is_column(*access.inst))
            result_.columns.push_back({.array = *access.inst});
        });
      }
    }
    for (const Column& column : result_.columns) {
      const Inst& inst = flat_.inst(column.array);
      const ir::Type& type = flat_.unit.type(inst.type);
      const bool is_place =
          inst.kind == Inst::Kind::Static || (inst.kind == Inst::Kind::Automatic && inst.body == creator_);
      if (!is_place || inst.is_readonly || inst.starts_unknown || inst.is_bookkeeping || inst.is_foreign) return false;
      if (type.kind != ir::Type::Kind::Array || type.count == 0) return false;
      result_.count = result_.count == 0 ? type.count : std::min(result_.count, type.count);
    }
    return !result_.columns.empty();
  }

  // What the routine does with its element, seen on a copy in which it has one of its own.
  bool find_fields() {
    Flat& trial = scratch();
    add_own_elements(trial, result_, routine_);
    Body& body = trial.bodies[routine_.value];
    use_own_elements(trial, result_, aliases_, body, results_matter_);
    bool fits = true;
    for (const Node& node : body.nodes) {
      fits = fits &&
             std::none_of(aliases_.begin(), aliases_.end(), [&](InstId alias) { return reads(trial, node, alias); });
      for (Column& column : result_.columns) {
        if (takes_address(trial, node, column.own)) return false;
        for_each_place(trial, node, [&](AccessId id, bool) {
          const Access& access = trial.access(id);
          if (access.inst == column.own) fits = fits && add_field(trial, column, access);
          if (access.inst == column.array) fits = false;
        });
      }
    }
    return fits;
  }

  bool add_field(const Flat& trial, Column& column, const Access& access) const {
    if (!access.indices.empty() || access.is_bit_field) return false;
    const auto scalars = scalars_of(trial.unit, trial.inst(column.own).type);
    const auto scalar = scalars.find(access.offset);
    if (scalar == scalars.end() || trial.unit.type(access.type).is_float) return false;
    const ir::Type& type = trial.unit.type(scalar->second);
    if (!is_scalar(type) || type.is_float || type.kind != trial.unit.type(access.type).kind) return false;
    if (size_of(trial.unit, scalar->second) != size_of(trial.unit, access.type)) return false;
    column.fields.emplace(access.offset, Field{.type = scalar->second, .start = {}});
    return true;
  }

  // Of the routine only what becomes the thread's own leads to a column, and nothing of others does.
  bool only_the_two_get_there() const {
    for (std::size_t i = 0; i < resolved_.bodies.size(); ++i) {
      for (const Node& node : resolved_.bodies[i].nodes) {
        if (node.kind == Node::Kind::Havoc || node.kind == Node::Kind::Free || node.kind == Node::Kind::Spawn) {
          const TermId given = node.kind == Node::Kind::Spawn ? node.argument : node.term;
          const bool is_site = node.kind == Node::Kind::Spawn && BodyId(i) == creator_;
          for (const InstId inst : points_to_.reachable(given)) {
            if (is_column(inst) && !is_site) return false;
          }
        }
        if (BodyId(i) == creator_) continue;
        bool strange = false;
        for_each_place(resolved_, node, [&](AccessId id, bool) {
          const Access& access = resolved_.access(id);
          if (BodyId(i) == routine_ && is_through_own(access)) return;
          strange = strange || leads_to_column(id);
        });
        if (strange) return false;
      }
    }
    return true;
  }

  bool is_through_own(const Access& access) const {
    if (!result_.by_pointer) return indexes_own(resolved_, access, aliases_);
    if (access.inst) return false;
    const auto from = copied(resolved_, access.pointer);
    return from && aliases_.contains(*from);
  }

  bool leads_to_column(AccessId id) const {
    const Access& access = resolved_.access(id);
    if (access.inst) return is_column(*access.inst);
    const std::set<Target> places = points_to_.places(id);
    return std::any_of(places.begin(), places.end(),
                       [&](const Target& place) { return !place.function && is_column(place.inst); });
  }

  // Accesses of the creator are by the name of the array, so it can be seen which element is meant.
  bool find_looks() {
    const std::vector<bool> loops = nodes_in_loops(creator());
    const auto& nodes = resolved_.bodies[creator_.value].nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Node& node = nodes[i];
      if (node.kind == Node::Kind::Declare && is_column(node.inst) && (i >= loops.size() || loops[i])) return false;
      const bool chooses = std::any_of(result_.choices.begin(), result_.choices.end(), [&](const SlotChoice& choice) {
        return choice.chosen == NodeId(i) || choice.site == NodeId(i);
      });
      bool fits = true;
      const auto see = [&](AccessId id, bool takes) {
        const Access& access = resolved_.access(id);
        if (!leads_to_column(id)) return;
        if (takes) {
          fits = fits && chooses;
        } else {
          fits = fits && access.inst && i < loops.size() && add_look(NodeId(i), access);
        }
      };
      for_each_access(resolved_, node, [&](AccessId id, bool is_load) { see(id, !is_load); });
      if (node.has_access) see(node.access, false);
      if (!fits) return false;
    }
    return true;
  }

  bool add_look(NodeId node, const Access& access) {
    const Column& column = *std::find_if(result_.columns.begin(), result_.columns.end(),
                                         [&](const Column& one) { return one.array == *access.inst; });
    const auto size = static_cast<std::int64_t>(element_size(flat_, column.array));
    const auto width = static_cast<std::int64_t>(size_of(flat_.unit, access.type));
    if (access.offset < 0 || access.indices.size() > 1) return false;
    ElementNumber element{.constant = access.offset / size};
    if (!access.indices.empty()) {
      element = {.constant = {}, .term = access.indices[0].term};
      if (access.indices[0].stride != static_cast<std::uint64_t>(size) || access.offset >= size) return false;
      // Terms that the resolution of allocations made are not in the program itself.
      if (element.term.value >= flat_.terms.size() || !is_number_of_creator(element.term)) return false;
    }
    const std::int64_t offset = access.offset % size;
    for (const auto& [at, field] : column.fields) {
      const auto field_width = static_cast<std::int64_t>(size_of(flat_.unit, field.type));
      if (offset >= at + field_width || at >= offset + width) continue;
      if (offset != at || width != field_width) return false;
      result_.looks[node].push_back(element);
    }
    return true;
  }

  // What threads find in their element: nothing that they look at, or the same constant in each of them.
  bool find_starts(const std::vector<NodeId>& sites) {
    const Flat& trial = scratch();
    const Body& body = trial.bodies[routine_.value];
    for (Column& column : result_.columns) {
      for (auto& [offset, field] : column.fields) {
        std::vector<bool> storing(body.nodes.size(), false);
        const auto is_field = [&, at = offset](AccessId id) {
          return trial.access(id).inst == column.own && trial.access(id).offset == at;
        };
        for (std::size_t i = 0; i < body.nodes.size(); ++i) {
          storing[i] = body.nodes[i].kind == Node::Kind::Assign && is_field(body.nodes[i].access);
        }
        const auto needs = [&](const Node& node) {
          bool found = node.kind == Node::Kind::EndThread;
          for_each_access(trial, node, [&](AccessId id, bool) { found = found || is_field(id); });
          return found;
        };
        if (stored_first(body, column.own, storing, needs)) continue;
        field.start = start_of(column, offset, sites);
        if (!field.start) return false;
      }
    }
    return true;
  }

  std::optional<std::int64_t> start_of(const Column& column, std::int64_t offset,
                                       const std::vector<NodeId>& sites) const {
    const auto size = static_cast<std::int64_t>(element_size(flat_, column.array));
    std::set<std::int64_t> values;
    const auto is_site = [&](const Node& node) {
      return std::any_of(sites.begin(), sites.end(),
                         [&](NodeId site) { return &node == &creator().nodes[site.value]; });
    };
    for (const Node& node : creator().nodes) {
      if (node.kind != Node::Kind::Assign || !stores(flat_, node, column.array)) continue;
      if (flat_.access(node.access).offset % size != offset) continue;
      if (!reaches(creator(), node.next, is_site, [](const Node&) { return false; })) continue;
      const auto value = number(flat_, node.term);
      if (!value) return std::nullopt;
      values.insert(*value);
    }
    if (values.size() == 1) return *values.begin();
    if (!values.empty() || flat_.inst(column.array).kind != Inst::Kind::Static) return std::nullopt;
    if (column.array.value >= flat_.initial.size()) return 0;
    const auto& initial = flat_.initial[column.array.value];
    const auto found = initial.find(offset);
    return found == initial.end() ? std::optional<std::int64_t>(0) : number(flat_, found->second);
  }

  Flat& scratch() {
    if (!scratch_) scratch_.emplace(flat_);
    return *scratch_;
  }

  const Flat& flat_;
  const Flat& resolved_;
  const PointsTo& points_to_;
  const Sharing& sharing_;
  const BodyId creator_;
  const BodyId routine_;
  const bool results_matter_;
  const std::set<InstId> aliases_;
  std::optional<Flat> scratch_;
  Columns result_;
};

}  // namespace

std::optional<Columns> find_columns(const Flat& flat, const Flat& resolved, const PointsTo& points_to,
                                    const Sharing& sharing, BodyId creator, BodyId routine,
                                    const std::vector<NodeId>& sites, bool results_matter) {
  COHORT_EXPECT(!sites.empty() && creator != routine, "threads with columns are created by another thread");
  return ColumnFinder(flat, resolved, points_to, sharing, creator, routine, results_matter).run(sites);
}

bool is_of_columns(const Flat& flat, const Columns& columns, AccessId access) {
  const auto& inst = flat.access(access).inst;
  return inst && std::any_of(columns.columns.begin(), columns.columns.end(),
                             [&](const Column& column) { return column.array == *inst; });
}

}  // namespace cohort::frontend::c::lower
