#include "engine/bmc/bmc_engine.hpp"
#include "engine/cegar/cegar_engine.hpp"
#include "engine/control_flow/control_flow_engine.hpp"
#include "engine/engine.hpp"
#include "engine/explicit/explicit_engine.hpp"
#include "engine/modular/modular_engine.hpp"
#include "engine/pointer/any_number_engine.hpp"
#include "engine/pointer/pointer_engine.hpp"
#include "engine/pointer/symbolic_pointer_engine.hpp"
#include "engine/symbolic/engine.hpp"
#include "engine/unbounded/backward_engine.hpp"
#include "engine/unbounded/coverability_engine.hpp"
#include "engine/unbounded/directed_engine.hpp"
#include "engine/unbounded/dynamic_cutoff_engine.hpp"
#include "engine/unbounded/karp_miller_engine.hpp"
#include "engine/unbounded/marking_equation_engine.hpp"
#include "engine/unbounded/widening_engine.hpp"

namespace cohort::engine {

const std::vector<std::unique_ptr<Engine>>& engines() {
  static const std::vector<std::unique_ptr<Engine>> all = [] {
    std::vector<std::unique_ptr<Engine>> list;
    list.push_back(std::make_unique<control_flow::ControlFlowEngine>());
    list.push_back(std::make_unique<explicit_::ExplicitEngine>());
    list.push_back(std::make_unique<symbolic::SymbolicEngine>());
    const Engine* const boolean_programs = list.back().get();
    list.push_back(std::make_unique<pointer::PointerEngine>());
    list.push_back(std::make_unique<pointer::SymbolicPointerEngine>());
    list.push_back(
        std::make_unique<pointer::SymbolicPointerEngine>(pointer::SymbolicPointerEngine::Direction::Backward));
    list.push_back(std::make_unique<pointer::AnyNumberEngine>());
    list.push_back(std::make_unique<unbounded::CoverabilityEngine>());
    list.push_back(std::make_unique<unbounded::KarpMillerEngine>());
    list.push_back(std::make_unique<unbounded::BackwardEngine>());
    list.push_back(std::make_unique<unbounded::WideningEngine>());
    list.push_back(std::make_unique<unbounded::DynamicCutoffEngine>());
    list.push_back(std::make_unique<unbounded::MarkingEquationEngine>());
    list.push_back(std::make_unique<unbounded::DirectedEngine>());
    list.push_back(std::make_unique<modular::ModularEngine>());
    list.push_back(std::make_unique<bmc::BmcEngine>());
    list.push_back(std::make_unique<cegar::CegarEngine>(cegar::Settings{}, boolean_programs));
    return list;
  }();
  return all;
}

const Engine* find_engine(std::string_view name) {
  for (const auto& engine : engines()) {
    if (engine->name() == name) return engine.get();
  }
  return nullptr;
}

}  // namespace cohort::engine
