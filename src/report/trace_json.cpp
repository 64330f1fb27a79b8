#include "report/trace_json.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"

namespace cohort::report {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

ordered_json value_to_json(const NamedValue& value) {
  if (value.thread) return *value.thread;
  return value.is_reference ? ordered_json(nullptr) : ordered_json(value.value);
}

ordered_json values_to_json(const std::vector<NamedValue>& values) {
  ordered_json object = ordered_json::object();
  for (const NamedValue& value : values) {
    COHORT_EXPECT(!object.contains(value.name), "the variables of one scope have different names");
    object[value.name] = value_to_json(value);
  }
  return object;
}

ordered_json location_to_json(const model::Program& program, model::TemplateId templ, model::LocId location) {
  const model::Location& place = program.templ(templ).locations[location.value];
  ordered_json object = {{"index", location.value}, {"label", place.label}};
  if (place.span.known()) object["line"] = place.span.line;
  return object;
}

ordered_json thread_to_json(const model::Program& program, const ThreadView& thread) {
  return {{"thread", thread.name},
          {"template", program.templ(thread.state.templ).name},
          {"location", location_to_json(program, thread.state.templ, thread.state.location)},
          {"locals", values_to_json(thread.locals)}};
}

// What tells apart the steps that one thread can make by one edge; the rest of a step follows from these and the edge.
constexpr std::array<const char*, 5> outcome_members = {"changes", "created", "ended", "moved", "fault"};

class TraceReader {
 public:
  TraceReader(const model::Program& program, std::optional<std::uint32_t> bound, SourceFilePtr file)
      : program_(program), interpreter_(program, bound), file_(std::move(file)) {}

  model::Run read(const json& trace) {
    where_ = "the trace";
    const json& initial = member(trace, "initial", json::value_t::object);
    const json& steps = member(trace, "steps", json::value_t::array);
    where_ = "the start of the trace";
    model::Run run{.initial = read_initial(initial), .steps = {}, .choices = read_choices(trace)};
    if (!run.choices.empty()) interpreter_.choose_among(run.choices);
    if (!interpreter_.is_initial(run.initial)) fail("the program does not start like this");
    Narrator narrator(program_, run.initial);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      where_ = fmt::format("step {} of the trace", i + 1);
      if (!run.steps.empty() && run.steps.back().fault) fail("a fault ends the run");
      run.steps.push_back(read_step(narrator, steps[i]));
      if (!run.steps.back().fault) narrator.advance(run.steps.back());
    }
    return run;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw_malformed({file_, 0, 0}, fmt::format("{}: {}", where_, message));
  }

  const json& member(const json& object, const char* name, json::value_t type) const {
    if (!object.is_object()) fail("expected an object");
    const auto it = object.find(name);
    if (it == object.end()) fail(fmt::format("the member \"{}\" is missing", name));
    const bool fits = type == json::value_t::number_unsigned ? it->is_number_unsigned() : it->type() == type;
    if (!fits)
      fail(fmt::format("the member \"{}\" is a {}, expected {}", name, it->type_name(), json(type).type_name()));
    return *it;
  }

  std::vector<model::Value> read_choices(const json& trace) const {
    std::vector<model::Value> choices;
    if (!trace.contains("choices")) return choices;
    for (const json& value : member(trace, "choices", json::value_t::array)) {
      if (!value.is_number_integer()) fail("a value to choose is no integer");
      choices.push_back(value.get<model::Value>());
    }
    return choices;
  }

  model::State read_initial(const json& initial) {
    const json& threads = member(initial, "threads", json::value_t::array);
    model::State state;
    state.shared = read_values(program_.shared, member(initial, "shared", json::value_t::object), threads.size());
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const json& thread = threads[i];
      const std::string& name = member(thread, "thread", json::value_t::string).get_ref<const std::string&>();
      if (name != thread_name(program_, static_cast<std::uint32_t>(i))) {
        fail(fmt::format("the thread at place {} is called {}, expected {}", i, name,
                         thread_name(program_, static_cast<std::uint32_t>(i))));
      }
      const model::TemplateId templ = read_template(thread);
      const json& location = member(thread, "location", json::value_t::object);
      const auto index = member(location, "index", json::value_t::number_unsigned).get<std::uint64_t>();
      if (index >= program_.templ(templ).locations.size()) fail(fmt::format("there is no location {}", index));
      state.threads.emplace_back(model::ThreadState{
          templ, model::LocId(index), false,
          read_values(program_.templ(templ).locals, member(thread, "locals", json::value_t::object), threads.size())});
    }
    return state;
  }

  model::TemplateId read_template(const json& object) const {
    const std::string& name = member(object, "template", json::value_t::string).get_ref<const std::string&>();
    for (std::size_t i = 0; i < program_.templates.size(); ++i) {
      if (program_.templates[i].name == name) return model::TemplateId(i);
    }
    fail(fmt::format("the program has no thread body \"{}\"", name));
  }

  model::Valuation read_values(const std::vector<model::Variable>& variables, const json& values, std::size_t threads) {
    model::Valuation result;
    for (const model::Variable& variable : variables) {
      for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
        const std::string name =
            variable.type.is_array() ? fmt::format("{}[{}]", variable.name, element) : variable.name;
        const auto it = values.find(name);
        if (it == values.end()) fail(fmt::format("the value of {} is missing", name));
        result.push_back(read_value(variable.type.element(), name, *it, threads));
      }
    }
    if (values.size() != result.size()) fail("there are values of variables that the program does not have");
    return result;
  }

  model::Value read_value(const model::Type& type, const std::string& name, const json& value,
                          std::size_t threads) const {
    if (type.kind() == model::Type::Kind::ThreadRef) {
      if (value.is_null()) return 0;
      for (std::size_t slot = 0; slot < threads && value.is_string(); ++slot) {
        if (value.get_ref<const std::string&>() == thread_name(program_, static_cast<std::uint32_t>(slot))) {
          return static_cast<model::Value>(slot) + 1;
        }
      }
      fail(fmt::format("{} is neither null nor a thread", name));
    }
    if (!value.is_number_integer()) fail(fmt::format("the value of {} is no integer", name));
    const auto number = value.get<model::Value>();
    if (!type.contains(number)) fail(fmt::format("{} cannot be {}", name, number));
    return number;
  }

  model::EdgeRef read_edge(const json& step) const {
    const json& edge = member(step, "edge", json::value_t::object);
    const model::TemplateId templ = read_template(edge);
    const auto index = member(edge, "index", json::value_t::number_unsigned).get<std::uint64_t>();
    if (index >= program_.templ(templ).edges.size()) {
      fail(fmt::format("{} has no edge {}", program_.templ(templ).name, index));
    }
    return {templ, static_cast<std::uint32_t>(index)};
  }

  model::Transition read_step(const Narrator& narrator, const json& step) const {
    const std::string& name = member(step, "thread", json::value_t::string).get_ref<const std::string&>();
    const auto slot = narrator.slot_of(name);
    if (!slot) fail(fmt::format("no thread {} is alive", name));
    const model::EdgeRef edge = read_edge(step);
    const std::string& statement = member(step, "statement", json::value_t::string).get_ref<const std::string&>();
    for (const model::Transition& candidate : interpreter_.successors(narrator.state(), *slot, edge)) {
      const json told = step_to_json(program_, narrator.tell(candidate));
      if (told["statement"] != statement) {
        fail(fmt::format("the statement there is \"{}\", not \"{}\": the trace belongs to another program",
                         told["statement"].get<std::string>(), statement));
      }
      if (same_outcome(told, step)) return candidate;
    }
    fail(fmt::format("{} cannot take this step here", name));
  }

  static bool same_outcome(const json& told, const json& step) {
    return std::all_of(outcome_members.begin(), outcome_members.end(), [&](const char* name) {
      const auto left = told.find(name);
      const auto right = step.find(name);
      return (left == told.end()) == (right == step.end()) && (left == told.end() || *left == *right);
    });
  }

  const model::Program& program_;
  model::Interpreter interpreter_;
  SourceFilePtr file_;
  std::string where_;
};

}  // namespace

ordered_json step_to_json(const model::Program& program, const StepView& step) {
  ordered_json object = {{"thread", step.thread}};
  if (step.span.known()) {
    object["file"] = step.span.file->name();
    object["line"] = step.span.line;
    object["column"] = step.span.column;
  }
  object["statement"] = step.statement;
  object["edge"] = {{"template", program.templ(step.edge.templ).name}, {"index", step.edge.edge}};
  if (step.switches) object["switch"] = true;
  if (step.enters_atomic) object["atomic"] = "enter";
  if (step.leaves_atomic) object["atomic"] = "leave";
  ordered_json shared = ordered_json::object();
  ordered_json locals = ordered_json::object();
  for (const Changes& changes : step.changes) {
    (changes.thread.empty() ? shared : locals[changes.thread]) = values_to_json(changes.values);
  }
  object["changes"] = {{"shared", shared}, {"locals", locals}};
  for (const ThreadView& thread : step.created) object["created"].push_back(thread_to_json(program, thread));
  if (!step.ended.empty()) object["ended"] = step.ended;
  for (const MovedThread& moved : step.moved) object["moved"][moved.thread] = moved.location.value;
  if (step.fault) object["fault"] = to_string(*step.fault);
  return object;
}

ordered_json trace_to_json(const model::Program& program, const model::Run& run) {
  const TraceView view = view_of(program, run);
  ordered_json threads = ordered_json::array();
  for (const ThreadView& thread : view.threads) threads.push_back(thread_to_json(program, thread));
  ordered_json steps = ordered_json::array();
  for (const StepView& step : view.steps) steps.push_back(step_to_json(program, step));
  ordered_json trace = {{"initial", {{"shared", values_to_json(view.shared)}, {"threads", threads}}}, {"steps", steps}};
  if (!run.choices.empty()) trace["choices"] = run.choices;
  return trace;
}

model::Run trace_from_json(const model::Program& program, std::optional<std::uint32_t> bound, const json& trace,
                           const SourceFilePtr& file) {
  COHORT_EXPECT(file != nullptr, "a trace has a file to be named in messages");
  return TraceReader(program, bound, file).read(trace);
}

}  // namespace cohort::report
