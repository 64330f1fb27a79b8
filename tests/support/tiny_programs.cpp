#include "support/tiny_programs.hpp"

namespace cohort::test {

using namespace model;

namespace {

enum class Effect { None, Clear, Set, Choose, Flip, SpawnFirst, SpawnSecond, End, Enter, Exit };

constexpr std::size_t sources = 2;
constexpr std::size_t targets = 3;  // two locations and the error location
constexpr std::size_t guards = 3;
constexpr std::size_t effects = 10;

void apply_effect(Program& program, Effect effect, VarId shared, Action& action) {
  ExprPool& exprs = program.exprs;
  const LValue target{.kind = LValue::Kind::Shared, .var = shared};
  const auto spawn = [&](std::size_t location) { action.spawns.push_back({TemplateId(0), LocId(location), true, {}}); };
  switch (effect) {
    case Effect::None: break;
    case Effect::Clear: action.assigns.push_back({target, exprs.falsity()}); break;
    case Effect::Set: action.assigns.push_back({target, exprs.truth()}); break;
    case Effect::Choose: action.assigns.push_back({target, exprs.nondet(Type::boolean())}); break;
    case Effect::Flip: action.assigns.push_back({target, exprs.negate(exprs.shared(shared, Type::boolean()))}); break;
    case Effect::SpawnFirst: spawn(0); break;
    case Effect::SpawnSecond: spawn(1); break;
    case Effect::End: action.ends_thread = true; break;
    case Effect::Enter: action.atomic = AtomicChange::Enter; break;
    case Effect::Exit: action.atomic = AtomicChange::Exit; break;
  }
}

}  // namespace

std::size_t tiny_alphabet_size() {
  return sources * targets * guards * effects;
}

Program tiny_program(const std::vector<std::size_t>& letters) {
  Program program;
  program.name = "tiny";
  const VarId shared = program.add_shared({.name = "s", .initial = {0}});
  const PropertyId property = program.add_property({.kind = Property::Kind::ErrorLabel, .text = "ERROR"});
  Template templ;
  templ.name = "main";
  templ.add_location({.label = "L0"});
  templ.add_location({.label = "L1"});
  templ.add_location({.label = "ERROR", .error = property});
  for (std::size_t letter : letters) {
    Edge edge;
    edge.source = LocId(letter % sources);
    letter /= sources;
    edge.target = LocId(letter % targets);
    letter /= targets;
    Action action;
    const ExprId value = program.exprs.shared(shared, Type::boolean());
    if (letter % guards == 1) action.guard = value;
    if (letter % guards == 2) action.guard = program.exprs.negate(value);
    letter /= guards;
    apply_effect(program, static_cast<Effect>(letter), shared, action);
    edge.actions.push_back(std::move(action));
    templ.edges.push_back(std::move(edge));
  }
  program.add_template(std::move(templ));
  program.initial.push_back({TemplateId(0), LocId(0), 1});
  return program;
}

}  // namespace cohort::test
