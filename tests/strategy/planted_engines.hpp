// Engines with planted faults, for tests alone.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/engine.hpp"

namespace cohort::test {

// Takes every task; what it does is up to the test.
class PlantedEngine : public engine::Engine {
 public:
  using Check = result::Result (*)(Env& env, const engine::Task& task);

  PlantedEngine(std::string name, Check what) : name_(std::move(name)), check_(what) {}

  std::string_view name() const override { return name_; }
  std::string_view purpose() const override { return "A fault."; }
  std::string_view fragment() const override { return "Everything."; }
  bool judges(model::PropertyKind) const override { return true; }
  std::optional<std::string> refuses(const engine::Task&) const override { return std::nullopt; }
  result::Result check(Env& env, const engine::Task& task) const override { return check_(env, task); }

 private:
  std::string name_;
  Check check_;
};

inline result::Result crash(Env&, const engine::Task&) {
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
  return {};
}

inline result::Result leave(Env&, const engine::Task&) {
  std::_Exit(3);
}

inline result::Result throw_something(Env&, const engine::Task&) {
  throw 7;  // NOLINT(hicpp-exception-baseclass): whatever it is
}

// Asks nobody whether it should stop, and is deaf to requests.
inline result::Result hang(Env&, const engine::Task&) {
  std::signal(SIGTERM, SIG_IGN);
  for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

// Takes memory without end.
inline result::Result exhaust_memory(Env&, const engine::Task&) {
  constexpr std::size_t piece = std::size_t{16} << 20U;
  std::vector<std::unique_ptr<char[]>> all;
  for (;;) {
    all.push_back(std::make_unique<char[]>(piece));
    std::memset(all.back().get(), 1, piece);
  }
}

inline result::Result run_out_of_memory(Env&, const engine::Task&) {
  throw std::bad_alloc();
}

// Meets a limit where it can only throw.
inline result::Result stop_deep_inside(Env& env, const engine::Task&) {
  env.stop_at("engine");
  env.poll("engine");
  return {};
}

inline model::State first_state(const engine::Task& task) {
  return model::Interpreter(task.program, task.bound).initial_states().at(0);
}

// A run that the program has, and that violates nothing.
inline result::Result claim_a_violation(Env&, const engine::Task& task) {
  result::Result result{.verdict = result::Verdict::Unsafe};
  result.run = model::Run{.initial = first_state(task), .steps = {}};
  return result;
}

// A step that the program does not have.
inline result::Result invent_a_step(Env&, const engine::Task& task) {
  result::Result result{.verdict = result::Verdict::Unsafe};
  model::Run run{.initial = first_state(task), .steps = {}};
  run.steps.push_back({.thread = 0, .edge = {model::TemplateId(0), 0}, .target = run.initial});
  run.steps.back().target.shared.assign(run.initial.shared.size(), 1);
  result.run = run;
  return result;
}

// States that are none: lengths and indices are wrong.
inline result::Result send_nonsense(Env&, const engine::Task& task) {
  result::Result result{.verdict = result::Verdict::Unsafe};
  model::Run run{.initial = first_state(task), .steps = {}};
  run.initial.shared.push_back(1);
  run.steps.push_back({.thread = 77, .edge = {model::TemplateId(99), 99}, .target = {}});
  result.run = run;
  return result;
}

inline result::Result forget_the_run(Env&, const engine::Task&) {
  return {.verdict = result::Verdict::Unsafe};
}

class FalseCertificate : public result::Certificate {
 public:
  std::string_view kind() const override { return "counter-set"; }
  nlohmann::json to_json(const model::Program&) const override {
    return {{"kind", "counter-set"}, {"threads", 2}, {"states", nlohmann::json::array()}};
  }
};

inline result::Result prove_wrongly(Env&, const engine::Task&) {
  result::Result result{.verdict = result::Verdict::Safe};
  result.certificate = std::make_unique<FalseCertificate>();
  return result;
}

inline result::Result prove_nothing(Env&, const engine::Task&) {
  return {.verdict = result::Verdict::Safe};
}

struct Planted {
  const char* name;
  PlantedEngine::Check check;
};

}  // namespace cohort::test
