#include "cli/cover_command.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "cli/cover_text.hpp"
#include "cli/unheard.hpp"
#include "cli/usage_error.hpp"
#include "cli/whole_model.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace cohort::cli {

namespace {

constexpr const char* cover_schema = "cohort-cover-1";

}  // namespace

std::string CoverCommand::examples() const {
  return "  cohort cover mutex.bp --initial any             the minimal cover\n"
         "  cohort cover mutex.bp --tree                    the Karp-Miller tree\n"
         "  cohort cover mutex.bp --tree --format dot | dot -Tsvg > tree.svg\n"
         "                                                  the same as a picture";
}

void CoverCommand::declare(OptionTable& table) {
  input_.declare(table);
  table.group("Output");
  table.add_all(view_);
  run_.declare(table);
}

ExitCode CoverCommand::run(Console& console) {
  if (view_.format == CoverFormat::Dot && !view_.tree) throw UsageError("--format dot shows a tree: it needs --tree");
  Env env;
  run_.apply(console, env);
  const model::Program program = input_.load_flat(env, end_unheard(*this, console));
  if (const auto reason = engine::cover_refuses(program)) {
    return say_undecided(*this, console, "unsupported", *reason);
  }
  if (const auto reason = leaves_model(env, program, {.any_number = true, .bound = {}}))
    return say_undecided(*this, console, "unsupported", *reason);
  const engine::Cover cover =
      engine::minimal_cover(env, program, {.tree = view_.tree, .classic = view_.classic, .order = std::nullopt});
  record_resources(env);
  if (!cover.unknown.empty()) {
    return say_undecided(*this, console, "stopped", cover.unknown);
  }
  switch (view_.format) {
    case CoverFormat::Text:
      console.out(view_.tree ? tree_text(program, cover) : cover_text(program, cover));
      if (view_.statistics) console.out(report::statistics_text(env.statistics));
      break;
    case CoverFormat::Dot: console.out(tree_dot(program, cover)); break;
    case CoverFormat::Json:
      console.out(report::document_text({{"schema", cover_schema},
                                         {"version", version()},
                                         {"tool", report::tool_to_json()},
                                         {"task", input_.to_json(std::nullopt)},
                                         {view_.tree ? "tree" : "cover", cover_json(program, cover, view_.tree)},
                                         {"statistics", report::statistics_to_json(env.statistics)}}));
      break;
  }
  return ExitCode::Safe;
}

}  // namespace cohort::cli
