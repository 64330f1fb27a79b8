#include "strategy/parts.hpp"

#include <array>
#include <map>

#include "base/contract.hpp"
#include "model/analysis/thread_bound.hpp"
#include "model/passes/questions.hpp"
#include "model/property.hpp"

namespace cohort::strategy {

namespace {

enum class Class : std::uint8_t { Deadlocks, States, Steps };

std::string name_of(Class of) {
  switch (of) {
    case Class::Deadlocks: return "deadlocks alone";
    case Class::States: return "races and states alone";
    case Class::Steps: return "assertions and faults alone";
  }
  COHORT_UNREACHABLE("every class has a name");
}

// None: what is not modelled belongs to all parts.
std::optional<Class> class_of(model::PropertyKind kind) {
  switch (kind) {
    case model::PropertyKind::Deadlock: return Class::Deadlocks;
    case model::PropertyKind::Cover:
    case model::PropertyKind::Condition: return Class::States;
    case model::PropertyKind::Assertion:
    case model::PropertyKind::ErrorLabel:
    case model::PropertyKind::Fault: return Class::Steps;
    case model::PropertyKind::Cut: return std::nullopt;
  }
  COHORT_UNREACHABLE("every kind of property has a class, or none");
}

std::map<Class, model::Question> questions_of(const model::Program& program) {
  std::map<Class, model::Question> found;
  for (std::size_t i = 0; i < program.properties.size(); ++i) {
    if (const auto of = class_of(program.properties[i].kind)) found[*of].properties.push_back(model::PropertyId(i));
  }
  return found;
}

}  // namespace

void Part::simplify(Env& env) {
  COHORT_EXPECT(!simplified_, "a part is simplified once");
  simplified_ = model::simplify(flat_, {}, &env);
}

std::vector<std::unique_ptr<Part>> parts_of(const model::Program& flat) {
  const auto questions = questions_of(flat);
  std::vector<std::unique_ptr<Part>> parts;
  if (questions.size() < 2) return parts;
  for (const auto& [of, question] : questions) {
    parts.push_back(std::make_unique<Part>(name_of(of), model::asking_only(flat, {question})));
  }
  return parts;
}

bool has_parts(const model::Program& flat, const Threads& threads, const engine::EngineOptions& options) {
  if (options.certificate || threads.any_number) return false;
  const auto questions = questions_of(flat);
  if (questions.size() < 2) return false;
  return !questions.contains(Class::Deadlocks) || threads.bound || model::most_threads(flat);
}

}  // namespace cohort::strategy
