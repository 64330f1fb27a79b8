// The words in which an answer is given: the verdict, its scope, and what is violated where.
#pragma once

#include <string>
#include <string_view>

#include "model/mistake.hpp"
#include "result/answer.hpp"

namespace cohort::report {

// "SAFE", "UNSAFE", "UNKNOWN".
std::string_view verdict_word(result::Verdict verdict);

// "1 thread", "3 threads".
std::string count_threads(std::size_t count);

// "for any number of threads", "for up to 3 threads"; for UNSAFE "with 2 threads".  A program that can have only so
// many gets no word about any number.  Numbers of the program that stand for all are named: "for every N >= 1".
std::string scope_words(const model::Program& program, const result::Answer& answer);

// What a bound means for the program: "for up to 3 threads", "for any number of threads".
std::string bound_words(const model::Program& program, std::optional<std::uint32_t> bound);

// The property that an UNSAFE answer violates.
struct Violation {
  std::string_view kind;  // "assertion", "error-label", "cover", "condition", "fault"
  std::string words;      // "assertion failed"
  std::string text;       // as the user wrote it
  SourceSpan span;
  model::Mistake mistake = model::Mistake::Assertion;
};

Violation violation_of(const model::Program& program, const result::Answer& answer);

// What is wrong, as exactly as the run tells: of an access that leads nowhere, whether it goes through NULL.
std::string exact_words(const model::Program& program, const model::Run& run, const model::Property& property);

// How many threads suffice to see all that any number does, for a SAFE answer that speaks of any number; else empty.
std::string sufficient_words(const result::Answer& answer);

// The first line of standard output.
std::string headline(const model::Program& program, const result::Answer& answer);

}  // namespace cohort::report
