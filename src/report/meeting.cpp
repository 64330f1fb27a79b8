#include "report/meeting.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "model/mistake.hpp"
#include "report/condition.hpp"
#include "report/stack_words.hpp"
#include "report/stretches.hpp"
#include "report/text.hpp"
#include "report/trace_view.hpp"
#include "result/replay.hpp"

namespace cohort::report {

namespace {

std::optional<model::EdgeRef> next_edge(const model::Program& program, model::TemplateId templ, model::LocId location) {
  const auto& edges = program.templ(templ).edges;
  const auto edge = std::find_if(edges.begin(), edges.end(), [&](const model::Edge& one) {
    return one.source == location && !one.actions.front().text.empty();
  });
  if (edge == edges.end()) return std::nullopt;
  return model::EdgeRef{templ, static_cast<std::uint32_t>(edge - edges.begin())};
}

}  // namespace

std::vector<std::string> meeting_words(const model::Program& program, const model::Run& run,
                                       model::PropertyId property) {
  const model::Property& target = program.properties[property.value];
  if (mistake_of(target) != model::Mistake::DataRace) return {};
  const auto names = result::thread_names(run).back();
  std::vector<std::string> lines;
  std::set<std::size_t> taken;
  for (const auto& [templ, location] : target.threads) {
    const auto& threads = run.last().threads;
    for (std::size_t slot = 0; slot < threads.size(); ++slot) {
      if (!threads[slot] || threads[slot]->templ != templ || threads[slot]->location != location) continue;
      if (!taken.insert(slot).second) continue;
      const auto edge = next_edge(program, templ, location);
      if (!edge) return {};
      const model::Action& action = program.edge(*edge).actions.front();
      lines.push_back(fmt::format("{} is at {}: {}{}", thread_name(program, names[slot]), place_text(action.span),
                                  with_keyword(action.span, action.text), stack_words(program, *edge)));
      break;
    }
  }
  if (lines.size() != target.threads.size()) return {};
  // The front end says behind the two accesses where another reading of the program would have no race.
  const std::size_t remark = target.text.ends_with(')') ? target.text.rfind(" (none with ") : std::string::npos;
  lines.push_back(fmt::format("why: both are about to access {}, and nothing orders them{}",
                              written_name(std::string(model::object_of_mistake(target.words))),
                              remark == std::string::npos ? "" : target.text.substr(remark)));
  return lines;
}

}  // namespace cohort::report
