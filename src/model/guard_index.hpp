// Finds the edges of a location that can be enabled in a shared state.  In a thread transition system a location has
// thousands of edges, each guarded by `s = k`; trying all of them would cost more than the search itself.  Where all
// edges of a location compare one shared variable with constants, they are looked up by its value; elsewhere all edges
// are candidates.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/program.hpp"
#include "model/state.hpp"

namespace cohort::model {

class GuardIndex {
 public:
  GuardIndex(const Program& program, const Template& templ);

  std::span<const std::uint32_t> candidates(LocId location, const Valuation& shared) const;

 private:
  struct Entry {
    std::vector<std::uint32_t> all;
    bool by_value = false;
    std::uint32_t slot = 0;  // of the shared variable that decides
    std::unordered_map<Value, std::vector<std::uint32_t>> edges;
  };

  std::vector<Entry> entries_;
};

}  // namespace cohort::model
