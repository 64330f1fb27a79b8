// Who waits for what at the end of a run to a deadlock.
#pragma once

#include <string>
#include <vector>

#include "model/run.hpp"
#include "report/call_words.hpp"

namespace cohort::report {

// A thread that waits in the last state.
struct Waiting {
  std::string thread;
  std::string wants{};  // the lock, condition or thread that it waits for; empty: the statement tells
  std::string place;
  std::string statement;
  CallKind kind = CallKind::Other;     // of the call that it waits in
  std::string holder{};                // of a lock: the thread that has it; of a join: the thread that is to end
  std::vector<std::string> holds{};    // locks, and since where
  std::vector<std::string> because{};  // who has what it waits for, or who left it as it is
};

std::vector<Waiting> waiting_threads(const model::Program& program, const model::Run& run);

// One sentence for each of them, and one on what all the waiting comes from.
std::vector<std::string> waiting_words(const model::Program& program, const model::Run& run);

// What it waits for, in words: `pool.c`, or `the end of t`.
std::string wanted(const Waiting& row);
// The same as a table: lines with columns one below the other, and the last sentence.
std::vector<std::string> waiting_table(const model::Program& program, const model::Run& run);

}  // namespace cohort::report
