// Every call site gets a copy of its own of the callee's locations and locals, so that the call context is part of the
// location and a thread needs no stack.  The alternative, one shared copy with a return-address variable, keeps the
// program small but makes every return a multi-way branch on data, which the counter abstractions would pay for in
// every state.
//
// The call becomes one step (parameters := arguments, the other locals of the copy := their declared value or a
// choice), the return another (results := values).  Outside the call the copy's locals are never read, so their value
// at the start of a thread does not matter: it is the type's default.  `start_thread goto` inside a called procedure
// clones the whole local state, hence the call context: the child starts in the same copy.
//
// Recursion gets copies to a bound.  Beyond it there is a cut, or a *summary*: the call leads to the entry of the
// nearest copy of its callee that waits for it, as if that copy began anew, and a return from that copy leads back to
// its own caller or to behind any such call, whose locals and those of all copies from there on may then have any
// value.  Why this is an upper approximation: let an execution keep a stack of frames.  The flat thread has the same
// top frame, in some copy of its procedure, and each frame that waits has a copy in which it waits; the frames that
// have a copy to themselves have their values there.  A call beyond the bound takes the copy of a waiting frame, whose
// values are lost, and with them those of the frames above it, since all these copies may be taken again before they
// are returned to. When the execution returns to one of these, the return that forgets leads to the same place and
// chooses its values. So every step of the execution is one of the flat program, of which assertions inside the callee,
// other threads' steps in between, atomic sections and copies of threads make no exception.
//
// Each copy of a procedure has choices (Nondet nodes) of its own, so that passes can put steps of two copies into one
// edge.  Cost: linear in the size of the result, which the limits bound, since it can be exponential in the depth of
// calls.
#include "model/passes/inline.hpp"
#include "model/analysis/visit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "model/passes/cuts.hpp"

namespace cohort::model {

namespace {

// Who is called, who runs as a thread, and who is named from outside by location or variable.
struct Roles {
  std::vector<bool> called;
  std::vector<bool> root;
  std::vector<bool> named;

  explicit Roles(const Program& program)
      : called(program.templates.size()), root(program.templates.size()), named(program.templates.size()) {
    for (const InitialThreads& group : program.initial) start(program, group.templ);
    for (const Property& property : program.properties) {
      for (const auto& [templ, location] : property.threads) name(program, templ);
      if (property.condition) name_all(program, *property.condition);
    }
    if (program.initial_condition) name_all(program, *program.initial_condition);
  }

 private:
  void start(const Program& program, TemplateId id) {
    if (root[id.value]) return;
    root[id.value] = true;
    if (!called[id.value]) visit(program, id);
  }

  void name(const Program& program, TemplateId id) {
    named[id.value] = true;
    start(program, id);
  }

  void name_all(const Program& program, ExprId expr) {
    for_each_node(program.exprs, expr, [&](const Expr& node, ExprId) {
      if (node.op == Op::PassiveVar) start(program, node.templ);
      if (node.op == Op::RemoteVar || node.op == Op::AtLocation) name(program, node.templ);
    });
  }

  void visit(const Program& program, TemplateId id) {
    for (const Edge& edge : program.templ(id).edges) {
      for (const Action& action : edge.actions) visit(program, action);
    }
  }

  void visit(const Program& program, const Action& action) {
    for_each_root(action, [&](ExprId expr) { name_all(program, expr); });
    for (const Assign& assign : action.assigns) {
      if (assign.target.kind == LValue::Kind::Passive) start(program, assign.target.templ);
      if (assign.target.kind == LValue::Kind::Remote) name(program, assign.target.templ);
    }
    for (const Take& take : action.takes) name(program, take.templ);
    for (const PassiveMove& move : action.moves) name(program, move.templ);
    for (const Spawn& spawn : action.spawns) {
      if (!spawn.copies_locals) start(program, spawn.templ);
    }
    if (!action.call || called[action.call->callee.value]) return;
    const TemplateId callee = action.call->callee;
    called[callee.value] = true;
    if (!root[callee.value]) visit(program, callee);
  }
};

class Inliner {
 public:
  Inliner(const Program& input, const InlineLimits& limits, Env* env)
      : input_(input), limits_(limits), env_(env), roles_(input), output_(input) {}

  Program run() {
    number_roots();
    output_.templates.clear();
    for (std::size_t i = 0; i < input_.templates.size(); ++i) {
      if (roles_.root[i]) output_.templates.push_back(flatten(TemplateId(i)));
    }
    for (InitialThreads& group : output_.initial) group.templ = root_of(group.templ);
    Frame outside;
    if (output_.initial_condition) output_.initial_condition = copy(outside, *output_.initial_condition);
    for (Property& property : output_.properties) {
      if (property.condition) property.condition = copy(outside, *property.condition);
      for (auto& [templ, location] : property.threads) templ = root_of(templ);
    }
    COHORT_EXPECT(is_flat(output_), "inlining leaves no call and no return");
    return std::move(output_);
  }

 private:
  // How a call beyond the bound ends that led to a copy above.
  struct LateReturn {
    LocId target;
    std::vector<std::optional<LValue>> results;  // in the caller's copy
    std::vector<std::pair<VarId, Type>> forgotten;
  };

  // One copy of a procedure inside the template being made.
  struct Frame {
    TemplateId procedure;  // in the input
    TemplateId root;       // in the output
    std::uint32_t first_location = 0;
    std::uint32_t first_local = 0;
    Frame* caller = nullptr;     // none: the body of the thread itself
    const Call* call = nullptr;  // in the caller's terms
    LocId after_call;            // in the output
    std::unordered_map<ExprId, ExprId> copied;
    std::vector<LateReturn> late_returns;

    LocId location(LocId id) const { return LocId(first_location + id.value); }
    VarId local(VarId id) const { return VarId(first_local + id.value); }
  };

  void number_roots() {
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < input_.templates.size(); ++i) {
      roots_.emplace_back(next);
      if (!roles_.root[i]) continue;
      ++next;
      if (roles_.named[i] && roles_.called[i]) {
        const Template& templ = input_.templates[i];
        throw_unsupported(
            templ.span, fmt::format("{} is called, and its locations or variables are named from outside", templ.name));
      }
    }
  }

  TemplateId root_of(TemplateId id) const {
    COHORT_EXPECT(roles_.root[id.value], "a template that is named or started is a root");
    return roots_[id.value];
  }

  Template flatten(TemplateId id) {
    const Template& original = input_.templ(id);
    Template flat;
    flat.name = original.name;
    flat.params = original.params;
    flat.result_count = 0;
    flat.entry = original.entry;
    flat.span = original.span;
    copies_.assign(input_.templates.size(), 0);
    Frame frame;
    frame.procedure = id;
    frame.root = roots_[id.value];
    expand(flat, frame, "");
    return flat;
  }

  // Appends a copy of the frame's procedure to `flat`, callees included.
  void expand(Template& flat, Frame& frame, const std::string& prefix) {
    const Template& procedure = input_.templ(frame.procedure);
    frame.first_location = static_cast<std::uint32_t>(flat.locations.size());
    frame.first_local = static_cast<std::uint32_t>(flat.locals.size());
    for (Variable variable : procedure.locals) {
      variable.name = prefix + variable.name;
      if (frame.caller != nullptr) variable.initial = {variable.type.default_value()};
      flat.add_local(std::move(variable));
    }
    for (Location location : procedure.locations) {
      if (!location.label.empty()) location.label = prefix + location.label;
      flat.add_location(std::move(location));
    }
    for (std::uint32_t i = 0; i < procedure.edges.size(); ++i) {
      poll(env_, "inline");
      const Edge& edge = procedure.edges[i];
      if (edge.actions.front().call) {
        expand_call(flat, frame, edge, i);
      } else {
        flat.edges.push_back(copy_edge(frame, edge, i));
      }
      check_size(flat, procedure.span);
    }
    for (const LateReturn& late : frame.late_returns) {
      for (std::uint32_t i = 0; i < procedure.edges.size(); ++i) {
        if (procedure.edges[i].actions.back().ret)
          flat.edges.push_back(return_late(frame, procedure.edges[i], i, late));
      }
      check_size(flat, procedure.span);
    }
  }

  void expand_call(Template& flat, Frame& caller, const Edge& edge, std::uint32_t index) {
    COHORT_EXPECT(edge.actions.size() == 1, "a call is alone on its edge");
    const Action& action = edge.actions.front();
    const TemplateId callee = action.call->callee;
    if (const auto reason = too_deep(flat, caller, callee)) {
      if (limits_.beyond == BeyondRecursion::Summary) {
        summarise(flat, caller, edge, index);
      } else {
        cut(flat, caller, edge, index, *reason);
      }
      return;
    }
    const std::uint32_t number = ++copies_[callee.value];
    const std::string name = input_.templ(callee).name;
    Frame frame;
    frame.procedure = callee;
    frame.root = caller.root;
    frame.caller = &caller;
    frame.call = &*action.call;
    frame.after_call = caller.location(edge.target);
    const std::size_t call_edge = flat.edges.size();
    flat.edges.emplace_back();
    check_size(flat, action.span);
    expand(flat, frame, number == 1 ? name + "." : fmt::format("{}#{}.", name, number));
    flat.edges[call_edge] = enter(caller, frame, edge, index);
  }

  // Why the call has no copy; none: it gets one.
  std::optional<std::string> too_deep(const Template& flat, const Frame& caller, TemplateId callee) const {
    std::uint32_t depth = 0;
    for (const Frame* frame = &caller; frame != nullptr; frame = frame->caller) {
      depth += frame->procedure == callee ? 1 : 0;
    }
    const std::string& name = input_.templ(callee).name;
    if (depth > limits_.recursion) {
      return exceeded_bound_text(fmt::format("a recursion of {} of more than {} calls", name, limits_.recursion),
                                 "--recursion", limits_.recursion);
    }
    if (depth > 0 && flat.locations.size() > limits_.max_recursive_size)
      return fmt::format("so many calls of {} from itself", name);
    return std::nullopt;
  }

  // Calls of one place have one property, however many copies there are.
  void cut(Template& flat, Frame& caller, const Edge& edge, std::uint32_t index, const std::string& reason) {
    const Action& original = edge.actions.front();
    const auto [known, fresh] = cuts_.emplace(std::pair(EdgeRef{caller.procedure, index}, reason), PropertyId());
    if (fresh) {
      known->second = output_.add_property({Property::Kind::Cut, reason, original.span, {}, {}});
    }
    const LocId source = caller.location(edge.source);
    Action action = plain(original, caller.procedure, index);
    if (original.guard) action.guard = copy(caller, *original.guard);
    const LocId target =
        flat.add_location({flat.locations[source.value].label + " (too deep)", original.span, known->second});
    flat.edges.push_back({source, target, {std::move(action)}});
  }

  void summarise(Template& flat, Frame& caller, const Edge& edge, std::uint32_t index) {
    const Call& call = *edge.actions.front().call;
    LateReturn late;
    late.target = caller.location(edge.target);
    for (const auto& result : call.results) {
      if (result && (result->index || result->ref))
        throw_unsupported(edge.actions.front().span, "a result of a recursive call that goes to a calculated place");
      late.results.push_back(result ? std::optional(copy(caller, *result)) : std::nullopt);
    }
    Frame* callee = &caller;
    while (true) {
      const std::vector<Variable>& locals = input_.templ(callee->procedure).locals;
      for (std::size_t i = 0; i < locals.size(); ++i)
        late.forgotten.emplace_back(callee->local(VarId(i)), locals[i].type);
      if (callee->procedure == call.callee) break;
      callee = callee->caller;
      COHORT_EXPECT(callee != nullptr, "a call that is too deep is one of a procedure that waits");
    }
    flat.edges.push_back(enter(caller, *callee, edge, index));
    callee->late_returns.push_back(std::move(late));
  }

  Edge return_late(Frame& frame, const Edge& edge, std::uint32_t index, const LateReturn& late) {
    const Action& original = edge.actions.back();
    const bool is_plain = edge.actions.size() == 1 && original.assigns.empty() && original.constraint.empty();
    if (!is_plain) throw_unsupported(original.span, "a return from a recursive call that does more than to return");
    Action returning = original;
    returning.ret.reset();
    Action action = copy_action(frame, returning, index);
    COHORT_EXPECT(original.ret->values.size() == late.results.size(),
                  "a return gives as many values as the call takes");
    std::vector<VarId> given;
    for (std::size_t i = 0; i < late.results.size(); ++i) {
      if (!late.results[i]) continue;
      if (late.results[i]->kind == LValue::Kind::Local) given.push_back(late.results[i]->var);
      action.assigns.push_back({*late.results[i], copy(frame, original.ret->values[i])});
    }
    for (const auto& [local, type] : late.forgotten) {
      if (std::find(given.begin(), given.end(), local) == given.end()) assign_any(local, type, action.assigns);
    }
    return {frame.location(edge.source), late.target, {std::move(action)}};
  }

  void assign_any(VarId local, const Type& type, std::vector<Assign>& assigns) {
    for (std::uint32_t i = 0; i < type.slots(); ++i) {
      LValue element = local_target(local);
      if (type.is_array()) element.index = output_.exprs.constant(i, Type::integer());
      assigns.push_back({element, output_.exprs.nondet(type.element())});
    }
  }

  void check_size(const Template& flat, const SourceSpan& span) const {
    const std::size_t size = std::max({flat.edges.size(), flat.locations.size(), flat.locals.size()});
    if (size <= limits_.max_size) return;
    throw_unsupported(span, fmt::format("inlining the calls of {} makes more than {} steps, locations or variables",
                                        flat.name, limits_.max_size));
  }

  // The call step: from the caller's location into the copy.
  Edge enter(Frame& caller, const Frame& frame, const Edge& edge, std::uint32_t index) {
    const Action& original = edge.actions.front();
    const Template& callee = input_.templ(frame.procedure);
    Action action = plain(original, caller.procedure, index);
    if (original.guard) action.guard = copy(caller, *original.guard);
    const std::vector<VarId>& params = callee.params;
    COHORT_EXPECT(params.size() == original.call->args.size(), "a call has as many arguments as parameters");
    for (std::size_t i = 0; i < params.size(); ++i) {
      action.assigns.push_back({local_target(frame.local(params[i])), copy(caller, original.call->args[i])});
    }
    for (std::size_t i = 0; i < callee.locals.size(); ++i) {
      if (std::find(params.begin(), params.end(), VarId(i)) == params.end()) {
        start_local(callee.locals[i], frame.local(VarId(i)), action.assigns);
      }
    }
    return {caller.location(edge.source), frame.location(callee.entry), {std::move(action)}};
  }

  void start_local(const Variable& variable, VarId target, std::vector<Assign>& assigns) {
    const Type type = variable.type.element();
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
      LValue element = local_target(target);
      if (variable.type.is_array()) element.index = output_.exprs.constant(i, Type::integer());
      const ExprId value =
          variable.initial.empty()
              ? output_.exprs.nondet(type)
              : output_.exprs.constant(variable.initial.size() == 1 ? variable.initial[0] : variable.initial[i], type);
      assigns.push_back({element, value});
    }
  }

  Edge copy_edge(Frame& frame, const Edge& edge, std::uint32_t index) {
    Edge result{frame.location(edge.source), frame.location(edge.target), {}};
    for (const Action& action : edge.actions) {
      result.actions.push_back(copy_action(frame, action, index));
      if (action.ret && frame.caller != nullptr) result.target = frame.after_call;
    }
    return result;
  }

  static Action plain(const Action& original, TemplateId procedure, std::uint32_t index) {
    Action action;
    action.span = original.span;
    action.text = original.text;
    action.origin = EdgeRef{procedure, index};
    return action;
  }

  Action copy_action(Frame& frame, const Action& original, std::uint32_t index) {
    Action action = plain(original, frame.procedure, index);
    refuse_passive(frame, original);
    if (original.guard) action.guard = copy(frame, *original.guard);
    for (const Assign& assign : original.assigns) {
      action.assigns.push_back({copy(frame, assign.target), copy(frame, assign.value)});
    }
    for (const ExprId conjunct : original.constraint) action.constraint.push_back(copy(frame, conjunct));
    for (const Take& take : original.takes) action.takes.push_back({root_of(take.templ), take.from, take.to});
    for (const PassiveMove& move : original.moves) action.moves.push_back({root_of(move.templ), move.from, move.to});
    for (const Spawn& spawn : original.spawns) action.spawns.push_back(copy(frame, spawn));
    action.atomic = original.atomic;
    action.ends_thread = original.ends_thread;
    if (original.ret) leave(frame, *original.ret, action);
    return action;
  }

  // The return step: the results are in the caller's terms, the values in the callee's.
  void leave(Frame& frame, const Return& ret, Action& action) {
    if (frame.caller == nullptr) {
      action.ends_thread = true;
      return;
    }
    COHORT_EXPECT(ret.values.size() == frame.call->results.size(), "a return gives as many values as the call takes");
    Frame& caller = *frame.caller;
    for (std::size_t i = 0; i < ret.values.size(); ++i) {
      const auto& result = frame.call->results[i];
      if (result) action.assigns.push_back({copy(caller, *result), copy(frame, ret.values[i])});
    }
  }

  Spawn copy(Frame& frame, const Spawn& original) {
    Spawn spawn;
    spawn.copies_locals = original.copies_locals;
    if (original.copies_locals) {
      COHORT_EXPECT(original.templ == frame.procedure, "a thread that copies the locals starts in the same procedure");
      spawn.templ = frame.root;
      spawn.location = frame.location(original.location);
    } else {
      spawn.templ = root_of(original.templ);
      spawn.location = original.location;
    }
    for (const Assign& assign : original.locals) {
      LValue target = assign.target;
      if (original.copies_locals) target.var = frame.local(target.var);
      if (target.index) target.index = copy(frame, *target.index);
      spawn.locals.push_back({target, copy(frame, assign.value)});
    }
    return spawn;
  }

  LValue copy(Frame& frame, const LValue& original) {
    LValue target = original;
    if (target.kind == LValue::Kind::Local) target.var = frame.local(target.var);
    const bool of_others = target.kind == LValue::Kind::Remote || target.kind == LValue::Kind::Passive;
    if (of_others) target.templ = root_of(target.templ);
    if (target.index) target.index = copy(frame, *target.index);
    if (target.ref) target.ref = copy(frame, *target.ref);
    return target;
  }

  ExprId copy(Frame& frame, ExprId id) {
    if (const auto it = frame.copied.find(id); it != frame.copied.end()) return it->second;
    Expr node = output_.exprs[id];
    if (node.op == Op::Nondet && frame.caller != nullptr) {
      const ExprId fresh = output_.exprs.nondet(node.type);
      frame.copied.emplace(id, fresh);
      return fresh;
    }
    for (ExprId& arg : node.args) arg = copy(frame, arg);
    if (node.op == Op::LocalVar) node.var = frame.local(node.var);
    const bool of_others = node.op == Op::PassiveVar || node.op == Op::RemoteVar || node.op == Op::AtLocation;
    if (of_others) node.templ = root_of(node.templ);
    const ExprId result = output_.exprs.add(std::move(node));
    frame.copied.emplace(id, result);
    return result;
  }

  void refuse_passive(const Frame& frame, const Action& action) const {
    if (frame.caller == nullptr) return;
    const Template& procedure = input_.templ(frame.procedure);
    const auto refuse = [&](VarId var) {
      throw_unsupported(
          action.span,
          fmt::format("{}$ speaks of the other threads' variables, but {} is called and not only run as a thread",
                      procedure.local(var).name, procedure.name));
    };
    for (const Assign& assign : action.assigns) {
      if (assign.target.kind == LValue::Kind::Passive) refuse(assign.target.var);
    }
    for_each_node(input_.exprs, action, [&](const Expr& node, ExprId) {
      if (node.op == Op::PassiveVar) refuse(node.var);
    });
  }

  static LValue local_target(VarId var) {
    LValue target;
    target.kind = LValue::Kind::Local;
    target.var = var;
    return target;
  }

  const Program& input_;
  const InlineLimits limits_;
  Env* env_;
  const Roles roles_;
  Program output_;
  std::vector<TemplateId> roots_;      // by template of the input; meaningful where it is a root
  std::vector<std::uint32_t> copies_;  // of each procedure in the template being made
  std::map<std::pair<EdgeRef, std::string>, PropertyId> cuts_;
};

}  // namespace

Program inline_calls(const Program& program, const InlineLimits& limits, Env* env) {
  return Inliner(program, limits, env).run();
}

}  // namespace cohort::model
