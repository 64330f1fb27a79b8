#include "convert/state_graph.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include <fmt/format.h>

#include "base/source.hpp"
#include "convert/dot.hpp"
#include "model/interpreter.hpp"

namespace cohort::convert {

namespace {

using model::State;

class Drawing {
 public:
  Drawing(const model::Program& program, std::uint32_t threads)
      : program_(program), interpreter_(program, threads), has_names_(uses_thread_refs(program)) {}

  std::string draw() {
    for (const State& state : interpreter_.initial_states()) number_of(state, true);
    for (; !open_.empty(); open_.pop_front()) expand(*open_.front());
    return "digraph states {\n  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n" +
           nodes_ + edges_ + "}\n";
  }

 private:
  std::size_t number_of(const State& state, bool is_start) {
    const auto [it, is_new] = numbers_.try_emplace(has_names_ ? state : canonical(state), numbers_.size());
    if (!is_new) return it->second;
    if (numbers_.size() > most_drawn_states) {
      throw_unsupported({}, fmt::format("a picture of more than {} states", most_drawn_states));
    }
    const bool is_bad = interpreter_.violated(it->first).has_value();
    nodes_ += fmt::format("  s{} [label={}{}{}];\n", it->second, dot_text(label(it->first)),
                          is_bad ? ", peripheries=2, color=red" : "", is_start ? ", style=bold" : "");
    if (!is_bad) open_.push_back(&it->first);
    return it->second;
  }

  void expand(const State& state) {
    const std::size_t from = numbers_.at(state);
    std::map<std::pair<std::size_t, std::string>, bool> drawn;  // threads that are alike take the same steps
    for (const model::Transition& step : interpreter_.successors(state)) {
      const std::string text = statement_text(program_.edge(step.edge));
      if (step.fault) {
        edges_ += fmt::format("  s{} -> s{} [label={}, color=red];\n", from, from,
                              dot_text(fmt::format("{}\n{}", text, to_string(*step.fault))));
        continue;
      }
      const std::size_t to = number_of(step.target, false);
      if (!drawn.try_emplace({to, text}, true).second) continue;
      edges_ += fmt::format("  s{} -> s{} [label={}];\n", from, to, dot_text(text));
    }
  }

  static std::string values(const std::vector<model::Variable>& variables, const model::Valuation& valuation) {
    std::string text;
    for (const model::Variable& variable : variables) {
      if (variable.look.internal) continue;
      for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
        const std::string name =
            variable.type.is_array() ? model::element_name(variable.name, variable.look, i) : variable.name;
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, valuation[variable.slot + i]);
      }
    }
    return text;
  }

  std::string label(const State& state) const {
    std::string text = values(program_.shared, state.shared);
    for (const auto& thread : state.threads) {
      if (!thread) continue;
      const model::Template& templ = program_.templ(thread->templ);
      const model::Location& location = templ.locations[thread->location.value];
      const std::string place = !location.label.empty() ? location.label
                                : location.span.known() ? fmt::format("line {}", location.span.line)
                                                        : std::to_string(thread->location.value);
      const std::string own = values(templ.locals, thread->locals);
      text += fmt::format("{}{} {}{}{}{}", text.empty() ? "" : "\n", templ.name, place,
                          thread->atomic ? " (atomic)" : "", own.empty() ? "" : ": ", own);
    }
    return text;
  }

  const model::Program& program_;
  const model::Interpreter interpreter_;
  const bool has_names_;
  std::map<State, std::size_t> numbers_;
  std::deque<const State*> open_;
  std::string nodes_;
  std::string edges_;
};

}  // namespace

std::string to_state_graph(const model::Program& program, std::uint32_t threads) {
  return Drawing(program, threads).draw();
}

}  // namespace cohort::convert
