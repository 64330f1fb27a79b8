// Indices are what makes footprints useful on C: `a[i]` is one cell when i is known.  For the next step of a thread the
// actions of its edges are executed one after the other, as far as no choice is made, so that indices and guards have
// their values; what they read of the shared state is itself in the footprint, so nobody changes it unseen.  An edge
// whose guard turns out false is not taken: what counts is what was read up to there.
//
// For the future of a thread, each local that an index depends on gets the set of values that it may ever have: its
// value now and those of all assignments reachable from its location, to a fixpoint, as long as these are few.  So a
// pointer to the thread's own slot is known though it is copied from variable to variable; the counter of a loop is
// not, and all elements are meant.  New threads are followed from where they start, with nothing known of their locals.
//
// Properties that ask for several threads at certain places at once (data races) are watched as follows.  If all steps
// that leave two such places access one common cell, and one of them writes it, then whoever leaves one of the places
// is in conflict with all who may come to the other, by that cell.  Where this cannot be seen, the property is a cell:
// leaving one of its places writes it, and having one of them ahead reads it.
//
// Where deadlocks are looked for, what counts is who stands where for ever.  A thread that never leaves an atomic
// section lets all others stand where they are, so entering such a section is in conflict with every step.
//
// Cost: a footprint for each thread state that the search meets, and a future for each location and combination of
// values that indices depend on, all made once.
#include "engine/explicit/footprint.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "model/analysis/access.hpp"
#include "model/analysis/components.hpp"
#include "model/analysis/goes_on.hpp"
#include "model/analysis/visit.hpp"
#include "model/eval.hpp"

namespace cohort::engine::explicit_ {

using model::ExprId;
using model::LValue;
using model::Op;
using model::Property;
using model::Value;
using model::VarId;

namespace {

constexpr std::size_t most_values = 4;         // of a local
constexpr std::size_t most_combinations = 64;  // of values of several

bool any_in(const std::vector<std::uint32_t>& cells, const model::BitSet& set) {
  return std::any_of(cells.begin(), cells.end(), [&](std::uint32_t cell) { return set.contains(cell); });
}

template <class T>
void sort_unique(std::vector<T>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

bool touches_others(const model::Program& program, const model::Action& action) {
  return !action.takes.empty() || !action.moves.empty() || model::is_broadcast(program.exprs, action) ||
         model::uses_other_threads(program.exprs, action);
}

void collect_conjuncts(const model::ExprPool& exprs, ExprId root, std::vector<ExprId>& conjuncts) {
  if (exprs[root].op != Op::And) return conjuncts.push_back(root);
  for (const ExprId arg : exprs[root].args) collect_conjuncts(exprs, arg, conjuncts);
}

}  // namespace

// The execution of one edge, with what is not known left open.
class Footprints::Walk {
 public:
  Walk(const Footprints& all, const model::Valuation& shared, const model::ThreadState& thread, Footprint& result)
      : all_(all), program_(all.program_), shared_(shared), thread_(thread), result_(result) {}

  // False where the edge cannot be taken.
  bool run(const model::Edge& edge) {
    std::vector<std::uint32_t> writes;
    for (const model::Action& action : edge.actions) {
      if (action.guard) {
        read(*action.guard);
        if (const auto holds = value(*action.guard); holds && *holds == 0) return false;
      }
      model::for_each_root(action, [&](ExprId root) { read(root); });
      assign(action, writes);
    }
    result_.writes.insert(result_.writes.end(), writes.begin(), writes.end());
    return true;
  }

 private:
  bool is_known(ExprId root) const {
    const Reads& reads = all_.reads_of(root);
    return !reads.open && std::none_of(reads.shared.begin(), reads.shared.end(), [&](const auto& read) {
      return unknown_shared_.contains(read.first);
    }) && std::none_of(reads.locals.begin(), reads.locals.end(), [&](VarId var) {
      return unknown_locals_.contains(var);
    });
  }

  model::EvalContext context() const {
    model::EvalContext context;
    context.program = &program_;
    context.shared = context.shared_after = &shared_;
    context.self = context.self_after = &thread_;
    return context;
  }

  std::optional<Value> value(ExprId root) const {
    if (!is_known(root)) return std::nullopt;
    model::EvalContext here = context();
    const Value result = model::evaluate(here, root);
    return here.fault ? std::nullopt : std::optional(result);
  }

  // Where the index leads nowhere, the step fails before it touches anything.
  void touch(const model::Variable& variable, std::optional<ExprId> index, std::vector<std::uint32_t>& cells) const {
    if (index ? !is_known(*index) : variable.type.is_array()) return all_.touch_all(variable, cells);
    model::EvalContext here = context();
    const auto slot = model::slot_of(here, variable, index);
    if (slot && !here.fault) cells.push_back(static_cast<std::uint32_t>(*slot));
  }

  void read(ExprId root) {
    for (const auto& [var, index] : all_.reads_of(root).shared) touch(program_.shared[var.value], index, result_.reads);
  }

  void assign(const model::Action& action, std::vector<std::uint32_t>& writes) {
    model::Valuation shared = shared_;
    model::ThreadState thread = thread_;
    for (const model::Assign& assign : action.assigns) {
      const bool is_shared = assign.target.kind == LValue::Kind::Shared;
      const model::Variable& variable =
          is_shared ? program_.shared[assign.target.var.value] : program_.templ(thread_.templ).local(assign.target.var);
      if (is_shared) touch(variable, assign.target.index, writes);
      const auto known = value(assign.value);
      std::optional<std::size_t> slot;
      if (!assign.target.index || is_known(*assign.target.index)) {
        model::EvalContext here = context();
        slot = model::slot_of(here, variable, assign.target.index);
        if (here.fault) slot.reset();
      }
      if (known && slot) {
        (is_shared ? shared : thread.locals)[*slot] = variable.type.wrap(*known);
        if (!assign.target.index) (is_shared ? unknown_shared_ : unknown_locals_).erase(assign.target.var);
      } else {
        unknown_later_.emplace_back(is_shared, assign.target.var);
      }
    }
    for (const auto& [is_shared, var] : unknown_later_) (is_shared ? unknown_shared_ : unknown_locals_).insert(var);
    unknown_later_.clear();
    shared_ = std::move(shared);
    thread_ = std::move(thread);
  }

  const Footprints& all_;
  const model::Program& program_;
  model::Valuation shared_;
  model::ThreadState thread_;
  Footprint& result_;
  std::set<VarId> unknown_shared_;
  std::set<VarId> unknown_locals_;
  std::vector<std::pair<bool, VarId>> unknown_later_;
};

Footprints::Footprints(model::ThreadSystem& system) : system_(system), program_(system.program()) {
  std::size_t count = 0;
  for (const model::Template& templ : program_.templates) {
    first_node_.push_back(count);
    count += templ.locations.size();
  }
  edges_from_.resize(count);
  nodes_.resize(count);
  watching_.resize(count);
  collect_edges();
  find_properties();
  follows_sections_ = model::looks_for_deadlocks(program_) && keeps_waiting_inside();
}

model::TemplateId Footprints::template_of(std::uint32_t node) const {
  return model::TemplateId(std::upper_bound(first_node_.begin(), first_node_.end(), node) - first_node_.begin() - 1);
}

const model::Location& Footprints::location(std::uint32_t node) const {
  const model::TemplateId templ = template_of(node);
  return program_.templ(templ).locations[node - first_node_[templ.value]];
}

void Footprints::collect_edges() {
  for (std::size_t t = 0; t < program_.templates.size(); ++t) {
    const model::TemplateId templ(t);
    for (const model::Edge& edge : program_.templ(templ).edges) {
      for (const model::Action& action : edge.actions) covered_ = covered_ && !touches_others(program_, action);
      edges_from_[node(templ, edge.source)].push_back(static_cast<std::uint32_t>(edges_.size()));
      edges_.push_back(facts_of(templ, edge));
      most_created_ = std::max(most_created_, edges_.back().children.size());
    }
  }
}

Footprints::EdgeFacts Footprints::facts_of(model::TemplateId templ, const model::Edge& edge) const {
  EdgeFacts facts{.edge = &edge, .target = node(templ, edge.target)};
  for (const model::Action& action : edge.actions) {
    model::for_each_node(program_.exprs, action, [&](const model::Expr& node, ExprId) {
      if (node.op != Op::SharedVar) return;
      facts.accesses.push_back({node.var, false, {}});
      if (!node.args.empty()) facts.accesses.back().index = node.args[0];
    });
    for (const model::Assign& assign : action.assigns) {
      if (assign.target.kind == LValue::Kind::Shared)
        facts.accesses.push_back({assign.target.var, true, assign.target.index});
      if (assign.target.kind != LValue::Kind::Local) continue;
      facts.assigned.emplace_back(assign.target.var, std::nullopt);
      if (!assign.target.index) facts.assigned.back().second = assign.value;
    }
    // A constraint chooses values for what it mentions after the step.
    if (!action.constraint.empty()) {
      const auto& locals = program_.templ(templ).locals;
      for (std::size_t i = 0; i < locals.size(); ++i) facts.assigned.emplace_back(VarId(i), std::nullopt);
    }
    for (const model::Spawn& spawn : action.spawns) facts.children.push_back(node(spawn.templ, spawn.location));
    facts.ends = facts.ends || action.ends_thread;
    if (action.atomic != model::AtomicChange::None) {
      facts.enters = action.atomic == model::AtomicChange::Enter;
      facts.leaves = !facts.enters;
    }
    if (action.ends_thread) facts.enters = false;
    if (action.guard) collect_conjuncts(program_.exprs, *action.guard, facts.conditions);
  }
  return facts;
}

// What each step from the node accesses for certain, as far as it is one cell.
std::vector<Footprints::Access> Footprints::surely_accessed(std::uint32_t node) const {
  std::vector<Access> result;
  bool first = true;
  for (const std::uint32_t edge : edges_from_[node]) {
    std::vector<Access> here;
    for (const Access& access : edges_[edge].accesses) {
      const bool is_array = program_.shared[access.var.value].type.is_array();
      if (is_array && (!access.index || program_.exprs[*access.index].op != Op::Const)) continue;
      if (first || std::find(result.begin(), result.end(), access) != result.end()) here.push_back(access);
    }
    result = std::move(here);
    first = false;
  }
  return result;
}

bool Footprints::is_announced(const Property& property) const {
  if (property.threads.size() != 2) return false;
  const auto accesses = [&](std::size_t i) {
    return surely_accessed(node(property.threads[i].first, property.threads[i].second));
  };
  const std::vector<Access> left = accesses(0);
  const std::vector<Access> right = accesses(1);
  return std::any_of(left.begin(), left.end(), [&](const Access& one) {
    return std::any_of(right.begin(), right.end(), [&](const Access& other) {
      const bool same_index =
          one.index == other.index ||
          (one.index && other.index && program_.exprs[*one.index].value == program_.exprs[*other.index].value);
      return one.var == other.var && same_index && (one.writes || other.writes);
    });
  });
}

void Footprints::find_properties() {
  cells_ = program_.shared_slots();
  for (const Property& property : program_.properties) {
    if (property.kind == Property::Kind::Condition || property.condition) covered_ = false;
    if (property.kind != Property::Kind::Cover || is_announced(property)) continue;
    const auto cell = static_cast<std::uint32_t>(cells_++);
    for (const auto& [templ, location] : property.threads) watching_[node(templ, location)].push_back(cell);
  }
}

bool Footprints::always_goes_on(std::uint32_t node) const {
  std::vector<const model::Edge*> out;
  for (const std::uint32_t id : edges_from_[node]) out.push_back(edges_[id].edge);
  return model::can_always_go_on(program_, template_of(node), out);
}

// May a thread inside of an atomic section wait, or go round in circles?  If not, it leaves or has given up.
bool Footprints::keeps_waiting_inside() const {
  std::vector<bool> inside(nodes_.size(), false);
  std::vector<std::uint32_t> pending;
  for (const EdgeFacts& edge : edges_) {
    if (edge.enters) pending.push_back(edge.target);
  }
  const auto next_inside = [&](std::uint32_t at) {
    std::vector<std::uint32_t> targets;
    for (const std::uint32_t id : edges_from_[at]) {
      if (!edges_[id].leaves && !edges_[id].ends) targets.push_back(edges_[id].target);
    }
    return targets;
  };
  while (!pending.empty()) {
    const std::uint32_t at = pending.back();
    pending.pop_back();
    if (inside[at]) continue;
    inside[at] = true;
    for (const std::uint32_t target : next_inside(at)) pending.push_back(target);
  }
  std::vector<std::uint32_t> roots;
  for (std::uint32_t at = 0; at < inside.size(); ++at) {
    if (!inside[at]) continue;
    if (location(at).waits && !always_goes_on(at)) return true;
    roots.push_back(at);
  }
  bool cyclic = false;
  model::for_each_component(nodes_.size(), roots, next_inside,
                            [&](const auto& component) { cyclic = cyclic || component.cyclic; });
  return cyclic;
}

const Footprints::NodeFacts& Footprints::facts_at(std::uint32_t start) {
  NodeFacts& facts = nodes_[start];
  if (facts.known) return facts;
  facts.known = true;
  std::vector<ExprId> indices;
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<std::uint32_t> pending{start};
  while (!pending.empty()) {
    const std::uint32_t at = pending.back();
    pending.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    for (const std::uint32_t id : edges_from_[at]) {
      pending.push_back(edges_[id].target);
      for (const auto& [var, value] : edges_[id].assigned) facts.changes[var].insert(value);
      for (const Access& access : edges_[id].accesses) {
        if (access.index) indices.push_back(*access.index);
      }
      // Where elements are told apart by places, the guards that lead there look at the index.
      for (const ExprId conjunct : edges_[id].conditions) {
        if (program_.exprs[conjunct].op == Op::Eq) indices.push_back(conjunct);
      }
    }
  }
  sort_unique(indices);
  find_relevant(indices, facts);
  return facts;
}

// Locals in indices, and those in what is assigned to such locals.
void Footprints::find_relevant(const std::vector<ExprId>& indices, NodeFacts& facts) const {
  std::vector<VarId> pending;
  const auto add = [&](ExprId root) {
    const std::vector<VarId>& locals = reads_of(root).locals;
    pending.insert(pending.end(), locals.begin(), locals.end());
  };
  for (const ExprId index : indices) add(index);
  std::set<VarId> seen;
  while (!pending.empty()) {
    const VarId var = pending.back();
    pending.pop_back();
    if (!seen.insert(var).second) continue;
    const auto change = facts.changes.find(var);
    if (change == facts.changes.end()) continue;
    for (const auto& value : change->second) {
      if (value) add(*value);
    }
  }
  facts.relevant.assign(seen.begin(), seen.end());
}

// What an expression reads, found once.
const Footprints::Reads& Footprints::reads_of(ExprId root) const {
  const auto [known, fresh] = reads_.try_emplace(root);
  Reads& reads = known->second;
  if (!fresh) return reads;
  model::for_each_node(program_.exprs, root, [&](const model::Expr& node, ExprId) {
    if (node.op == Op::Nondet || node.primed) reads.open = true;
    if (node.op == Op::SharedVar) {
      reads.shared.emplace_back(node.var, std::nullopt);
      if (!node.args.empty()) reads.shared.back().second = node.args[0];
    }
    if (node.op == Op::LocalVar) reads.locals.push_back(node.var);
  });
  sort_unique(reads.locals);
  return reads;
}

// The values that the expression may have; none: any.
std::optional<std::set<Value>> Footprints::values_of(ExprId root, const model::ThreadState& thread,
                                                     const ValueSets& sets, const NodeFacts& facts) const {
  const model::Template& templ = program_.templ(thread.templ);
  const Reads& reads = reads_of(root);
  if (reads.open || !reads.shared.empty()) return std::nullopt;
  struct Choice {
    std::uint32_t slot;
    const std::set<Value>* values;
    std::set<Value>::const_iterator at;
  };
  std::vector<Choice> choices;
  std::size_t combinations = 1;
  for (const VarId var : reads.locals) {
    const model::Variable& variable = templ.local(var);
    if (variable.type.is_array()) {
      // Arrays have the values of now, if they keep them and the future is kept for these values.
      const bool kept =
          !facts.changes.contains(var) && std::binary_search(facts.relevant.begin(), facts.relevant.end(), var);
      if (!kept) return std::nullopt;
      continue;
    }
    const auto set = sets.find(var);
    if (set == sets.end()) return std::nullopt;
    COHORT_EXPECT(!set->second.empty(), "a local has the value of now at least");
    combinations *= set->second.size();
    if (combinations > most_combinations) return std::nullopt;
    choices.push_back({variable.slot, &set->second, set->second.begin()});
  }
  model::ThreadState one = thread;
  for (const Choice& choice : choices) one.locals[choice.slot] = *choice.at;
  std::set<Value> result;
  for (bool more = true; more;) {
    model::EvalContext context;
    context.program = &program_;
    context.self = context.self_after = &one;
    const Value value = model::evaluate(context, root);
    // A step that faults assigns and accesses nothing.
    if (!context.fault) result.insert(value);
    more = false;
    for (Choice& choice : choices) {
      more = ++choice.at != choice.values->end();
      if (!more) choice.at = choice.values->begin();
      one.locals[choice.slot] = *choice.at;
      if (more) break;
    }
  }
  return result;
}

// Adds what the assignments may give; false when nothing is new.
bool Footprints::grow(VarId var, const Expressions& values, const model::ThreadState& thread, ValueSets& sets) const {
  const NodeFacts& facts = nodes_[node(thread.templ, thread.location)];
  const model::Variable& variable = program_.templ(thread.templ).local(var);
  std::set<Value>& own = sets.at(var);
  const std::size_t before = own.size();
  bool known = true;
  for (const auto& value : values) {
    const auto some = value && known ? values_of(*value, thread, sets, facts) : std::nullopt;
    known = known && some;
    if (!known) break;
    for (const Value one : *some) own.insert(variable.type.wrap(one));
  }
  if (known && own.size() <= most_values) return own.size() != before;
  sets.erase(var);
  return true;
}

Footprints::ValueSets Footprints::value_sets(const NodeFacts& facts, const model::ThreadState& thread) const {
  const model::Template& templ = program_.templ(thread.templ);
  ValueSets sets;
  for (const VarId var : facts.relevant) {
    if (!templ.local(var).type.is_array()) sets[var] = {thread.locals[templ.local(var).slot]};
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [var, values] : facts.changes) {
      if (sets.contains(var)) changed = grow(var, values, thread, sets) || changed;
    }
  }
  return sets;
}

void Footprints::touch_all(const model::Variable& variable, std::vector<std::uint32_t>& cells) const {
  for (std::uint32_t i = 0; i < variable.type.slots(); ++i) cells.push_back(variable.slot + i);
}

Footprint Footprints::compute(model::SharedId shared, model::LocalId local) const {
  const model::ThreadState& thread = system_.local(local);
  const std::uint32_t at = node(thread.templ, thread.location);
  Footprint result;
  for (const std::uint32_t id : edges_from_[at]) {
    const EdgeFacts& edge = edges_[id];
    if (!Walk(*this, system_.shared(shared), thread, result).run(*edge.edge)) continue;
    result.spawns = result.spawns || !edge.children.empty();
    result.ends = result.ends || edge.ends;
    result.stops_others = result.stops_others || edge.enters;
  }
  result.writes.insert(result.writes.end(), watching_[at].begin(), watching_[at].end());
  sort_unique(result.reads);
  sort_unique(result.writes);
  return result;
}

const Footprint& Footprints::next(model::SharedId shared, model::LocalId local) {
  std::uint32_t id = next_index_.find(shared, local);
  if (id == model::PairTable::absent) {
    id = static_cast<std::uint32_t>(next_.size());
    next_.push_back(compute(shared, local));
    next_index_.insert(shared, local, id);
  }
  return next_[id];
}

// Can the thread never take the edge, whatever values its locals get?
bool Footprints::is_excluded(const EdgeFacts& edge, const model::ThreadState& thread, const ValueSets& sets,
                             const NodeFacts& facts) const {
  return std::any_of(edge.conditions.begin(), edge.conditions.end(), [&](ExprId conjunct) {
    const auto values = values_of(conjunct, thread, sets, facts);
    return values && values->size() == 1 && *values->begin() == 0;
  });
}

void Footprints::add_access(const Access& access, const std::optional<std::set<Value>>& indices, Future& result) const {
  const model::Variable& variable = program_.shared[access.var.value];
  auto& bits = access.writes ? result.writes : result.reads;
  if (variable.type.is_array() && indices) {
    for (const Value index : *indices) {
      if (index >= 0 && index < static_cast<Value>(variable.type.slots()))
        bits.insert(variable.slot + static_cast<std::uint32_t>(index));
    }
    return;
  }
  for (std::uint32_t i = 0; i < variable.type.slots(); ++i) bits.insert(variable.slot + i);
}

void Footprints::add_step(const EdgeFacts& edge, Future& result) const {
  result.spawns = result.spawns || !edge.children.empty();
  result.ends = result.ends || edge.ends;
  result.stays_inside = result.stays_inside || (follows_sections_ && edge.enters);
}

// Of new threads nothing is known but where they start.
void Footprints::add_children(std::vector<std::uint32_t> pending, Future& result) const {
  std::vector<bool> seen(nodes_.size(), false);
  while (!pending.empty()) {
    const std::uint32_t at = pending.back();
    pending.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    for (const std::uint32_t cell : watching_[at]) result.reads.insert(cell);
    for (const std::uint32_t id : edges_from_[at]) {
      const EdgeFacts& edge = edges_[id];
      add_step(edge, result);
      pending.insert(pending.end(), edge.children.begin(), edge.children.end());
      pending.push_back(edge.target);
      for (const Access& access : edge.accesses) {
        std::optional<std::set<Value>> index;
        if (access.index && program_.exprs[*access.index].op == Op::Const)
          index = {program_.exprs[*access.index].value};
        add_access(access, index, result);
      }
    }
  }
}

Future Footprints::compute(const NodeFacts& facts, const model::ThreadState& thread) const {
  Future result;
  result.reads = result.writes = model::BitSet(cells_);
  const ValueSets sets = value_sets(facts, thread);
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<std::uint32_t> pending{node(thread.templ, thread.location)};
  std::vector<std::uint32_t> children;
  std::map<ExprId, std::optional<std::set<Value>>> indices;
  while (!pending.empty()) {
    const std::uint32_t at = pending.back();
    pending.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    for (const std::uint32_t cell : watching_[at]) result.reads.insert(cell);
    for (const std::uint32_t id : edges_from_[at]) {
      const EdgeFacts& edge = edges_[id];
      if (is_excluded(edge, thread, sets, facts)) continue;
      add_step(edge, result);
      children.insert(children.end(), edge.children.begin(), edge.children.end());
      pending.push_back(edge.target);
      for (const Access& access : edge.accesses) {
        if (!access.index) {
          add_access(access, std::nullopt, result);
          continue;
        }
        const auto [known, fresh] = indices.try_emplace(*access.index);
        if (fresh) known->second = values_of(*access.index, thread, sets, facts);
        add_access(access, known->second, result);
      }
    }
  }
  add_children(std::move(children), result);
  return result;
}

const Future& Footprints::future(model::LocalId local) {
  if (future_of_.size() <= local) future_of_.resize(local + 1, model::no_id);
  if (future_of_[local] != model::no_id) return futures_[future_of_[local]];
  const model::ThreadState& thread = system_.local(local);
  const std::uint32_t at = node(thread.templ, thread.location);
  const NodeFacts& facts = facts_at(at);
  std::vector<Value> key{static_cast<Value>(at)};
  for (const VarId var : facts.relevant) {
    const model::Variable& variable = program_.templ(thread.templ).local(var);
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i) key.push_back(thread.locals[variable.slot + i]);
  }
  const auto [place, fresh] = future_index_.emplace(std::move(key), static_cast<std::uint32_t>(futures_.size()));
  if (fresh) futures_.push_back(compute(facts, thread));
  future_of_[local] = place->second;
  return futures_[place->second];
}

bool Footprints::conflict(const Footprint& next, const Future& future, bool full) {
  if (next.stops_others || future.stays_inside) return true;
  if ((next.spawns || next.ends) && future.spawns) return true;
  if (next.spawns && full && future.ends) return true;
  return any_in(next.writes, future.reads) || any_in(next.writes, future.writes) || any_in(next.reads, future.writes);
}

}  // namespace cohort::engine::explicit_
