// What an engine answers.  SAFE and UNSAFE are claims about the task's program and bound; UNSAFE carries the run that
// shows it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/run.hpp"
#include "result/certificate.hpp"

namespace cohort::result {

enum class Verdict : std::uint8_t { Safe, Unsafe, Unknown };

struct Result {
  Verdict verdict = Verdict::Unknown;
  std::string reason;                         // Unknown: why, with what was established until then
  std::optional<model::Run> run;              // Unsafe: over the task's program; the last step violates
  std::optional<model::PropertyId> property;  // Unsafe: which; none for a fault
  std::unique_ptr<Certificate> certificate;   // Safe, when asked for
  // Any number of threads, where the engine knows: this many threads reach every thread state that any number reaches
  // (Safe), or suffice to violate the property (Unsafe).
  std::optional<std::uint32_t> sufficient_threads;
  bool cutoff_open = false;                // Safe: `cohort cutoff` may tell the number that is missing above
  std::vector<std::string> assumptions{};  // Safe: what the proof takes for granted beside what the program does
  bool holds_without_bound = false;        // Safe: no execution has as many threads as the bound allows

  static Result unknown(std::string reason) { return {.verdict = Verdict::Unknown, .reason = std::move(reason)}; }
};

}  // namespace cohort::result
