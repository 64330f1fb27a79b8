// A cover and a Karp-Miller tree as text, as JSON and as a graph for Graphviz.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/cover.hpp"

namespace cohort::cli {

// "x=1 | L a=0: omega, M a=1: 2".
std::string label_words(const model::Program& program, const engine::CoverNode& node);

// A line for each configuration.
std::string cover_text(const model::Program& program, const engine::Cover& cover);
// A line for each node, indented by its depth, with the step that leads to it.
std::string tree_text(const model::Program& program, const engine::Cover& cover);
std::string tree_dot(const model::Program& program, const engine::Cover& cover);
nlohmann::ordered_json cover_json(const model::Program& program, const engine::Cover& cover, bool tree);

}  // namespace cohort::cli
