// Calls of the thread libraries in words: `pthread_mutex_lock(&q.m)` locks q.m.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cohort::report {

// A statement that is one call: the function's name and its arguments as written.
struct CallText {
  std::string_view name;
  std::vector<std::string> arguments;
};
// None if the statement is something else.
std::optional<CallText> call_of(std::string_view statement);

enum class CallKind { Lock, TryLock, Unlock, Wait, Barrier, Take, Signal, Join, Create, Other };

struct CallWords {
  CallKind kind = CallKind::Other;
  std::string done;    // "locks q.m"; of a wait: from the beginning to the end
  std::string begun;   // of a wait that is not over: "waits for q.c, gives q.m back"
  std::string ended;   // of its rest: "wakes up with q.m"
  std::string object;  // "q.m"
  std::string mutex;   // of a wait: what is given back meanwhile
};
// None for functions that are not among those of the thread libraries that everybody knows.
// `objects`: what the first arguments lead to, where they are better known than by what is written.
std::optional<CallWords> words_of_call(std::string_view statement, const std::vector<std::string>& objects = {});

}  // namespace cohort::report
