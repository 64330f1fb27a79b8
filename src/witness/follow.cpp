#include "witness/follow.hpp"

#include <algorithm>
#include <deque>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_map>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "witness/expression.hpp"

namespace cohort::witness {

namespace {

using model::State;
using model::Transition;

constexpr std::uint32_t unregistered = UINT32_MAX;

struct Node {
  State state;
  std::size_t passed = 0;
  std::vector<std::uint32_t> ids;  // of the thread in each slot, as the witness counts them
  std::uint32_t next_id = 1;
  std::size_t strayed = 0;  // steps of threads that the next waypoint does not speak of
  std::size_t length = 0;
  std::size_t parent = 0;
  Transition step;  // from the parent
};

std::string base_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

class Follower {
 public:
  Follower(Env& env, const model::Program& program, const Witness& witness)
      : env_(env), program_(program), segments_(witness.segments), interpreter_(program, std::nullopt, &env) {
    COHORT_EXPECT(!segments_.empty(), "a violation witness has a target");
    choices_ = model::sample_values(program);
    for (const Segment& segment : segments_) {
      for (const Waypoint& waypoint : segment) {
        for (const model::Value value : constants_in(waypoint.constraint)) choices_.push_back(value);
      }
    }
    std::sort(choices_.begin(), choices_.end());
    choices_.erase(std::unique(choices_.begin(), choices_.end()), choices_.end());
    if (!choices_.empty()) interpreter_.choose_among(choices_);
  }

  Followed follow() {
    for (State& state : interpreter_.initial_states()) {
      if (begins_there(state)) {
        result_.property = interpreter_.violated(state);
        result_.passed = segments_.size();
        result_.run = model::Run{.initial = std::move(state), .steps = {}, .choices = choices_};
        return std::move(result_);
      }
      Node node{.state = std::move(state)};
      node.ids.assign(node.state.threads.size(), unregistered);
      if (!node.ids.empty()) node.ids[0] = 0;
      add(std::move(node));
    }
    while (!result_.run && !queue_.empty()) {
      env_.poll("follow-witness");
      const std::size_t index = std::get<3>(queue_.top());
      queue_.pop();
      expand(index);
    }
    result_.remarks.assign(remarks_.begin(), remarks_.end());
    return std::move(result_);
  }

 private:
  using Rank = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;  // segments open, strayed, length, index

  void add(Node node) {
    std::size_t key = model::StateHash()(node.state) * 31 + node.passed;
    for (const std::uint32_t id : node.ids) key = key * 31 + id;
    auto& same = seen_[key];
    for (const std::size_t other : same) {
      const Node& known = nodes_[other];
      if (known.passed == node.passed && known.ids == node.ids && known.state == node.state) return;
    }
    same.push_back(nodes_.size());
    result_.passed = std::max(result_.passed, node.passed);
    queue_.emplace(segments_.size() - node.passed, node.strayed, node.length, nodes_.size());
    nodes_.push_back(std::move(node));
  }

  void expand(std::size_t index) {
    const State state = nodes_[index].state;
    for (Transition& step : interpreter_.successors(state)) {
      if (take(index, std::move(step))) return;
    }
  }

  // Is the run at its end?
  bool take(std::size_t index, Transition step) {
    Node node{.state = step.target,
              .passed = nodes_[index].passed,
              .ids = nodes_[index].ids,
              .next_id = nodes_[index].next_id,
              .strayed = nodes_[index].strayed,
              .length = nodes_[index].length + 1,
              .parent = index};
    const Segment& segment = segments_[node.passed];
    const std::uint32_t mover = node.ids[step.thread];
    const auto of_mover = [&](const Waypoint& waypoint) { return waypoint.thread == mover; };
    if (std::none_of(segment.begin(), segment.end(), of_mover)) ++node.strayed;
    node.ids.resize(node.state.threads.size(), unregistered);
    for (const std::size_t slot : step.spawned) node.ids[slot] = unregistered;
    bool registers = false;
    for (const Waypoint& waypoint : segment) {
      if (waypoint.kind == Waypoint::Kind::Target || !matches(waypoint, mover, nodes_[index].state, step)) continue;
      if (waypoint.avoid) return false;
      ++node.passed;
      registers = waypoint.kind == Waypoint::Kind::FunctionEnter;
    }
    if (registers && !step.spawned.empty()) node.ids[step.spawned.front()] = node.next_id++;
    node.step = std::move(step);
    if (ends_here(node)) {
      finish(node);
      return true;
    }
    if (!node.step.fault && !is_violating(node.state)) add(std::move(node));
    return false;
  }

  bool is_at(const Place& place, const SourceSpan& span) const {
    if (!span.known() || span.line != place.line || base_name(span.file->name()) != base_name(place.file)) return false;
    return !place.column || *place.column == span.column;
  }

  bool matches(const Waypoint& waypoint, std::uint32_t mover, const State& before, const Transition& step) {
    if (waypoint.thread != mover) return false;
    const model::Action& action = program_.edge(step.edge).actions.front();
    const bool enters = waypoint.kind == Waypoint::Kind::FunctionEnter;
    // A call is where its parenthesis is, which is not where its statement begins.
    const Place place = enters || waypoint.kind == Waypoint::Kind::FunctionReturn
                            ? Place{waypoint.place.file, waypoint.place.line}
                            : waypoint.place;
    if (!is_at(place, action.span)) return false;
    if (enters) return !step.spawned.empty() || !creates_threads(waypoint.place);
    switch (waypoint.kind) {
      case Waypoint::Kind::Assumption:
        return holds(waypoint, evaluate(program_, before, step.thread, waypoint.constraint));
      case Waypoint::Kind::FunctionReturn: return returns(waypoint, before, step);
      case Waypoint::Kind::Branching: remark(waypoint, "which way it goes"); return true;
      case Waypoint::Kind::FunctionEnter:
      case Waypoint::Kind::Target: return true;
    }
    COHORT_UNREACHABLE("every kind of waypoint is matched or not");
  }

  // Does any thread come into being on this line?
  bool creates_threads(const Place& place) const {
    for (const model::Template& templ : program_.templates) {
      for (const model::Edge& edge : templ.edges) {
        for (const model::Action& action : edge.actions) {
          if (!action.spawns.empty() && is_at({place.file, place.line}, action.span)) return true;
        }
      }
    }
    return false;
  }

  bool holds(const Waypoint& waypoint, std::optional<model::Value> value) {
    if (!value) remark(waypoint, fmt::format("`{}`", waypoint.constraint));
    return !value || *value != 0;
  }

  // What a call returned is what the step stored: one of the values that changed has to fit.  Where nothing changes,
  // the number was there already, or only decides where to go.
  bool returns(const Waypoint& waypoint, const State& before, const Transition& step) {
    bool changed = false;
    const auto fits = [&](const model::Valuation& old, const model::Valuation& now) {
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (old[i] == now[i]) continue;
        changed = true;
        if (holds(waypoint, evaluate(program_, step.target, step.thread, waypoint.constraint, now[i]))) return true;
      }
      return false;
    };
    if (fits(before.shared, step.target.shared)) return true;
    const auto& old = before.threads[step.thread];
    const auto& now = step.target.threads[step.thread];
    return (old && now && fits(old->locals, now->locals)) || !changed;
  }

  void remark(const Waypoint& waypoint, const std::string& what) {
    remarks_.insert(fmt::format("{}:{}: {} is not heeded", waypoint.place.file, waypoint.place.line, what));
  }

  bool is_violating(const State& state) const { return interpreter_.violated(state).has_value(); }

  // Nothing comes before the violation, and the target is its place.
  bool begins_there(const State& state) const {
    const auto property = interpreter_.violated(state);
    if (!property || segments_.size() != 1) return false;
    const SourceSpan& span = program_.properties[property->value].span;
    const Segment& target = segments_.front();
    return span.known() && std::any_of(target.begin(), target.end(), [&](const Waypoint& waypoint) {
             return waypoint.kind == Waypoint::Kind::Target && !waypoint.avoid && is_at(waypoint.place, span);
           });
  }

  // The last segment is open, and there is a violation at one of its places.
  bool ends_here(const Node& node) {
    if (node.passed + 1 != segments_.size()) return false;
    std::vector<SourceSpan> places;
    if (node.step.fault) {
      places.push_back(program_.edge(node.step.edge).actions[node.step.fault_action].span);
    } else {
      const auto property = interpreter_.violated(node.state);
      if (!property) return false;
      places = places_of(node, program_.properties[property->value]);
    }
    const Segment& target = segments_.back();
    return std::any_of(target.begin(), target.end(), [&](const Waypoint& waypoint) {
      return !waypoint.avoid && std::any_of(places.begin(), places.end(),
                                            [&](const SourceSpan& span) { return is_at(waypoint.place, span); });
    });
  }

  std::vector<SourceSpan> places_of(const Node& node, const model::Property& property) const {
    std::vector<SourceSpan> places = {property.span, program_.edge(node.step.edge).actions.front().span};
    // Of races and deadlocks: where the threads are.
    for (const auto& thread : node.state.threads) {
      if (!thread) continue;
      for (const model::Edge& edge : program_.templ(thread->templ).edges) {
        if (edge.source == thread->location) places.push_back(edge.actions.front().span);
      }
    }
    return places;
  }

  void finish(Node& last) {
    model::Run run;
    run.choices = choices_;
    std::vector<Transition> steps = {std::move(last.step)};
    std::size_t at = last.parent;
    for (; nodes_[at].length > 0; at = nodes_[at].parent) steps.push_back(nodes_[at].step);
    run.initial = nodes_[at].state;
    run.steps.assign(std::make_move_iterator(steps.rbegin()), std::make_move_iterator(steps.rend()));
    if (!run.steps.back().fault) result_.property = interpreter_.violated(run.last());
    result_.passed = segments_.size();
    result_.run = std::move(run);
  }

  Env& env_;
  const model::Program& program_;
  const std::vector<Segment>& segments_;
  model::Interpreter interpreter_;
  std::vector<model::Value> choices_;
  std::deque<Node> nodes_;
  std::unordered_map<std::size_t, std::vector<std::size_t>> seen_;
  std::priority_queue<Rank, std::vector<Rank>, std::greater<>> queue_;
  std::set<std::string> remarks_;
  Followed result_;
};

}  // namespace

Followed follow(Env& env, const model::Program& program, const Witness& witness) {
  return Follower(env, program, witness).follow();
}

}  // namespace cohort::witness
