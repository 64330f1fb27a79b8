// A run as JSON and back.  The form is in docs/json.md; it holds all that is needed to execute the run again: the state
// at the start in full, and for each step the thread, the edge and what changed.  Reading a trace executes it: each
// step is looked up among the steps that the interpreter allows, so a run that comes out is one that the program has.
#pragma once

#include <cstdint>
#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "base/source.hpp"
#include "model/run.hpp"
#include "report/trace_view.hpp"

namespace cohort::report {

nlohmann::ordered_json trace_to_json(const model::Program& program, const model::Run& run);
nlohmann::ordered_json step_to_json(const model::Program& program, const StepView& step);

// Throws InputError (malformed) that names the step, with `file` as its place, for what is no trace of the program.
model::Run trace_from_json(const model::Program& program, std::optional<std::uint32_t> bound,
                           const nlohmann::json& trace, const SourceFilePtr& file);

}  // namespace cohort::report
