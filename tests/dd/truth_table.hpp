// Truth tables over a few variables: the judge of every diagram operation.  Bit i of a table is the value under the
// assignment in which variable v has bit v of i.
#pragma once

#include <cstdint>

#include "dd/bdd.hpp"
#include "dd/manager.hpp"

namespace cohort::dd::testing {

using Table = std::uint64_t;

inline std::uint32_t rows(std::uint32_t variables) {
  return 1U << variables;
}
inline Table mask(std::uint32_t variables) {
  return rows(variables) == 64 ? ~Table{0} : (Table{1} << rows(variables)) - 1;
}
inline bool row(Table table, std::uint32_t index) {
  return ((table >> index) & 1U) != 0;
}

inline Bdd from_table(const Manager& manager, Table table, std::uint32_t variables) {
  Bdd result;
  for (std::uint32_t i = 0; i < rows(variables); ++i) {
    if (!row(table, i)) continue;
    Bdd minterm(true);
    for (Var v = 0; v < variables; ++v) minterm &= manager.literal(v, ((i >> v) & 1U) != 0);
    result |= minterm;
  }
  return result;
}

inline Table to_table(const Bdd& f, std::uint32_t variables) {
  Table table = 0;
  for (std::uint32_t i = 0; i < rows(variables); ++i) {
    if (evaluate(f, [&](Var v) { return ((i >> v) & 1U) != 0; })) table |= Table{1} << i;
  }
  return table;
}

// The table of exists v. f (or forall).
inline Table quantify(Table table, std::uint32_t variables, Var v, bool universal) {
  Table result = 0;
  for (std::uint32_t i = 0; i < rows(variables); ++i) {
    const bool a = row(table, i & ~(1U << v));
    const bool b = row(table, i | (1U << v));
    if (universal ? (a && b) : (a || b)) result |= Table{1} << i;
  }
  return result;
}

}  // namespace cohort::dd::testing
