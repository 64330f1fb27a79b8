#include "report/flow.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::report {

namespace {

bool same_place(const SourceSpan& left, const SourceSpan& right) {
  return left.file == right.file && left.line == right.line && left.column == right.column;
}

std::uint32_t number_of(const std::string& thread) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(thread.data() + 1, thread.data() + thread.size(), number);
  COHORT_EXPECT(error == std::errc() && end == thread.data() + thread.size(),
                "threads are called T, or P, and a number");
  return thread.front() == 'P' ? number - 1 : number;  // processes are counted from 1
}

// What a later part of the statement changes again takes the place of what an earlier one did.
void add_changes(std::vector<Changes>& all, const std::vector<Changes>& more) {
  for (const Changes& change : more) {
    const auto same = [&](const Changes& other) { return other.thread == change.thread; };
    auto it = std::find_if(all.begin(), all.end(), same);
    if (it == all.end()) it = all.insert(all.end(), Changes{change.thread, {}});
    for (const NamedValue& value : change.values) {
      const auto named = [&](const NamedValue& other) { return other.name == value.name; };
      const auto known = std::find_if(it->values.begin(), it->values.end(), named);
      if (known == it->values.end()) {
        it->values.push_back(value);
      } else {
        *known = value;
      }
    }
  }
}

void add_step(FlowStep& flow, const StepView& step) {
  add_changes(flow.changes, step.changes);
  for (const ThreadView& thread : step.created) flow.created.push_back(thread.name);
  flow.ended.insert(flow.ended.end(), step.ended.begin(), step.ended.end());
  flow.violates = flow.violates || step.violates;
  if (step.fault) flow.fault = step.fault;
}

}  // namespace

std::vector<FlowStep> flow_of(const TraceView& view) {
  std::vector<FlowStep> flow;
  std::map<std::string, std::pair<SourceSpan, std::string>> last;  // of each thread: the statement that it was at
  for (std::size_t i = 0; i < view.steps.size(); ++i) {
    const StepView& step = view.steps[i];
    const auto here = std::make_pair(step.span, step.statement);
    const auto before = last.find(step.thread);
    const bool goes_on =
        before != last.end() && same_place(before->second.first, step.span) && before->second.second == step.statement;
    const bool joins = goes_on && !step.switches && !flow.empty() && flow.back().created.empty();
    if (!joins) {
      flow.push_back({.thread = step.thread,
                      .number = number_of(step.thread),
                      .templ = step.edge.templ,
                      .first = i,
                      .span = step.span,
                      .statement = step.statement,
                      .begins = !goes_on,
                      .switches = step.switches});
    }
    add_step(flow.back(), step);
    last[step.thread] = here;
  }
  return flow;
}

bool is_in_program(const NamedValue& value) {
  const std::string_view name = value.shown;
  if (value.internal || name.empty() || (name.front() >= '0' && name.front() <= '9')) return false;
  if (name.find("[]") != std::string_view::npos) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    return letter || c == '.' || c == '[' || c == ']';
  });
}

std::string effects_of(const FlowStep& step) {
  std::vector<std::string> effects;
  for (const Changes& changes : step.changes) {
    for (const NamedValue& value : changes.values) {
      if (!is_in_program(value)) continue;
      const std::string owner = changes.thread.empty() ? "" : changes.thread + ".";
      effects.push_back(fmt::format("{}{} = {}", owner, value.shown, value.text));
    }
  }
  for (const std::string& thread : step.created) effects.push_back("creates " + thread);
  for (const std::string& thread : step.ended) effects.push_back(thread + " ends");
  if (step.violates) effects.emplace_back("violates the property");
  if (step.fault) effects.push_back(fmt::format("fault: {}", to_string(*step.fault)));
  std::string text;
  for (const std::string& effect : effects) text += (text.empty() ? "" : ", ") + effect;
  return text;
}

}  // namespace cohort::report
