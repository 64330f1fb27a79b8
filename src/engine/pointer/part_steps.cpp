#include "engine/pointer/part_steps.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::engine::pointer {

using model::Assign;
using model::Expr;
using model::ExprId;
using model::LValue;
using model::Op;
using model::Type;
using model::Value;

namespace {

bool is_reference(const Expr& node) {
  return node.type.kind() == Type::Kind::ThreadRef;
}

bool is_quantifier(Op op) {
  return op == Op::ForallThread || op == Op::ExistsThread;
}

// Processes may be compared for equality, and that is all.
std::optional<std::string> refuses_node(const model::ExprPool& exprs, const Expr& node) {
  const bool reads_reference =
      std::any_of(node.args.begin(), node.args.end(), [&](ExprId arg) { return is_reference(exprs[arg]); });
  if (is_reference(node)) {
    switch (node.op) {
      case Op::Const: return node.value == 0 ? std::nullopt : std::optional("it names processes by their numbers");
      case Op::SharedVar:
      case Op::LocalVar:
      case Op::RemoteVar:
      case Op::Self:
      case Op::BoundThread: return std::nullopt;
      default: return "it calculates with processes";
    }
  }
  if (!reads_reference || node.op == Op::Eq || node.op == Op::Ne) return std::nullopt;
  if (node.op == Op::RemoteVar || node.op == Op::AtLocation) return std::nullopt;
  return "it calculates with processes";
}

std::size_t depth_of(const model::ExprPool& exprs, ExprId id) {
  const Expr& node = exprs[id];
  std::size_t depth = 0;
  for (const ExprId arg : node.args) depth = std::max(depth, depth_of(exprs, arg));
  return depth + (is_quantifier(node.op) ? 1 : 0);
}

// Of the witnesses that make the value of `id` so.
std::size_t witnesses(const model::ExprPool& exprs, ExprId id, bool truth) {
  const Expr& node = exprs[id];
  const auto of = [&](std::size_t arg, bool wanted) { return witnesses(exprs, node.args[arg], wanted); };
  switch (node.op) {
    case Op::Not: return of(0, !truth);
    case Op::And: return truth ? of(0, true) + of(1, true) : std::max(of(0, false), of(1, false));
    case Op::Or: return truth ? std::max(of(0, true), of(1, true)) : of(0, false) + of(1, false);
    case Op::Implies: return truth ? std::max(of(0, false), of(1, true)) : of(0, true) + of(1, false);
    case Op::ExistsThread: return truth ? 1 + of(0, true) : 0;
    case Op::ForallThread: return truth ? 0 : 1 + of(0, false);
    default: return 0;
  }
}

}  // namespace

std::optional<std::string> refuses_parts(const model::Program& program) {
  std::optional<std::string> refusal;
  const auto look = [&](const Expr& node, ExprId) {
    if (!refusal) refusal = refuses_node(program.exprs, node);
  };
  for (const auto& [action, edge, templ] : model::actions_of(program)) {
    for_each_node(program.exprs, action, look);
    if (action.assigns.size() > 1) return "it takes no assignments of several variables at once";
  }
  for (const model::Property& property : program.properties) {
    if (property.condition) for_each_node(program.exprs, *property.condition, look);
  }
  if (program.initial_condition) for_each_node(program.exprs, *program.initial_condition, look);
  const auto names_process = [](const model::Variable& variable) {
    const auto is_somebody = [](Value value) { return value != 0; };
    return variable.type.kind() == Type::Kind::ThreadRef &&
           std::any_of(variable.initial.begin(), variable.initial.end(), is_somebody);
  };
  for (const model::Template& templ : program.templates) {
    if (std::any_of(templ.locals.begin(), templ.locals.end(), names_process)) return "it names processes at the start";
  }
  if (std::any_of(program.shared.begin(), program.shared.end(), names_process))
    return "it names processes at the start";
  return refusal;
}

std::size_t processes_spoken_of(const model::ExprPool& exprs, ExprId condition) {
  return std::max(depth_of(exprs, condition), witnesses(exprs, condition, true));
}

PartSteps::PartSteps(const Parts& parts)
    : parts_(parts),
      layout_(parts.layout()),
      exprs_(parts.layout().program().exprs),
      faults_violate_(parts.layout().program().faults == model::FaultPolicy::Violation) {}

void PartSteps::begin(const Part& part, std::size_t members) {
  COHORT_EXPECT(members <= layout_.processes(), "the layout has room for all members");
  part_ = &part;
  members_ = members;
  bound_.clear();
  guest_.reset();
  missing_ = Missing::Nothing;
  fault_ = false;
  sure_fault_ = false;
}

PartSteps::Datum PartSteps::of_cell(std::size_t cell, const CellType& type) const {
  const Cell value = (*part_)[cell];
  if (type.pointer && value == outside) return {Datum::Kind::Outside, 0};
  return {Datum::Kind::Known, value + type.lo};
}

// Inside of quantifiers nobody waits for a guest: what is not known there is any value.
PartSteps::Datum PartSteps::identify(Datum reference) {
  if (!guest_ || !bound_.empty()) return reference;
  const bool is_guest = reference.kind == Datum::Kind::Known && reference.value == Value{*guest_} + 1;
  if (is_guest) {
    guest_.reset();
  } else if (reference.kind == Datum::Kind::Outside) {
    missing_ = Missing::Guest;
  }
  return reference;
}

// The member that the reference leads to; none: what stands there is not known, if there is anything.
std::optional<std::size_t> PartSteps::follow(Datum reference) {
  reference = identify(reference);
  if (reference.kind == Datum::Kind::Known && reference.value == 0) {
    fault_ = sure_fault_ = true;
    return std::nullopt;
  }
  if (reference.kind == Datum::Kind::Any) fault_ = true;
  if (reference.kind != Datum::Kind::Known) return std::nullopt;
  return static_cast<std::size_t>(reference.value - 1);
}

PartSteps::Datum PartSteps::variable(Datum reference, const Expr& node) {
  const auto member = follow(reference);
  if (!member) return {Datum::Kind::Any, 0};
  return of_cell(layout_.local_cell(*member, node.var.value), layout_.local(node.var.value));
}

PartSteps::Datum PartSteps::at_location(Datum reference, const Expr& node) {
  const auto member = follow(reference);
  if (!member) return {Datum::Kind::Any, 0};
  const Cell location = (*part_)[layout_.location_cell(*member)];
  return {Datum::Kind::Known, location == static_cast<Cell>(node.value) ? 1 : 0};
}

PartSteps::Datum PartSteps::compare(const Expr& node) {
  Datum left = evaluate(node.args[0]);
  Datum right = evaluate(node.args[1]);
  if (is_reference(exprs_[node.args[0]])) {
    // Two that are both not in view may be one.
    const auto is_hidden = [&](const Datum& datum) {
      return datum.kind == Datum::Kind::Outside ||
             (guest_ && datum.kind == Datum::Kind::Known && datum.value == Value{*guest_} + 1);
    };
    if (is_hidden(left) && is_hidden(right)) left = identify(left);
    const bool one_outside = (left.kind == Datum::Kind::Outside) != (right.kind == Datum::Kind::Outside);
    if (one_outside && left.kind != Datum::Kind::Any && right.kind != Datum::Kind::Any) {
      return {Datum::Kind::Known, node.op == Op::Ne ? 1 : 0};
    }
  }
  if (left.kind != Datum::Kind::Known || right.kind != Datum::Kind::Known) return {Datum::Kind::Any, 0};
  const auto truth = [&] {
    switch (node.op) {
      case Op::Eq: return left.value == right.value;
      case Op::Ne:
      case Op::Xor: return left.value != right.value;
      case Op::Lt: return left.value < right.value;
      case Op::Le: return left.value <= right.value;
      case Op::Gt: return left.value > right.value;
      default: return left.value >= right.value;
    }
  };
  return {Datum::Kind::Known, truth() ? 1 : 0};
}

PartSteps::Datum PartSteps::connective(const Expr& node) {
  // The value of the left side that decides.
  const Value deciding = node.op == Op::Or ? 1 : 0;
  const Value decided = node.op == Op::And ? 0 : 1;
  const Datum left = evaluate(node.args[0]);
  if (left.kind == Datum::Kind::Known && left.value == deciding) return {Datum::Kind::Known, decided};
  const bool sure = sure_fault_;
  const Datum right = evaluate(node.args[1]);
  if (left.kind == Datum::Kind::Known) return right;
  sure_fault_ = sure;
  if (right.kind == Datum::Kind::Known && right.value == decided) return right;
  return {Datum::Kind::Any, 0};
}

PartSteps::Datum PartSteps::calculate(const Expr& node) {
  std::vector<Datum> args;
  for (const ExprId arg : node.args) args.push_back(evaluate(arg));
  const bool divides = node.op == Op::Div || node.op == Op::Mod;
  if (divides && !(args[1].kind == Datum::Kind::Known && args[1].value != 0)) fault_ = true;
  const bool known =
      std::all_of(args.begin(), args.end(), [](const Datum& arg) { return arg.kind == Datum::Kind::Known; });
  if (!known) return {Datum::Kind::Any, 0};
  const auto wrapped = [&](Value value) { return Datum{Datum::Kind::Known, node.type.wrap(value)}; };
  switch (node.op) {
    case Op::Add: return wrapped(args[0].value + args[1].value);
    case Op::Sub: return wrapped(args[0].value - args[1].value);
    case Op::Neg: return wrapped(-args[0].value);
    case Op::Cast: return wrapped(args[0].value);
    default: return {Datum::Kind::Any, 0};
  }
}

// Of the others nothing is known: they may spoil what holds of all members, or be what no member is.
PartSteps::Datum PartSteps::quantified(const Expr& node) {
  const bool forall = node.op == Op::ForallThread;
  bool decided = false;
  const bool sure = sure_fault_;
  bound_.push_back(0);
  for (std::uint32_t member = 0; member < members_; ++member) {
    bound_.back() = member;
    const Datum body = evaluate(node.args[0]);
    decided = decided || (body.kind == Datum::Kind::Known && (body.value != 0) != forall);
  }
  bound_.pop_back();
  sure_fault_ = sure;
  return decided ? Datum{Datum::Kind::Known, forall ? 0 : 1} : Datum{Datum::Kind::Any, 0};
}

PartSteps::Datum PartSteps::evaluate(ExprId id) {
  const Expr& node = exprs_[id];
  switch (node.op) {
    case Op::Const: return {Datum::Kind::Known, node.value};
    case Op::SharedVar: return of_cell(node.var.value, layout_.shared(node.var.value));
    case Op::LocalVar: return of_cell(layout_.local_cell(self_, node.var.value), layout_.local(node.var.value));
    case Op::RemoteVar: return variable(evaluate(node.args[0]), node);
    case Op::Self: return {Datum::Kind::Known, Value{self_} + 1};
    case Op::BoundThread: return {Datum::Kind::Known, Value{bound_[static_cast<std::size_t>(node.value)]} + 1};
    case Op::AtLocation: return at_location(evaluate(node.args[0]), node);
    case Op::ForallThread:
    case Op::ExistsThread: return quantified(node);
    case Op::Not: {
      const Datum arg = evaluate(node.args[0]);
      return arg.kind == Datum::Kind::Known ? Datum{Datum::Kind::Known, arg.value == 0 ? 1 : 0} : arg;
    }
    case Op::And:
    case Op::Or:
    case Op::Implies: return connective(node);
    case Op::Xor:
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge: return compare(node);
    case Op::Ite: {
      const Datum condition = evaluate(node.args[0]);
      if (condition.kind == Datum::Kind::Known) return evaluate(node.args[condition.value != 0 ? 1 : 2]);
      const bool sure = sure_fault_;
      evaluate(node.args[1]);
      evaluate(node.args[2]);
      sure_fault_ = sure;
      return {Datum::Kind::Any, 0};
    }
    default: return calculate(node);
  }
}

// The values that the cell may have afterwards: of any pointer, one for each member, NULL, and outside.
std::vector<PartSteps::Datum> PartSteps::values(Datum value, const CellType& type) const {
  if (value.kind != Datum::Kind::Any) return {value};
  std::vector<Datum> result;
  if (type.pointer) {
    for (std::size_t member = 0; member <= members_; ++member) {
      result.push_back({Datum::Kind::Known, static_cast<Value>(member)});
    }
    result.push_back({Datum::Kind::Outside, 0});
    return result;
  }
  for (Value one = type.lo; one < type.lo + Value{type.values}; ++one) result.push_back({Datum::Kind::Known, one});
  return result;
}

void PartSteps::store(Part part, std::size_t cell, const Datum& value, const CellType& type,
                      std::vector<Branch>& result) const {
  part[cell] = value.kind == Datum::Kind::Outside ? outside : static_cast<Cell>(value.value - type.lo);
  result.push_back({std::move(part), !guest_});
}

void PartSteps::perform(const Assign& assign, std::vector<Branch>& branches) {
  const std::size_t var = assign.target.var.value;
  const bool shared = assign.target.kind == LValue::Kind::Shared;
  const CellType& type = shared ? layout_.shared(var) : layout_.local(var);
  const Part before = *part_;
  Datum target{Datum::Kind::Known, Value{self_} + 1};
  if (assign.target.ref) target = evaluate(*assign.target.ref);
  if (target.kind == Datum::Kind::Any) fault_ = true;
  if (target.kind == Datum::Kind::Known && target.value == 0) fault_ = sure_fault_ = true;
  Datum value = evaluate(assign.value);
  if (missing_ != Missing::Nothing || sure_fault_) return;
  const Type& declared = shared ? layout_.program().shared[var].type : layout_.templ().locals[var].type;
  if (!type.pointer && value.kind == Datum::Kind::Known) {
    value.value = declared.wrap(value.value);
    if (value.value < type.lo || value.value >= type.lo + Value{type.values}) {
      fault_ = sure_fault_ = true;
      return;
    }
  } else if (!type.pointer && !(exprs_[assign.value].type == declared)) {
    fault_ = true;
  }
  for (const Datum& one : values(value, type)) {
    if (shared) {
      store(before, var, one, type, branches);
      const bool enqueues = exprs_[assign.value].op == Op::Self;
      for (std::size_t queue = 0; enqueues && queue < parts_.queues().size(); ++queue) {
        if (parts_.queues()[queue].tail == var) parts_.enqueue(branches.back().part, members_, self_, queue);
      }
      continue;
    }
    const bool anyone = target.kind == Datum::Kind::Any;
    if (target.kind != Datum::Kind::Known) branches.push_back({before, !guest_});
    for (std::size_t member = 0; member < members_; ++member) {
      if (!anyone && (target.kind != Datum::Kind::Known || target.value != static_cast<Value>(member) + 1)) continue;
      store(before, layout_.local_cell(member, var), one, type, branches);
    }
  }
}

// Of the steps of a guest less is known than where the same process is in view.
void PartSteps::note_fault(bool guest_steps) {
  fault_seen_ = fault_seen_ || (fault_ && faults_violate_ && !guest_steps);
}

void PartSteps::step(const Part& part, std::size_t members, const model::Edge& edge, std::uint32_t stepper,
                     std::uint32_t guest, std::vector<Part>& views) {
  const bool guest_steps = stepper == guest;
  std::vector<Branch> branches{{part, guest_steps}};
  for (const model::Action& action : edge.actions) {
    std::vector<Branch> next;
    for (const Branch& branch : branches) {
      begin(branch.part, members);
      self_ = stepper;
      if (!branch.used) guest_ = guest;
      if (action.guard) {
        const Datum guard = evaluate(*action.guard);
        if (missing_ != Missing::Nothing) continue;
        note_fault(guest_steps);
        if (sure_fault_ || (guard.kind == Datum::Kind::Known && guard.value == 0)) continue;
      }
      if (action.assigns.empty()) next.push_back({branch.part, !guest_});
      for (const Assign& assign : action.assigns) perform(assign, next);
      if (missing_ == Missing::Nothing) note_fault(guest_steps);
    }
    branches = std::move(next);
  }
  std::vector<std::uint32_t> view;
  for (std::uint32_t member = 0; member < members; ++member) {
    if (member != guest) view.push_back(member);
  }
  for (Branch& branch : branches) {
    branch.part[layout_.location_cell(stepper)] = static_cast<Cell>(edge.target.value);
    views.push_back(parts_.project(branch.part, members, view));
  }
}

bool PartSteps::may_all_members(ExprId body, bool truth) {
  bool all = true;
  bound_.push_back(0);
  for (std::uint32_t member = 0; all && member < members_; ++member) {
    bound_.back() = member;
    all = may(body, truth, false);
  }
  bound_.pop_back();
  return all;
}

bool PartSteps::may_some_member(ExprId body, bool truth) {
  bool some = false;
  bound_.push_back(0);
  for (std::uint32_t member = 0; !some && member < members_; ++member) {
    bound_.back() = member;
    some = may(body, truth, true);
  }
  bound_.pop_back();
  return some;
}

// May the value of `id` be `truth`?  `outermost`: only below connectives and quantifiers that ask for witnesses, so
// that witnesses among others need not be thought of.
bool PartSteps::may(ExprId id, bool truth, bool outermost) {
  const Expr& node = exprs_[id];
  const auto of = [&](std::size_t arg, bool wanted) { return may(node.args[arg], wanted, outermost); };
  switch (node.op) {
    case Op::Not: return of(0, !truth);
    case Op::And: return truth ? of(0, true) && of(1, true) : of(0, false) || of(1, false);
    case Op::Or: return truth ? of(0, true) || of(1, true) : of(0, false) && of(1, false);
    case Op::Implies: return truth ? of(0, false) || of(1, true) : of(0, true) && of(1, false);
    case Op::ExistsThread:
    case Op::ForallThread: {
      const bool asks_for_witness = (node.op == Op::ExistsThread) == truth;
      if (!asks_for_witness) return may_all_members(node.args[0], truth);
      return !outermost || may_some_member(node.args[0], truth);
    }
    default: {
      const Datum value = evaluate(id);
      return value.kind != Datum::Kind::Known || (value.value != 0) == truth;
    }
  }
}

// Every process is looked at, whatever another one has decided.
void PartSteps::look_for_faults(ExprId id) {
  const Expr& node = exprs_[id];
  if (depth_of(exprs_, id) == 0) {
    evaluate(id);
  } else if (is_quantifier(node.op)) {
    bound_.push_back(0);
    for (std::uint32_t member = 0; member < members_; ++member) {
      bound_.back() = member;
      look_for_faults(node.args[0]);
    }
    bound_.pop_back();
  } else {
    for (const ExprId arg : node.args) look_for_faults(arg);
  }
}

bool PartSteps::may_hold(const Part& part, std::size_t members, ExprId condition) {
  begin(part, members);
  return may(condition, true, false);
}

bool PartSteps::may_be_bad(const Part& part, std::size_t members, ExprId condition) {
  begin(part, members);
  if (may(condition, true, true)) return true;
  if (!faults_violate_) return false;
  fault_ = false;
  look_for_faults(condition);
  return fault_;
}

}  // namespace cohort::engine::pointer
