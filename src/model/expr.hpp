// Expressions: an immutable, hash-consed graph owned by the Program's ExprPool.  Equal expressions have equal ids,
// except that every Nondet node is its own: it stands for one choice in each execution of the action that holds it, so
// two occurrences of `*` are two nodes.  A Nondet below a passive update or passive conjunct is chosen anew for each
// passive thread.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/ids.hpp"
#include "model/type.hpp"

namespace cohort::model {

enum class Op : std::uint8_t {
  Const,
  Nondet,        // any value of its type
  SharedVar,     // var, primed; one argument: the index, for arrays
  LocalVar,      // local variable of the executing thread; likewise
  PassiveVar,    // local variable of passive thread number `value`, which runs `templ`; see passive.hpp
  RemoteVar,     // local variable of the thread that argument 0 refers to (RemoteVar(ref) or RemoteVar(ref, index))
  Self,          // reference to the executing thread
  BoundThread,   // the thread bound by the enclosing quantifier number `value`, counted from the outermost
  AtLocation,    // is the thread of argument 0 at location `value` of its template?
  ForallThread,  // for every thread alive; argument 0 is the body
  ExistsThread,
  Not,
  And,
  Or,
  Xor,
  Implies,
  Eq,
  Ne,  // Eq and Ne compare any two values of one kind
  Lt,
  Le,
  Gt,
  Ge,
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Neg,  // Div and Mod truncate as in C; a zero divisor is a fault
  BitAnd,
  BitOr,
  BitXor,
  BitNot,
  Shl,
  Shr,
  Ite,
  Cast,  // to the node's type, by wrap-around; a number that is neither 0 nor a thread's makes a reference fault
};

struct Expr {
  Op op = Op::Const;
  bool primed = false;  // SharedVar, LocalVar, PassiveVar: the value after the step
  Type type = Type::boolean();
  Value value = 0;     // Const: the value; Nondet: its serial number; PassiveVar, BoundThread, AtLocation: see Op
  VarId var{};         // variables: which
  TemplateId templ{};  // PassiveVar, RemoteVar, AtLocation: the template of the thread spoken of
  std::vector<ExprId> args{};

  bool operator==(const Expr&) const = default;
};

class ExprPool {
 public:
  const Expr& operator[](ExprId id) const { return nodes_[id.value]; }
  std::size_t size() const { return nodes_.size(); }

  ExprId constant(Value value, Type type);
  ExprId boolean(bool value) { return constant(value ? 1 : 0, Type::boolean()); }
  ExprId truth() { return boolean(true); }
  ExprId falsity() { return boolean(false); }
  ExprId nondet(Type type);
  ExprId shared(VarId var, Type type, bool primed = false) { return variable(Op::SharedVar, var, type, primed); }
  ExprId local(VarId var, Type type, bool primed = false) { return variable(Op::LocalVar, var, type, primed); }
  ExprId passive(VarId var, Type type, bool primed = false) { return variable(Op::PassiveVar, var, type, primed); }
  ExprId element(Op op, VarId var, Type array_type, ExprId index, bool primed = false);
  ExprId remote(ExprId ref, TemplateId templ, VarId var, Type type);
  ExprId self() { return add({.op = Op::Self, .type = Type::thread_ref()}); }
  ExprId bound_thread(std::size_t depth);
  ExprId at_location(ExprId ref, TemplateId templ, LocId location);
  ExprId quantified(Op op, ExprId body);

  // Boolean connectives simplify constants and double negation; everything else is kept as written.
  ExprId negate(ExprId operand);
  ExprId conj(ExprId left, ExprId right);
  ExprId disj(ExprId left, ExprId right);
  ExprId unary(Op op, ExprId operand, Type type);
  ExprId binary(Op op, ExprId left, ExprId right, Type type);
  ExprId ite(ExprId condition, ExprId then, ExprId otherwise);

  bool is_const(ExprId id, Value value) const {
    return nodes_[id.value].op == Op::Const && nodes_[id.value].value == value;
  }
  bool is_true(ExprId id) const { return is_const(id, 1) && nodes_[id.value].type.is_bool(); }
  bool is_false(ExprId id) const { return is_const(id, 0) && nodes_[id.value].type.is_bool(); }

  // A copy of `root` with each node first offered to `replace` (which returns true and sets the second argument when it
  // takes the node over).  Nondet nodes that are not replaced become fresh ones, one for each old one per call.
  template <class Replace>
  ExprId rewrite(ExprId root, Replace&& replace);

  // Interns a node whose arguments are in this pool already.
  ExprId add(Expr node);

 private:
  struct Hash {
    std::size_t operator()(const Expr& node) const noexcept;
  };

  ExprId variable(Op op, VarId var, Type type, bool primed);

  std::vector<Expr> nodes_;
  std::unordered_map<Expr, ExprId, Hash> index_;
  Value next_nondet_ = 0;
};

// Calls visit(const Expr&, ExprId) once for each node reachable from `root`.
template <class Visit>
void for_each_node(const ExprPool& pool, ExprId root, Visit&& visit) {
  std::vector<ExprId> stack{root};
  std::unordered_map<ExprId, bool> seen{{root, true}};
  while (!stack.empty()) {
    const ExprId id = stack.back();
    stack.pop_back();
    visit(pool[id], id);
    for (const ExprId arg : pool[id].args) {
      if (seen.emplace(arg, true).second) stack.push_back(arg);
    }
  }
}

bool mentions(const ExprPool& pool, ExprId root, Op op);
bool mentions_primed(const ExprPool& pool, ExprId root);

template <class Replace>
ExprId ExprPool::rewrite(ExprId root, Replace&& replace) {
  std::unordered_map<ExprId, ExprId> done;
  auto visit = [&](auto&& self_call, ExprId id) -> ExprId {
    if (const auto it = done.find(id); it != done.end()) return it->second;
    ExprId result;
    if (!replace(id, result)) {
      Expr node = nodes_[id.value];
      if (node.op == Op::Nondet) {
        result = nondet(node.type);
      } else {
        for (ExprId& arg : node.args) arg = self_call(self_call, arg);
        result = add(std::move(node));
      }
    }
    done.emplace(id, result);
    return result;
  };
  return visit(visit, root);
}

}  // namespace cohort::model
