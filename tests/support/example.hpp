// The example programs with what their headers promise; examples/README.md describes the header lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "frontend/bp/bp.hpp"
#include "frontend/pbmc/pbmc.hpp"
#include "model/passes/inline.hpp"
#include "support/benchmarks.hpp"
#include "support/diagnostics.hpp"

namespace cohort::test {

struct Example {
  std::filesystem::path path;
  bool unsafe = false;
  std::uint32_t least_threads = 0;
  std::uint32_t most_threads = 0;
  std::optional<std::uint32_t> unsafe_from;
  std::optional<std::uint32_t> cutoff;
  std::optional<std::uint32_t> depth;  // the fewest steps that reach the violation
  std::vector<std::string> labels;
  bool fills_the_bound = false;  // as many copies of main at the start as the bound allows

  std::string name() const { return path.stem().string(); }
  // With `unsafe-from` the expectation speaks of every smaller bound as well.
  std::uint32_t first_threads() const { return unsafe_from ? 1 : least_threads; }
  bool is_unsafe_with(std::uint32_t threads) const { return unsafe && threads >= unsafe_from.value_or(least_threads); }
};

inline void PrintTo(const Example& example, std::ostream* out) {
  *out << example.name();
}

inline Example read_example(const std::filesystem::path& path) {
  Example example;
  example.path = path;
  std::ifstream input(path);
  const auto number = [](const std::string& text) { return static_cast<std::uint32_t>(std::stoul(text)); };
  std::string line;
  while (std::getline(input, line) && line.starts_with("// ")) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(3, colon - 3);
    const std::string value = line.substr(colon + 2);
    if (key == "expect" && value != "safe" && value != "unsafe") throw std::runtime_error("expect: safe or unsafe");
    if (key == "expect") example.unsafe = value == "unsafe";
    if (key == "threads") {
      const std::size_t dots = value.find("..");
      example.least_threads = number(value);
      example.most_threads = dots == std::string::npos ? example.least_threads : number(value.substr(dots + 2));
    }
    if (key == "unsafe-from") example.unsafe_from = number(value);
    if (key == "cutoff") example.cutoff = number(value);
    if (key == "depth") example.depth = number(value);
    if (key == "label") example.labels.push_back(value);
    if (key == "initial") example.fills_the_bound = value == "N";
  }
  return example;
}

inline std::vector<Example> examples_in(const std::string& folder, const std::string& ending) {
  std::vector<Example> all;
  for (const auto& path : files_below(std::filesystem::path(COHORT_SOURCE_DIR) / "examples" / folder, ending)) {
    all.push_back(read_example(path));
  }
  return all;
}

// The Boolean programs.
inline std::vector<Example> examples() {
  return examples_in("bp", ".bp");
}

// The process programs, which have as many threads as their header says.
inline std::vector<Example> process_examples() {
  return examples_in("pbmc", ".pbmc");
}

inline Example example(const std::string& name) {
  return read_example(std::filesystem::path(COHORT_SOURCE_DIR) / "examples/bp" / (name + ".bp"));
}

// As written, calls not inlined.
inline model::Program load(const Example& example) {
  if (example.path.extension() == ".pbmc") return frontend::pbmc::load(read_source_file(example.path.string()));
  frontend::bp::Options options;
  options.error_labels = example.labels;
  model::Program program = frontend::bp::load(read_source_file(example.path.string()), options);
  if (example.fills_the_bound) program.initial.front().count.reset();
  return program;
}

inline model::Program load_flat(const Example& example) {
  return model::inline_calls(load(example));
}

// A Boolean program given as text.
inline model::Program load_flat(const std::string& text) {
  return model::inline_calls(frontend::bp::load(text_file("test.bp", text)));
}

}  // namespace cohort::test
