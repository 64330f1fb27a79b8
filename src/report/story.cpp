#include "report/story.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/call_frames.hpp"
#include "model/eval.hpp"
#include "report/call_words.hpp"
#include "report/text.hpp"

namespace cohort::report {

using model::State;
using model::Transition;

namespace {

// Steps [first, last) of one thread in one statement.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
  bool begins = true;  // the statement; else another thread came between
  bool ends = true;    // the thread goes on with another statement, or ends
};

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

class Story {
 public:
  Story(const model::Program& program, const model::Run& run)
      : program_(program), run_(run), view_(view_of(program, run)) {
    find_stretches();
  }

  const std::vector<Stretch>& stretches() const { return stretches_; }
  const StepView& step(const Stretch& stretch) const { return view_.steps[stretch.first]; }
  const std::string& thread(std::size_t step) const { return view_.steps[step].thread; }

  std::set<std::size_t> shared_changes(const Stretch& stretch) const {
    std::set<std::size_t> slots;
    const model::Valuation& from = before(stretch.first).shared;
    const model::Valuation& to = run_.steps[stretch.last - 1].target.shared;
    for (std::size_t slot = 0; slot < std::min(from.size(), to.size()); ++slot) {
      if (from[slot] != to[slot]) slots.insert(slot);
    }
    return slots;
  }

  // The values at the start that somebody reads before they are written.
  std::vector<std::string> start() const {
    std::set<std::size_t> known;
    std::set<std::size_t> read_first;
    for (std::size_t i = 0; i < run_.steps.size(); ++i) {
      model::EvalContext here = context(i);
      for_each_value(i, [&](const model::Expr& node) {
        const auto slot = slot_read(here, node);
        if (slot && !known.contains(*slot)) read_first.insert(*slot);
      });
      known.merge(written({.first = i, .last = i + 1}));
    }
    std::vector<std::string> values;
    for (const model::Variable& variable : program_.shared) {
      for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
        const std::size_t slot = variable.slot + element;
        if (read_first.contains(slot)) values.push_back(scalar(variable, element, run_.initial.shared[slot]));
      }
    }
    return values;
  }

  // Of the statement: what it did, and else what it read.
  struct Effect {
    std::string text;
    bool is_minor = false;  // it read only what the thread wrote itself, or nobody did
  };

  Effect effect(const Stretch& stretch) const {
    std::vector<std::string> parts;
    bool is_minor = false;
    bool violates = false;
    for (std::size_t i = stretch.first; i < stretch.last; ++i) {
      const StepView& step = view_.steps[i];
      for (const ThreadView& thread : step.created) {
        parts.push_back(fmt::format("creates {} running {}{}", thread.name, program_.templ(thread.state.templ).name,
                                    given_to(thread, i)));
      }
      for (const std::string& thread : step.ended) parts.push_back(thread + " ends");
      violates = violates || step.violates || step.fault;
    }
    const auto call = words_of_call(step(stretch).statement);
    if (call) parts.push_back(words(stretch, *call));
    if (!call || call->kind != CallKind::Create) add_changes(stretch, parts);
    parts.push_back(atomicity(stretch));
    if (joined(parts).empty() || violates) is_minor = !add_reads(stretch, parts) && !violates;
    for (std::size_t i = stretch.first; i < stretch.last; ++i) {
      const StepView& step = view_.steps[i];
      if (step.violates) parts.emplace_back("violates the property");
      if (step.fault) parts.push_back(fmt::format("fault: {}", to_string(*step.fault)));
    }
    return {joined(parts), is_minor};
  }

 private:
  const State& before(std::size_t step) const { return step == 0 ? run_.initial : run_.steps[step - 1].target; }

  bool in_one_statement(std::size_t one, std::size_t other) const {
    const StepView& left = view_.steps[one];
    const StepView& right = view_.steps[other];
    return left.thread == right.thread && left.span.file == right.span.file && left.span.line == right.span.line &&
           left.span.column == right.span.column && left.statement == right.statement;
  }

  void find_stretches() {
    std::map<std::string, std::size_t> latest;  // of each thread: its stretch so far
    for (std::size_t i = 0; i < run_.steps.size(); ++i) {
      if (i > 0 && in_one_statement(i - 1, i)) {
        stretches_.back().last = i + 1;
        continue;
      }
      Stretch stretch{.first = i, .last = i + 1};
      const auto own = latest.find(view_.steps[i].thread);
      if (own != latest.end() && in_one_statement(stretches_[own->second].first, i)) {
        stretch.begins = false;
        stretches_[own->second].ends = false;
      }
      latest[view_.steps[i].thread] = stretches_.size();
      stretches_.push_back(stretch);
    }
    // Who is alive at the end is still in its last statement, if that is a call or a wait.
    for (const auto& [thread, at] : latest) stretches_[at].ends = !is_inside(stretches_[at]);
  }

  // Does the next step of the thread, which the run does not have, belong to the same statement?
  bool is_inside(const Stretch& stretch) const {
    const Transition& last = run_.steps[stretch.last - 1];
    if (last.fault) return true;
    const auto& threads = run_.last().threads;
    if (last.thread >= threads.size() || !threads[last.thread]) return false;
    const model::ThreadState& at = *threads[last.thread];
    const auto& edges = program_.templ(at.templ).edges;
    return std::any_of(edges.begin(), edges.end(), [&](const model::Edge& edge) {
      const model::Action& action = edge.actions.front();
      const StepView& here = step(stretch);
      return edge.source == at.location && action.text == here.statement && action.span.file == here.span.file &&
             action.span.line == here.span.line && action.span.column == here.span.column;
    });
  }

  // What the routine of a new thread is given, in parentheses; empty where it does not look at that.
  std::string given_to(const ThreadView& thread, std::size_t step) const {
    std::vector<std::string> values;
    for (const model::Spawn& spawn : program_.edge(run_.steps[step].edge).actions.front().spawns) {
      if (spawn.templ != thread.state.templ) continue;
      for (const model::Assign& assign : spawn.locals) {
        const model::Variable& variable = program_.templ(spawn.templ).local(assign.target.var);
        if (variable.look.internal || variable.type.is_array()) continue;
        values.push_back(model::value_text(variable.look, program_.atlas.get(), thread.state.locals[variable.slot]));
      }
    }
    return values.empty() ? "" : "(" + joined(values) + ")";
  }

  std::string words(const Stretch& stretch, const CallWords& call) const {
    switch (call.kind) {
      case CallKind::Create: return "";
      case CallKind::Wait:
        if (!stretch.ends) return stretch.begins && !shared_changes(stretch).empty() ? call.begun : "";
        return stretch.begins ? call.done : call.ended;
      case CallKind::TryLock: {
        if (!stretch.ends) return "";
        return !shared_changes(stretch).empty() ? call.done : "does not get " + call.object;
      }
      case CallKind::Join: return stretch.ends ? call.done : "";
      case CallKind::Lock:
      case CallKind::Unlock:
      case CallKind::Other: return stretch.ends || !shared_changes(stretch).empty() ? call.done : "";
    }
    COHORT_UNREACHABLE("every kind of call has words");
  }

  // `written`: slots that are told even if their value is the same as before.
  void add_differences(const std::vector<model::Variable>& variables, const model::Valuation& from,
                       const model::Valuation& to, const std::set<std::size_t>& written,
                       std::vector<std::string>& parts) const {
    for (const model::Variable& variable : variables) {
      if (variable.look.internal) continue;
      for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
        const std::size_t at = variable.slot + element;
        if (from[at] != to[at] || written.contains(at)) parts.push_back(scalar(variable, element, to[at]));
      }
    }
  }

  model::EvalContext context(std::size_t step) const {
    model::EvalContext context{.program = &program_, .shared = &before(step).shared};
    context.state = &before(step);
    context.self_slot = run_.steps[step].thread;
    context.self = &*before(step).threads[context.self_slot];
    return context;
  }

  bool chooses(std::optional<model::ExprId> root) const {
    bool found = false;
    if (!root) return found;
    for_each_node(program_.exprs, *root,
                  [&](const model::Expr& node, model::ExprId) { found = found || node.op == model::Op::Nondet; });
    return found;
  }

  // The slots of shared variables that the steps assign.  Others may see a write that stores what was there before.
  std::set<std::size_t> written(const Stretch& stretch) const {
    std::set<std::size_t> slots;
    for (std::size_t i = stretch.first; i < stretch.last; ++i) {
      model::EvalContext here = context(i);
      for (const model::Assign& assign : program_.edge(run_.steps[i].edge).actions.front().assigns) {
        if (assign.target.kind != model::LValue::Kind::Shared || chooses(assign.target.index)) continue;
        const auto slot = slot_of(here, program_.shared[assign.target.var.value], assign.target.index);
        if (slot && !here.fault) slots.insert(*slot);
        here.fault.reset();
      }
    }
    return slots;
  }

  std::string scalar(const model::Variable& variable, std::uint32_t element, model::Value value) const {
    const std::string name =
        variable.type.is_array() ? model::element_name(variable.name, variable.look, element) : variable.name;
    return fmt::format("{} = {}", name, model::value_text(variable.look, program_.atlas.get(), value));
  }

  void add_changes(const Stretch& stretch, std::vector<std::string>& parts) const {
    const Transition& last = run_.steps[stretch.last - 1];
    if (last.fault) return;
    const State& from = before(stretch.first);
    add_differences(program_.shared, from.shared, last.target.shared, written(stretch), parts);
    const auto& mover = from.threads[last.thread];
    if (!mover || last.thread >= last.target.threads.size() || !last.target.threads[last.thread]) return;
    add_differences(program_.templ(mover->templ).locals, mover->locals, last.target.threads[last.thread]->locals, {},
                    parts);
  }

  // Whoever wrote an atomic section sees where it begins and ends; those inside of a call are the model's.
  std::string atomicity(const Stretch& stretch) const {
    const auto holds = [&](const State& state) {
      const std::size_t slot = run_.steps[stretch.first].thread;
      return slot < state.threads.size() && state.threads[slot] && state.threads[slot]->atomic;
    };
    const Transition& last = run_.steps[stretch.last - 1];
    if (last.fault || holds(before(stretch.first)) == holds(last.target)) return "";
    if (!holds(last.target) && !last.target.threads[last.thread]) return "";
    return holds(last.target) ? "enters atomic section" : "leaves atomic section";
  }

  // Calls `visit` with each node of the values that the step looks at.
  template <class Visit>
  void for_each_value(std::size_t step, Visit&& visit) const {
    const auto look = [&](model::ExprId root) {
      for_each_node(program_.exprs, root, [&](const model::Expr& node, model::ExprId) { visit(node); });
    };
    const model::Action& action = program_.edge(run_.steps[step].edge).actions.front();
    if (action.guard) look(*action.guard);
    for (const model::Assign& assign : action.assigns) look(assign.value);
  }

  // Who wrote the slot of the shared valuation last before the step; none: nobody did.
  std::optional<std::string> writer(std::size_t slot, std::size_t step) const {
    for (std::size_t i = step; i-- > 0;) {
      if (before(i).shared[slot] != run_.steps[i].target.shared[slot]) return view_.steps[i].thread;
    }
    return std::nullopt;
  }

  // Values of shared variables that the statement looked at; true if another thread wrote one of them.
  bool add_reads(const Stretch& stretch, std::vector<std::string>& parts) const {
    bool is_foreign = false;
    std::set<std::size_t> seen;
    for (std::size_t i = stretch.first; i < stretch.last; ++i) {
      model::EvalContext here = context(i);
      for_each_value(i, [&](const model::Expr& node) {
        const auto slot = slot_read(here, node);
        if (!slot || !seen.insert(*slot).second) return;
        const model::Variable& variable = program_.shared[node.var.value];
        const auto element = static_cast<std::uint32_t>(*slot - variable.slot);
        parts.push_back("reads " + scalar(variable, element, before(i).shared[*slot]));
        const auto last = writer(*slot, i);
        is_foreign = is_foreign || (last && *last != view_.steps[i].thread);
      });
    }
    return is_foreign;
  }

  // The slot of the shared valuation that the expression reads, if people know the variable.
  std::optional<std::size_t> slot_read(model::EvalContext& context, const model::Expr& node) const {
    if (node.op != model::Op::SharedVar) return std::nullopt;
    const model::Variable& variable = program_.shared[node.var.value];
    if (variable.look.internal) return std::nullopt;
    if (node.args.empty()) return variable.slot;
    if (chooses(node.args[0])) return std::nullopt;
    const auto slot = slot_of(context, variable, node.args[0]);
    const bool faults = context.fault.has_value();
    context.fault.reset();
    return faults ? std::nullopt : slot;
  }

  const model::Program& program_;
  const model::Run& run_;
  const TraceView view_;
  std::vector<Stretch> stretches_;
};

using Frames = std::vector<model::CallFrame>;

Frames frames_of(const model::Program& program, const Transition& step) {
  return calls_around(program, step.edge);
}

// A stretch that is told.
struct Told {
  std::size_t stretch = 0;
  std::string statement;
  std::string effect;
  std::size_t last = 0;  // it ends before this step
};

bool is_on_line_of(const StepView& step, const StepView& other) {
  return step.thread == other.thread && step.span.file == other.span.file && step.span.line == other.span.line;
}

// What is told, without what only leads to it.
std::vector<Told> tell(const Story& story, const model::Program& program, const model::Run& run) {
  std::vector<Told> told;
  bool last_is_minor = false;
  bool last_is_plain = false;
  for (std::size_t i = 0; i < story.stretches().size(); ++i) {
    const Stretch& stretch = story.stretches()[i];
    const StepView& step = story.step(stretch);
    const auto effect = story.effect(stretch);
    if (effect.text.empty() && stretch.last != run.steps.size()) continue;
    // What a thread read last before another one went on is where the two come into each other's way.
    const auto before = [&]() -> const Stretch& { return story.stretches()[told.back().stretch]; };
    if (last_is_minor && story.step(before()).thread == step.thread) told.pop_back();
    last_is_minor = effect.is_minor;
    const bool is_plain = !effect.is_minor && !words_of_call(step.statement);
    if (is_plain && last_is_plain && !told.empty() && is_on_line_of(step, story.step(before())) &&
        frames_of(program, run.steps[stretch.first]) == frames_of(program, run.steps[before().first])) {
      if (told.back().statement != step.statement) told.back().statement += "; " + step.statement;
      if (!effect.text.empty()) told.back().effect += ", " + effect.text;
      told.back().last = stretch.last;
      continue;
    }
    last_is_plain = is_plain;
    told.push_back({i, step.statement, effect.text, stretch.last});
  }
  return told;
}

// Puts the calls before what is told of them, and says how deep in calls each line is.
class Nesting {
 public:
  Nesting(const Story& story, const model::Program& program, const model::Run& run)
      : story_(story), program_(program), run_(run) {}

  std::vector<StoryLine> lines(const std::vector<Told>& told) {
    for (const Told& one : told) {
      const Stretch& stretch = story_.stretches()[one.stretch];
      // Whoever has left a call and comes into it again calls it again, though nothing is told in between.
      for (; passed_ <= stretch.first; ++passed_) leave(passed_);
      const StepView& step = story_.step(stretch);
      const Frames frames = frames_of(program_, run_.steps[stretch.first]);
      enter(step.thread, frames, stretch.first, step.span);
      add({step.thread, step.span, one.statement, one.effect, false, one.last, frames.size()});
    }
    return std::move(lines_);
  }

 private:
  void leave(std::size_t step) {
    Frames& open = open_[story_.thread(step)];
    const Frames here = frames_of(program_, run_.steps[step]);
    const auto [end, other] = std::mismatch(open.begin(), open.end(), here.begin(), here.end());
    open.erase(end, open.end());
  }

  // Where the call is, if it is in the file of what it calls.
  static SourceSpan span_of(const model::CallFrame& frame, const SourceSpan& near) {
    const std::size_t colon = frame.place.rfind(':');
    SourceSpan span{near.file, 0, 1};
    if (colon == std::string::npos || !near.known()) return {};
    std::from_chars(frame.place.data() + colon + 1, frame.place.data() + frame.place.size(), span.line);
    return place_text(span) == frame.place ? span : SourceSpan{};
  }

  void enter(const std::string& thread, const Frames& frames, std::size_t before, const SourceSpan& near) {
    Frames& open = open_[thread];
    for (std::size_t depth = open.size(); depth < frames.size(); ++depth) {
      const model::CallFrame& frame = frames[depth];
      const bool is_told = !lines_.empty() && lines_.back().thread == thread && lines_.back().depth == depth &&
                           lines_.back().statement == frame.text && place_text(lines_.back().span) == frame.place;
      if (!is_told) {
        add({thread, span_of(frame, near), frame.text, "calls " + frame.function, false, before, depth});
      }
      open.push_back(frame);
    }
  }

  void add(StoryLine line) {
    line.switches = !lines_.empty() && lines_.back().thread != line.thread;
    lines_.push_back(std::move(line));
  }

  const Story& story_;
  const model::Program& program_;
  const model::Run& run_;
  std::vector<StoryLine> lines_;
  std::map<std::string, Frames> open_;  // of each thread: the calls that were told and that it is in
  std::size_t passed_ = 0;              // the next step to look at
};

}  // namespace

bool has_story(const model::Program& program) {
  return program.atlas != nullptr;
}

std::vector<StoryLine> story_of(const model::Program& program, const model::Run& run) {
  const Story story(program, run);
  return Nesting(story, program, run).lines(tell(story, program, run));
}

std::vector<std::string> start_of(const model::Program& program, const model::Run& run) {
  return Story(program, run).start();
}

std::map<std::string, std::vector<HeldLock>> locks_held(const model::Program& program, const model::Run& run) {
  const Story story(program, run);
  std::map<std::string, std::vector<HeldLock>> held;
  for (const Stretch& stretch : story.stretches()) {
    const StepView& step = story.step(stretch);
    const auto call = words_of_call(step.statement);
    const std::set<std::size_t> slots = story.shared_changes(stretch);
    if (!call || slots.empty()) continue;
    auto& locks = held[step.thread];
    const bool waited = call->kind == CallKind::Wait && !stretch.begins;
    if (call->kind == CallKind::Lock || call->kind == CallKind::TryLock || waited) {
      locks.push_back({waited ? call->mutex : call->object, step.span, slots});
    } else if (call->kind == CallKind::Unlock || call->kind == CallKind::Wait) {
      std::erase_if(locks, [&](const HeldLock& lock) {
        return std::any_of(lock.slots.begin(), lock.slots.end(),
                           [&](std::size_t slot) { return slots.contains(slot); });
      });
    }
  }
  return held;
}

}  // namespace cohort::report
