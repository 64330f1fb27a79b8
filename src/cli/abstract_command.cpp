#include "cli/abstract_command.hpp"

#include <fmt/core.h>

#include "cli/unheard.hpp"
#include "engine/abstract.hpp"

namespace cohort::cli {

std::string AbstractCommand::examples() const {
  return "  cohort abstract counter.c            the Boolean program, and the predicate behind each variable\n"
         "  cohort abstract counter.c --cubes 2  with sharper constraints\n"
         "  cohort abstract counter.c --abstraction c1 --threads 3\n"
         "                                       the one that was checked with 3 threads, with its refinements";
}

void AbstractCommand::declare(OptionTable& table) {
  input_.declare(table);
  table.group("Threads");
  table.threads({"-n,--threads", "N", "At most this many threads alive at a time"}, threads_);
  table.group("What is printed");
  table.choice({"--cubes", "N", "Literals in a cube of a constraint, for the oracle: 0, 1 or 2"}, cubes_,
               {"0", "1", "2"});
  const option::Members known = engine::find_engine("cegar")->knows(engine_options_);
  for (const option::Reference& option : option::options_of(engine_options_)) {
    if (known.contain(option)) table.add(option, given_, "");
  }
  run_.declare(table);
}

ExitCode AbstractCommand::run(Console& console) {
  Env env;
  run_.apply(console, env);
  const model::Program program = input_.load_simplified(env, end_unheard(*this, console));
  const engine::Task task{program, threads_, engine_options_};
  const engine::Engine* cegar = engine::find_engine("cegar");
  if (const auto refusal = cegar->refuses(task)) {
    return say_undecided(*this, console, "unsupported", *refusal);
  }
  const engine::Abstraction abstraction = engine::abstract_program(
      env, task, static_cast<std::uint32_t>(std::stoul(cubes_)), engine::find_engine("symbolic"));
  if (abstraction.text.empty()) {
    return say_undecided(*this, console, "stopped", env.describe_stop());
  }
  console.out(abstraction.text);
  return ExitCode::Safe;
}

}  // namespace cohort::cli
