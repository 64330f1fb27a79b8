#include "engine/cegar/views.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::engine::cegar {

using abstraction::absent;
using abstraction::SharedState;
using abstraction::Start;
using abstraction::Successor;
using abstraction::ThreadState;

namespace {

constexpr std::size_t no_single = SIZE_MAX;

std::uint64_t key_of(ThreadState first, ThreadState second) {
  return (std::uint64_t{std::min(first, second).value} << 32U) | std::max(first, second).value;
}

}  // namespace

Views::Views(Env& env, abstraction::Oracle& oracle, const Layout& layout)
    : env_(env), oracle_(oracle), layout_(layout) {}

Views::Outcome Views::run() {
  start();
  for (std::size_t i = 0; i < views_.size() && !error_; ++i) {
    if (env_.stop_requested("cegar-views") || oracle_.stopped()) return Outcome::Stopped;
    env_.report_progress([&] { return fmt::format("{} views, {} to do", views_.size(), views_.size() - i); });
    step(views_[i]);
  }
  if (oracle_.stopped()) return Outcome::Stopped;
  return error_ ? Outcome::Error : Outcome::Safe;
}

// ---- the start

void Views::start() {
  for (const Start& start : oracle_.starts()) {
    Context context{start.shared, std::vector<ThreadState>(layout_.singles.size(), absent)};
    Views::start(start, context, 0);
  }
}

// Every way in which the single threads from number `single` on may start.  Whether they can do so together is not
// asked: more views than there are is sound.
void Views::start(const Start& start, Context context, std::size_t single) {
  if (single == layout_.singles.size()) {
    start_pairs(start, intern(context));
    return;
  }
  const auto group = layout_.singles[single].group;
  if (!group) return Views::start(start, std::move(context), single + 1);
  for (const ThreadState state : start.groups[*group]) {
    context.singles[single] = state;
    Views::start(start, context, single + 1);
  }
}

void Views::start_pairs(const Start& start, ContextId context) {
  add(context, absent, absent);
  for (const std::size_t i : layout_.replicated_groups) {
    for (const ThreadState first : start.groups[i]) {
      add(context, first, absent);
      for (const std::size_t j : layout_.replicated_groups) {
        for (const ThreadState second : start.groups[j]) {
          if (i <= j && oracle_.start_together(start.shared, i, first, j, second)) add(context, first, second);
        }
      }
    }
  }
}

// ---- views

Views::ContextId Views::intern(const Context& context) {
  const auto [it, fresh] = context_numbers_.emplace(context, static_cast<ContextId>(contexts_.size()));
  if (fresh) {
    contexts_.push_back(context);
    found_.emplace_back();
    note_context(context);
  }
  return it->second;
}

void Views::note_context(const Context& context) {
  for (const ThreadState single : context.singles) error_ = error_ || is_error(single);
  const model::Program& program = oracle_.commands().program();
  for (const model::Property& property : program.properties) {
    if (property.kind != model::Property::Kind::Cover) continue;
    COHORT_EXPECT(property.threads.empty() && property.condition, "conditions are over shared variables");
    error_ = error_ || oracle_.possible(*property.condition, context.shared);
  }
}

bool Views::is_error(ThreadState thread) {
  return thread != absent && oracle_.commands().error(oracle_.states().place(thread)).has_value();
}

bool Views::is_atomic(ThreadState thread) {
  return thread != absent && oracle_.commands().place(oracle_.states().place(thread)).atomic;
}

bool Views::knows(ContextId context, ThreadState first, ThreadState second) const {
  return found_[context].pairs.contains(key_of(first, second));
}

// No two threads of the view contradict the lemmas.
bool Views::is_consistent(ContextId id, ThreadState first, ThreadState second) {
  const Context& context = contexts_[id];
  const SharedState shared = context.shared;
  bool result = oracle_.consistent(shared, first, second);
  for (std::size_t i = 0; i < context.singles.size() && result; ++i) {
    const ThreadState single = context.singles[i];
    result = oracle_.consistent(shared, single, first) && oracle_.consistent(shared, single, second);
    for (std::size_t j = 0; j < i && result; ++j) result = oracle_.consistent(shared, context.singles[j], single);
  }
  return result;
}

void Views::add(ContextId context, ThreadState first, ThreadState second) {
  if (is_atomic(first) && is_atomic(second)) return;
  if (knows(context, first, second) || !is_consistent(context, first, second)) return;
  found_[context].pairs.insert(key_of(first, second));
  found_[context].partners[first.value].push_back(second);
  if (first != second) found_[context].partners[second.value].push_back(first);
  views_.push_back({context, first, second});
  ++count_;
  error_ = error_ || is_error(first) || is_error(second);
}

// ---- steps

void Views::step(const View& found) {
  const View view = found;  // the list grows
  for (std::size_t single = 0; single < layout_.singles.size(); ++single) step_single(view, single);
  step_member(view.context, view.first, view.second);
  if (view.first != view.second) step_member(view.context, view.second, view.first);
  // A triple is looked at when the last of its three pairs is; the list of partners may grow meanwhile.
  const std::vector<ThreadState> thirds = found_[view.context].partners[view.first.value];
  for (const ThreadState third : thirds) {
    if (error_ || oracle_.stopped()) return;
    if (!knows(view.context, view.second, third)) continue;
    step_outsider(view.context, third, view.first, view.second);
    step_outsider(view.context, view.first, view.second, third);
    step_outsider(view.context, view.second, view.first, third);
  }
}

void Views::step_single(const View& view, std::size_t single) {
  const ThreadState active = contexts_[view.context].singles[single];
  if (active == absent || is_atomic(view.first) || is_atomic(view.second)) return;
  for (const Move& move : moves(view.context, active, single)) {
    for (const ThreadState first : others(view.context, move, view.first)) {
      for (const ThreadState second : others(view.context, move, view.second)) add(move.context, first, second);
    }
  }
}

void Views::step_member(ContextId context, ThreadState active, ThreadState other) {
  if (active == absent || is_atomic(other)) return;
  for (const Move& move : moves(context, active, no_single)) {
    for (const ThreadState next : others(context, move, other)) add(move.context, move.after, next);
  }
}

void Views::step_outsider(ContextId context, ThreadState active, ThreadState first, ThreadState second) {
  if (active == absent || is_atomic(first) || is_atomic(second)) return;
  for (const Move& move : moves(context, active, no_single)) {
    const std::vector<ThreadState> seconds = others(context, move, second);
    for (const ThreadState next : others(context, move, first)) {
      for (const ThreadState after : seconds) add(move.context, next, after);
    }
  }
}

// What another thread may be after the move.
std::vector<ThreadState> Views::others(ContextId context, const Move& move, ThreadState other) {
  if (other != absent) {
    return oracle_.passive(move.command, contexts_[context].shared, move.before, move.step, other);
  }
  std::vector<ThreadState> result = move.children;
  result.push_back(absent);
  return result;
}

// `single`: the number of the thread that moves among the single ones, or none.
const std::vector<Views::Move>& Views::moves(ContextId id, ThreadState active, std::size_t single) {
  const auto [it, fresh] = moves_.emplace(std::tuple(id, active, single), std::vector<Move>());
  if (!fresh) return it->second;
  const Context context = contexts_[id];
  for (std::size_t i = 0; i < context.singles.size(); ++i) {
    if (i != single && is_atomic(context.singles[i])) return it->second;
  }
  std::vector<Move> moves;
  for (const std::uint32_t command : oracle_.commands().from(oracle_.states().place(active))) {
    error_ = error_ || oracle_.troubled(command, context.shared, active);
    const std::vector<Successor> successors = oracle_.post(command, context.shared, active);
    for (std::uint32_t step = 0; step < successors.size(); ++step) {
      Context after{successors[step].shared, context.singles};
      if (single != no_single) after.singles[single] = successors[step].self;
      const Move move{command, step, active, successors[step].self, 0, {}};
      extend(context, after, move, successors[step], single, 0, moves);
    }
  }
  it->second = std::move(moves);
  return it->second;
}

// Every way in which the single threads from number `next` on may be changed by the move, which then is complete.
void Views::extend(const Context& before, const Context& after, const Move& move, const Successor& successor,
                   std::size_t single, std::size_t next, std::vector<Move>& moves) {
  if (next == before.singles.size()) {
    Move complete = move;
    Context context = after;
    for (const ThreadState child : successor.children) {
      const auto number = layout_.single_of[oracle_.commands().place(oracle_.states().place(child)).templ.value];
      if (number) {
        context.singles[*number] = child;
      } else {
        complete.children.push_back(child);
      }
    }
    complete.context = intern(context);
    moves.push_back(std::move(complete));
    return;
  }
  if (next == single || before.singles[next] == absent) {
    return extend(before, after, move, successor, single, next + 1, moves);
  }
  const std::vector<ThreadState> changed =
      oracle_.passive(move.command, before.shared, move.before, move.step, before.singles[next]);
  for (const ThreadState state : changed) {
    Context context = after;
    context.singles[next] = state;
    extend(before, context, move, successor, single, next + 1, moves);
  }
}

}  // namespace cohort::engine::cegar
