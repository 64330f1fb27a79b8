#include "frontend/c/lower/lower.hpp"

#include <algorithm>
#include <set>
#include <variant>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/c/lower/choices.hpp"
#include "frontend/c/lower/emit.hpp"
#include "frontend/c/lower/epilogue.hpp"
#include "frontend/c/lower/forward.hpp"
#include "frontend/c/lower/heap.hpp"
#include "frontend/c/lower/inline.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/spread.hpp"
#include "frontend/c/lower/threads.hpp"
#include "frontend/c/lower/uninitialised.hpp"
#include "frontend/c/lower/waiting_loops.hpp"
#include "model/validate.hpp"

namespace cohort::frontend::c::lower {

namespace {

ir::FunctionId find_entry(const ir::Unit& unit, const std::string& name) {
  for (std::size_t i = 0; i < unit.functions.size(); ++i) {
    const ir::Function& function = unit.functions[i];
    if (function.name == name && function.has_body && !function.is_library) return ir::FunctionId(i);
  }
  throw_unsupported({}, fmt::format("there is no function {} to start from", name));
}

std::optional<TermId> nothing_fixed(InstId, std::int64_t, ir::TypeId) {
  return std::nullopt;
}

// Inlines main, and then the routine of each thread that somebody may start, until there are no more.
void find_bodies(Flat& flat, Inliner& inliner) {
  inliner.body_of(find_entry(flat.unit, flat.options.entry), true);
  for (std::size_t known = 0; known != flat.bodies.size();) {
    known = flat.bodies.size();
    inliner.read_initial_values();
    propagate(flat, nothing_fixed, false);
    for (std::size_t i = 0; i < known; ++i) {
      for (std::size_t j = 0; j < flat.bodies[i].nodes.size(); ++j) {
        const Node node = flat.bodies[i].nodes[j];
        if (node.kind != Node::Kind::Spawn) continue;
        const Term routine = flat.term(node.term);
        if (routine.op == ir::Op::FunctionAddr) {
          if (!flat.unit.function(routine.function).has_body) {
            throw_unsupported(node.span, "a thread whose start routine is not defined");
          }
          inliner.body_of(routine.function);
          continue;
        }
        const ir::TypeId pointer = flat.unit.type(routine.type).target;
        for (const ir::FunctionId candidate : inliner.address_taken()) {
          const bool is_defined = flat.unit.function(candidate).has_body;
          if (is_defined && inliner.fits(candidate, 1, flat.unit.type(pointer).target)) inliner.body_of(candidate);
        }
      }
    }
  }
}

bool is_float_at(const ir::Unit& unit, ir::TypeId type, std::int64_t offset) {
  const auto at = collapse(unit, type, offset);
  const auto scalars = scalars_of(unit, type);
  const auto scalar = at ? scalars.find(*at) : scalars.end();
  return scalar != scalars.end() && unit.type(scalar->second).is_float;
}

// The scalar that a static object starts with at this place.
std::optional<TermId> initial_cell(Flat& flat, InstId id, std::int64_t offset, ir::TypeId type) {
  if (!is_scalar(flat.unit.type(type))) return std::nullopt;
  const auto& values = flat.initial[id.value];
  const auto size = [&](ir::TypeId scalar) { return static_cast<std::int64_t>(size_of(flat.unit, scalar)); };
  // A scalar in a union may have been given a value through a member of another size.
  const bool overlapped = std::any_of(values.begin(), values.end(), [&](const auto& entry) {
    const std::int64_t end = entry.first + size(flat.term(entry.second).type);
    const bool same = entry.first == offset && end == offset + size(type);
    return !same && entry.first < offset + size(type) && offset < end;
  });
  if (overlapped) return std::nullopt;
  const auto value = values.find(offset);
  // Of a floating-point number that something else looks at nothing is known.
  if (value == values.end() && !flat.unit.type(type).is_float && is_float_at(flat.unit, flat.inst(id).type, offset)) {
    return std::nullopt;
  }
  if (value == values.end()) return flat.constant(0, type);
  Term copy = flat.term(value->second);
  copy.type = type;
  return flat.add(std::move(copy));
}

// Static objects that no node assigns and whose address no term takes keep their initial values.  This needs to know
// nothing of pointers, so it can be asked before allocations are resolved, whose sizes often depend on it.
void fold_untouched_objects(Flat& flat) {
  std::vector<bool> touched(flat.insts.size(), false);
  const auto touch = [&](AccessId id, bool is_load) {
    if (!is_load && flat.access(id).inst) touched[flat.access(id).inst->value] = true;
  };
  for (const Body& body : flat.bodies) {
    for (const Node& node : body.nodes) {
      for_each_access(flat, node, touch);
      if (node.has_access) touch(node.access, false);
    }
  }
  for (const auto& values : flat.initial) {
    for (const auto& [offset, value] : values) for_each_access(flat, value, touch);
  }
  propagate(flat, [&](InstId id, std::int64_t offset, ir::TypeId type) -> std::optional<TermId> {
    const Inst& inst = flat.inst(id);
    if (inst.kind != Inst::Kind::Static || inst.starts_unknown) return std::nullopt;
    if (id.value >= touched.size() || touched[id.value]) return std::nullopt;
    return initial_cell(flat, id, offset, type);
  });
}

// Cells of static objects that nobody writes keep their initial value.
void fold_fixed_cells(Flat& flat) {
  constexpr int max_rounds = 3;
  for (int round = 0; round < max_rounds; ++round) {
    const PointsTo points_to(flat);
    const Sharing sharing(flat, points_to);
    const std::size_t known = flat.insts.size();
    propagate(flat, [&](InstId id, std::int64_t offset, ir::TypeId type) -> std::optional<TermId> {
      const Inst& inst = flat.inst(id);
      if (inst.kind != Inst::Kind::Static || inst.starts_unknown || id.value >= known) return std::nullopt;
      // Every scalar that the access has a part of.
      const auto end = offset + static_cast<std::int64_t>(size_of(flat.unit, type));
      for (std::int64_t byte = offset; byte < end; ++byte) {
        const auto at = collapse(flat.unit, inst.type, byte);
        if (!at || sharing.is_written(id, *at)) return std::nullopt;
      }
      return initial_cell(flat, id, offset, type);
    });
  }
}

// Objects that may be read before they are written.
std::set<InstId> unwritten_objects(Flat& flat) {
  const PointsTo points_to(flat);
  const Sharing sharing(flat, points_to);
  Layout layout(flat);
  std::set<InstId> result;
  for (const GroupId group : read_uninitialised(flat, points_to, sharing, layout)) {
    result.insert(layout.group(group).inst);
  }
  return result;
}

// What lies behind the end of main is safe for the simplest of reasons if no path leads there.
std::optional<std::string> why_main_does_not_return(const Flat& flat) {
  const Body& main = flat.bodies.front();
  std::vector<bool> seen(main.nodes.size(), false);
  std::vector<NodeId> pending{main.entry};
  const Node* last = nullptr;
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    if (seen[id.value]) continue;
    seen[id.value] = true;
    const Node& node = main.nodes[id.value];
    const bool ends = node.kind == Node::Kind::EndProcess || node.kind == Node::Kind::EndThread;
    if (ends && node.text == main.name) return std::nullopt;
    if (ends) last = &node;
    pending.insert(pending.end(), node.next.begin(), node.next.end());
  }
  if (last == nullptr) return "main does not return: it runs or waits for ever";
  return fmt::format("main does not return: it ends at {}: {}", to_string(last->span), last->text);
}

// One way through all stages, with some objects spread over the threads that have them.  Instead of a program, gives
// the objects that must be spread, too.
std::variant<Lowered, std::set<InstId>> attempt(ir::Unit unit, const std::string& name, const Options& options,
                                                const std::set<InstId>& spread) {
  Flat flat{.unit = unit, .options = options};
  Inliner inliner(flat);
  find_bodies(flat, inliner);
  if (options.asks_for("deadlock")) mark_waiting_loops(flat);
  const std::optional<std::string> endless = why_main_does_not_return(flat);
  ThreadTable table = inliner.threads();
  drop_epilogue(flat, table);
  table.numbers = table.numbers || !spread.empty();
  const bool reads = reads_handles(flat);
  std::vector<ThreadGroup> groups;
  if (options.late_naming) drop_idle_looks(flat, table);
  if (options.late_naming && (table.looked_at() || reads)) groups = find_groups(flat, table);
  table.numbers = table.numbers || reads;
  const std::uint64_t threads = number_threads(flat, table, groups);
  inliner.read_initial_values();
  if (!spread.empty()) spread_objects(flat, spread, threads);
  inliner.read_initial_values();
  fold_untouched_objects(flat);
  resolve_allocations(flat);
  inliner.read_initial_values();
  propagate(flat, nothing_fixed);
  fold_fixed_cells(flat);
  // A load that nobody needs is still half of a race.
  if (!options.asks_for("race")) forward_temporaries(flat);
  propagate(flat, nothing_fixed);
  narrow_choices(flat, unwritten_objects(flat));
  const PointsTo points_to(flat);
  const Sharing sharing(flat, points_to);
  for (const InstId id : sharing.escaped()) {
    const Inst& inst = flat.inst(id);
    if (!flat.bodies[inst.body.value].has_async) continue;
    throw_unsupported(inst.span, fmt::format("{}: other threads get the address of this object, which each of many "
                                             "threads has its own of",
                                             inst.name));
  }
  if (!sharing.escaped().empty()) return std::set(sharing.escaped().begin(), sharing.escaped().end());
  Layout layout(flat);
  std::set<GroupId> flagged = read_uninitialised(flat, points_to, sharing, layout);
  Lowered result{emit(flat, points_to, sharing, layout, std::move(flagged), name), inliner.notes()};
  if (endless) result.notes.push_back(*endless);
  model::validate(result.program);
  return result;
}

}  // namespace

// Only after all constants have been propagated is it known which objects must be spread; instances have the same
// numbers each time, so the next attempt can be told.
Lowered lower(ir::Unit unit, const std::string& name, const Options& options) {
  std::set<InstId> spread;
  for (;;) {
    auto result = attempt(unit, name, options, spread);
    if (auto* lowered = std::get_if<Lowered>(&result)) return std::move(*lowered);
    const std::size_t before = spread.size();
    spread.merge(std::get<std::set<InstId>>(result));
    COHORT_EXPECT(spread.size() > before, "an object that has been spread does not escape");
  }
}

}  // namespace cohort::frontend::c::lower
