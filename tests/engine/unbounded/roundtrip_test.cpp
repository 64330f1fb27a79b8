// What the writers for `.tts`, `.spec` and `.pnml` make of a program has the program's verdict.
#include <gtest/gtest.h>

#include "convert/nets.hpp"
#include "convert/tts.hpp"
#include "engine/unbounded/backward_engine.hpp"
#include "frontend/pnml/pnml.hpp"
#include "frontend/spec/spec.hpp"
#include "frontend/tts/tts.hpp"
#include "support/diagnostics.hpp"
#include "support/random_program.hpp"
#include "support/unbounded.hpp"

namespace cohort::test {
namespace {

using result::Verdict;

// Safe, Unsafe, or Unknown where the engine refuses or gives up.
Verdict verdict(const model::Program& program) {
  const engine::unbounded::BackwardEngine engine;
  const engine::Task task{program, std::nullopt, {}};
  if (engine.refuses(task)) return Verdict::Unknown;
  Env env;
  env.limits.set_time_limit(2);
  try {
    return engine.check(env, task).verdict;
  } catch (const InputError&) {
    return Verdict::Unknown;
  }
}

struct Counts {
  int safe = 0;
  int unsafe = 0;
};

void check_roundtrips(const model::Program& program, const std::string& what, Counts& tts, Counts& spec, Counts& pnml) {
  const Verdict expected = verdict(program);
  if (expected == Verdict::Unknown) return;
  const auto compare = [&](const char* format, Counts& counts, auto&& again) {
    model::Program copy;
    try {
      copy = again();
    } catch (const InputError& error) {
      ASSERT_EQ(error.kind(), InputError::Kind::Unsupported) << what << "\n" << format << ": " << error.render();
      return;
    }
    const Verdict found = verdict(copy);
    if (found == Verdict::Unknown) return;
    EXPECT_EQ(found == Verdict::Safe, expected == Verdict::Safe) << format << "\n" << what;
    (found == Verdict::Safe ? counts.safe : counts.unsafe) += 1;
  };
  compare(".tts", tts, [&] {
    return frontend::tts::load(text_file("copy.tts", convert::to_tts(program)), {.init = convert::tts_init(program)});
  });
  compare(".spec", spec, [&] { return frontend::spec::load(text_file("copy.spec", convert::to_spec(program)), {}); });
  compare(".pnml", pnml,
          [&] { return frontend::pnml::load(text_file("copy.pnml", convert::to_pnml(program)), {.target = "bad"}); });
}

TEST(RoundTrip, KeepsTheVerdictOfThreadTransitionSystems) {
  Counts tts, spec, pnml;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string text = random_tts(seed, 3, 3, 6, seed % 2 == 1);
    for (const char* init : {"0/0", "0|0", "0|1/0"}) {
      check_roundtrips(frontend::tts::load(text_file("a.tts", text), {.init = init, .target = "2|2,2", .property = {}}),
                       text + init, tts, spec, pnml);
    }
  }
  for (const Counts& counts : {tts, spec, pnml}) {
    EXPECT_GT(counts.safe, 100);
    EXPECT_GT(counts.unsafe, 50);
  }
}

TEST(RoundTrip, KeepsTheVerdictOfPrograms) {
  RandomProgramOptions options;
  options.calls = false;
  options.any_number = true;
  options.cover = true;
  options.takes = true;
  options.max_shared = 2;
  options.max_locals = 1;
  options.max_locations = 4;
  Counts tts, spec, pnml;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    check_roundtrips(random_program(seed, options), "seed " + std::to_string(seed), tts, spec, pnml);
  }
  for (const Counts& counts : {tts, spec, pnml}) {
    EXPECT_GT(counts.safe, 10);
    EXPECT_GT(counts.unsafe, 20);
  }
}

}  // namespace
}  // namespace cohort::test
