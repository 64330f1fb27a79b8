#include "engine/symbolic/encoding.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/contract.hpp"

namespace cohort::engine::symbolic {

namespace {

constexpr std::uint32_t shared_copies = 3;
constexpr std::uint32_t own_copies = 3;      // before, after, middle
constexpr std::uint32_t passive_copies = 2;  // before, after

void count_choices(const model::ExprPool& exprs, model::ExprId root, std::unordered_set<model::ExprId>& seen) {
  model::for_each_node(exprs, root, [&](const model::Expr& node, model::ExprId id) {
    if (node.op == model::Op::Nondet) seen.insert(id);
  });
}

std::uint32_t choices_of(const model::ExprPool& exprs, const model::Action& action) {
  std::unordered_set<model::ExprId> seen;
  if (action.guard) count_choices(exprs, *action.guard, seen);
  for (const model::Assign& assign : action.assigns) count_choices(exprs, assign.value, seen);
  for (const model::ExprId conjunct : action.constraint) count_choices(exprs, conjunct, seen);
  for (const model::Spawn& spawn : action.spawns) {
    for (const model::Assign& assign : spawn.locals) count_choices(exprs, assign.value, seen);
  }
  return static_cast<std::uint32_t>(seen.size());
}

// Decision diagrams may take what the memory limit still leaves, less a part for the states that refer to them.
std::uint64_t memory_for_diagrams(const Env& env) {
  const auto limit = env.limits.memory_limit();
  if (!limit) return 0;
  const std::uint64_t used = resident_memory();
  return *limit > used ? (*limit - used) / 4 * 3 : 1;
}

}  // namespace

Encoding::Encoding(Env& env, const model::Program& program, std::uint32_t thread_slots, std::uint32_t members)
    : members_(members), thread_slots_(thread_slots) {
  shared_slots_ = program.shared_slots();
  for (const model::Template& templ : program.templates) {
    local_slots_ = std::max(local_slots_, templ.local_slots());
    for (const model::Edge& edge : templ.edges) {
      for (const model::Action& action : edge.actions) {
        children_ = std::max(children_, static_cast<std::uint32_t>(action.spawns.size()));
        choices_ = std::max(choices_, choices_of(program.exprs, action));
      }
    }
  }
  per_local_ = own_copies + passive_copies + children_ + members_ - 1;
  first_thread_ = shared_copies * shared_slots_ + per_local_ * local_slots_;
  first_choice_ = first_thread_ + thread_slots_ * local_slots_ * 2;
  manager_ = std::make_unique<dd::Manager>(dd::Settings{
      .variables = first_choice_ + choices_, .memory_bytes = memory_for_diagrams(env), .stop_check = [&env] {
        return env.poll_now("symbolic-diagrams");
      }});
  std::vector<dd::Var> shared_vars;
  std::vector<dd::Var> local_vars;
  std::vector<dd::Var> choice_vars;
  std::vector<std::pair<dd::Var, dd::Var>> back;
  std::vector<std::pair<dd::Var, dd::Var>> to_passive;
  std::vector<std::pair<dd::Var, dd::Var>> from_passive;
  for (std::uint32_t slot = 0; slot < shared_slots_; ++slot) {
    shared_vars.push_back(shared(slot));
    back.emplace_back(shared(slot, Copy::After), shared(slot));
  }
  for (std::uint32_t slot = 0; slot < local_slots_; ++slot) {
    local_vars.push_back(local(slot));
    back.emplace_back(local(slot, Copy::After), local(slot));
    back.emplace_back(passive(slot, Copy::After), passive(slot));
    to_passive.emplace_back(local(slot), passive(slot));
    from_passive.emplace_back(passive(slot), local(slot));
    for (std::uint32_t thread = 0; thread < thread_slots_; ++thread) {
      back.emplace_back(thread_local_copy(thread, slot, Copy::After), thread_local_copy(thread, slot));
    }
  }
  for (std::uint32_t i = 0; i < choices_; ++i) choice_vars.push_back(choice(i));
  shared_vars_ = std::make_unique<dd::VarSet>(shared_vars);
  local_vars_ = std::make_unique<dd::VarSet>(local_vars);
  choice_vars_ = std::make_unique<dd::VarSet>(choice_vars);
  after_to_before_ = std::make_unique<dd::Renaming>(back);
  local_to_passive_ = std::make_unique<dd::Renaming>(to_passive);
  passive_to_local_ = std::make_unique<dd::Renaming>(from_passive);
  for (std::uint32_t number = 0; number < children_; ++number) {
    std::vector<std::pair<dd::Var, dd::Var>> pairs;
    for (std::uint32_t slot = 0; slot < local_slots_; ++slot) pairs.emplace_back(child(number, slot), local(slot));
    child_to_local_.emplace_back(pairs);
  }
}

dd::Var Encoding::shared(std::size_t slot, Copy copy) const {
  COHORT_EXPECT(slot < shared_slots_, "the shared slot exists");
  return static_cast<dd::Var>(shared_copies * slot) + static_cast<dd::Var>(copy);
}

dd::Var Encoding::local(std::size_t slot, Copy copy) const {
  COHORT_EXPECT(slot < local_slots_, "the local slot exists");
  return static_cast<dd::Var>(shared_copies * shared_slots_ + per_local_ * slot) + static_cast<dd::Var>(copy);
}

dd::Var Encoding::passive(std::size_t slot, Copy copy) const {
  COHORT_EXPECT(copy != Copy::Middle, "a passive thread changes once in a step");
  return local(slot) + own_copies + static_cast<dd::Var>(copy);
}

dd::Var Encoding::child(std::size_t number, std::size_t slot) const {
  COHORT_EXPECT(number < children_, "an action makes so many threads");
  return local(slot) + own_copies + passive_copies + static_cast<dd::Var>(number);
}

dd::Var Encoding::member(std::size_t number, std::size_t slot) const {
  COHORT_EXPECT(number < members_, "a tied set has so many members");
  if (number == 0) return local(slot);
  return local(slot) + own_copies + passive_copies + children_ + static_cast<dd::Var>(number - 1);
}

dd::Var Encoding::thread_local_copy(std::size_t thread, std::size_t slot, Copy copy) const {
  COHORT_EXPECT(thread < thread_slots_ && slot < local_slots_, "the thread has copies of its own");
  COHORT_EXPECT(copy != Copy::Middle, "composition happens before threads are told apart");
  return first_thread_ + static_cast<dd::Var>((thread * local_slots_ + slot) * 2) + static_cast<dd::Var>(copy);
}

bool Encoding::reorder_after_growth() {
  if (manager_->nodes_in_use() < next_reordering_) return false;
  manager_->collect_garbage();
  const bool grown = manager_->nodes_in_use() >= next_reordering_;
  const bool done = grown && manager_->reorder();
  if (grown) next_reordering_ = std::max(least_nodes_to_reorder, 2 * manager_->nodes_in_use());
  return done;
}

std::vector<dd::Var> Encoding::member_vars(std::size_t number) const {
  std::vector<dd::Var> variables;
  for (std::uint32_t slot = 0; slot < local_slots_; ++slot) variables.push_back(member(number, slot));
  return variables;
}

std::vector<dd::Var> Encoding::child_vars(std::size_t number) const {
  std::vector<dd::Var> variables;
  for (std::uint32_t slot = 0; slot < local_slots_; ++slot) variables.push_back(child(number, slot));
  return variables;
}

}  // namespace cohort::engine::symbolic
