#include "frontend/c/lower/stages.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/c/lower/choices.hpp"
#include "frontend/c/lower/epilogue.hpp"
#include "frontend/c/lower/forward.hpp"
#include "frontend/c/lower/heap.hpp"
#include "frontend/c/lower/lives.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/reuse.hpp"
#include "frontend/c/lower/sharing.hpp"
#include "frontend/c/lower/spread.hpp"
#include "frontend/c/lower/threads.hpp"
#include "frontend/c/lower/uninitialised.hpp"
#include "frontend/c/lower/waiting_loops.hpp"

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
  // Who looks beside the object goes wrong (verdicts/hostile.c, BESIDE_...).
  if (offset < 0 || offset + size(type) > size(flat.inst(id).type)) return std::nullopt;
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

// Who reads a bit-field races with those who write another one of the same memory location.
bool has_written_neighbour(const Flat& flat, const Sharing& sharing, InstId id, std::int64_t offset) {
  const ir::TypeId type = flat.inst(id).type;
  const auto location = location_at(flat.unit, type, offset);
  if (!location) return false;
  const auto scalars = scalars_of(flat.unit, type);
  return std::any_of(scalars.begin(), scalars.end(), [&](const auto& scalar) {
    return location_at(flat.unit, type, scalar.first) == location && sharing.is_written(id, scalar.first);
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
        if (flat.options.asks_for(Wrong::Race) && has_written_neighbour(flat, sharing, id, *at)) return std::nullopt;
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

bool names_late(const Pipeline& pipeline) {
  return pipeline.flat.options.late_naming;
}

void inline_bodies(Pipeline& pipeline) {
  find_bodies(pipeline.flat, pipeline.inliner);
  pipeline.table = pipeline.inliner.threads();
  pipeline.endless = why_main_does_not_return(pipeline.flat);
}

void look_for_handles(Pipeline& pipeline) {
  pipeline.table.numbers = pipeline.table.numbers || !pipeline.spread.empty();
  pipeline.reads_handles = reads_handles(pipeline.flat);
}

void group_threads(Pipeline& pipeline) {
  if (!pipeline.table.looked_at() && !pipeline.reads_handles) return;
  pipeline.groups = find_groups(pipeline.flat, pipeline.table);
  separate_columns(pipeline.flat, pipeline.table, pipeline.groups);
}

void give_numbers(Pipeline& pipeline) {
  pipeline.table.numbers = pipeline.table.numbers || pipeline.reads_handles;
  pipeline.threads = number_threads(pipeline.flat, pipeline.table, pipeline.groups);
  pipeline.inliner.read_initial_values();
}

void spread_over_threads(Pipeline& pipeline) {
  spread_objects(pipeline.flat, pipeline.spread, pipeline.threads);
  pipeline.inliner.read_initial_values();
}

void propagate_all(Pipeline& pipeline) {
  propagate(pipeline.flat, nothing_fixed);
}

}  // namespace

const std::vector<Stage>& stages() {
  static const std::vector<Stage> table = {
      {.name = "inline",
       .purpose = "main and the routine of each thread, with a copy of every function that they call",
       .run = inline_bodies},
      {.name = "waiting-loops",
       .purpose = "marks loops in which a thread waits for others; for deadlocks",
       .run = [](Pipeline& pipeline) { mark_waiting_loops(pipeline.flat); },
       .applies = [](const Pipeline& pipeline) { return pipeline.flat.options.asks_for(Wrong::Deadlock); }},
      {.name = "epilogue",
       .purpose = "ends the process where main only looks, waits and computes for itself",
       .optimises = true,
       .run = [](Pipeline& pipeline) { drop_epilogue(pipeline.flat, pipeline.table); }},
      {.name = "handles",
       .purpose = "finds out whether the program looks at the numbers of its threads",
       .run = look_for_handles},
      {.name = "idle-looks",
       .purpose = "takes away looks at ended threads whose outcome nobody uses",
       .optimises = true,
       .run = [](Pipeline& pipeline) { drop_idle_looks(pipeline.flat, pipeline.table); },
       .applies = names_late},
      {.name = "thread-groups",
       .purpose = "finds threads that nobody can tell apart, which share one number",
       .optimises = true,
       .run = group_threads,
       .applies = names_late},
      {.name = "number-threads",
       .purpose = "gives threads numbers and keeps the table of ended ones, where something looks at them",
       .run = give_numbers,
       .establishes = bit(Fact::ThreadsNumbered)},
      {.name = "spread",
       .purpose = "makes objects on the stacks of many threads, which others can reach, elements of arrays",
       .run = spread_over_threads,
       .applies = [](const Pipeline& pipeline) { return !pipeline.spread.empty(); }},
      {.name = "untouched-objects",
       .purpose = "replaces objects that nobody writes by their initial values: sizes of allocations depend on them",
       .run = [](Pipeline& pipeline) { fold_untouched_objects(pipeline.flat); }},
      {.name = "allocations",
       .purpose = "replaces allocations by bounded pools of objects",
       .run =
           [](Pipeline& pipeline) {
             resolve_allocations(pipeline.flat);
             pipeline.inliner.read_initial_values();
           },
       .establishes = bit(Fact::NoAllocations)},
      {.name = "reuse",
       .purpose = "lets allocations hand out freed addresses again, where somebody can tell",
       .run =
           [](Pipeline& pipeline) {
             allow_reuse(pipeline.flat);
             pipeline.inliner.read_initial_values();
           },
       .applies = [](const Pipeline& pipeline) { return pipeline.flat.options.reuse; }},
      {.name = "lives",
       .purpose =
           "keeps, of the flags that say whether an object on a stack lives no more, those that somebody looks at",
       .run = [](Pipeline& pipeline) { drop_idle_flags(pipeline.flat); },
       .applies = [](const Pipeline& pipeline) { return pipeline.flat.options.asks_for(Wrong::Fault); }},
      {.name = "constants",
       .purpose = "propagates constants and addresses, and removes what cannot be executed",
       .run = propagate_all},
      {.name = "fixed-cells",
       .purpose = "replaces parts of objects that nobody writes by their initial values",
       .optimises = true,
       .run = [](Pipeline& pipeline) { fold_fixed_cells(pipeline.flat); }},
      {.name = "temporaries",
       .purpose = "puts values that are used once where they are used; not for races, of which a load is half",
       .optimises = true,
       .run = [](Pipeline& pipeline) { forward_temporaries(pipeline.flat); },
       .applies = [](const Pipeline& pipeline) { return !pipeline.flat.options.asks_for(Wrong::Race); }},
      {.name = "settle",
       .purpose = "propagates once more what the last stages found",
       .optimises = true,
       .run = propagate_all},
      {.name = "choices",
       .purpose = "keeps of any numbers those that make a difference",
       .optimises = true,
       .run = [](Pipeline& pipeline) { narrow_choices(pipeline.flat, unwritten_objects(pipeline.flat)); }},
  };
  return table;
}

Pipeline::Pipeline(ir::Unit& unit, const Options& options, std::set<InstId> objects)
    : flat{.unit = unit, .options = options}, inliner(flat), spread(std::move(objects)) {}

void Pipeline::run(std::string_view last) {
  Facts facts = no_facts;
  for (const Stage& stage : stages()) {
    const bool wanted = flat.options.simplify || !stage.optimises;
    if (wanted && stage.applies(*this)) {
      stage.run(*this);
      facts |= stage.establishes;
      if (flat.options.self_check) validate(flat, facts, stage.name);
    }
    if (stage.name == last) return;
  }
  COHORT_EXPECT(last.empty(), "the stage to end with is one of the table");
}

}  // namespace cohort::frontend::c::lower
