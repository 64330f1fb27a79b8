#include "report/html.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "base/version.hpp"
#include "report/flow_graph.hpp"
#include "report/proof.hpp"
#include "report/stretches.hpp"
#include "report/waiting.hpp"
#include "report/words.hpp"

namespace cohort::report {

using nlohmann::ordered_json;
using result::Answer;
using result::Verdict;

namespace {

// The values that people know of, by name; those of threads as `T1.x`.
using Values = std::map<std::string, std::string>;

class Page {
 public:
  Page(const model::Program& program, const Answer& answer, TraceDetail detail)
      : program_(program),
        answer_(answer),
        detail_(detail),
        graphs_(flow_graphs(program, answer.result.run ? &*answer.result.run : nullptr)) {}

  void add_all(ordered_json& data) {
    if (answer_.result.verdict == Verdict::Unsafe) add_run(data);
    add_graphs(data);
    for (const SourceFilePtr& file : sources_) {
      data["sources"].push_back({{"name", file->name()}, {"text", file->text()}});
    }
  }

 private:
  void add_run(ordered_json& data) {
    const model::Run& run = *answer_.result.run;
    Narrator narrator(program_, run.initial);
    Values values = values_of(narrator);
    Places places = places_of(narrator);
    for (const auto& [name, text] : values) data["initial"].push_back({name, text});
    for (const auto& [thread, place] : places) data["places"].push_back({thread, place});
    std::map<std::string, std::string> routines = routines_of(narrator);
    std::size_t taken = 0;
    for (const StoryLine& line : trace_lines(program_, run, detail_)) {
      for (; taken < line.last; ++taken) {
        if (!run.steps[taken].fault) narrator.advance(run.steps[taken]);
        routines.merge(routines_of(narrator));
      }
      Values after = values_of(narrator);
      Places moved = places_of(narrator);
      data["steps"].push_back(step(line, values, after));
      data["steps"].back()["moves"] = differences(places, moved);
      values = std::move(after);
      places = std::move(moved);
      const auto same = [&](const ordered_json& thread) { return thread[0] == line.thread; };
      const auto& threads = data["threads"];
      if (std::none_of(threads.begin(), threads.end(), same)) {
        data["threads"].push_back({line.thread, routines[line.thread]});
      }
    }
    if (violation_of(program_, answer_).kind != "deadlock") return;
    for (const Waiting& row : waiting_threads(program_, run)) {
      data["waiting"].push_back({{"thread", row.thread},
                                 {"wants", wanted(row)},
                                 {"because", row.because},
                                 {"place", row.place},
                                 {"statement", row.statement},
                                 {"holds", row.holds}});
    }
  }

  // By thread: the graph and the node of it.
  using Places = std::map<std::string, ordered_json>;

  Places places_of(const Narrator& narrator) const {
    Places places;
    const model::State& state = narrator.state();
    for (std::size_t slot = 0; slot < state.threads.size(); ++slot) {
      if (!state.threads[slot]) continue;
      const model::ThreadState& thread = *state.threads[slot];
      const auto node = graphs_[thread.templ.value].node_of[thread.location.value];
      if (node) places[narrator.name_of(slot)] = {thread.templ.value, *node};
    }
    return places;
  }

  std::map<std::string, std::string> routines_of(const Narrator& narrator) const {
    std::map<std::string, std::string> routines;
    const model::State& state = narrator.state();
    for (std::size_t slot = 0; slot < state.threads.size(); ++slot) {
      if (state.threads[slot]) routines[narrator.name_of(slot)] = program_.templ(state.threads[slot]->templ).name;
    }
    return routines;
  }

  static ordered_json differences(const Places& before, const Places& after) {
    ordered_json moves = ordered_json::array();
    for (const auto& [thread, place] : after) {
      const auto old = before.find(thread);
      if (old == before.end() || old->second != place) moves.push_back({thread, place});
    }
    for (const auto& [thread, place] : before) {
      if (!after.contains(thread)) moves.push_back({thread, nullptr});
    }
    return moves;
  }

  // Of proofs with what holds at each place.
  void add_graphs(ordered_json& data) {
    Proof proof;
    if (answer_.result.certificate != nullptr) proof = proof_of(program_, *answer_.result.certificate, graphs_);
    data["proof"] = proof.words;
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      const FlowGraph& graph = graphs_[i];
      ordered_json nodes = ordered_json::array();
      for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const FlowGraph::Node& node = graph.nodes[n];
        const PlaceFacts facts = proof.words.empty() ? PlaceFacts{} : proof.places[i][n];
        nodes.push_back({{"place", node.place},
                         {"text", node.text},
                         {"error", node.is_error},
                         {"file", nullptr},
                         {"line", node.span.line},
                         {"count", facts.count},
                         {"facts", facts.facts}});
        if (node.span.known()) nodes.back()["file"] = source(node.span.file);
      }
      data["graphs"].push_back({{"index", i},
                                {"name", graph.name},
                                {"note", graph.note},
                                {"nodes", std::move(nodes)},
                                {"edges", graph.edges}});
    }
  }

  Values values_of(const Narrator& narrator) const {
    Values values;
    const model::State& state = narrator.state();
    add_values(narrator, program_.shared, state.shared, "", values);
    for (std::size_t slot = 0; slot < state.threads.size(); ++slot) {
      if (!state.threads[slot]) continue;
      const model::ThreadState& thread = *state.threads[slot];
      add_values(narrator, program_.templ(thread.templ).locals, thread.locals, narrator.name_of(slot) + ".", values);
    }
    return values;
  }

  // Variables of one name are told apart by numbers in the model, `n#2`; here that is `n (2)`.
  static std::string people_call(const std::string& name) {
    static const std::regex number("#([0-9]+)");
    std::smatch found;
    if (!std::regex_search(name, found, number)) return name;
    return fmt::format("{} ({})", written_name(name), found[1].str());
  }

  // Of long arrays, only the elements that are not 0: a page is to be read.
  void add_values(const Narrator& narrator, const std::vector<model::Variable>& variables,
                  const model::Valuation& valuation, const std::string& prefix, Values& values) const {
    constexpr std::uint32_t long_array = 64;
    const bool hides = !is_full(detail_) && has_story(program_);
    for (const model::Variable& variable : variables) {
      if (hides && variable.look.internal) continue;
      const std::uint32_t count = variable.type.slots();
      for (std::uint32_t element = 0; element < count; ++element) {
        const model::Value value = valuation[variable.slot + element];
        if (count > long_array && value == 0) continue;
        const NamedValue named = narrator.named(variable, element, value);
        values[prefix + (hides ? people_call(named.shown) : named.shown)] = named.text;
      }
    }
  }

  ordered_json step(const StoryLine& line, const Values& before, const Values& after) {
    ordered_json changes = ordered_json::array();
    for (const auto& [name, text] : after) {
      const auto old = before.find(name);
      if (old == before.end() || old->second != text) changes.push_back({name, text});
    }
    for (const auto& [name, text] : before) {
      if (!after.contains(name)) changes.push_back({name, nullptr});
    }
    ordered_json object = {{"thread", line.thread},       {"place", place_text(line.span)},
                           {"statement", line.statement}, {"effect", line.effect},
                           {"depth", line.depth},         {"file", nullptr},
                           {"line", line.span.line},      {"changes", std::move(changes)}};
    if (line.span.known()) object["file"] = source(line.span.file);
    return object;
  }

  std::size_t source(const SourceFilePtr& file) {
    const auto found = std::find(sources_.begin(), sources_.end(), file);
    if (found != sources_.end()) return static_cast<std::size_t>(found - sources_.begin());
    sources_.push_back(file);
    return sources_.size() - 1;
  }

  const model::Program& program_;
  const Answer& answer_;
  const TraceDetail detail_;
  const std::vector<FlowGraph> graphs_;
  std::vector<SourceFilePtr> sources_;
};

// The rounds of predicate abstraction, which are statistics of their own: `round_3: 0.12 s, 4 predicates: what came of
// it`.
ordered_json rounds_of(const Statistics& statistics) {
  ordered_json rounds = ordered_json::array();
  static const std::regex pattern(R"(([0-9.]+) s, ([0-9]+) predicates?: ([^]*))");
  for (const auto& [name, value] : statistics.entries()) {
    std::smatch parts;
    const std::string text = to_string(value);
    if (!name.starts_with("round_") || !std::regex_match(text, parts, pattern)) continue;
    rounds.push_back({{"number", std::stoul(name.substr(6))},
                      {"seconds", std::stod(parts[1])},
                      {"predicates", std::stoul(parts[2])},
                      {"outcome", parts[3].str()}});
  }
  return rounds;
}

// In a script element nothing but `<` could end the data before their end.
std::string for_script(const ordered_json& data) {
  std::string text = data.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace

std::string to_html(const model::Program& program, const Answer& answer, const Statistics& statistics,
                    TraceDetail detail) {
  ordered_json data = {{"verdict", verdict_word(answer.result.verdict)},
                       {"headline", headline(program, answer)},
                       {"violated", ""},
                       {"made", fmt::format("Cohort {}", version())},
                       {"why", reasons(program, answer)},
                       {"assumed", program.assumptions},
                       {"tried", ordered_json::array()},
                       {"statistics", ordered_json::array()},
                       {"rounds", rounds_of(statistics)},
                       {"proof", ""},
                       {"waiting", ordered_json::array()},
                       {"graphs", ordered_json::array()},
                       {"places", ordered_json::array()},
                       {"initial", ordered_json::array()},
                       {"steps", ordered_json::array()},
                       {"threads", ordered_json::array()},
                       {"sources", ordered_json::array()}};
  for (const std::string& remark : answer.remarks) data["assumed"].push_back(remark);
  for (const std::string& bound : answer.raised) data["why"].push_back("raised: " + bound);
  if (const std::string words = sufficient_words(answer); !words.empty()) data["why"].push_back(words);
  for (const auto& [name, value] : statistics.entries()) {
    if (!name.starts_with("round_")) data["statistics"].push_back({name, to_string(value)});
  }
  for (const result::Attempt& attempt : answer.attempts) {
    data["tried"].push_back(fmt::format("{}: {:.1f} s{}{}", attempt.title, attempt.seconds,
                                        attempt.said.empty() ? "" : ": ", attempt.said));
  }
  if (answer.result.verdict == Verdict::Unknown && !answer.advice.empty()) {
    data["why"].push_back("may help: " + answer.advice);
  }
  if (answer.result.verdict == Verdict::Unsafe) data["violated"] = violation_of(program, answer).text;
  Page(program, answer, detail).add_all(data);
  constexpr std::string_view hole = "@DATA@";
  std::string page = html_page();
  const std::size_t at = page.find(hole);
  COHORT_EXPECT(at != std::string::npos, "the page has a place for its data");
  return page.replace(at, hole.size(), for_script(data));
}

}  // namespace cohort::report
