// At least how many steps any number of threads needs to bring a few thread states together.  See view_levels.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/net.hpp"
#include "model/pair_table.hpp"

namespace cohort::engine::unbounded {

class ViewLevels {
 public:
  static constexpr std::size_t least_width = 2;
  static constexpr std::size_t most_width = 3;

  // Whether views of so many threads can be computed: every step is one of a single thread, and places fit.
  static bool takes(const Net& net, std::size_t width);

  ViewLevels(Env& env, const Net& net, std::size_t width);

  // False: a limit was reached, or there are more views than this.
  bool run(std::size_t most_views);

  // After that: no number of threads has a thread at the place (none: is in the control state at all) in fewer steps;
  // none: never.
  std::uint32_t level(ControlId control, Place place) const;
  std::size_t size() const { return levels_.size(); }

 private:
  // Places in descending order; free ones at the end.
  struct View {
    ControlId control = 0;
    std::uint32_t size = 0;
    std::array<Place, most_width> places{};
  };

  std::uint32_t code_of(std::span<const Place> places) const;
  void settle(ControlId control, std::span<const Place> places);
  void settle_parts(ControlId control, std::vector<Place>& places, std::size_t from);
  void add_starts();
  void extend(const View& view);
  bool is_settled_with(const View& view, std::span<const Place> places) const;
  void fire(ControlId control, std::span<const Place> places);

  Env* env_;
  const Net* net_;
  std::size_t width_;
  unsigned bits_;
  std::vector<std::vector<std::vector<TransitionId>>> leaving_;  // by control state and the place that is consumed
  std::vector<std::vector<TransitionId>> free_;                  // those that consume nothing
  model::PairTable levels_;                                      // (control state, places) to the level
  std::vector<std::vector<Place>> seen_;                         // places at which some thread was, by control state
  std::vector<View> now_;                                        // of the level that is being looked at
  std::vector<View> next_;
  std::uint32_t level_ = 0;  // of what is settled
};

}  // namespace cohort::engine::unbounded
