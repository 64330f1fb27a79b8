// Forward reachability over locations, all templates at once, from the initial locations: an edge that can be taken
// makes its target reachable (unless it ends the thread), the places where it spawns threads, and the places to which
// it moves or takes other threads from reachable places.  Data is looked at in one case only, a constant-false first
// guard: later actions of an edge may fault before such a guard blocks.  Linear in the size of the program, but for
// moves and takes, which are revisited when a place is found.
#include "model/passes/unreachable.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "base/poll.hpp"

namespace cohort::model {

namespace {

class Reachability {
 public:
  Reachability(const Program& program, Env* env) : program_(program), env_(env) {
    for (const Template& templ : program.templates) {
      out_.emplace_back(templ);
      reached_.emplace_back(templ.locations.size(), false);
      alive_.emplace_back(templ.edges.size(), false);
    }
    for (const InitialThreads& group : program.initial) reach(group.templ, group.location);
    close();
  }

  const std::vector<bool>& alive_edges(std::size_t templ) const { return alive_[templ]; }

 private:
  void reach(TemplateId templ, LocId location) {
    if (reached_[templ.value][location.value]) return;
    reached_[templ.value][location.value] = true;
    pending_.emplace_back(templ, location);
  }

  bool reached(TemplateId templ, LocId location) const { return reached_[templ.value][location.value]; }

  void close() {
    while (!pending_.empty()) {
      while (!pending_.empty()) {
        const auto [templ, location] = pending_.back();
        pending_.pop_back();
        for (const std::uint32_t edge : out_[templ.value].of(location)) visit(templ, edge);
      }
      // A place found since may let an edge with takes run, or add a thread to a passive move.
      const auto involved = std::exchange(others_, {});
      for (const auto& [templ, edge] : involved) visit(templ, edge);
    }
  }

  void visit(TemplateId templ, std::uint32_t index) {
    poll(env_, "unreachable");
    const Edge& edge = program_.templ(templ).edges[index];
    const auto& first = edge.actions.front().guard;
    if (first && program_.exprs.is_false(*first)) return;
    bool enabled = true;
    bool involves_others = false;
    for (const Action& action : edge.actions) {
      involves_others = involves_others || !action.takes.empty() || !action.moves.empty();
      for (const Take& take : action.takes) enabled = enabled && reached(take.templ, take.from);
    }
    if (involves_others) others_.emplace_back(templ, index);
    if (!enabled) return;
    alive_[templ.value][index] = true;
    bool ends = false;
    for (const Action& action : edge.actions) {
      ends = ends || action.ends_thread;
      for (const Spawn& spawn : action.spawns) reach(spawn.templ, spawn.location);
      for (const Take& take : action.takes) {
        if (take.to) reach(take.templ, *take.to);
      }
      for (const PassiveMove& move : action.moves) {
        if (reached(move.templ, move.from)) reach(move.templ, move.to);
      }
    }
    if (!ends) reach(templ, edge.target);
  }

  const Program& program_;
  Env* env_;
  std::vector<OutEdges> out_;
  std::vector<std::vector<bool>> reached_;
  std::vector<std::vector<bool>> alive_;
  std::vector<std::pair<TemplateId, LocId>> pending_;
  std::vector<std::pair<TemplateId, std::uint32_t>> others_;  // edges seen so far that move or take other threads
};

}  // namespace

Program remove_unreachable(Program program, Env* env) {
  COHORT_EXPECT(is_flat(program), "unreachable code is removed after inlining");
  const Reachability reachability(program, env);
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    const auto& alive = reachability.alive_edges(i);
    std::vector<Edge> kept;
    for (std::size_t j = 0; j < alive.size(); ++j) {
      if (alive[j]) kept.push_back(std::move(program.templates[i].edges[j]));
    }
    program.templates[i].edges = std::move(kept);
  }
  return program;
}

}  // namespace cohort::model
