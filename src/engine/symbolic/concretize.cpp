#include "engine/symbolic/concretize.hpp"

#include "base/contract.hpp"

namespace cohort::engine::symbolic {

dd::Assignment shared_literals(const Encoding& encoding, const model::Valuation& values) {
  dd::Assignment literals;
  for (std::size_t slot = 0; slot < values.size(); ++slot)
    literals.emplace_back(encoding.shared(slot), values[slot] != 0);
  return literals;
}

dd::Assignment local_literals(const Encoding& encoding, const model::Valuation& values) {
  dd::Assignment literals;
  for (std::size_t slot = 0; slot < values.size(); ++slot)
    literals.emplace_back(encoding.local(slot), values[slot] != 0);
  return literals;
}

dd::Assignment child_literals(const Encoding& encoding, std::size_t number, const model::Valuation& values) {
  dd::Assignment literals;
  for (std::size_t slot = 0; slot < values.size(); ++slot)
    literals.emplace_back(encoding.child(number, slot), values[slot] != 0);
  return literals;
}

model::Valuation pick_shared(const Encoding& encoding, const dd::Bdd& set) {
  model::Valuation values;
  for (const auto& literal : dd::pick(set, encoding.shared_vars())) values.push_back(literal.second ? 1 : 0);
  return values;
}

model::Valuation pick_local(const Encoding& encoding, const dd::Bdd& set, std::uint32_t slots) {
  model::Valuation values;
  for (const auto& literal : dd::pick(set, encoding.local_vars())) values.push_back(literal.second ? 1 : 0);
  COHORT_EXPECT(values.size() >= slots, "a template has no more locals than the encoding");
  values.resize(slots);
  return values;
}

model::Run run_through(const model::Program& program, std::uint32_t bound, const std::vector<model::State>& states,
                       const std::vector<model::EdgeRef>& edges) {
  COHORT_EXPECT(states.size() == edges.size() + 1, "a run has one state more than steps");
  const model::Interpreter interpreter(program, bound);
  model::Run run{states[0], {}};
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const model::State before = run.last();
    const model::State wanted = model::canonical(states[i + 1]);
    bool taken = false;
    for (std::size_t slot = 0; slot < before.threads.size() && !taken; ++slot) {
      if (!before.threads[slot] || before.threads[slot]->templ != edges[i].templ) continue;
      for (model::Transition& transition : interpreter.successors(before, slot, edges[i])) {
        if (model::canonical(transition.target) != wanted) continue;
        run.steps.push_back(std::move(transition));
        taken = true;
        break;
      }
    }
    COHORT_EXPECT(taken, "every step of a counterexample is one of the program");
  }
  return run;
}

}  // namespace cohort::engine::symbolic
