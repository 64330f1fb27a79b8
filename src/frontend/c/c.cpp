#include "frontend/c/c.hpp"

#include "frontend/c/library/library.hpp"
#include "frontend/c/parse/parse.hpp"

namespace cohort::frontend::c {

namespace {

ir::Unit read_with(const library::Demands& demands, const std::vector<SourceFilePtr>& files, const Options& options) {
  std::vector<parse::Input> inputs = {{std::make_shared<const SourceFile>("library", library::source(demands)), true}};
  for (const SourceFilePtr& file : files) inputs.push_back({file, false});
  return parse::parse(inputs, {.defines = options.defines,
                               .include_dirs = options.include_dirs,
                               .includes = options.includes,
                               .prelude = std::string(options.linux_names ? library::linux_header() : ""),
                               .pointer_width = options.pointer_width});
}

}  // namespace

ir::Unit read(const std::vector<SourceFilePtr>& files, const Options& options) {
  library::Demands demands{
      .owners = options.check_locks, .check_locks = options.check_locks, .spurious_wakeups = options.spurious_wakeups};
  ir::Unit unit = read_with(demands, files, options);
  if (demands.owners || !library::needs_owners(unit)) return unit;
  // Only the program tells whether it needs the models that remember who holds a mutex.
  demands.owners = true;
  return read_with(demands, files, options);
}

}  // namespace cohort::frontend::c
