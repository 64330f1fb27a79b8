#include "frontend/pbmc/sight.hpp"

#include <algorithm>
#include <utility>

#include "base/contract.hpp"

namespace cohort::frontend::pbmc {

void Sight::add(const Copy& copy, const Expression& seen, Symbol symbol) {
  symbol.span = seen.span;
  const bool fresh = seen_.emplace(key(copy, seen), std::move(symbol)).second;
  COHORT_EXPECT(fresh, "what is seen is noted once");
}

bool Sight::knows(const Copy& copy, const Expression& seen) const {
  return seen_.contains(key(copy, seen));
}

const Symbol& Sight::find(const Copy& copy, const Expression& seen) const {
  const auto found = seen_.find(key(copy, seen));
  COHORT_EXPECT(found != seen_.end(), "all that the header sees was noted");
  return found->second;
}

const Symbol* Sight::find_local(const Copy& copy, const std::string& local) const {
  const auto found = seen_.find({copy, Expression::Kind::Remote, local});
  return found == seen_.end() ? nullptr : &found->second;
}

std::vector<Place> Sight::places(const Copy& copy) const {
  std::vector<Place> result;
  for (const auto& [key, symbol] : seen_) {
    const auto& [seen_copy, kind, label] = key;
    if (seen_copy == copy && kind == Expression::Kind::At) result.push_back({label, symbol.span, symbol.var});
  }
  return result;
}

bool Sight::sees(const std::string& process) const {
  return std::any_of(seen_.begin(), seen_.end(),
                     [&](const auto& entry) { return std::get<Copy>(entry.first).process == process; });
}

}  // namespace cohort::frontend::pbmc
