// States are gone through without any reduction but that of variables at the start (initial.hpp), so that it shows how
// many each representative stands for.
#include "engine/inspect.hpp"

#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/pointer/activity.hpp"
#include "engine/pointer/canonical.hpp"
#include "engine/pointer/compiled.hpp"
#include "engine/pointer/initial.hpp"
#include "engine/pointer/layout.hpp"
#include "engine/pointer/symmetry.hpp"

namespace cohort::engine::pointer {

namespace {

// The condition over the atoms that it depends on: "prev != P", or "prev = P and next != P or ...".
std::string condition_words(const Layout& layout, const Activity& activity, Activity::Condition condition) {
  const std::size_t valuations = std::size_t{1} << activity.atoms().size();
  const auto holds = [&](std::size_t valuation) { return (condition >> valuation & 1U) != 0; };
  std::size_t relevant = 0;
  for (std::size_t atom = 0; atom < activity.atoms().size(); ++atom) {
    for (std::size_t v = 0; v < valuations; ++v) {
      if (holds(v) != holds(v ^ (std::size_t{1} << atom))) relevant |= std::size_t{1} << atom;
    }
  }
  std::string text;
  for (std::size_t v = 0; v < valuations; ++v) {
    if (!holds(v) || (v & ~relevant) != 0 || relevant == 0) continue;
    std::string cube;
    for (std::size_t atom = 0; atom < activity.atoms().size(); ++atom) {
      if ((relevant >> atom & 1U) == 0) continue;
      const std::string& name = layout.templ().locals[activity.atoms()[atom]].name;
      cube += fmt::format("{}{} {} P", cube.empty() ? "" : " and ", name, (v >> atom & 1U) != 0 ? "==" : "!=");
    }
    text += (text.empty() ? "" : " or ") + cube;
  }
  return text;
}

std::vector<Inspection::Active> active_words(const Layout& layout, const Activity& activity) {
  std::vector<Inspection::Active> result;
  const model::Template& templ = layout.templ();
  for (std::size_t var = 0; var < templ.locals.size(); ++var) {
    Inspection::Active& active = result.emplace_back();
    active.variable = templ.locals[var].name;
    for (std::size_t mode = 0; mode < templ.locations.size(); ++mode) {
      if (!activity.ever_active(mode, var)) continue;
      active.modes.emplace_back(templ.locations[mode].label,
                                condition_words(layout, activity, activity.condition(mode, var)));
    }
  }
  return result;
}

class Orbits {
 public:
  Orbits(Env& env, const Layout& layout, const Activity& activity, const Symmetry& symmetry)
      : env_(env), layout_(layout), activity_(activity), compiled_(layout), canonise_(layout, symmetry) {}

  void fill(Inspection& result, std::uint32_t steps) {
    for_each_initial(env_, compiled_, activity_, [&](const Cells& cells) {
      meet(cells);
      return seen_.size() <= most_states;
    });
    for (std::uint32_t step = 0; step < steps && !next_.empty(); ++step) {
      for (const Cells& cells : std::exchange(next_, {})) {
        if (env_.stop_requested("pointer-search") || seen_.size() > most_states) break;
        expand(cells);
      }
    }
    if (env_.stop_reason() != StopReason::None) {
      result.stopped = env_.describe_stop();
    } else if (seen_.size() > most_states) {
      result.stopped = fmt::format("more than {} states", most_states);
    }
    result.representatives.resize(sizes_.size());
    for (const auto& [cells, number] : numbers_)
      result.representatives[number] = {layout_.to_state(cells), sizes_[number]};
  }

 private:
  static constexpr std::size_t most_states = 200'000;

  void meet(const Cells& cells) {
    if (!seen_.insert(cells).second) return;
    next_.push_back(cells);
    Cells representative = cells;
    activity_.reset(representative);
    canonise_(representative);
    const auto [it, added] = numbers_.try_emplace(representative, sizes_.size());
    if (added) sizes_.push_back(0);
    ++sizes_[it->second];
  }

  void expand(const Cells& cells) {
    for (std::uint32_t process = 0; process < layout_.processes(); ++process) {
      for (const std::uint32_t edge : compiled_.edges_from(cells[layout_.location_cell(process)])) {
        Cells after = cells;
        if (compiled_.step(edge, process, after) == Compiled::Outcome::Done) meet(after);
      }
    }
  }

  Env& env_;
  const Layout& layout_;
  const Activity& activity_;
  Compiled compiled_;
  Canoniser canonise_;
  std::set<Cells> seen_;
  std::vector<Cells> next_;
  std::map<Cells, std::size_t> numbers_;  // of representatives, in the order in which they were met
  std::vector<std::uint64_t> sizes_;      // by these numbers
};

}  // namespace

}  // namespace cohort::engine::pointer

namespace cohort::engine {

std::optional<std::string> inspection_refuses(const model::Program& program) {
  std::uint32_t processes = 0;
  for (const model::InitialThreads& group : program.initial) processes += group.count.value_or(0);
  return pointer::refuses_program(program, processes);
}

Inspection inspect(Env& env, const model::Program& program, std::uint32_t steps) {
  using namespace pointer;
  COHORT_EXPECT(!inspection_refuses(program), "an algorithm with pointers is inspected");
  const Layout layout(program);
  const Activity activity(layout);
  const Symmetry symmetry = find_symmetry(layout);
  Inspection result;
  result.active = active_words(layout, activity);
  for (std::uint32_t process = 0; process < layout.processes(); ++process) {
    const std::uint32_t number = symmetry.classes[process];
    if (result.classes.size() <= number) result.classes.resize(number + 1);
    result.classes[number].push_back(process + 1);
  }
  for (const Permutation& permutation : symmetry.listed) {
    // NULL comes first, and stays.
    result.permutations.emplace_back(permutation.begin() + 1, permutation.end());
  }
  Orbits(env, layout, activity, symmetry).fill(result, steps);
  return result;
}

}  // namespace cohort::engine
