// A run as its author would tell it: a line for each statement that does something, calls of the library in words, and
// nothing of what only the model has.  For programs whose front end says which variables people wrote (model/look.hpp).
//
// Steps of one thread that belong to the same statement make one line, as long as no other thread comes between them.
// Left out is what everybody sees without being told: counters of loops; what a thread read that it wrote itself or
// has been told to have read before; signals for which nobody waits, unless somebody waits for them at the end; the end
// of a thread that does nothing else; and the unlocking at the end of a section that nobody else came into, which the
// line that locks tells.  What a function does stands below the line that calls it, and deeper.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/run.hpp"
#include "report/trace_view.hpp"

namespace cohort::report {

struct StoryLine {
  std::string thread;
  SourceSpan span;
  std::string statement;
  std::string effect;
  bool switches = false;  // another thread has the line before
  std::size_t last = 0;   // the line ends before this step of the run
  std::size_t depth = 0;  // calls that it is in
  std::string called{};   // the function, where the line only says that it is called
  // What others can see of the effect: told where the call that the line is in is told in one line.
  std::vector<std::string> outside{};
  enum class Folded { No, Call, Repeated, Turn } folded = Folded::No;  // what else it stands for
};

// Does the program have what it takes?
bool has_story(const model::Program& program);

std::vector<StoryLine> story_of(const model::Program& program, const model::Run& run);

// The values of shared variables at the start that the run depends on, as `x = 1`.
std::vector<std::string> start_of(const model::Program& program, const model::Run& run);

// What the last statement of the run looked at, as `x = 1`.
std::vector<std::string> seen_at_end(const model::Program& program, const model::Run& run);

// A lock that a thread holds at the end of the run: what it is called there, and where it was locked.
struct HeldLock {
  std::string object;
  SourceSpan span;
  std::set<std::size_t> slots;  // of the shared valuation, where it was written that the lock is taken
};
// By the thread's name, as far as calls of the library tell.
std::map<std::string, std::vector<HeldLock>> locks_held(const model::Program& program, const model::Run& run);

}  // namespace cohort::report
