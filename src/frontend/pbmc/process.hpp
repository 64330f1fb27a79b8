// The locations and edges of one process; lower.hpp says what becomes of each statement.
#pragma once

#include "frontend/pbmc/ast.hpp"
#include "frontend/pbmc/scope.hpp"
#include "frontend/pbmc/sight.hpp"
#include "model/program.hpp"

namespace cohort::frontend::pbmc {

// `places` are those of this process that the header speaks of.  Fills the template `id` of `output`, whose locals are
// there already.  `scope` knows them.
void lower_body(const Process& process, const Scope& scope, const std::vector<Place>& places, model::TemplateId id,
                model::Program& output);

}  // namespace cohort::frontend::pbmc
