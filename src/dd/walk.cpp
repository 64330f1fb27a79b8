// Walks over diagrams that make no nodes: support, evaluation, counting, enumeration.  They follow the raw node
// numbers, which stay valid since nothing is created meanwhile and the caller holds the root.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/contract.hpp"
#include "dd/library.hpp"

namespace cohort::dd {

namespace {

Var variable_of(int node) {
  return static_cast<Var>(bdd_var(node));
}
int level_of(Var variable) {
  return bdd_var2level(static_cast<int>(variable));
}

template <class Visit>
void for_each_node(const Bdd& f, Visit&& visit) {
  std::vector<int> open{raw(f)};
  std::unordered_set<int> seen;
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    if (node < 2 || !seen.insert(node).second) continue;
    visit(node);
    open.push_back(bdd_low(node));
    open.push_back(bdd_high(node));
  }
}

// The variables of a set in the order of the diagram, and the rank of each.
struct Ranks {
  std::vector<Var> ordered;
  std::unordered_map<Var, std::uint32_t> rank;

  explicit Ranks(const VarSet& variables) : ordered(variables.variables()) {
    std::sort(ordered.begin(), ordered.end(), [](Var a, Var b) { return level_of(a) < level_of(b); });
    for (std::uint32_t i = 0; i < ordered.size(); ++i) rank.emplace(ordered[i], i);
  }

  // Rank of the node's variable; constants come after all.
  std::uint32_t of(int node) const {
    if (node < 2) return static_cast<std::uint32_t>(ordered.size());
    const auto it = rank.find(variable_of(node));
    COHORT_EXPECT(it != rank.end(), "the variables contain the support");
    return it->second;
  }
};

class Counter {
 public:
  explicit Counter(const VarSet& variables) : ranks_(variables) {}

  // Assignments of the variables from the rank of `node` downwards.
  const Natural& below(int node) {
    if (const auto it = memo_.find(node); it != memo_.end()) return it->second;
    if (node < 2) return memo_.emplace(node, Natural(static_cast<std::uint64_t>(node))).first->second;
    const std::uint32_t rank = ranks_.of(node);
    Natural total;
    for (const int child : {bdd_low(node), bdd_high(node)}) {
      total += below(child).shifted_left(ranks_.of(child) - rank - 1);
    }
    return memo_.emplace(node, std::move(total)).first->second;
  }

  Natural all(int node) { return below(node).shifted_left(ranks_.of(node)); }

 private:
  Ranks ranks_;
  std::unordered_map<int, Natural> memo_;
};

bool cubes_from(int node, Assignment& path, const std::function<bool(const Assignment&)>& visit) {
  if (node == 0) return true;
  if (node == 1) return visit(path);
  for (const bool value : {false, true}) {
    path.emplace_back(variable_of(node), value);
    const bool more = cubes_from(value ? bdd_high(node) : bdd_low(node), path, visit);
    path.pop_back();
    if (!more) return false;
  }
  return true;
}

bool assignments_from(int node, std::uint32_t rank, const Ranks& ranks, Assignment& path,
                      const std::function<bool(const Assignment&)>& visit) {
  if (node == 0) return true;
  if (rank == ranks.ordered.size()) {
    COHORT_EXPECT(node == 1, "the variables contain the support");
    return visit(path);
  }
  const std::uint32_t node_rank = ranks.of(node);
  for (const bool value : {false, true}) {
    const int next = node_rank != rank ? node : value ? bdd_high(node) : bdd_low(node);
    path.emplace_back(ranks.ordered[rank], value);
    const bool more = assignments_from(next, rank + 1, ranks, path, visit);
    path.pop_back();
    if (!more) return false;
  }
  return true;
}

}  // namespace

std::vector<Var> support(const Bdd& f) {
  std::vector<Var> variables;
  for_each_node(f, [&](int node) { variables.push_back(variable_of(node)); });
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

std::size_t node_count(const Bdd& f) {
  std::size_t nodes = 0;
  for_each_node(f, [&](int) { ++nodes; });
  return nodes;
}

bool evaluate(const Bdd& f, const std::function<bool(Var)>& value) {
  int node = raw(f);
  while (node >= 2) node = value(variable_of(node)) ? bdd_high(node) : bdd_low(node);
  return node == 1;
}

Natural count(const Bdd& f, const VarSet& variables) {
  return Counter(variables).all(raw(f));
}

Assignment pick(const Bdd& f, const VarSet& variables) {
  COHORT_EXPECT(!f.is_false(), "an assignment exists");
  std::unordered_map<Var, bool> chosen;
  for (int node = raw(f); node >= 2;) {
    const bool value = bdd_low(node) == 0;
    COHORT_EXPECT(variables.contains(variable_of(node)), "the variables contain the support");
    chosen.emplace(variable_of(node), value);
    node = value ? bdd_high(node) : bdd_low(node);
  }
  Assignment result;
  for (const Var variable : variables.variables()) {
    const auto it = chosen.find(variable);
    result.emplace_back(variable, it != chosen.end() && it->second);
  }
  return result;
}

bool for_each_cube(const Bdd& f, const std::function<bool(const Assignment&)>& visit) {
  Assignment path;
  return cubes_from(raw(f), path, visit);
}

bool for_each_assignment(const Bdd& f, const VarSet& variables, const std::function<bool(const Assignment&)>& visit) {
  const Ranks ranks(variables);
  Assignment path;
  return assignments_from(raw(f), 0, ranks, path, visit);
}

std::vector<std::string> cube_texts(const Bdd& f, const VarSet& variables, std::size_t width) {
  const auto first = variables.variables().begin();
  const auto last = first + static_cast<std::ptrdiff_t>(std::min(width, variables.size()));
  std::vector<std::string> texts;
  for_each_cube(f, [&](const Assignment& literals) {
    std::string& text = texts.emplace_back(width, '-');
    for (const auto& [variable, value] : literals) {
      const auto at = std::lower_bound(first, last, variable);
      COHORT_EXPECT(at != last && *at == variable, "the variables contain the support");
      text[static_cast<std::size_t>(at - first)] = value ? '1' : '0';
    }
    return true;
  });
  return texts;
}

}  // namespace cohort::dd
