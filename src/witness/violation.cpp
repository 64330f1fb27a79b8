// From a run to the waypoints of a violation witness.  Few of them, as validators follow few best: each creation of a
// thread, the first statement of a thread after each switch with the values that it is about to use, the numbers that
// nondeterministic functions return, and the violation.
#include <algorithm>
#include <map>
#include <regex>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "report/flow.hpp"
#include "report/words.hpp"
#include "result/replay.hpp"
#include "witness/variables.hpp"
#include "witness/witness.hpp"

namespace cohort::witness {

using model::State;
using report::FlowStep;

namespace {

// The column is left out where the statement is the first thing on its line: then it cannot be misunderstood.
Place place_of(const SourceSpan& span) {
  Place place{span.file->name(), span.line};
  const std::string_view before = span.file->line(span.line).substr(0, span.column == 0 ? 0 : span.column - 1);
  if (before.find_first_not_of(" \t") != std::string_view::npos) place.column = span.column;
  return place;
}

bool is_first_on_line(const SourceSpan& span) {
  return !place_of(span).column;
}

SourceSpan next_place(const model::Program& program, const model::ThreadState& thread) {
  for (const model::Edge& edge : program.templ(thread.templ).edges) {
    if (edge.source == thread.location && edge.actions.front().span.known()) return edge.actions.front().span;
  }
  return program.templ(thread.templ).locations[thread.location.value].span;
}

class Maker {
 public:
  Maker(const model::Program& program, const result::Answer& answer)
      : program_(program), answer_(answer), run_(*answer.result.run), integers_(plain_integers(program)) {}

  Witness make() {
    const auto flow = report::flow_of(report::view_of(program_, run_));
    ids_[0] = 0;
    for (std::size_t i = 0; i < flow.size(); ++i) {
      const bool last = i + 1 == flow.size();
      if (last && (flow[i].violates || flow[i].fault)) break;
      add(flow[i]);
    }
    Segment target;
    for (const auto& [thread, span] : violating_places(program_, answer_)) {
      if (span.known()) target.push_back({Waypoint::Kind::Target, false, id_of(thread), place_of(span)});
    }
    if (!target.empty()) witness_.segments.push_back(std::move(target));
    return std::move(witness_);
  }

 private:
  std::uint32_t id_of(std::uint32_t thread) const {
    const auto it = ids_.find(thread);
    COHORT_EXPECT(it != ids_.end(), "a thread has been created before it moves");
    return it->second;
  }

  void follow(Waypoint waypoint) { witness_.segments.push_back({std::move(waypoint)}); }

  void add(const FlowStep& step) {
    if (!step.span.known()) {
      for (const std::string& thread : step.created) register_thread(thread);
      return;
    }
    if (step.switches && step.begins && step.created.empty() && is_first_on_line(step.span)) add_assumption(step);
    for (const std::string& thread : step.created) {
      follow({Waypoint::Kind::FunctionEnter, false, id_of(step.number), {step.span.file->name(), step.span.line}});
      register_thread(thread);
    }
    add_choice(step);
  }

  void register_thread(const std::string& name) {
    ids_.emplace(static_cast<std::uint32_t>(std::stoul(name.substr(1))), static_cast<std::uint32_t>(ids_.size()));
  }

  void add_assumption(const FlowStep& step) {
    const model::Valuation& shared = step.first == 0 ? run_.initial.shared : run_.steps[step.first - 1].target.shared;
    const std::string_view line = step.span.file->line(step.span.line);
    std::string condition;
    for (const model::Variable* variable : integers_) {
      if (!mentions(line, variable->name)) continue;
      condition += fmt::format("{}{} == {}", condition.empty() ? "" : " && ", variable->name, shared[variable->slot]);
    }
    follow({Waypoint::Kind::Assumption, false, id_of(step.number), place_of(step.span),
            condition.empty() ? "1" : condition});
  }

  // `x = __VERIFIER_nondet_int()`: what the call returned is what x is now.
  void add_choice(const FlowStep& step) {
    static const std::regex pattern(R"(([A-Za-z_]\w*)\s*=\s*__VERIFIER_nondet_\w+\s*\(\s*\))");
    std::smatch match;
    if (!std::regex_search(step.statement, match, pattern)) return;
    for (const report::Changes& changes : step.changes) {
      for (const report::NamedValue& value : changes.values) {
        if (value.name != match[1].str() || value.thread) continue;
        follow({Waypoint::Kind::FunctionReturn,
                false,
                id_of(step.number),
                {step.span.file->name(), step.span.line},
                fmt::format("\\result == {}", value.value)});
        return;
      }
    }
  }

  const model::Program& program_;
  const result::Answer& answer_;
  const model::Run& run_;
  const std::vector<const model::Variable*> integers_;
  std::map<std::uint32_t, std::uint32_t> ids_;  // of threads by the order of creation: in the witness
  Witness witness_;
};

// Of a property that says where several threads are: who is where in the last state.
std::vector<std::pair<std::uint32_t, SourceSpan>> covering(const model::Program& program, const model::Run& run,
                                                           const model::Property& property) {
  const auto names = result::thread_names(run).back();
  const State& state = run.last();
  std::vector<std::pair<std::uint32_t, SourceSpan>> places;
  std::vector<bool> taken(state.threads.size(), false);
  for (const auto& [templ, location] : property.threads) {
    for (std::size_t slot = 0; slot < state.threads.size(); ++slot) {
      const auto& thread = state.threads[slot];
      if (taken[slot] || !thread || thread->templ != templ || thread->location != location) continue;
      taken[slot] = true;
      places.emplace_back(names[slot], next_place(program, *thread));
      break;
    }
  }
  return places;
}

std::vector<std::pair<std::uint32_t, SourceSpan>> waiting(const model::Program& program, const model::Run& run) {
  const auto names = result::thread_names(run).back();
  const State& state = run.last();
  for (std::size_t slot = state.threads.size(); slot-- > 0;) {
    if (state.threads[slot]) return {{names[slot], next_place(program, *state.threads[slot])}};
  }
  return {};
}

}  // namespace

std::vector<std::pair<std::uint32_t, SourceSpan>> violating_places(const model::Program& program,
                                                                   const result::Answer& answer) {
  const model::Run& run = *answer.result.run;
  if (answer.result.property) {
    const model::Property& property = program.properties[answer.result.property->value];
    if (property.kind == model::Property::Kind::Cover && !property.threads.empty())
      return covering(program, run, property);
    if (property.kind == model::Property::Kind::Deadlock) return waiting(program, run);
  }
  const auto names = result::thread_names(run);
  const SourceSpan span = report::violation_of(program, answer).span;
  // The program begins in the violation, where nothing that is left of it comes before.
  if (run.steps.empty() && run.initial.threads.empty()) return {};
  if (run.steps.empty()) return {{names[0][0], span}};
  // The name before the last step: a step may be a thread's last.
  return {{names[run.steps.size() - 1][run.steps.back().thread], span}};
}

Witness violation_witness(const model::Program& program, const result::Answer& answer) {
  COHORT_EXPECT(answer.result.verdict == result::Verdict::Unsafe && answer.result.run,
                "a violation witness tells the run of an UNSAFE answer");
  return Maker(program, answer).make();
}

}  // namespace cohort::witness
