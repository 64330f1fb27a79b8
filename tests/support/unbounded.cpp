#include "support/unbounded.hpp"

#include <algorithm>
#include <random>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "engine/unbounded/backward_engine.hpp"
#include "engine/unbounded/coverability_engine.hpp"
#include "engine/unbounded/directed_engine.hpp"
#include "engine/unbounded/dynamic_cutoff_engine.hpp"
#include "engine/unbounded/karp_miller_engine.hpp"
#include "engine/unbounded/marking_equation_engine.hpp"
#include "engine/unbounded/widening_engine.hpp"
#include "result/replay.hpp"
#include "support/explore.hpp"

namespace cohort::test {

using result::Verdict;

std::string random_tts(std::uint64_t seed, unsigned shared, unsigned locals, unsigned transitions, bool broadcasts) {
  std::mt19937_64 random(seed);
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
  std::string text = fmt::format("{} {}\n", shared, locals);
  for (unsigned i = 0; i < transitions; ++i) {
    const unsigned kind = below(broadcasts ? 8 : 5);
    text += fmt::format("{} {} {} {} {}", below(shared), below(locals),
                        kind == 0   ? "+>"
                        : kind == 7 ? "~>"
                                    : "->",
                        below(shared), below(locals));
    if (kind == 5 || kind == 6) {
      for (unsigned move = 0; move <= below(3); ++move) text += fmt::format(" {} ~> {}", below(locals), below(locals));
    }
    text += '\n';
  }
  return text;
}

std::string random_net(std::uint64_t seed, unsigned places, unsigned rules, bool transfers) {
  std::mt19937_64 random(seed);
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
  std::string text = "vars";
  for (unsigned place = 0; place < places; ++place) text += fmt::format(" p{}", place);
  text += "\nrules\n";
  for (unsigned rule = 0; rule < rules; ++rule) {
    const unsigned from = below(places);
    const unsigned other = below(places);
    const unsigned to = (from + 1 + below(places - 1)) % places;
    const unsigned weight = 1 + below(4) / 3;
    text += fmt::format("p{} >= {}", from, weight);
    if (other != from && below(2) == 0) text += fmt::format(", p{} >= {}", other, 1 + below(5) / 4);
    text += fmt::format(" -> p{} = p{} - {}", from, from, weight);
    const unsigned kind = transfers ? below(4) : 3;
    const unsigned moved = (to + 1 + below(places - 1)) % places;
    if (kind == 0 && moved != from) {  // moved to another place
      text += fmt::format(", p{} = p{} + p{} + {}, p{} = 0", to, to, moved, below(2), moved);
    } else if (kind == 1 && to != from) {  // reset
      text += fmt::format(", p{} = {}", to, 1 + below(2));
    } else {
      text += fmt::format(", p{} = p{} + {}", to, to, 1 + below(4) / 3);
    }
    text += ";\n";
  }
  // The assigned variable carries a prime: it is the one before each `=`.
  for (std::size_t at = text.find("rules"); (at = text.find(" = ", at)) != std::string::npos; at += 4)
    text.insert(at, "'");
  text += "init ";
  for (unsigned place = 0; place < places; ++place) {
    const unsigned kind = below(4);
    text += fmt::format("{}p{} {} {}", place == 0 ? "" : ", ", place, kind == 0 ? ">=" : "=", below(3));
  }
  text += "\ntarget\n";
  for (unsigned target = 0; target <= below(2); ++target)
    text += fmt::format("p{} >= {}, p{} >= {}\n", places - 1, 1 + below(3), below(places - 1), 1 + below(2));
  return text;
}

namespace {

// Does a violation occur with few threads?  Groups of any size get each size up to `threads`, and there is room for two
// more threads.
bool brute_force_violates(const model::Program& program, std::uint32_t threads) {
  for (std::uint32_t size = 0; size <= threads; ++size) {
    model::Program fixed = program;
    std::uint32_t total = 0;
    bool open = false;
    for (model::InitialThreads& group : fixed.initial) {
      open = open || !group.count;
      if (!group.count) group.count = size;
      total += *group.count;
    }
    const Exploration found = explore(fixed, std::max(1U, total + 2), 3'000);
    if (!found.violated.empty() || (!found.faults.empty() && program.faults == model::FaultPolicy::Violation))
      return true;
    if (!open) break;
  }
  return false;
}

struct Answer {
  std::string engine;
  Verdict verdict;
};

std::string check_answer(const model::Program& program, const std::string& engine, const result::Result& answer) {
  if (answer.verdict == Verdict::Unsafe) {
    const result::Replay replay = result::replay(program, std::nullopt, *answer.run);
    if (!replay.succeeded) return fmt::format("{}: the run does not replay: {}", engine, replay.message);
    // With a bound, groups of any size start with as many threads as fit, which may be more than the run starts with.
    const bool open = std::any_of(program.initial.begin(), program.initial.end(),
                                  [](const model::InitialThreads& group) { return !group.count; });
    if (!open && !result::replay(program, *answer.sufficient_threads, *answer.run).succeeded) {
      return fmt::format("{}: {} threads do not suffice", engine, *answer.sufficient_threads);
    }
  }
  if (answer.verdict == Verdict::Safe && answer.certificate) {
    Env env;
    const auto check = result::check_certificate(env, program, std::nullopt, answer.certificate->to_json(program));
    if (!check.valid) return fmt::format("{}: the certificate is refuted: {}", engine, check.message);
  }
  return "";
}

}  // namespace

std::string compare_unbounded(const model::Program& program, std::uint32_t threads) {
  const engine::unbounded::KarpMillerEngine forward;
  const engine::unbounded::BackwardEngine backward;
  const engine::unbounded::MarkingEquationEngine equation;
  const engine::unbounded::DirectedEngine directed;
  const engine::unbounded::CoverabilityEngine together;
  // Both sides at once after turns of a step, so that they tell each other much.
  const engine::unbounded::CoverabilityEngine at_once(
      {.first_steps = 1, .in_one_thread = 0, .always_two_threads = true});
  const engine::unbounded::WideningEngine widening;
  const engine::unbounded::DynamicCutoffEngine cutoff;
  std::vector<Answer> answers;
  const auto ask = [&](const engine::Engine& engine, const std::string& name, engine::EngineOptions options,
                       bool certificate = true) -> std::string {
    options.certificate = certificate;
    const engine::Task task{program, std::nullopt, options};
    if (engine.refuses(task)) return "";
    Env env;
    env.self_check = true;
    // What only looks for violations need not find each.
    env.limits.set_time_limit(engine.name() == directed.name() ? 0.1 : 5);
    try {
      const result::Result answer = engine.check(env, task);
      if (answer.verdict != Verdict::Unknown) answers.push_back({name, answer.verdict});
      if (answer.verdict == Verdict::Safe && certificate && !answer.certificate) return name + ": no certificate";
      return check_answer(program, name, answer);
    } catch (const InputError& error) {
      // A broadcast that can block is found while the thread states are explored.
      return error.kind() == InputError::Kind::Unsupported ? "" : error.render();
    }
  };
  std::string message = ask(forward, "karp-miller", {});
  if (message.empty())
    message = ask(forward, "karp-miller, breadth first", {.order = engine::SearchOrder::BreadthFirst});
  if (message.empty())
    message = ask(forward, "karp-miller, symbolic", {.karp_miller = {.variant = engine::KarpMillerVariant::Symbolic}});
  if (message.empty()) message = ask(backward, "backward", {});
  if (message.empty()) message = ask(equation, "marking equation", {});
  if (message.empty()) message = ask(widening, "widening", {});
  if (message.empty()) message = ask(cutoff, "dynamic cutoff", {});
  // It proves nothing and may search for ever where there is nothing to find.
  if (message.empty() && !answers.empty() && answers[0].verdict == Verdict::Unsafe) {
    message = ask(directed, "directed", {});
  }
  if (message.empty()) message = ask(together, "coverability", {});
  if (message.empty()) message = ask(together, "coverability with reductions", {}, false);
  if (message.empty()) message = ask(at_once, "coverability in two threads", {});
  if (!message.empty() || answers.empty()) return message;
  for (const Answer& answer : answers) {
    if (answer.verdict != answers[0].verdict)
      return fmt::format("{} and {} disagree", answer.engine, answers[0].engine);
  }
  if (answers[0].verdict == Verdict::Safe && brute_force_violates(program, threads)) {
    return "a few threads violate what is called safe";
  }
  return "";
}

}  // namespace cohort::test
