#include "support/stack_machine.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "base/contract.hpp"
#include "model/analysis/visit.hpp"
#include "model/eval.hpp"

namespace cohort::test {

using namespace model;

namespace {

struct Frame {
  TemplateId procedure;
  LocId location;
  Valuation locals;
  // While a callee runs: the edge of the call.
  std::uint32_t call_edge = 0;

  auto operator<=>(const Frame&) const = default;
};

struct Thread {
  bool atomic = false;
  std::vector<Frame> stack;

  auto operator<=>(const Thread&) const = default;
};

struct Machine {
  Valuation shared;
  std::vector<Thread> threads;  // sorted

  auto operator<=>(const Machine&) const = default;
};

std::vector<Valuation> valuations(const std::vector<Variable>& variables) {
  std::vector<Valuation> results(1);
  for (const Variable& variable : variables) {
    std::vector<Valuation> extended;
    for (const Valuation& start : results) {
      for (Value value = 0; value <= 1; ++value) {
        if (!variable.initial.empty() && variable.initial[0] != value) continue;
        extended.push_back(start);
        extended.back().push_back(value);
      }
    }
    results = std::move(extended);
  }
  return results;
}

class StackMachine {
 public:
  StackMachine(const Program& program, std::uint32_t bound, std::size_t recursion)
      : program_(program), bound_(bound), recursion_(recursion) {}

  std::vector<Machine> initial() const {
    std::vector<Machine> machines;
    for (Valuation& shared : valuations(program_.shared)) machines.push_back({std::move(shared), {}});
    for (const InitialThreads& group : program_.initial) {
      COHORT_EXPECT(group.count == 1, "the oracle starts one thread for each group");
      std::vector<Machine> extended;
      for (const Machine& machine : machines) {
        for (Valuation& locals : valuations(program_.templ(group.templ).locals)) {
          extended.push_back(machine);
          extended.back().threads.push_back({false, {{group.templ, group.location, std::move(locals), 0}}});
        }
      }
      machines = std::move(extended);
    }
    return machines;
  }

  std::vector<Machine> successors(const Machine& machine) const {
    std::vector<Machine> results;
    const auto holder =
        std::find_if(machine.threads.begin(), machine.threads.end(), [](const Thread& t) { return t.atomic; });
    for (std::size_t i = 0; i < machine.threads.size(); ++i) {
      if (holder != machine.threads.end() && &*holder != &machine.threads[i]) continue;
      const Frame& top = machine.threads[i].stack.back();
      const Template& procedure = program_.templ(top.procedure);
      for (std::uint32_t e = 0; e < procedure.edges.size(); ++e) {
        if (procedure.edges[e].source == top.location) step(machine, i, e, results);
      }
    }
    return results;
  }

 private:
  void step(const Machine& before, std::size_t thread, std::uint32_t edge, std::vector<Machine>& results) const {
    const Template& procedure = program_.templ(before.threads[thread].stack.back().procedure);
    const Action& action = procedure.edges[edge].actions.front();
    std::set<ExprId> distinct;
    for_each_node(program_.exprs, action, [&](const Expr& node, ExprId id) {
      if (node.op == Op::Nondet) distinct.insert(id);
    });
    const std::vector<ExprId> choices(distinct.begin(), distinct.end());
    for (std::size_t bits = 0; bits < (std::size_t{1} << choices.size()); ++bits) {
      std::vector<Value> values;
      for (std::size_t i = 0; i < choices.size(); ++i) values.push_back(static_cast<Value>((bits >> i) & 1U));
      execute(before, thread, edge, choices, values, results);
    }
  }

  void execute(const Machine& before, std::size_t thread, std::uint32_t edge_index, const std::vector<ExprId>& choices,
               const std::vector<Value>& values, std::vector<Machine>& results) const {
    const Frame& top = before.threads[thread].stack.back();
    const Edge& edge = program_.templ(top.procedure).edges[edge_index];
    const Action& action = edge.actions.front();
    const ThreadState self{top.procedure, top.location, false, top.locals};
    EvalContext context;
    context.program = &program_;
    context.shared = &before.shared;
    context.self = &self;
    context.choice_nodes = choices;
    context.choice_values = values;
    if (action.guard && evaluate(context, *action.guard) == 0) return;
    Machine after = before;
    Thread& mover = after.threads[thread];
    mover.stack.back().location = edge.target;
    assign(context, action.assigns, after.shared, mover.stack.back().locals);
    ThreadState self_after = self;
    self_after.locals = mover.stack.back().locals;
    context.shared_after = &after.shared;
    context.self_after = &self_after;
    for (const ExprId conjunct : action.constraint) {
      if (evaluate(context, conjunct) == 0) return;
    }
    if (action.atomic != AtomicChange::None) mover.atomic = action.atomic == AtomicChange::Enter;
    if (action.ret) return_from(context, *action.ret, after, thread);
    if (action.ends_thread) mover.stack.clear();
    if (action.call) return call(context, *action.call, edge_index, after, thread, results);
    if (!action.spawns.empty()) return spawn(context, action.spawns.front(), before, thread, after, results);
    emit(std::move(after), results);
  }

  static void assign(EvalContext& context, const std::vector<Assign>& assigns, Valuation& shared, Valuation& locals) {
    for (const Assign& item : assigns) {
      (item.target.kind == LValue::Kind::Shared ? shared : locals)[item.target.var.value] =
          evaluate(context, item.value);
    }
  }

  void return_from(EvalContext& context, const Return& ret, Machine& after, std::size_t thread) const {
    auto& stack = after.threads[thread].stack;
    stack.pop_back();
    if (stack.empty()) return;
    const Call& call = *program_.templ(stack.back().procedure).edges[stack.back().call_edge].actions.front().call;
    for (std::size_t i = 0; i < ret.values.size(); ++i) {
      const auto& result = call.results[i];
      if (!result) continue;
      (result->kind == LValue::Kind::Shared ? after.shared : stack.back().locals)[result->var.value] =
          evaluate(context, ret.values[i]);
    }
  }

  void call(EvalContext& context, const Call& call, std::uint32_t edge, const Machine& after, std::size_t thread,
            std::vector<Machine>& results) const {
    const Template& callee = program_.templ(call.callee);
    const auto& stack = after.threads[thread].stack;
    const auto frames =
        std::count_if(stack.begin(), stack.end(), [&](const Frame& frame) { return frame.procedure == call.callee; });
    if (static_cast<std::size_t>(frames) > recursion_) return;
    for (Valuation& locals : valuations(callee.locals)) {
      for (std::size_t i = 0; i < call.args.size(); ++i)
        locals[callee.params[i].value] = evaluate(context, call.args[i]);
      Machine next = after;
      next.threads[thread].stack.back().call_edge = edge;
      next.threads[thread].stack.push_back({call.callee, callee.entry, std::move(locals), 0});
      emit(std::move(next), results);
    }
  }

  void spawn(EvalContext& context, const Spawn& spawn, const Machine& before, std::size_t thread, const Machine& after,
             std::vector<Machine>& results) const {
    if (before.threads.size() >= bound_) return emit(after, results);
    std::vector<std::vector<Frame>> stacks;
    if (spawn.copies_locals) {
      stacks.push_back(before.threads[thread].stack);
      stacks.back().back().location = spawn.location;
    } else {
      for (Valuation& locals : valuations(program_.templ(spawn.templ).locals)) {
        stacks.push_back({{spawn.templ, spawn.location, std::move(locals), 0}});
      }
    }
    for (auto& stack : stacks) {
      for (const Assign& item : spawn.locals)
        stack.back().locals[item.target.var.value] = evaluate(context, item.value);
      Machine next = after;
      next.threads.push_back({false, std::move(stack)});
      emit(std::move(next), results);
    }
  }

  static void emit(Machine machine, std::vector<Machine>& results) {
    std::erase_if(machine.threads, [](const Thread& thread) { return thread.stack.empty(); });
    std::sort(machine.threads.begin(), machine.threads.end());
    results.push_back(std::move(machine));
  }

  const Program& program_;
  const std::uint32_t bound_;
  const std::size_t recursion_;
};

StateView view(const Program& program, const Machine& machine) {
  StateView result{machine.shared, {}};
  for (const Thread& thread : machine.threads) {
    const Frame& top = thread.stack.back();
    const Template& procedure = program.templ(top.procedure);
    result.threads.insert({procedure.name, procedure.locations[top.location.value].label, thread.atomic, top.locals,
                           thread.stack.front().locals});
  }
  return result;
}

}  // namespace

StackExploration explore_with_stacks(const Program& program, std::uint32_t bound, std::size_t max_states,
                                     std::size_t recursion) {
  const StackMachine machine(program, bound, recursion);
  StackExploration result;
  std::set<Machine> seen;
  std::deque<Machine> queue;
  const auto reach = [&](Machine state) {
    std::sort(state.threads.begin(), state.threads.end());
    if (!seen.insert(state).second) return;
    result.states.insert(view(program, state));
    queue.push_back(std::move(state));
  };
  for (Machine& state : machine.initial()) reach(std::move(state));
  while (!queue.empty() && (result.complete = seen.size() <= max_states)) {
    const Machine state = std::move(queue.front());
    queue.pop_front();
    for (Machine& next : machine.successors(state)) reach(std::move(next));
  }
  return result;
}

StateView view_of(const Program& flat, const State& state) {
  StateView result{state.shared, {}};
  for (const auto& thread : state.threads) {
    if (!thread) continue;
    const Template& templ = flat.templ(thread->templ);
    const std::string& label = templ.locations[thread->location.value].label;
    const std::size_t dot = label.rfind('.');
    const std::string prefix = dot == std::string::npos ? "" : label.substr(0, dot + 1);
    ThreadView seen;
    seen.procedure = prefix.empty() ? templ.name : prefix.substr(0, prefix.find_first_of("#."));
    seen.label = label.substr(prefix.size());
    seen.atomic = thread->atomic;
    for (const Variable& variable : templ.locals) {
      const Value value = thread->locals[variable.slot];
      const std::size_t at = variable.name.rfind('.');
      const std::string owner = at == std::string::npos ? "" : variable.name.substr(0, at + 1);
      if (owner == prefix) seen.frame.push_back(value);
      if (owner.empty()) seen.root.push_back(value);
    }
    result.threads.insert(std::move(seen));
  }
  return result;
}

}  // namespace cohort::test
