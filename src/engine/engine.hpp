// The interface of every engine, and the checklist for a new one:
//   1. one folder engine/<name> that includes base, model, result, dd and smt, and no other engine;
//   2. refuses() names, in one sentence, what in the task it cannot take; nothing is ignored or approximated; judges()
//      answers for each kind of property, and refuses() refuses what it does not judge;
//   3. check() polls env.stop_requested() in every long loop and turns a stop into UNKNOWN with what was established;
//   4. UNSAFE carries a run over task.program that replays; SAFE carries a certificate when options.certificate is set;
//   5. knows() lists the options of engine/options.hpp that mean something to it; a new one is one line there;
//   6. one line in engine/registry.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/env.hpp"
#include "engine/options.hpp"
#include "model/program.hpp"
#include "model/property.hpp"
#include "result/result.hpp"

namespace cohort::engine {

// `program` is flat and, usually, simplified.
struct Task {
  const model::Program& program;
  std::optional<std::uint32_t> bound;  // threads alive at a time; none: any number
  EngineOptions options;
};

class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual std::string_view name() const = 0;
  // What it is for, and which fragment it takes: a sentence each.
  virtual std::string_view purpose() const = 0;
  virtual std::string_view fragment() const = 0;
  // Does it look for violations of properties of this kind?  A switch without a default.
  virtual bool judges(model::PropertyKind kind) const = 0;
  // Does it know orders that choose schedules, FewestDeviations and Random?  This is asked before refuses(), too.
  virtual bool chooses_schedules() const { return false; }
  // Can several workers divide one search among them (options.workers and options.ranks)?
  virtual bool divides_work() const { return false; }
  // The options that mean something to it, as members of `options`: others are refused where the engine is named.
  virtual option::Members knows(const EngineOptions& options) const;
  // None: the engine takes the task.
  virtual std::optional<std::string> refuses(const Task& task) const = 0;
  virtual result::Result check(Env& env, const Task& task) const = 0;
};

// All engines, in the order in which `auto` considers them.
const std::vector<std::unique_ptr<Engine>>& engines();
const Engine* find_engine(std::string_view name);

}  // namespace cohort::engine
