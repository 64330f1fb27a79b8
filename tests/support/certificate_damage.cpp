#include "support/certificate_damage.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include <fmt/core.h>

#include "base/source.hpp"
#include "engine/control_flow/control_flow_engine.hpp"
#include "engine/explicit/explicit_engine.hpp"
#include "engine/symbolic/engine.hpp"
#include "engine/unbounded/backward_engine.hpp"
#include "engine/unbounded/karp_miller_engine.hpp"
#include "engine/unbounded/marking_equation_engine.hpp"
#include "result/certificate.hpp"
#include "support/explore.hpp"
#include "support/modular_judge.hpp"

namespace cohort::test {

using model::State;
using model::ThreadState;
using nlohmann::json;

namespace {

void try_engine(const engine::Engine& engine, const model::Program& program, std::optional<std::uint32_t> bound,
                bool symbolic, std::vector<Certified>& found) {
  engine::EngineOptions options;
  options.certificate = true;
  if (symbolic) options.karp_miller.variant = engine::KarpMillerVariant::Symbolic;
  const engine::Task task{program, bound, options};
  if (engine.refuses(task)) return;
  Env env;
  try {
    const result::Result result = engine.check(env, task);
    if (result.verdict != result::Verdict::Safe) return;
    found.push_back({std::string(engine.name()), bound, result.certificate->to_json(program)});
  } catch (const InputError&) {
    // What an engine finds to be too much for it while at work is not certified.
  }
}

std::vector<json::json_pointer> places_in(const json& document) {
  std::vector<json::json_pointer> places;
  std::vector<json::json_pointer> pending{json::json_pointer()};
  while (!pending.empty()) {
    const json::json_pointer place = pending.back();
    pending.pop_back();
    const json& value = document[place];
    if (!place.empty()) places.push_back(place);
    if (value.is_object()) {
      for (const auto& item : value.items()) pending.push_back(place / item.key());
    } else if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) pending.push_back(place / i);
    }
  }
  std::sort(places.begin(), places.end(),
            [](const auto& one, const auto& other) { return one.to_string() < other.to_string(); });
  return places;
}

std::vector<json> replacements(const json& value) {
  std::vector<json> list = {nullptr, true, "omega", "", json::array(), json::object(), 1.5, 1e308, -1};
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    for (const std::int64_t other : {number + 1, number - 1, std::int64_t{0}, std::int64_t{7}})
      list.emplace_back(other);
    list.emplace_back(std::uint64_t{4294967295});
    list.emplace_back(std::uint64_t{4294967296});
    list.emplace_back(std::uint64_t{18446744073709551615U});
  }
  if (value.is_boolean()) list.emplace_back(!value.get<bool>());
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    for (std::size_t i = 0; i < text.size(); ++i) {
      for (const char other : {'0', '1', '-'}) {
        std::string changed = text;
        changed[i] = other;
        list.emplace_back(changed);
      }
    }
    list.emplace_back(text + "-");
    list.emplace_back(1);
  }
  std::erase(list, value);
  return list;
}

void erase_at(json& document, const json::json_pointer& place) {
  json& parent = document[place.parent_pointer()];
  if (parent.is_array()) {
    parent.erase(std::stoul(place.back()));
  } else {
    parent.erase(place.back());
  }
}

// What a certificate stands for, told from its JSON alone.

bool same_place(const json& local, const ThreadState& thread) {
  return local["template"] == thread.templ.value && local["location"] == thread.location.value &&
         local["atomic"] == thread.atomic;
}

bool in_cubes(const json& cubes, const model::Valuation& values) {
  return std::any_of(cubes.begin(), cubes.end(), [&](const json& item) {
    const auto cube = item.get<std::string>();
    if (cube.size() != values.size()) return false;
    for (std::size_t i = 0; i < cube.size(); ++i) {
      if (cube[i] != '-' && cube[i] - '0' != values[i]) return false;
    }
    return true;
  });
}

using Fits = std::function<bool(const json& local, const ThreadState& thread)>;

// Can each thread be given a seat of its own?  `seats`: local states by index, each taken once; omega seats are free
// for all.  With `all`, no seat may stay empty.
bool seat(const std::vector<ThreadState>& threads, std::size_t next, const json& locals,
          std::vector<std::pair<std::size_t, std::optional<std::uint64_t>>>& seats, const Fits& fits, bool all) {
  if (next == threads.size()) {
    return !all || std::all_of(seats.begin(), seats.end(), [](const auto& one) { return one.second == 0u; });
  }
  for (auto& [local, count] : seats) {
    if (count == 0u || !fits(locals[local], threads[next])) continue;
    if (count) --*count;
    const bool done = seat(threads, next + 1, locals, seats, fits, all);
    if (count) ++*count;
    if (done) return true;
  }
  return false;
}

bool by_value(const json& local, const ThreadState& thread) {
  return same_place(local, thread) && local["values"] == json(thread.locals);
}

bool by_cubes(const json& local, const ThreadState& thread) {
  return same_place(local, thread) && in_cubes(local["values"], thread.locals);
}

std::vector<ThreadState> threads_of(const State& state) {
  std::vector<ThreadState> threads;
  for (const auto& thread : state.threads) {
    if (thread) threads.push_back(*thread);
  }
  return threads;
}

bool has_holder(const json& locals, const json& cells) {
  return std::any_of(cells.begin(), cells.end(),
                     [&](const json& cell) { return locals[cell[0].get<std::size_t>()]["atomic"].get<bool>(); });
}

bool in_counter_set(const json& set, const State& state, bool symbolic) {
  return std::any_of(set["states"].begin(), set["states"].end(), [&](const json& word) {
    const json& shared = set["shared"][word[0].get<std::size_t>()];
    if (symbolic ? !in_cubes(shared, state.shared) : shared != json(state.shared)) return false;
    std::vector<std::pair<std::size_t, std::optional<std::uint64_t>>> seats;
    for (std::size_t i = 1; i + 1 < word.size(); i += 2) {
      seats.emplace_back(word[i].get<std::size_t>(), word[i + 1].get<std::uint64_t>());
    }
    return seat(threads_of(state), 0, set["locals"], seats, symbolic ? by_cubes : by_value, true);
  });
}

bool in_omega_set(const json& set, const State& state, bool symbolic) {
  const json& list = set[symbolic ? "labels" : "configurations"];
  return std::any_of(list.begin(), list.end(), [&](const json& configuration) {
    const json& shared = set["shared"][configuration["shared"].get<std::size_t>()];
    if (symbolic ? !in_cubes(shared, state.shared) : shared != json(state.shared)) return false;
    if (has_holder(set["locals"], configuration["threads"]) != state.atomic_thread().has_value()) return false;
    std::vector<std::pair<std::size_t, std::optional<std::uint64_t>>> seats;
    for (const json& cell : configuration["threads"]) {
      seats.emplace_back(cell[0].get<std::size_t>(), std::nullopt);
      if (cell[1].is_number()) seats.back().second = cell[1].get<std::uint64_t>();
    }
    return seat(threads_of(state), 0, set["locals"], seats, symbolic ? by_cubes : by_value, false);
  });
}

// A state as such a set has it: a control state, by number, and the local states of the other threads.
struct Located {
  std::size_t control = 0;
  std::vector<std::size_t> counted;
};

std::optional<Located> locate(const json& set, const State& state) {
  std::vector<std::size_t> fixed;
  std::vector<std::size_t> counted;
  for (const ThreadState& thread : threads_of(state)) {
    std::size_t number = 0;
    while (number < set["locals"].size() && !by_value(set["locals"][number], thread)) ++number;
    if (number == set["locals"].size()) return std::nullopt;
    const bool unique =
        std::find(set["unique"].begin(), set["unique"].end(), json(thread.templ.value)) != set["unique"].end();
    (thread.atomic || unique ? fixed : counted).push_back(number);
  }
  std::sort(fixed.begin(), fixed.end());
  for (std::size_t i = 0; i < set["controls"].size(); ++i) {
    const json& control = set["controls"][i];
    auto threads = control["threads"].get<std::vector<std::size_t>>();
    std::sort(threads.begin(), threads.end());
    const bool same = set["shared"][control["shared"].get<std::size_t>()] == json(state.shared) && threads == fixed;
    if (same) return Located{i, std::move(counted)};
  }
  return std::nullopt;
}

bool outside_bad(const json& set, const State& state) {
  const auto located = locate(set, state);
  if (!located) return false;
  const json& control = set["controls"][located->control];
  const auto& counted = located->counted;
  for (const std::size_t local : counted) {
    const json& possible = control["possible"];
    if (std::find(possible.begin(), possible.end(), json(local)) == possible.end()) return false;
  }
  return std::none_of(control["bad"].begin(), control["bad"].end(), [&](const json& bad) {
    return std::all_of(bad.begin(), bad.end(), [&](const json& cell) {
      return std::count(counted.begin(), counted.end(), cell[0].get<std::size_t>()) >= cell[1].get<std::int64_t>();
    });
  });
}

// The last of several weights counts.
std::int64_t weight_of(const json& weights, std::size_t place) {
  std::int64_t weight = 0;
  for (const json& cell : weights) {
    if (cell[0] == place) weight = cell[1].get<std::int64_t>();
  }
  return weight;
}

std::int64_t weight_of(const json& weighting, const Located& state) {
  std::int64_t sum = weight_of(weighting["controls"], state.control);
  for (const std::size_t local : state.counted) sum += weight_of(weighting["locals"], local);
  return sum;
}

bool contains(const json& list, std::size_t number) {
  return std::find(list.begin(), list.end(), json(number)) != list.end();
}

// No reachable state leaves a trap empty, or weighs more than every state at the start.
std::string against_weightings(const json& set, const std::vector<State>& initial, const std::set<State>& reached) {
  const auto each = [&](const auto& states, const auto& visit) {
    for (const State& state : states) {
      const auto located = locate(set, state);
      if (located) visit(*located);
    }
  };
  std::string problem;
  for (const json& trap : set["traps"]) {
    each(reached, [&](const Located& state) {
      const bool touched = contains(trap["controls"], state.control) ||
                           std::any_of(state.counted.begin(), state.counted.end(),
                                       [&](std::size_t local) { return contains(trap["locals"], local); });
      if (!touched) problem = "a reachable state leaves a trap empty";
    });
  }
  for (const json& weighting : set["weightings"]) {
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    each(initial, [&](const Located& state) { most = std::max(most, weight_of(weighting, state)); });
    each(reached, [&](const Located& state) {
      if (weight_of(weighting, state) > most) problem = "a reachable state weighs more than those at the start";
    });
  }
  return problem;
}

bool stands_for(const model::Program& program, const json& set, const State& state) {
  const auto kind = set["kind"].get<std::string>();
  if (kind == "control-flow") return true;
  if (kind == "counter-set" || kind == "symbolic-set") return in_counter_set(set, state, kind == "symbolic-set");
  if (kind == "omega-set" || kind == "symbolic-omega-set") return in_omega_set(set, state, kind != "omega-set");
  if (kind == "modular") return views_hold(program, set, state);
  return (kind == "upward-set" || kind == "marking-equation") && outside_bad(set, state);
}

}  // namespace

std::vector<Certified> certificates_of(const model::Program& program, std::uint32_t threads) {
  std::vector<Certified> found;
  try_engine(engine::control_flow::ControlFlowEngine(), program, std::nullopt, false, found);
  try_engine(engine::explicit_::ExplicitEngine(), program, threads, false, found);
  try_engine(engine::symbolic::SymbolicEngine(), program, threads, false, found);
  try_engine(engine::unbounded::KarpMillerEngine(), program, std::nullopt, false, found);
  try_engine(engine::unbounded::KarpMillerEngine(), program, std::nullopt, true, found);
  try_engine(engine::unbounded::BackwardEngine(), program, std::nullopt, false, found);
  try_engine(engine::unbounded::MarkingEquationEngine(), program, std::nullopt, false, found);
  return found;
}

void for_each_damage(const json& certificate, const std::function<void(const json&)>& visit) {
  for (const json::json_pointer& place : places_in(certificate)) {
    json damaged = certificate;
    erase_at(damaged, place);
    visit(damaged);
    for (const json& other : replacements(certificate[place])) {
      damaged = certificate;
      damaged[place] = other;
      visit(damaged);
    }
    if (!certificate[place.parent_pointer()].is_array()) continue;
    damaged = certificate;
    damaged[place.parent_pointer()].push_back(certificate[place]);
    visit(damaged);
  }
  json damaged = certificate;
  damaged["another"] = 1;
  visit(damaged);
}

json damaged_at_random(const json& certificate, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  json damaged = certificate;
  for (std::size_t edits = 1 + random() % 3; edits > 0; --edits) {
    const auto places = places_in(damaged);
    if (places.empty()) break;
    const json::json_pointer place = places[random() % places.size()];
    const json value = damaged[place];
    const auto others = replacements(value);
    switch (random() % 4) {
      case 0: erase_at(damaged, place); break;
      case 1: {
        const json copied = damaged[places[random() % places.size()]];
        damaged[place] = copied;
        break;
      }
      default: damaged[place] = others[random() % others.size()]; break;
    }
  }
  return damaged;
}

std::string not_a_proof(const model::Program& program, std::optional<std::uint32_t> bound, std::uint32_t threads,
                        const json& certificate) {
  const Exploration reached = explore(program, bound.value_or(threads), 5000);
  if (!reached.violated.empty() || !reached.faults.empty()) return "the program is not safe";
  for (const State& state : reached.states) {
    if (!stands_for(program, certificate, state)) return "a reachable state is not among those that it stands for";
  }
  if (certificate["kind"] != "marking-equation") return {};
  const model::Interpreter interpreter(program, bound.value_or(threads));
  return against_weightings(certificate, interpreter.initial_states(), reached.states);
}

void DamageTally::add(const DamageTally& other) {
  damaged += other.damaged;
  refuted += other.refuted;
  undecided += other.undecided;
  accepted += other.accepted;
  wrong.insert(wrong.end(), other.wrong.begin(), other.wrong.end());
}

void count_damage(const model::Program& program, const Certified& certified, const nlohmann::json& damaged,
                  DamageTally& tally) {
  Env env;
  ++tally.damaged;
  const auto check = result::check_certificate(env, program, certified.bound, damaged);
  if (!check.valid) {
    ++(check.complete ? tally.refuted : tally.undecided);
    return;
  }
  ++tally.accepted;
  const std::string problem = not_a_proof(program, certified.bound, 3, damaged);
  if (!problem.empty()) tally.wrong.push_back(fmt::format("{}: {}: {}", certified.engine, problem, damaged.dump()));
}

void count_damage(const model::Program& program, const Certified& certified, const json& damaged,
                  DamageTallies& tallies) {
  count_damage(program, certified, damaged, tallies[certified.certificate["kind"].get<std::string>()]);
}

DamageTally total(const DamageTallies& tallies) {
  DamageTally sum;
  for (const auto& [kind, tally] : tallies) sum.add(tally);
  return sum;
}

}  // namespace cohort::test
