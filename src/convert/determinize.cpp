#include "convert/determinize.hpp"

#include <optional>
#include <unordered_map>

#include "base/contract.hpp"

namespace cohort::convert {

namespace {

using model::Action;
using model::Expr;
using model::ExprId;
using model::Op;
using model::Program;
using model::Value;

// The finaliser of SplitMix64.
std::uint64_t mix(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15ULL + number * 0xd1342543de82ef95ULL;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

class Determinizer {
 public:
  Determinizer(Program& program, std::uint64_t seed) : program_(program), seed_(seed) {}

  void run() {
    for (std::size_t t = 0; t < program_.templates.size(); ++t) {
      for (model::Edge& edge : program_.templates[t].edges) {
        for (std::size_t i = 0; i < edge.actions.size(); ++i) {
          place_ = mix(mix(mix(seed_, t), edge.source.value), i);
          choices_.clear();
          replace_in(edge.actions[i]);
        }
      }
    }
  }

 private:
  void replace_in(Action& action) {
    span_ = action.span;
    replace_in(action.guard);
    replace_in(action.assigns);
    for (ExprId& conjunct : action.constraint) replace_in(conjunct);
    for (model::Spawn& spawn : action.spawns) replace_in(spawn.locals);
    if (action.call) {
      for (ExprId& arg : action.call->args) replace_in(arg);
      for (auto& result : action.call->results) {
        if (result) replace_in(*result);
      }
    }
    if (action.ret) {
      for (ExprId& value : action.ret->values) replace_in(value);
    }
  }

  void replace_in(std::vector<model::Assign>& assigns) {
    for (model::Assign& assign : assigns) {
      replace_in(assign.target);
      replace_in(assign.value);
    }
  }

  void replace_in(model::LValue& target) {
    replace_in(target.index);
    replace_in(target.ref);
  }

  void replace_in(std::optional<ExprId>& root) {
    if (root) replace_in(*root);
  }

  void replace_in(ExprId& root) {
    root = program_.exprs.rewrite(root, [&](ExprId id, ExprId& result) {
      const Expr node = program_.exprs[id];
      if (node.op != Op::Nondet) return false;
      const std::uint64_t count = node.type.cardinality();
      if (count == 0) throw_unsupported(span_, "a choice of type " + to_string(node.type) + " has no value to draw");
      const std::size_t number = choices_.emplace(id, choices_.size()).first->second;
      const Value value = node.type.first() + static_cast<Value>(mix(place_, number) % count);
      COHORT_EXPECT(node.type.contains(value), "the value drawn is one of the type");
      result = program_.exprs.constant(value, node.type);
      return true;
    });
  }

  Program& program_;
  std::uint64_t seed_;
  SourceSpan span_;
  // A choice draws by where it stands: the template, the source of the edge, and its number among the choices of the
  // action.  The edges of one statement leave one location and hold its choices in the same order, so they draw the
  // same values.
  std::uint64_t place_ = 0;
  std::unordered_map<ExprId, std::size_t> choices_;
};

}  // namespace

Program determinize(Program program, std::uint64_t seed) {
  Determinizer(program, seed).run();
  return program;
}

}  // namespace cohort::convert
