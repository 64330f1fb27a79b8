#include "model/passes/questions.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/contract.hpp"
#include "model/property.hpp"

namespace cohort::model {

namespace {

std::string id_of(const Property& property, std::size_t number) {
  std::string id = to_string(property.span);
  if (!property.words.empty()) return id + (id.empty() ? "" : " ") + property.words;
  if (!id.empty()) return id;
  const std::string kind(to_string(property.kind));
  // Of what has neither a place nor a name there may be several.
  return property.kind == Property::Kind::Deadlock || property.kind == Property::Kind::Fault
             ? kind
             : kind + " " + std::to_string(number + 1);
}

bool is_meant(const std::string& id, const std::string& given) {
  if (!id.starts_with(given)) return false;
  return id.size() == given.size() || id[given.size()] == ':' || id[given.size()] == ' ';
}

// Whoever comes here ends the execution: nobody moves any more.
void end_executions_at(Template& templ, LocId location) {
  for (Edge& edge : templ.edges) {
    if (edge.target != location) continue;
    Action& last = edge.actions.back();
    if (!last.call && !last.ret && !last.ends_thread) last.atomic = AtomicChange::Enter;
  }
}

}  // namespace

std::vector<Question> questions(const Program& program) {
  using Key = std::tuple<bool, std::string, std::uint32_t, std::uint32_t, std::string>;
  std::map<Key, Question> found;
  for (std::size_t i = 0; i < program.properties.size(); ++i) {
    const Property& property = program.properties[i];
    if (property.kind == Property::Kind::Cut) continue;
    const std::string id = id_of(property, i);
    const SourceSpan& span = property.span;
    const Key key{!span.known(), span.known() ? span.file->name() : "", span.line, span.column, id};
    Question& question = found[key];
    question.id = id;
    if (question.text.empty()) question.text = property.text;
    question.properties.push_back(PropertyId(i));
  }
  std::vector<Question> result;
  for (auto& [key, question] : found) result.push_back(std::move(question));
  return result;
}

std::vector<Question> questions_at(const Program& program, const std::string& id) {
  std::vector<Question> meant = questions(program);
  std::erase_if(meant, [&](const Question& question) { return !is_meant(question.id, id); });
  return meant;
}

Program asking_only(Program program, const std::vector<Question>& asked) {
  std::set<PropertyId> kept;
  for (const Question& question : asked) kept.insert(question.properties.begin(), question.properties.end());
  const auto is_left_out = [&](PropertyId id) {
    return !kept.contains(id) && program.properties[id.value].kind != Property::Kind::Cut;
  };
  for (Template& templ : program.templates) {
    for (std::size_t i = 0; i < templ.locations.size(); ++i) {
      auto& error = templ.locations[i].error;
      if (!error || !is_left_out(*error)) continue;
      if (program.properties[error->value].kind == Property::Kind::Assertion) end_executions_at(templ, LocId(i));
      error.reset();
    }
  }
  for (std::size_t i = 0; i < program.properties.size(); ++i) {
    Property& property = program.properties[i];
    if (!is_left_out(PropertyId(i))) continue;
    if (property.kind == Property::Kind::Fault) program.faults = FaultPolicy::Drop;
    // One that no location has: nothing violates it, and those that speak of states are not looked at.
    property = {.kind = Property::Kind::Assertion, .text = property.text, .span = property.span};
  }
  return program;
}

}  // namespace cohort::model
