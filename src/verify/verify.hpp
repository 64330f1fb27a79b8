// From a flat program to an answer: simplify, choose an engine, let it check, and believe nothing: the run of an UNSAFE
// verdict is lifted back to the flat program and executed on the interpreter before anyone sees it.
#pragma once

#include <string>

#include "base/env.hpp"
#include "engine/engine.hpp"
#include "result/answer.hpp"
#include "verify/choose_engine.hpp"

namespace cohort::verify {

struct Options {
  std::string engine = "auto";
  Threads threads;
  engine::EngineOptions engine_options;
  // Engines get the simplified program.  A certificate speaks of the flat one, so that its checker needs to trust no
  // pass.
  bool simplify = true;
};

// Throws InternalError when an engine's run does not replay or, with env.self_check, a certificate of SAFE does not
// hold: a bug of Cohort, never a verdict.
result::Answer verify(Env& env, const model::Program& flat, const Options& options);

}  // namespace cohort::verify
