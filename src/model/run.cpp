#include "model/run.hpp"

#include <limits>
#include <set>

namespace cohort::model {

namespace {

// The more values, the slower every step that chooses; beyond this only the smallest constants are tried.
constexpr std::size_t most_constants = 64;

std::set<Value> interesting_constants(const Program& program) {
  std::set<Value> values{-1, 0, 1};
  for (std::size_t i = 0; i < program.exprs.size(); ++i) {
    const Expr& node = program.exprs[ExprId(i)];
    if (node.op != Op::Const || node.type.is_bool()) continue;
    values.insert(node.value);
    if (node.value > std::numeric_limits<Value>::min()) values.insert(node.value - 1);
    if (node.value < std::numeric_limits<Value>::max()) values.insert(node.value + 1);
    if (values.size() >= most_constants) break;
  }
  return values;
}

}  // namespace

std::vector<Value> sample_values(const Program& program) {
  const auto values = interesting_constants(program);
  return {values.begin(), values.end()};
}

}  // namespace cohort::model
