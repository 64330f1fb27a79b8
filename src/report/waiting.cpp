#include "report/waiting.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "report/call_words.hpp"
#include "report/story.hpp"
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
    if (has_story(program)) held_ = locks_held(program, run);
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
    const std::string name = thread_name(names_.back()[thread]);
    Waiting row{.thread = name, .place = place_text(action.span), .statement = action.text};
    if (const auto call = words_of_call(action.text)) row.wants = call->object;
    if (const auto held = held_.find(name); held != held_.end()) {
      for (const HeldLock& lock : held->second) {
        row.holds.push_back(fmt::format("{} since {}", lock.object, place_text(lock.span)));
      }
    }
    const auto variables = wanted(templ, edges);
    if (const auto holder = holder_of(variables, name)) {
      row.because.push_back(*holder);
      return row;
    }
    for (const model::VarId var : variables) {
      if (!program_.shared[var.value].look.internal) row.because.push_back(left_by(var));
    }
    return row;
  }

 private:
  // Who has what the thread waits for, where that is a lock.
  std::optional<std::string> holder_of(const std::set<model::VarId>& variables, const std::string& waiting) const {
    for (const auto& [thread, locks] : held_) {
      for (const HeldLock& lock : locks) {
        const bool is_wanted = std::any_of(variables.begin(), variables.end(), [&](model::VarId var) {
          const model::Variable& variable = program_.shared[var.value];
          const auto first = lock.slots.lower_bound(variable.slot);
          return first != lock.slots.end() && *first < variable.slot + variable.type.slots();
        });
        if (!is_wanted) continue;
        return fmt::format("{} {} {} since {}", thread == waiting ? "it" : thread,
                           thread == waiting ? "itself holds" : "holds", lock.object, place_text(lock.span));
      }
    }
    return std::nullopt;
  }

  // The shared variables that the way on depends on.
  std::set<model::VarId> wanted(const model::Template& templ, const std::vector<std::uint32_t>& edges) const {
    std::set<model::VarId> result;
    for (const std::uint32_t edge : edges) {
      const auto& guard = templ.edges[edge].actions.front().guard;
      if (!guard) continue;
      for_each_node(program_.exprs, *guard, [&](const model::Expr& node, model::ExprId) {
        if (node.op == model::Op::SharedVar) result.insert(node.var);
      });
    }
    return result;
  }

  std::string left_by(model::VarId var) const {
    const model::Variable& variable = program_.shared[var.value];
    for (std::size_t i = run_.steps.size(); i-- > 0;) {
      const State& before = i == 0 ? run_.initial : run_.steps[i - 1].target;
      const State& after = run_.steps[i].target;
      bool changed = false;
      for (std::uint32_t slot = variable.slot; slot < variable.slot + variable.type.slots(); ++slot) {
        changed = changed || before.shared[slot] != after.shared[slot];
      }
      if (!changed) continue;
      const model::Action& action = program_.edge(run_.steps[i].edge).actions.front();
      return fmt::format("{} is as T{} left it at {}: {}", variable.name, names_[i][run_.steps[i].thread],
                         place_text(action.span), action.text);
    }
    return fmt::format("nobody has changed {}", variable.name);
  }

  const model::Program& program_;
  const model::Run& run_;
  const std::vector<std::vector<std::uint32_t>> names_;
  const std::vector<model::OutEdges> out_;
  std::map<std::string, std::vector<HeldLock>> held_;  // by the thread's name
};

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
  std::vector<std::string> result;
  for (const Waiting& row : waiting_threads(program, run)) {
    std::string text = fmt::format("{} waits at {}: {}", row.thread, row.place, row.statement);
    for (const std::string& lock : row.holds) text += "; it holds " + lock;
    for (const std::string& words : row.because) text += "; " + words;
    result.push_back(std::move(text));
  }
  return result;
}

std::vector<std::string> waiting_table(const model::Program& program, const model::Run& run) {
  std::vector<std::array<std::string, 4>> cells = {{"thread", "waits for", "at", "holds"}};
  for (const Waiting& row : waiting_threads(program, run)) {
    std::string wants = row.wants;
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
  return lines;
}

}  // namespace cohort::report
