// The rules of a table program, listed all at once.  Going through the thread system instead would cost a look at every
// pair of shared state and local state, of which a thread transition system made from a Petri net has tens of millions
// and uses tens of thousands.
#include <algorithm>

#include "base/contract.hpp"
#include "engine/unbounded/counter_system.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::engine::unbounded {

using model::Action;
using model::TemplateId;

namespace {

// The value of the one shared variable that a guard asks for; none when the guard is anything else.
std::optional<model::Value> guard_value(const model::Program& program, const Action& action) {
  if (!action.guard) return std::nullopt;
  const model::Expr& guard = program.exprs[*action.guard];
  if (guard.op != model::Op::Eq) return std::nullopt;
  const model::Expr& left = program.exprs[guard.args[0]];
  const model::Expr& right = program.exprs[guard.args[1]];
  if (left.op != model::Op::SharedVar || left.primed || right.op != model::Op::Const) return std::nullopt;
  return right.value;
}

bool is_table_action(const model::Program& program, const Action& action) {
  if (!action.constraint.empty() || action.call || action.ret || action.ends_thread) return false;
  if (action.atomic != model::AtomicChange::None || action.assigns.size() > 1) return false;
  if (program.shared.empty() ? action.guard.has_value() : !guard_value(program, action)) return false;
  for (const model::Assign& assign : action.assigns) {
    if (assign.target.kind != model::LValue::Kind::Shared || program.exprs[assign.value].op != model::Op::Const)
      return false;
    if (!program.shared[0].type.contains(program.exprs[assign.value].value)) return false;
  }
  return std::all_of(action.spawns.begin(), action.spawns.end(),
                     [](const auto& spawn) { return spawn.locals.empty(); });
}

// Does the template act on threads of other templates, as the thread that carries the transitions of a net does?
bool acts_on_others(const model::Template& templ) {
  return std::any_of(templ.edges.begin(), templ.edges.end(), [](const model::Edge& edge) {
    return std::any_of(edge.actions.begin(), edge.actions.end(), [](const Action& action) {
      return !action.takes.empty() || !action.moves.empty() || !action.spawns.empty();
    });
  });
}

// A template of which exactly one thread exists at all times, which acts on others and which no action moves or takes.
std::optional<TemplateId> find_single(const model::Program& program) {
  std::vector<std::uint64_t> initial(program.templates.size(), 0);
  for (const model::InitialThreads& group : program.initial) initial[group.templ.value] += group.count.value_or(2);
  for (const auto& [action, edge, templ] : model::actions_of(program)) {
    for (const model::Spawn& spawn : action.spawns) initial[spawn.templ.value] = 0;
    for (const model::Take& take : action.takes) initial[take.templ.value] = 0;
    for (const model::PassiveMove& move : action.moves) initial[move.templ.value] = 0;
  }
  for (std::size_t i = 0; i < initial.size(); ++i) {
    if (initial[i] == 1 && acts_on_others(program.templates[i])) return TemplateId(i);
  }
  return std::nullopt;
}

}  // namespace

bool is_table_program(const model::Program& program) {
  if (program.shared.size() > 1 || program.initial_condition) return false;
  if (!program.shared.empty()) {
    const model::Type& type = program.shared[0].type;
    if (type.is_array() || type.kind() != model::Type::Kind::Range || type.lo() != 0) return false;
    if (program.shared[0].initial.size() != 1) return false;
  }
  for (const model::Template& templ : program.templates) {
    if (!templ.locals.empty()) return false;
    for (const model::Edge& edge : templ.edges) {
      if (edge.actions.size() != 1 || !is_table_action(program, edge.actions[0])) return false;
    }
  }
  return true;
}

void CounterSystem::build_table() {
  single_ = find_single(*program_);
  for (std::size_t i = 0; i < program_->templates.size(); ++i) {
    template_base_.push_back(static_cast<std::uint32_t>(template_of_.size()));
    template_of_.resize(template_of_.size() + program_->templates[i].locations.size(), static_cast<std::uint32_t>(i));
  }
  Configuration start;
  Control control;
  if (!program_->shared.empty()) control.shared = static_cast<model::SharedId>(program_->shared[0].initial[0]);
  for (const model::InitialThreads& group : program_->initial) {
    if (single_ == group.templ) {
      if (group.count != 0u) control.single = group.location;
    } else {
      add(start.tokens, place_of(group.templ, group.location), group.count.value_or(omega));
    }
  }
  start.control = intern_control(control);
  initial_.push_back(std::move(start));
  for (std::size_t i = 0; i < program_->templates.size(); ++i) {
    for (std::size_t edge = 0; edge < program_->templates[i].edges.size(); ++edge) {
      add_table_edge(TemplateId(i), static_cast<std::uint32_t>(edge));
    }
  }
  file_table_rules();
}

void CounterSystem::add_table_edge(TemplateId templ, std::uint32_t index) {
  const model::Edge& edge = program_->templ(templ).edges[index];
  const Action& action = edge.actions[0];
  // In a program with a single thread that is not this one, its location does not matter to the rule: one rule for
  // each.
  const bool is_single = single_ == templ;
  const std::size_t locations = single_ && !is_single ? program_->templ(*single_).locations.size() : 1;
  for (std::size_t at = 0; at < locations; ++at) {
    Draft draft;
    draft.edge = {templ, index};
    Control from{.single = model::LocId(at)};
    Control to = from;
    if (!program_->shared.empty()) from.shared = static_cast<model::SharedId>(*guard_value(*program_, action));
    to.shared = from.shared;
    if (!action.assigns.empty()) {
      to.shared = static_cast<model::SharedId>(program_->exprs[action.assigns[0].value].value);
    }
    if (is_single) {
      from.single = edge.source;
      to.single = edge.target;
    } else {
      draft.active = place_of(templ, edge.source);
      draft.active_after = place_of(templ, edge.target);
      add(draft.pre, draft.active, 1);
      add(draft.post, draft.active_after, 1);
    }
    for (const model::Take& take : action.takes) {
      add(draft.pre, place_of(take.templ, take.from), 1);
      if (take.to) add(draft.post, place_of(take.templ, *take.to), 1);
    }
    for (const model::Spawn& spawn : action.spawns) add(draft.post, place_of(spawn.templ, spawn.location), 1);
    if (!action.moves.empty()) draft.broadcast = add_table_broadcast(action);
    draft.from = intern_control(from);
    draft.to = intern_control(to);
    if (draft.from == draft.to && draft.pre == draft.post && draft.broadcast == none) continue;
    add_rule(draft);
  }
}

std::uint32_t CounterSystem::add_table_broadcast(const Action& action) {
  auto& moves = table_broadcasts_.emplace_back();
  for (const model::PassiveMove& move : action.moves) {
    std::vector<Place>& targets = moves[place_of(move.templ, move.from)];
    const Place to = place_of(move.templ, move.to);
    if (std::find(targets.begin(), targets.end(), to) == targets.end()) targets.push_back(to);
  }
  return static_cast<std::uint32_t>(table_broadcasts_.size() - 1);
}

// Files each rule under the place it consumes that the fewest rules consume, so that enabled() looks at few others.
void CounterSystem::file_table_rules() {
  std::vector<std::uint32_t> uses(template_of_.size(), 0);
  for (const Rule& rule : rules_) {
    for (const Token& token : pre(rule)) ++uses[token.place];
  }
  for (RuleId id = 0; id < rules_.size(); ++id) {
    const Rule& rule = rules_[id];
    const TokenView consumed = pre(rule);
    if (consumed.empty()) {
      free_[rule.from].push_back(id);
      continue;
    }
    const auto rarest = std::min_element(consumed.begin(), consumed.end(),
                                         [&](const Token& a, const Token& b) { return uses[a.place] < uses[b.place]; });
    row(rule.from, rarest->place).push_back(id);
  }
}

}  // namespace cohort::engine::unbounded
