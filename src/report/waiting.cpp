#include "report/waiting.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "base/contract.hpp"
#include "model/eval.hpp"
#include "report/call_words.hpp"
#include "report/condition.hpp"
#include "report/story.hpp"
#include "report/stretches.hpp"
#include "report/text.hpp"
#include "result/replay.hpp"

namespace cohort::report {

namespace {

using model::State;

class WaitingView {
 public:
  WaitingView(const model::Program& program, const model::Run& run)
      : program_(program),
        run_(run),
        names_(result::thread_names(run)),
        out_(program.templates.begin(), program.templates.end()) {
    if (!has_story(program)) return;
    held_ = locks_held(program, run);
    numbered_ = numbered_threads(program, run);
  }

  std::optional<Waiting> row(std::size_t thread) const {
    const auto& at = run_.last().threads[thread];
    if (!at) return std::nullopt;
    const model::Template& templ = program_.templ(at->templ);
    const model::Location& location = templ.locations[at->location.value];
    if (!location.waits) return std::nullopt;
    const auto& edges = out_[at->templ.value].of(at->location);
    if (edges.empty()) return std::nullopt;
    const model::Action& action = templ.edges[edges.front()].actions.front();
    const std::string name = thread_name(program_, names_.back()[thread]);
    Waiting row{.thread = name, .place = place_text(action.span), .statement = with_keyword(action.span, action.text)};
    const std::set<std::size_t> slots = wanted(thread, templ, edges);
    if (const auto call = words_of_call(action.text)) {
      row.kind = call->kind;
      row.wants = call->kind == CallKind::Join ? call->object : object_name(program_, slots, call->object);
    }
    if (const auto held = held_.find(name); held != held_.end()) {
      for (const HeldLock& lock : held->second) {
        row.holds.push_back(fmt::format("{} since {}", lock.object, place_text(lock.span)));
      }
    }
    if (row.kind == CallKind::Join) row.holder = awaited_thread(program_, numbered_, slots);
    if (holder_of(slots, name, row)) return row;
    for (const std::size_t slot : slots) {
      if (!variable_at(slot).look.internal) row.because.push_back(left_by(slot));
    }
    return row;
  }

 private:
  // Says who has what the thread waits for, where that is a lock.
  bool holder_of(const std::set<std::size_t>& wanted, const std::string& waiting, Waiting& row) const {
    for (const auto& [thread, locks] : held_) {
      for (const HeldLock& lock : locks) {
        const auto is_wanted = [&](std::size_t slot) { return wanted.contains(slot); };
        if (std::none_of(lock.slots.begin(), lock.slots.end(), is_wanted)) continue;
        row.holder = thread;
        row.because.push_back(fmt::format(
            "{} since {}", thread == waiting ? "which it holds itself" : thread + " holds it", place_text(lock.span)));
        return true;
      }
    }
    return false;
  }

  const model::Variable& variable_at(std::size_t slot) const {
    const auto it = std::find_if(program_.shared.begin(), program_.shared.end(), [&](const model::Variable& variable) {
      return slot >= variable.slot && slot < variable.slot + variable.type.slots();
    });
    COHORT_EXPECT(it != program_.shared.end(), "a slot belongs to a variable");
    return *it;
  }

  // The slots of shared variables that the way on depends on.
  std::set<std::size_t> wanted(std::size_t thread, const model::Template& templ,
                               const std::vector<std::uint32_t>& edges) const {
    std::set<std::size_t> result;
    model::EvalContext context{.program = &program_, .shared = &run_.last().shared};
    context.state = &run_.last();
    context.self_slot = thread;
    context.self = &*run_.last().threads[thread];
    for (const std::uint32_t edge : edges) {
      const auto& guard = templ.edges[edge].actions.front().guard;
      if (!guard) continue;
      for_each_node(program_.exprs, *guard, [&](const model::Expr& node, model::ExprId) {
        if (node.op != model::Op::SharedVar) return;
        const model::Variable& variable = program_.shared[node.var.value];
        const auto index = node.args.empty() ? std::nullopt : std::optional<model::ExprId>(node.args[0]);
        const auto slot = model::slot_of(context, variable, index);
        if (slot && !context.fault) result.insert(*slot);
        context.fault.reset();
      });
    }
    return result;
  }

  std::string left_by(std::size_t slot) const {
    const model::Variable& variable = variable_at(slot);
    const auto element = static_cast<std::uint32_t>(slot - variable.slot);
    const std::string name = written_name(
        variable.type.is_array() ? model::element_name(variable.name, variable.look, element) : variable.name);
    for (std::size_t i = run_.steps.size(); i-- > 0;) {
      const State& before = i == 0 ? run_.initial : run_.steps[i - 1].target;
      if (before.shared[slot] == run_.steps[i].target.shared[slot]) continue;
      const model::Action& action = program_.edge(run_.steps[i].edge).actions.front();
      return fmt::format("{} is as {} left it at {}: {}", name, thread_name(program_, names_[i][run_.steps[i].thread]),
                         place_text(action.span), action.text);
    }
    return fmt::format("nobody has changed {}", name);
  }

  const model::Program& program_;
  const model::Run& run_;
  const std::vector<std::vector<std::uint32_t>> names_;
  const std::vector<model::OutEdges> out_;
  std::map<std::string, std::vector<HeldLock>> held_;  // by the thread's name
  std::map<model::Value, std::string> numbered_;
};

// "T1 and T2".
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

const Waiting* row_of(const std::vector<Waiting>& rows, const std::string& thread) {
  const auto it = std::find_if(rows.begin(), rows.end(), [&](const Waiting& row) { return row.thread == thread; });
  return it == rows.end() ? nullptr : &*it;
}

// Threads of which each waits for a lock that the next one holds, and the last one for one of the first; empty: none.
std::vector<const Waiting*> circle(const std::vector<Waiting>& rows) {
  for (const Waiting& start : rows) {
    std::vector<const Waiting*> way;
    for (const Waiting* at = &start; at != nullptr && !at->holder.empty(); at = row_of(rows, at->holder)) {
      const auto seen = std::find(way.begin(), way.end(), at);
      if (seen != way.end()) return {seen, way.end()};
      way.push_back(at);
    }
  }
  return {};
}

// "T1 waits for m, which T2 holds".
std::string waits_for(const Waiting& row) {
  if (row.kind == CallKind::Join) return fmt::format("{} waits for the end of {}", row.thread, row.holder);
  return fmt::format("{} waits for {}, which {} holds", row.thread, row.wants, row.holder);
}

// What nobody does who is left, for threads that wait for the same.
std::string in_vain(CallKind kind, const std::string& what, const std::vector<std::string>& threads) {
  const bool is_one = threads.size() == 1;
  const std::string waits = fmt::format("{} {}", listed(threads), is_one ? "waits" : "wait");
  switch (kind) {
    case CallKind::Barrier: return fmt::format("{} at {}, and nobody is left to come there, too", waits, what);
    case CallKind::Take: return fmt::format("{} for one from {}, and nobody is left to give one", waits, what);
    default: return fmt::format("{} for {}, and nobody is left to wake {}", waits, what, is_one ? "it" : "them");
  }
}

// Those who wait for something that is nobody's, by what it is; and for whose end others wait meanwhile.
std::string why_nobody_comes(const std::vector<Waiting>& rows) {
  std::map<std::pair<CallKind, std::string>, std::vector<std::string>> awaited;
  for (const Waiting& row : rows) {
    const bool is_such = row.kind == CallKind::Wait || row.kind == CallKind::Barrier || row.kind == CallKind::Take;
    if (is_such && !row.wants.empty() && row.holder.empty()) awaited[{row.kind, row.wants}].push_back(row.thread);
  }
  std::string text;
  for (const auto& [what, threads] : awaited) {
    text += (text.empty() ? "why: " : "; ") + in_vain(what.first, what.second, threads);
  }
  for (const Waiting& row : rows) {
    if (text.empty() || row.kind != CallKind::Join || row.holder.empty()) continue;
    text += "; " + waits_for(row);
  }
  return text;
}

// One sentence on what all this waiting comes from.
std::string why_they_wait(const std::vector<Waiting>& rows) {
  if (const auto way = circle(rows); !way.empty()) {
    if (way.size() == 1)
      return fmt::format("why: {} waits for {}, which it {}", way[0]->thread, wanted(*way[0]),
                         way[0]->kind == CallKind::Join ? "is itself" : "holds itself");
    std::string text;
    for (const Waiting* row : way) text += (text.empty() ? "why: " : "; ") + waits_for(*row);
    return text;
  }
  if (std::string text = why_nobody_comes(rows); !text.empty()) return text;
  // A lock whose holder is gone, or does something else for ever.
  for (const Waiting& row : rows) {
    if (row.holder.empty() || row_of(rows, row.holder) != nullptr || row.kind == CallKind::Join) continue;
    return fmt::format("why: {} waits for {}, which {} holds and does not give back", row.thread, row.wants,
                       row.holder);
  }
  // A loop that looks at something until it changes.
  for (const Waiting& row : rows) {
    if (!row.holder.empty() || row.kind == CallKind::Join) continue;
    return fmt::format("why: {} waits at {}: {}, and nobody is left to change what it looks at", row.thread, row.place,
                       row.statement);
  }
  return "";
}

}  // namespace

std::vector<Waiting> waiting_threads(const model::Program& program, const model::Run& run) {
  const WaitingView view(program, run);
  std::vector<Waiting> rows;
  for (std::size_t thread = 0; thread < run.last().threads.size(); ++thread) {
    if (auto row = view.row(thread)) rows.push_back(std::move(*row));
  }
  return rows;
}

std::vector<std::string> waiting_words(const model::Program& program, const model::Run& run) {
  const std::vector<Waiting> rows = waiting_threads(program, run);
  std::vector<std::string> result;
  for (const Waiting& row : rows) {
    std::string text = fmt::format("{} waits at {}: {}", row.thread, row.place, row.statement);
    for (const std::string& lock : row.holds) text += "; it holds " + lock;
    for (const std::string& words : row.because) text += "; " + words;
    result.push_back(std::move(text));
  }
  if (std::string why = why_they_wait(rows); !why.empty()) result.push_back(std::move(why));
  return result;
}

std::string wanted(const Waiting& row) {
  if (row.kind != CallKind::Join) return row.wants;
  return row.holder.empty() ? "the end of " + row.wants : fmt::format("the end of {} ({})", row.holder, row.wants);
}

std::vector<std::string> waiting_table(const model::Program& program, const model::Run& run) {
  std::vector<std::array<std::string, 4>> cells = {{"thread", "waits for", "at", "holds"}};
  const std::vector<Waiting> rows = waiting_threads(program, run);
  for (const Waiting& row : rows) {
    std::string wants = wanted(row);
    for (const std::string& words : row.because) {
      wants += wants.empty() ? words : fmt::format(" ({})", words);
    }
    const std::string place = fmt::format("{}: {}", row.place, row.statement);
    cells.push_back({row.thread, wants, place, fmt::format("{}", fmt::join(row.holds, ", "))});
  }
  std::array<std::size_t, 4> widths{};
  for (const auto& row : cells) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::vector<std::string> lines;
  for (const auto& row : cells) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
  }
  if (std::string why = why_they_wait(rows); !why.empty()) lines.push_back(std::move(why));
  return lines;
}

}  // namespace cohort::report
