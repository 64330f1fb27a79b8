#include "engine/pointer/symmetry.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/pointer/graph.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::engine::pointer {

using model::Expr;
using model::ExprId;
using model::Op;
using model::Type;

namespace {

std::vector<ExprId> conditions_of(const model::Program& program) {
  std::vector<ExprId> conditions;
  if (program.initial_condition) conditions.push_back(*program.initial_condition);
  for (const model::Property& property : program.properties) {
    if (property.condition) conditions.push_back(*property.condition);
  }
  return conditions;
}

// What the processes are told apart by besides the conditions: processes with different marks are never exchanged.  The
// conditions count where they calculate with processes, unless `semantic`: then whoever asks looks at what they mean.
std::vector<std::uint32_t> marks_of(const Layout& layout, bool semantic) {
  const model::Program& program = layout.program();
  std::vector<std::uint32_t> marks;
  for (const model::InitialThreads& group : program.initial)
    marks.insert(marks.end(), *group.count, group.location.value);
  std::set<model::Value> named;
  bool calculates = false;
  for (const model::Edge& edge : layout.templ().edges) {
    for (const model::Action& action : edge.actions) {
      for_each_root(action,
                    [&](ExprId root) { calculates = calculates || calculates_with_processes(program.exprs, root); });
      for_each_node(program.exprs, action, [&](const Expr& node, ExprId) {
        if (node.op == Op::Const && node.type.kind() == Type::Kind::ThreadRef) named.insert(node.value);
      });
    }
  }
  for (const ExprId condition : conditions_of(program)) {
    calculates = calculates || (!semantic && calculates_with_processes(program.exprs, condition));
  }
  const auto name_initial = [&](const std::vector<model::Variable>& variables) {
    for (const model::Variable& variable : variables) {
      if (variable.type.kind() == Type::Kind::ThreadRef) named.insert(variable.initial.begin(), variable.initial.end());
    }
  };
  if (!semantic) {
    name_initial(program.shared);
    name_initial(layout.templ().locals);
  }
  const auto locations = static_cast<std::uint32_t>(layout.templ().locations.size());
  for (std::uint32_t i = 0; i < marks.size(); ++i) {
    if (calculates || named.contains(i + 1)) marks[i] = locations + i;
  }
  return marks;
}

// The labelled graph of section 6.3, for all conditions at once.
class SyntaxGraph {
 public:
  SyntaxGraph(const Layout& layout, const std::vector<std::uint32_t>& marks) : pool_(layout.program().exprs) {
    for (const std::uint32_t mark : marks) processes_.push_back(vertex(fmt::format("process {}", mark)));
    const auto conditions = conditions_of(layout.program());
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      graph_.add_edge(vertex(fmt::format("condition {}", i)), build(conditions[i]));
    }
  }

  std::vector<Permutation> generators() {
    std::vector<Permutation> result;
    for (const auto& automorphism : graph_.automorphisms()) {
      Permutation permutation(processes_.size() + 1, 0);
      for (std::size_t i = 0; i < processes_.size(); ++i) permutation[i + 1] = automorphism[processes_[i]] + 1;
      result.push_back(std::move(permutation));
    }
    return result;
  }

 private:
  std::uint32_t vertex(const std::string& label) {
    return graph_.add_vertex(colours_.emplace(label, static_cast<std::uint32_t>(colours_.size())).first->second);
  }

  std::uint32_t build(ExprId root) {
    const Expr& node = pool_[root];
    const bool process = node.op == Op::Const && node.type.kind() == Type::Kind::ThreadRef && node.value != 0;
    const bool variable = node.op == Op::SharedVar || node.op == Op::LocalVar || node.op == Op::RemoteVar;
    const std::uint32_t here =
        vertex(fmt::format("{} {} {} {}", static_cast<int>(node.op), static_cast<int>(node.type.kind()),
                           process ? -1 : node.value, variable ? node.var.value : 0));
    if (process) graph_.add_edge(here, processes_[static_cast<std::size_t>(node.value) - 1]);
    const auto terms = node.op == Op::And || node.op == Op::Or ? operands(pool_, root, node.op) : std::vector{root};
    if (terms.size() > 1) {
      for (const ExprId term : terms) graph_.add_edge(here, build(term));
      return here;
    }
    const bool ordered = node.op != Op::Eq && node.op != Op::Ne && node.op != Op::Xor;
    for (std::size_t i = 0; i < node.args.size(); ++i) {
      const std::uint32_t child = build(node.args[i]);
      if (!ordered) {
        graph_.add_edge(here, child);
        continue;
      }
      const std::uint32_t place = vertex(fmt::format("operand {}", i));
      graph_.add_edge(here, place);
      graph_.add_edge(place, child);
    }
    return here;
  }

  const model::ExprPool& pool_;
  ColouredGraph graph_;
  std::map<std::string, std::uint32_t> colours_;
  std::vector<std::uint32_t> processes_;
};

// The group that the generators make, or nothing when it has more than Symmetry::most_listed elements.
std::vector<Permutation> close(const std::vector<Permutation>& generators, std::uint32_t processes) {
  std::set<Permutation> seen{identity(processes)};
  std::vector<Permutation> group(seen.begin(), seen.end());
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (const Permutation& generator : generators) {
      Permutation product(processes + 1, 0);
      for (std::size_t p = 1; p <= processes; ++p) product[p] = generator[group[i][p]];
      if (!seen.insert(product).second) continue;
      if (seen.size() > Symmetry::most_listed) return {};
      group.push_back(std::move(product));
    }
  }
  return group;
}

bool keeps_conditions(const Layout& layout, const Permutation& permutation) {
  const auto same = identity(layout.processes());
  const auto conditions = conditions_of(layout.program());
  return std::all_of(conditions.begin(), conditions.end(), [&](ExprId condition) {
    const auto& pool = layout.program().exprs;
    return shape(pool, condition, same) == shape(pool, condition, permutation);
  });
}

bool keeps_marks(const std::vector<std::uint32_t>& marks, const Permutation& permutation) {
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[permutation[i + 1] - 1] != marks[i]) return false;
  }
  return true;
}

}  // namespace

bool Symmetry::trivial() const {
  const std::set<std::uint32_t> distinct(classes.begin(), classes.end());
  return listed.empty() && distinct.size() == classes.size();
}

Symmetry no_symmetry(const Layout& layout) {
  return {classes_by_transpositions(layout.processes(), [](std::uint32_t, std::uint32_t) { return false; }), {}};
}

bool is_admissible(const Layout& layout, const Permutation& permutation) {
  return keeps_marks(marks_of(layout, false), permutation) && keeps_conditions(layout, permutation);
}

bool keeps_steps(const Layout& layout, const Permutation& permutation) {
  return keeps_marks(marks_of(layout, true), permutation);
}

Symmetry find_symmetry(const Layout& layout) {
  const std::uint32_t processes = layout.processes();
  const auto marks = marks_of(layout, false);
  Symmetry symmetry;
  symmetry.classes = classes_by_transpositions(processes, [&](std::uint32_t i, std::uint32_t j) {
    Permutation exchange = identity(processes);
    std::swap(exchange[i + 1], exchange[j + 1]);
    return marks[i] == marks[j] && keeps_conditions(layout, exchange);
  });
  const auto generators = SyntaxGraph(layout, marks).generators();
  bool more = false;
  for (const Permutation& generator : generators) {
    COHORT_EXPECT(keeps_marks(marks, generator) && keeps_conditions(layout, generator),
                  "an automorphism of the syntax graph leaves the conditions as they are");
    for (std::size_t i = 0; i < processes; ++i) {
      more = more || symmetry.classes[generator[i + 1] - 1] != symmetry.classes[i];
    }
  }
  if (more) symmetry.listed = close(generators, processes);
  return symmetry;
}

}  // namespace cohort::engine::pointer
