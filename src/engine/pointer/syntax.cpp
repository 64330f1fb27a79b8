#include "engine/pointer/syntax.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "model/analysis/may_fault.hpp"

namespace cohort::engine::pointer {

using model::Expr;
using model::ExprId;
using model::ExprPool;
using model::Op;
using model::Type;

namespace {

void collect(const ExprPool& pool, ExprId root, Op op, std::vector<ExprId>& result) {
  if (pool[root].op != op) {
    result.push_back(root);
    return;
  }
  for (const ExprId arg : pool[root].args) collect(pool, arg, op, result);
}

}  // namespace

Permutation identity(std::uint32_t processes) {
  Permutation result(processes + 1);
  std::iota(result.begin(), result.end(), 0U);
  return result;
}

bool calculates_with_processes(const ExprPool& pool, ExprId root) {
  bool found = false;
  for_each_node(pool, root, [&](const Expr& node, ExprId) {
    if (node.op != Op::Cast) return;
    found =
        found || node.type.kind() == Type::Kind::ThreadRef || pool[node.args[0]].type.kind() == Type::Kind::ThreadRef;
  });
  return found;
}

std::vector<ExprId> operands(const ExprPool& pool, ExprId root, Op op) {
  if (pool[root].op != op || model::may_fault(pool, root, model::NamedThreads::Exist)) return {root};
  std::vector<ExprId> result;
  collect(pool, root, op, result);
  return result;
}

std::string shape(const ExprPool& pool, ExprId root, const Permutation& permutation) {
  const Expr& node = pool[root];
  std::vector<std::string> parts;
  bool ordered = true;
  if (node.op == Op::And || node.op == Op::Or) {
    const auto terms = operands(pool, root, node.op);
    ordered = terms.size() == 1;
    for (const ExprId term : ordered ? node.args : terms) parts.push_back(shape(pool, term, permutation));
  } else {
    ordered = node.op != Op::Eq && node.op != Op::Ne && node.op != Op::Xor;
    for (const ExprId arg : node.args) parts.push_back(shape(pool, arg, permutation));
  }
  if (!ordered) std::sort(parts.begin(), parts.end());
  const bool process = node.op == Op::Const && node.type.kind() == Type::Kind::ThreadRef;
  const model::Value value = process ? permutation[static_cast<std::size_t>(node.value)] : node.value;
  const bool variable = node.op == Op::SharedVar || node.op == Op::LocalVar || node.op == Op::RemoteVar;
  std::string text = fmt::format("({} {} {} {}", static_cast<int>(node.op), static_cast<int>(node.type.kind()), value,
                                 variable ? node.var.value : 0);
  for (const std::string& part : parts) text += part;
  return text + ")";
}

}  // namespace cohort::engine::pointer
