// How long should the first turn of the engine `coverability` be?  Random systems that no file of the benchmark folder
// has to do with (thread transition systems, nets, nets with transfers and resets, protocols in which threads meet) are
// verified with several lengths, and the processor times compared: in sum, in the geometric mean over the systems that
// take some time with one of them, and with the best length for each system.
//
// Usage: cohort_first_turn [systems of each kind] [first seed]
#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "engine/unbounded/coverability_engine.hpp"
#include "frontend/spec/spec.hpp"
#include "frontend/tts/tts.hpp"
#include "support/diagnostics.hpp"
#include "support/unbounded.hpp"

namespace cohort {
namespace {

constexpr std::array<std::uint64_t, 7> lengths = {250, 1'000, 2'000, 3'500, 7'000, 14'000, 56'000};
constexpr double limit = 2;
// Systems that take less with every length say nothing.
constexpr double some_time = 0.002;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Measured {
  double seconds = 0;
  result::Verdict verdict = result::Verdict::Unknown;
};

Measured measure(const model::Program& program, std::uint64_t first_steps) {
  const engine::unbounded::CoverabilityEngine engine(engine::unbounded::Turns{.first_steps = first_steps});
  Env env;
  env.limits.set_time_limit(limit);
  const double begin = processor_seconds();
  const result::Result answer = engine.check(env, {program, std::nullopt, {}});
  return {processor_seconds() - begin, answer.verdict};
}

// Threads that meet in pairs and go on together, with locks that some meetings take or give back: the trees of these
// are large.
std::string random_protocol(std::uint64_t seed, unsigned places, unsigned rules) {
  std::mt19937_64 random(seed);
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
  std::string text = "vars free held";
  for (unsigned place = 0; place < places; ++place) text += fmt::format(" p{}", place);
  text += "\nrules\n";
  for (unsigned rule = 0; rule < rules; ++rule) {
    std::vector<unsigned> four;
    while (four.size() < 4) {
      const unsigned place = below(places);
      if (std::find(four.begin(), four.end(), place) == four.end()) four.push_back(place);
    }
    const unsigned lock = below(4);
    const std::string taken = lock == 0 ? "free" : "held";
    const std::string given = lock == 0 ? "held" : "free";
    text +=
        fmt::format("p{0} >= 1, p{1} >= 1{2} -> p{0}' = p{0} - 1, p{1}' = p{1} - 1, p{3}' = p{3} + 1, p{4}' = p{4} + 1",
                    four[0], four[1], lock < 2 ? ", " + taken + " >= 1" : "", four[2], four[3]);
    if (lock < 2) text += fmt::format(", {0}' = {0} - 1, {1}' = {1} + 1", taken, given);
    text += ";\n";
  }
  text += "init free = 1, held = 0";
  for (unsigned place = 0; place < places; ++place) {
    const unsigned kind = below(6);
    text += fmt::format(", p{} {} {}", place, kind == 0 ? ">=" : "=", kind == 0 ? 1 : kind < 4 ? below(4) : 0);
  }
  return text + fmt::format("\ntarget\np{} >= {}, p{} >= {}, held >= 1\n", places - 1, 2 + below(3), below(places - 1),
                            1 + below(3));
}

model::Program random_system(const std::string& kind, std::uint64_t seed) {
  const auto size = static_cast<unsigned>(seed % 5);
  if (kind == "nets" || kind == "nets with transfers and resets") {
    const std::string text = test::random_net(seed, 8 + 3 * size, 14 + 6 * size, kind != "nets");
    return frontend::spec::load(test::text_file("random.spec", text), {});
  }
  if (kind == "protocols") {
    const std::string text = random_protocol(seed, 8 + 3 * size, 10 + 6 * size);
    return frontend::spec::load(test::text_file("random.spec", text), {});
  }
  const unsigned shared = 4 + 4 * size;
  const unsigned locals = 8 + 6 * size;
  const std::string text = test::random_tts(seed, shared, locals, 3 * (shared + locals), false);
  const std::string target = fmt::format("{}|{},{},{}", shared - 1, locals - 1, locals - 2, locals - 1);
  return frontend::tts::load(test::text_file("random.tts", text),
                             {.init = std::string("0/0"), .target = target, .property = {}});
}

void compare(const std::string& kind, std::uint64_t count, std::uint64_t first) {
  std::array<double, lengths.size()> sums{};
  std::array<double, lengths.size()> logs{};
  std::array<double, lengths.size()> worst{};
  std::array<int, lengths.size()> solved{};
  int counted = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const model::Program program = random_system(kind, seed);
    std::array<double, lengths.size()> seconds{};
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const Measured one = measure(program, lengths[i]);
      seconds[i] = one.seconds;
      sums[i] += one.seconds;
      solved[i] += one.verdict == result::Verdict::Unknown ? 0 : 1;
    }
    const double best = *std::min_element(seconds.begin(), seconds.end());
    if (*std::max_element(seconds.begin(), seconds.end()) < some_time) continue;
    ++counted;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      logs[i] += std::log(seconds[i] / best);
      worst[i] = std::max(worst[i], seconds[i] / best);
    }
  }
  fmt::print("{}: {} systems, {} of them take more than {} s\n", kind, count, counted, some_time);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    fmt::print("  {:6} steps: {} solved, {:.2f} s, {:.2f} times the best length for each, at most {:.0f} times\n",
               lengths[i], solved[i], sums[i], std::exp(logs[i] / std::max(1, counted)), worst[i]);
  }
}

}  // namespace
}  // namespace cohort

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  for (const char* kind : {"thread transition systems", "nets", "nets with transfers and resets", "protocols"})
    cohort::compare(kind, count, first);
  return 0;
}
