#include "engine/pointer/exchange.hpp"

#include "base/contract.hpp"

namespace cohort::engine::pointer {

dd::Bdd Exchange::exchange_values(const dd::Bdd& states, std::size_t cell, std::size_t one, std::size_t other) const {
  const dd::Bdd to_first = encoding_.before_setting(states, cell, static_cast<Cell>(one + 1));
  const dd::Bdd to_second = encoding_.before_setting(states, cell, static_cast<Cell>(other + 1));
  if (to_first == to_second) return states;
  return ite(points(cell, one), to_second, ite(points(cell, other), to_first, states));
}

dd::Bdd Exchange::permute(const dd::Bdd& states, std::size_t one, std::size_t other) const {
  const Layout& layout = encoding_.layout();
  std::vector<std::pair<dd::Var, dd::Var>> pairs;
  for (std::size_t within = 0; within < layout.block(); ++within) {
    const auto& first = encoding_.bits(layout.location_cell(one) + within);
    const auto& second = encoding_.bits(layout.location_cell(other) + within);
    for (std::size_t bit = 0; bit < first.size(); ++bit) {
      pairs.emplace_back(first[bit], second[bit]);
      pairs.emplace_back(second[bit], first[bit]);
    }
  }
  dd::Bdd result = pairs.empty() ? states : dd::Renaming(std::move(pairs))(states);
  for (std::size_t cell = 0; cell < layout.cells(); ++cell) {
    if (layout.type(cell).pointer) result = exchange_values(result, cell, one, other);
  }
  return result;
}

dd::Bdd Exchange::reverse(std::size_t one, std::size_t other) const {
  COHORT_EXPECT(one < other, "the pair is ordered");
  const Layout& layout = encoding_.layout();
  // Shared pointers reach `other` before they reach `one`.
  dd::Bdd result;
  dd::Bdd not_yet(true);
  dd::Bdd all_earlier(true);
  for (std::size_t var = 0; var < layout.shared_count(); ++var) {
    if (!layout.shared(var).pointer) continue;
    result |= not_yet & points(var, other);
    not_yet = difference(not_yet, points(var, one));
    dd::Bdd earlier = encoding_.equals(var, 0);
    for (std::size_t process = 0; process < one; ++process) earlier |= points(var, process);
    all_earlier &= earlier;
  }
  return result | (all_earlier & (pointed_first(one, other) | points_first(one, other)));
}

// The pointers of earlier processes reach `other` before they reach `one`.
dd::Bdd Exchange::pointed_first(std::size_t one, std::size_t other) const {
  const Layout& layout = encoding_.layout();
  dd::Bdd result;
  dd::Bdd not_yet(true);
  for (std::size_t process = 0; process < one; ++process) {
    for (std::size_t var = 0; var < layout.templ().locals.size(); ++var) {
      if (!layout.local(var).pointer) continue;
      const std::size_t cell = layout.local_cell(process, var);
      result |= not_yet & points(cell, other);
      not_yet = difference(not_yet, points(cell, one));
    }
  }
  return result;
}

// `other` points to earlier processes where `one` does not, or its location and data are less.
dd::Bdd Exchange::points_first(std::size_t one, std::size_t other) const {
  const Layout& layout = encoding_.layout();
  dd::Bdd result;
  dd::Bdd alike(true);
  const auto later = [&](std::size_t cell) {
    dd::Bdd states;
    for (std::uint32_t value = static_cast<std::uint32_t>(one) + 2; value < layout.type(cell).values; ++value) {
      states |= encoding_.equals(cell, static_cast<Cell>(value));
    }
    return states;
  };
  const auto compare = [&](std::size_t within, bool pointer) {
    const std::size_t first = layout.location_cell(one) + within;
    const std::size_t second = layout.location_cell(other) + within;
    dd::Bdd same = pointer ? later(first) & later(second) : dd::Bdd();
    dd::Bdd greater;  // values of `one` above the one looked at
    for (std::uint32_t value = layout.type(first).values; value-- > 0;) {
      const auto here = static_cast<Cell>(value);
      same |= encoding_.equals(first, here) & encoding_.equals(second, here);
      if (!pointer || value <= one + 1) result |= alike & encoding_.equals(second, here) & greater;
      greater |= encoding_.equals(first, here);
    }
    alike &= same;
  };
  for (std::size_t var = 0; var < layout.templ().locals.size(); ++var) {
    if (layout.local(var).pointer) compare(1 + var, true);
  }
  compare(0, false);
  for (std::size_t var = 0; var < layout.templ().locals.size(); ++var) {
    if (!layout.local(var).pointer) compare(1 + var, false);
  }
  return result;
}

Ibsinc::Ibsinc(const Encoding& encoding, const std::vector<std::uint32_t>& classes)
    : encoding_(encoding), exchange_(encoding) {
  for (std::size_t one = 0; one < classes.size(); ++one) {
    for (std::size_t other = one + 1; other < classes.size(); ++other) {
      if (classes[one] == classes[other]) pairs_.push_back({one, other, exchange_.reverse(one, other)});
    }
  }
}

dd::Bdd Ibsinc::reduce(dd::Bdd states) const {
  for (const Pair& pair : pairs_) {
    encoding_.poll();
    const dd::Bdd wrong = states & pair.reverse;
    if (wrong.is_false()) continue;
    states = difference(states, wrong) | exchange_.permute(wrong, pair.one, pair.other);
  }
  return states;
}

Permutation Ibsinc::reduce_one(dd::Bdd& state) const {
  Permutation permutation = identity(encoding_.layout().processes());
  for (const Pair& pair : pairs_) {
    if (disjoint(state, pair.reverse)) continue;
    state = exchange_.permute(state, pair.one, pair.other);
    for (std::uint32_t& place : permutation) {
      if (place == pair.one + 1) {
        place = static_cast<std::uint32_t>(pair.other + 1);
      } else if (place == pair.other + 1) {
        place = static_cast<std::uint32_t>(pair.one + 1);
      }
    }
  }
  return permutation;
}

dd::Bdd Ibsinc::unreduce(dd::Bdd states) const {
  for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair) {
    states = difference(states, pair->reverse) | (exchange_.permute(states, pair->one, pair->other) & pair->reverse);
  }
  return states;
}

}  // namespace cohort::engine::pointer
