// The differential fuzzer behind `make fuzz`: exhaustively enumerated tiny programs, then random programs from
// consecutive seeds, for 1 to 4 threads and for any number, each compared with brute force over the interpreter.  It
// prints one line a disagreement, with what is needed to see it again, and exits with 1 if there was one.  Then it
// damages the certificates of a part of the programs and tallies what the checkers make of them: each one that is
// accepted must still be a proof.
//
//   cohort_fuzz [first seed] [number of seeds] [certificates]      with the last word certificates alone, of every seed
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "engine/modular/modular_engine.hpp"
#include "model/passes/inline.hpp"
#include "support/certificate_damage.hpp"
#include "support/differential.hpp"
#include "support/random_program.hpp"
#include "support/tiny_programs.hpp"
#include "support/unbounded.hpp"

namespace {

using namespace cohort;

constexpr std::uint32_t max_bound = 4;

std::size_t disagreements = 0;

void compare(const model::Program& program, const std::string& name) {
  for (std::uint32_t bound = 1; bound <= max_bound; ++bound) {
    const std::string difference = test::compare_explicit(program, bound);
    if (difference.empty()) continue;
    ++disagreements;
    fmt::print("{} with {} threads: {}\n", name, bound, difference);
  }
  const std::string difference = test::compare_unbounded(program, 2);
  if (difference.empty()) return;
  ++disagreements;
  fmt::print("{} with any number of threads: {}\n", name, difference);
}

std::size_t compare_tiny_programs() {
  const std::size_t letters = test::tiny_alphabet_size();
  std::size_t programs = 0;
  for (std::size_t first = 0; first < letters; ++first) {
    for (std::size_t second = first; second < letters; ++second, ++programs) {
      compare(test::tiny_program({first, second}), fmt::format("tiny program {} {}", first, second));
    }
  }
  return programs;
}

// By turns plain Boolean programs and programs with everything the model has.
test::RandomProgramOptions options_for(std::uint64_t seed) {
  test::RandomProgramOptions options;
  if (seed % 2 == 0) {
    options.broadcasts = options.moves = options.takes = options.any_number = options.numbers = options.cover = true;
  }
  return options;
}

// Small ones only: what is damaged in a large certificate is nearly always one of many states that look alike.
constexpr std::size_t longest_certificate = 20'000;
constexpr std::uint64_t damages_each = 50;

// Each check of an invariant of a few threads asks a solver many times, so there are fewer of them.
constexpr std::uint64_t damages_of_invariants = 10;

std::vector<test::Certified> all_certificates(Env& env, const model::Program& program, bool with_invariants) {
  std::vector<test::Certified> found = test::certificates_of(program, 2);
  engine::EngineOptions options;
  options.certificate = true;
  const engine::modular::ModularEngine modular;
  const engine::Task task{program, std::nullopt, options};
  if (!with_invariants || modular.refuses(task)) return found;
  env.limits.set_time_limit(5);
  const result::Result result = modular.check(env, task);
  if (result.verdict != result::Verdict::Safe) return found;
  found.push_back({std::string(modular.name()), std::nullopt, result.certificate->to_json(program)});
  return found;
}

std::size_t damage_certificates(std::uint64_t first, std::uint64_t count) {
  test::DamageTallies tallies;
  std::map<std::string, std::size_t> certificates;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    test::RandomProgramOptions options = options_for(seed);
    options.deadlock = seed % 5 == 0;
    const model::Program program = model::inline_calls(test::random_program(seed, options));
    Env env;
    for (const test::Certified& certified : all_certificates(env, program, seed % 4 == 0)) {
      if (certified.certificate.dump().size() > longest_certificate) continue;
      const auto kind = certified.certificate["kind"].get<std::string>();
      ++certificates[kind];
      const std::uint64_t rounds = kind == "modular" ? damages_of_invariants : damages_each;
      for (std::uint64_t round = 0; round < rounds; ++round) {
        const auto damaged = test::damaged_at_random(certified.certificate, seed * damages_each + round);
        test::count_damage(program, certified, damaged, tallies);
      }
    }
  }
  const test::DamageTally sum = test::total(tallies);
  for (const std::string& problem : sum.wrong) fmt::print("accepted, and no proof: {}\n", problem);
  for (const auto& [kind, tally] : tallies) {
    fmt::print("{}: {} certificates, {} damaged: {} refuted, {} undecided, {} accepted, of which {} are no proofs\n",
               kind, certificates[kind], tally.damaged, tally.refuted, tally.undecided, tally.accepted,
               tally.wrong.size());
  }
  return sum.wrong.size();
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20'000;
  if (argc > 3 && std::string_view(argv[3]) == "certificates") return damage_certificates(first, count) == 0 ? 0 : 1;
  const std::size_t tiny = compare_tiny_programs();
  fmt::print("{} tiny programs compared\n", tiny);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    compare(model::inline_calls(test::random_program(seed, options_for(seed))),
            fmt::format("random program of seed {}", seed));
    if ((seed - first + 1) % 1000 == 0) fmt::print("{} random programs compared\n", seed - first + 1);
  }
  fmt::print("{} programs compared with brute force for 1 to {} threads, {} disagreements\n", tiny + count, max_bound,
             disagreements);
  disagreements += damage_certificates(first, count / 20 + 1);
  return disagreements == 0 ? 0 : 1;
}
