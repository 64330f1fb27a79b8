#include "frontend/net_formula.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace cohort::frontend {

using Place = NetBuilder::Place;
using Tokens = NetBuilder::Tokens;
using Targets = std::vector<Tokens>;

namespace {

void expect_few(const Targets& targets, const SourceSpan& span) {
  if (targets.size() > most_targets) {
    throw_unsupported(span, fmt::format("the condition stands for more than {} targets", most_targets));
  }
}

// At least as much as both ask for.
Tokens both(const Tokens& one, const Tokens& other) {
  Tokens result = one;
  for (const auto& [place, count] : other) {
    const auto it = std::find_if(result.begin(), result.end(), [&](const auto& entry) { return entry.first == place; });
    if (it == result.end()) {
      result.emplace_back(place, count);
    } else {
      it->second = std::max(it->second, count);
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

// Every way to have at least `least` tokens on places from `index` on, where places may weigh more than one.
void distribute(const std::vector<std::pair<Place, std::uint64_t>>& weights, std::size_t index, std::uint64_t least,
                Tokens& chosen, Targets& targets, const SourceSpan& span) {
  if (least == 0) {
    targets.push_back(chosen);
    expect_few(targets, span);
    return;
  }
  if (index == weights.size()) return;
  const auto [place, weight] = weights[index];
  const std::uint64_t most = (least + weight - 1) / weight;
  // The last place must have what is missing.
  for (std::uint64_t count = index + 1 == weights.size() ? most : 0; count <= most; ++count) {
    if (count > 0) chosen.emplace_back(place, count);
    distribute(weights, index + 1, least - std::min(least, count * weight), chosen, targets, span);
    if (count > 0) chosen.pop_back();
  }
}

Targets at_least(const NetFormula& formula) {
  if (formula.least > NetBuilder::max_weight) {
    throw_unsupported(formula.span, fmt::format("numbers above {} are not supported", NetBuilder::max_weight));
  }
  std::vector<Place> places = formula.sum;
  std::sort(places.begin(), places.end());
  std::vector<std::pair<Place, std::uint64_t>> weights;
  for (const Place place : places) {
    if (weights.empty() || weights.back().first != place) weights.emplace_back(place, 0);
    ++weights.back().second;
  }
  Targets targets;
  Tokens chosen;
  distribute(weights, 0, formula.least, chosen, targets, formula.span);
  return targets;
}

Targets normal_form(const NetFormula& formula, bool negated) {
  switch (formula.kind) {
    case NetFormula::Kind::AtLeast:
      if (!negated) return at_least(formula);
      // Fewer than nothing: never.
      if (formula.least == 0) return {};
      throw_unsupported(formula.span,
                        "more tokens make this comparison false: such a condition is no question of coverability");
    case NetFormula::Kind::Not: return normal_form(formula.parts.front(), !negated);
    case NetFormula::Kind::And:
    case NetFormula::Kind::Or: break;
  }
  const bool joins = (formula.kind == NetFormula::Kind::And) != negated;
  Targets result;
  if (joins) result.emplace_back();
  for (const NetFormula& part : formula.parts) {
    const Targets more = normal_form(part, negated);
    if (!joins) {
      result.insert(result.end(), more.begin(), more.end());
      expect_few(result, part.span);
      continue;
    }
    Targets product;
    for (const Tokens& one : result) {
      for (const Tokens& other : more) product.push_back(both(one, other));
      expect_few(product, part.span);
    }
    result = std::move(product);
  }
  return result;
}

}  // namespace

NetFormula NetFormula::at_least(std::vector<Place> sum, std::uint64_t least, const SourceSpan& span) {
  return {.kind = Kind::AtLeast, .sum = std::move(sum), .least = least, .parts = {}, .span = span};
}

NetFormula NetFormula::no(NetFormula formula) {
  NetFormula result{.kind = Kind::Not, .sum = {}, .least = 0, .parts = {}, .span = formula.span};
  result.parts.push_back(std::move(formula));
  return result;
}

std::vector<Tokens> targets_of(const NetFormula& formula) {
  return normal_form(formula, false);
}

}  // namespace cohort::frontend
