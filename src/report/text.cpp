#include "report/text.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <fmt/format.h>

#include "base/contract.hpp"
#include "model/property.hpp"
#include "report/columns.hpp"
#include "report/condition.hpp"
#include "report/counters.hpp"
#include "report/fold.hpp"
#include "report/freed.hpp"
#include "report/meeting.hpp"
#include "report/stack_words.hpp"
#include "report/story.hpp"
#include "report/waiting.hpp"
#include "report/words.hpp"
#include "result/replay.hpp"

namespace cohort::report {

using result::Answer;
using result::Verdict;

namespace {

constexpr std::size_t widest_statement = 60;
constexpr std::size_t default_width = 120;  // of columns that are asked for where there is no terminal
constexpr std::size_t indentation = 2;      // for each call

// The variables that the steps of a run read or write, by name: the values at the start that explain it.
struct Touched {
  std::set<std::string> shared;
  std::set<std::pair<std::uint32_t, std::string>> locals;  // template, name
};

void touch(const model::Program& program, model::TemplateId templ, model::ExprId root, Touched& touched) {
  for_each_node(program.exprs, root, [&](const model::Expr& node, model::ExprId) {
    if (node.op == model::Op::SharedVar) touched.shared.insert(program.shared[node.var.value].name);
    if (node.op == model::Op::LocalVar) {
      touched.locals.emplace(templ.value, program.templ(templ).local(node.var).name);
    }
    if (node.op == model::Op::PassiveVar || node.op == model::Op::RemoteVar) {
      touched.locals.emplace(node.templ.value, program.templ(node.templ).local(node.var).name);
    }
  });
}

Touched touched_by(const model::Program& program, const model::Run& run) {
  Touched touched;
  std::set<model::EdgeRef> seen;
  for (const model::Transition& step : run.steps) {
    if (!seen.insert(step.edge).second) continue;
    for (const model::Action& action : program.edge(step.edge).actions) {
      if (action.guard) touch(program, step.edge.templ, *action.guard, touched);
      for (const model::ExprId conjunct : action.constraint) touch(program, step.edge.templ, conjunct, touched);
      for (const model::Assign& assign : action.assigns) {
        touch(program, step.edge.templ, assign.value, touched);
        if (assign.target.index) touch(program, step.edge.templ, *assign.target.index, touched);
        if (assign.target.ref) touch(program, step.edge.templ, *assign.target.ref, touched);
      }
    }
  }
  for (const model::Property& property : program.properties) {
    if (!property.condition) continue;
    for_each_node(program.exprs, *property.condition, [&](const model::Expr& node, model::ExprId) {
      if (node.op == model::Op::SharedVar) touched.shared.insert(program.shared[node.var.value].name);
    });
  }
  return touched;
}

// What a scalar belongs to: the variable of the model, before the index of the element.
std::string variable_of(const NamedValue& value) {
  return value.name.ends_with(']') ? value.name.substr(0, value.name.rfind('[')) : value.name;
}

std::string start_text(const model::Program& program, const model::Run& run, const TraceView& view) {
  const Touched touched = touched_by(program, run);
  std::string threads;
  std::string values;
  const auto append = [](std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; };
  for (const NamedValue& value : view.shared) {
    if (touched.shared.contains(variable_of(value))) append(values, value.shown + " = " + value.text);
  }
  for (const ThreadView& thread : view.threads) {
    const std::string& mode = program.templ(thread.state.templ).locations[thread.state.location.value].label;
    append(threads, has_modes(program) ? fmt::format("{} in {}", thread.name, mode) : thread.name);
    for (const NamedValue& value : thread.locals) {
      if (touched.locals.contains({thread.state.templ.value, variable_of(value)})) {
        append(values, fmt::format("{}.{} = {}", thread.name, value.shown, value.text));
      }
    }
  }
  return fmt::format("start: {}{}\n", threads, values.empty() ? "" : "; " + values);
}

// The statement below those that call it.
std::string shown(const StoryLine& line) {
  const std::string indent(line.depth * indentation, ' ');
  if (line.statement.size() <= widest_statement) return indent + line.statement;
  return indent + line.statement.substr(0, widest_statement - 3) + "...";
}

std::string rtrim(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string place_text(const SourceSpan& span) {
  if (!span.known()) return "";
  const std::string& path = span.file->name();
  return fmt::format("{}:{}", path.substr(path.find_last_of('/') + 1), span.line);
}

std::string effect_text(const model::Program& program, const StepView& step) {
  std::vector<std::string> effects;
  if (!step.branch.empty()) effects.push_back("to " + step.branch);
  if (!step.mode.empty()) effects.push_back("goes to " + step.mode);
  if (step.enters_atomic) effects.emplace_back("enters atomic section");
  for (const Changes& changes : step.changes) {
    const std::string prefix = changes.thread.empty() ? "" : changes.thread + ".";
    for (const NamedValue& value : changes.values) {
      effects.push_back(fmt::format("{}{} = {}", prefix, value.shown, value.text));
    }
  }
  for (const MovedThread& moved : step.moved) {
    effects.push_back(moved.thread + (moved.label.empty() ? " is moved" : " is moved to " + moved.label));
  }
  for (const ThreadView& thread : step.created) {
    const std::string& label = program.templ(thread.state.templ).locations[thread.state.location.value].label;
    effects.push_back(fmt::format("creates {}{}", thread.name, label.empty() ? "" : " at " + label));
  }
  if (step.leaves_atomic) effects.emplace_back("leaves atomic section");
  for (const std::string& thread : step.ended) effects.push_back(thread + " ends");
  if (step.violates) effects.emplace_back("violates the property");
  if (step.fault) effects.push_back(fmt::format("fault: {}", to_string(*step.fault)));
  std::string text;
  for (const std::string& effect : effects) text += (text.empty() ? "" : ", ") + effect;
  return text;
}

namespace {

std::string lines_text(const std::vector<StoryLine>& lines) {
  std::size_t thread_width = 0;
  std::size_t place_width = 0;
  std::size_t statement_width = 0;
  for (const StoryLine& line : lines) {
    thread_width = std::max(thread_width, line.thread.size());
    place_width = std::max(place_width, place_text(line.span).size());
    statement_width = std::max(statement_width, shown(line).size());
  }
  const std::size_t number_width = std::to_string(lines.size()).size();
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const StoryLine& line = lines[i];
    if (line.switches && line.folded != StoryLine::Folded::Turn)
      text += fmt::format("  {:>{}}  -- switch to {} --\n", "", number_width, line.thread);
    text += rtrim(fmt::format("  {:>{}}  {:<{}}  {:<{}}  {:<{}}  {}", i + 1, number_width, line.thread, thread_width,
                              place_text(line.span), place_width, shown(line), statement_width, line.effect)) +
            "\n";
  }
  return text;
}

std::string story_start(const model::Program& program, const model::Run& run) {
  const std::vector<std::string> values = start_of(program, run);
  return values.empty() ? "" : fmt::format("start: {}\n", fmt::join(values, ", "));
}

}  // namespace

std::vector<StoryLine> trace_lines(const model::Program& program, const model::Run& run, TraceDetail detail) {
  if (!is_full(detail) && has_story(program)) return story_of(program, run);
  std::vector<StoryLine> lines;
  for (const StepView& step : view_of(program, run).steps) {
    const std::size_t last = lines.size() + 1;
    const std::size_t depth = calls_around(program, step.edge).size();
    lines.push_back({step.thread, step.span, step.statement, effect_text(program, step), step.switches, last, depth});
  }
  return lines;
}

std::string trace_text(const model::Program& program, const model::Run& run, TraceDetail detail, std::size_t width) {
  const bool is_story = !is_full(detail) && has_story(program);
  const std::string start = is_story ? story_start(program, run) : start_text(program, run, view_of(program, run));
  std::vector<StoryLine> lines = trace_lines(program, run, detail);
  if (is_story) lines = folded(std::move(lines));
  const std::size_t columns = detail == TraceDetail::Columns && width == 0 ? default_width : width;
  const bool asks = detail == TraceDetail::Columns || (detail == TraceDetail::Story && is_story);
  const std::string in_columns =
      asks && columns > 0 ? columns_text(lines, columns, detail == TraceDetail::Columns) : "";
  const std::string counters = detail == TraceDetail::Counters ? counters_text(program, run) : "";
  return start + (in_columns.empty() ? lines_text(lines) : in_columns) + counters;
}

std::string statistics_text(const Statistics& statistics) {
  std::string text;
  for (const auto& [name, value] : statistics.entries()) text += fmt::format("{}: {}\n", name, to_string(value));
  return text;
}

namespace {

// Of each engine, the attempt that took longest; engines that say the same, together.
std::string tried_text(const std::vector<result::Attempt>& attempts) {
  std::vector<const result::Attempt*> longest;
  for (const result::Attempt& attempt : attempts) {
    const auto same = [&](const result::Attempt* other) { return other->engine == attempt.engine; };
    const auto it = std::find_if(longest.begin(), longest.end(), same);
    if (it == longest.end()) {
      longest.push_back(&attempt);
    } else if (attempt.seconds > (*it)->seconds) {
      *it = &attempt;
    }
  }
  std::vector<std::pair<std::string, std::string>> said;  // the engines, and what they say
  for (const result::Attempt* attempt : longest) {
    const std::string words = attempt->said.empty() ? fmt::format("{:.1f} s", attempt->seconds) : attempt->said;
    const auto same = std::find_if(said.begin(), said.end(), [&](const auto& other) { return other.second == words; });
    if (same == said.end()) {
      said.emplace_back(attempt->engine, words);
    } else {
      same->first += ", " + attempt->engine;
    }
  }
  std::string text;
  for (const auto& [engines, words] : said) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", engines, words);
  return text;
}

// Three lines with the verdict's own: what was tried, and what to try next; the rest is for those who ask.
std::string unknown_text(const Answer& answer, const std::string& next_command) {
  std::string text;
  if (!answer.attempts.empty()) text += fmt::format("tried: {}\n", tried_text(answer.attempts));
  if (!next_command.empty()) {
    text += fmt::format("try next: {}\n", next_command);
  } else if (!answer.advice.empty()) {
    text += fmt::format("may help: {}\n", answer.advice);
  }
  return text;
}

// Who answered, and what the others did.
std::string verbose_text(const Answer& answer) {
  std::string text;
  if (!answer.engine.empty() && answer.result.verdict != Verdict::Unknown) {
    text += fmt::format("answered by: {}\n", answer.engine);
  }
  for (const result::Attempt& attempt : answer.attempts) {
    text += fmt::format("  {}: {:.1f} s{}\n", attempt.title, attempt.seconds,
                        attempt.said.empty() ? "" : ": " + attempt.said);
  }
  return text;
}

}  // namespace

namespace {

// The thread that the last step creates, if it is created where the violation is.
std::optional<std::string> begun_at_error(const model::Program& program, const model::Run& run) {
  const model::Transition& step = run.steps.back();
  const model::Edge& edge = program.edge(step.edge);
  if (program.templ(step.edge.templ).locations[edge.target.value].error) return std::nullopt;
  const TraceView view = view_of(program, run);
  for (const ThreadView& thread : view.steps.back().created) {
    if (program.templ(thread.state.templ).locations[thread.state.location.value].error) return thread.name;
  }
  return std::nullopt;
}

// Who was where when it happened, what it met, and what calls had led there: one sentence.
std::string end_words(const model::Program& program, const model::Run& run, const Violation& violation) {
  const std::string place = violation.span.known() ? fmt::format(" at {}", place_text(violation.span)) : "";
  if (run.steps.empty()) return fmt::format("why: T0 comes to {}{}, whatever happens", violation.text, place);
  const model::Transition& step = run.steps.back();
  const model::Action& action = program.edge(step.edge).actions[step.fault ? step.fault_action : 0];
  const auto names = result::thread_names(run);
  // A routine that begins with the mistake: it is not who creates the thread that makes it.
  if (const auto begun = begun_at_error(program, run))
    return fmt::format("why: {} begins{}: {}", *begun, place, violation.text);
  const bool is_assertion = violation.mistake == model::Mistake::Assertion;
  // A part of a condition, or what a macro makes, does not say what is wrong; the property does.
  const bool says_it = violation.text.empty() || action.text.find(violation.text) != std::string::npos ||
                       violation.text.find(action.text) != std::string::npos ||
                       action.text.find("assert") != std::string::npos;
  const std::string statement = action.text == "expression" ? violation.text : with_keyword(action.span, action.text);
  const std::string leads =
      is_assertion && !says_it && statement != violation.text ? " leads to " + violation.text : "";
  const std::vector<std::string> seen = seen_at_end(program, run);
  return fmt::format(
      "why: {} at {}: {}{}{}{}{}", thread_name(program, names[run.steps.size() - 1][step.thread]),
      place_text(action.span), statement, leads,
      is_assertion ? (action.text.find("assert") == std::string::npos ? "" : " fails") : ": " + violation.words,
      seen.empty() ? "" : fmt::format(", with {}", fmt::join(seen, ", ")), stack_words(program, step.edge));
}

}  // namespace

std::vector<std::string> reasons(const model::Program& program, const Answer& answer) {
  if (answer.result.verdict != Verdict::Unsafe || !answer.result.property) return {};
  const Violation violation = violation_of(program, answer);
  const model::Run& run = *answer.result.run;
  if (violation.kind == "deadlock") return waiting_words(program, run);
  auto words = meeting_words(program, run, *answer.result.property);
  if (!words.empty()) return words;
  words = freed_words(program, run);
  const bool at_location = model::is_at_location(program.properties[answer.result.property->value].kind);
  if (has_story(program) && at_location) words.push_back(end_words(program, run, violation));
  return words;
}

std::string to_text(const model::Program& program, const Answer& answer, const Statistics& statistics,
                    const TextStyle& style) {
  std::string first = headline(program, answer);
  if (style.color) {
    const std::string_view word = verdict_word(answer.result.verdict);
    const char* code = answer.result.verdict == Verdict::Safe     ? "32"
                       : answer.result.verdict == Verdict::Unsafe ? "31"
                                                                  : "33";
    first = fmt::format("\033[1;{}m{}\033[0m{}", code, word, first.substr(word.size()));
  }
  std::string text = first + "\n";
  if (const std::string words = sufficient_words(answer); style.trace && !words.empty()) text += words + "\n";
  if (style.trace && answer.result.verdict == Verdict::Safe && !answer.result.reason.empty())
    text += fmt::format("proof: {}\n", answer.result.reason);
  if (answer.result.verdict == Verdict::Unsafe && style.trace) {
    const Violation violation = violation_of(program, answer);
    // What the first line has said in the same words is not said again.
    const bool is_said = has_story(program) && violation.mistake != model::Mistake::Assertion &&
                         violation.mistake != model::Mistake::ErrorLabel;
    if (!violation.text.empty() && !is_said) text += fmt::format("violated: {}\n", violation.text);
    text += trace_text(program, *answer.result.run, style.detail, style.width);
    const bool is_deadlock = violation.kind == "deadlock";
    const auto why = is_deadlock ? waiting_table(program, *answer.result.run) : reasons(program, answer);
    for (const std::string& words : why) text += words + "\n";
  }
  if (style.trace && answer.result.verdict != Verdict::Unknown) {
    for (const std::string& assumption : program.assumptions) text += fmt::format("assumed: {}\n", assumption);
    for (const std::string& remark : answer.remarks) text += fmt::format("assumed: {}\n", remark);
    for (const std::string& bound : answer.raised) text += fmt::format("raised: {}\n", bound);
  }
  if (style.trace && answer.result.verdict == Verdict::Unknown) text += unknown_text(answer, style.next_command);
  if (style.trace && style.verbose) text += verbose_text(answer);
  if (style.statistics) text += statistics_text(statistics);
  return text;
}

}  // namespace cohort::report
