// What the checkers of certificates for any number of threads share: threads counted by local state, where a count may
// be omega, the initial configurations, and conditions on the shared state.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/step.hpp"

namespace cohort::result {

// Thrown inside a checker when the certificate does not hold; never leaves it.
struct Refuted {
  std::string message;
};

constexpr std::uint64_t omega = UINT64_MAX;

// A thread inside an atomic section is one of them.
using OmegaThreads = std::map<model::ThreadState, std::uint64_t>;

bool covers(const OmegaThreads& larger, const OmegaThreads& smaller);
void add(OmegaThreads& threads, const model::ThreadState& thread, std::uint64_t count);
// `thread` must be there; omega stays omega.
void remove(OmegaThreads& threads, const model::ThreadState& thread);

// Every initial configuration; groups of any size give omega to each local state that their threads may start in.
using VisitInitial = std::function<void(const model::Valuation& shared, const OmegaThreads& threads)>;
void for_each_initial(const model::Stepper& stepper, const VisitInitial& visit);

// Tables of shared and local states in the JSON form of a certificate; refutes those that do not fit the program.
std::vector<model::Valuation> shared_states_from_json(const model::Program& program, const nlohmann::json& table);
std::vector<model::ThreadState> thread_states_from_json(const model::Program& program, const nlohmann::json& table);
nlohmann::json thread_states_to_json(const std::vector<model::ThreadState>& states);

// Refutes a condition that speaks of several threads.
bool holds_in(const model::Program& program, model::ExprId condition, const model::Valuation& shared);

}  // namespace cohort::result
