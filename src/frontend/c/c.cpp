#include "frontend/c/c.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "frontend/c/library/library.hpp"
#include "frontend/c/library/relock.hpp"
#include "frontend/c/lower/lower.hpp"
#include "frontend/c/parse/parse.hpp"

namespace cohort::frontend::c {

namespace {

struct PropertyName {
  const char* name;
  const char* kind;  // as the models and lower/ call it
};

constexpr PropertyName names[] = {{"assertions", "assertion"}, {"deadlock", "deadlock"}, {"races", "race"},
                                  {"locks", "lock"},           {"faults", "fault"},      {"overflow", "overflow"}};

bool asks_for(const Options& options, const std::string& name) {
  return std::find(options.properties.begin(), options.properties.end(), name) != options.properties.end();
}

ir::Unit read_with(const library::Demands& demands, const std::vector<SourceFilePtr>& files, const Options& options) {
  std::vector<parse::Input> inputs = {{std::make_shared<const SourceFile>("library", library::source(demands)), true}};
  for (const SourceFilePtr& file : files) inputs.push_back({file, false});
  return parse::parse(inputs, {.defines = options.defines,
                               .include_dirs = options.include_dirs,
                               .includes = options.includes,
                               .prelude = std::string(options.linux_names ? library::linux_header() : ""),
                               .pointer_width = options.pointer_width,
                               .spurious_failures = options.spurious_failures,
                               .overflow_matters = asks_for(options, "overflow")});
}

}  // namespace

const std::vector<std::string>& property_names() {
  static const auto all = [] {
    std::vector<std::string> list;
    for (const PropertyName& property : names) list.emplace_back(property.name);
    return list;
  }();
  return all;
}

ir::Unit read(const std::vector<SourceFilePtr>& files, const Options& options) {
  const bool check_locks = asks_for(options, "locks");
  library::Demands demands{
      .owners = check_locks, .check_locks = check_locks, .spurious_wakeups = options.spurious_wakeups};
  ir::Unit unit = read_with(demands, files, options);
  if (demands.owners) return unit;
  if (!library::needs_owners(unit)) {
    if (!asks_for(options, "deadlock")) library::cut_relocks(unit);
    return unit;
  }
  // Only the program tells whether it needs the models that remember who holds a mutex.
  demands.owners = true;
  return read_with(demands, files, options);
}

model::Program load(const std::vector<SourceFilePtr>& files, const Options& options) {
  COHORT_EXPECT(!files.empty(), "there is a program to load");
  lower::Options lowering{.properties = {},
                          .interleave_statements = options.interleave_statements,
                          .heap_pool = options.heap_pool,
                          .heap_array = options.heap_array,
                          .recursion = options.recursion,
                          .late_naming = options.late_naming};
  for (const PropertyName& property : names) {
    if (asks_for(options, property.name)) lowering.properties.emplace_back(property.kind);
  }
  lower::Lowered lowered = lower::lower(read(files, options), files[0]->name(), lowering);
  auto& assumptions = lowered.program.assumptions;
  assumptions.insert(assumptions.begin(), lowered.notes.begin(), lowered.notes.end());
  return std::move(lowered.program);
}

}  // namespace cohort::frontend::c
