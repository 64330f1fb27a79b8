#include "report/call_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/core.h>

namespace cohort::report {

namespace {

struct Row {
  std::string_view name;
  CallKind kind;
  std::string_view done;  // {0}, {1}: what the arguments point to
  std::string_view begun = "";
  std::string_view ended = "";
};

constexpr auto rows = std::to_array<Row>({
    {"pthread_mutex_lock", CallKind::Lock, "locks {0}"},
    {"pthread_mutex_timedlock", CallKind::TryLock, "locks {0}"},
    {"pthread_mutex_clocklock", CallKind::TryLock, "locks {0}"},
    {"pthread_mutex_trylock", CallKind::TryLock, "locks {0}"},
    {"pthread_mutex_unlock", CallKind::Unlock, "unlocks {0}"},
    {"mtx_lock", CallKind::Lock, "locks {0}"},
    {"mtx_timedlock", CallKind::TryLock, "locks {0}"},
    {"mtx_trylock", CallKind::TryLock, "locks {0}"},
    {"mtx_unlock", CallKind::Unlock, "unlocks {0}"},
    {"pthread_spin_lock", CallKind::Lock, "locks {0}"},
    {"pthread_spin_trylock", CallKind::TryLock, "locks {0}"},
    {"pthread_spin_unlock", CallKind::Unlock, "unlocks {0}"},
    {"pthread_rwlock_rdlock", CallKind::Lock, "locks {0} for reading"},
    {"pthread_rwlock_wrlock", CallKind::Lock, "locks {0} for writing"},
    {"pthread_rwlock_tryrdlock", CallKind::TryLock, "locks {0} for reading"},
    {"pthread_rwlock_trywrlock", CallKind::TryLock, "locks {0} for writing"},
    {"pthread_rwlock_unlock", CallKind::Unlock, "unlocks {0}"},
    {"mutex_lock", CallKind::Lock, "locks {0}"},
    {"mutex_trylock", CallKind::TryLock, "locks {0}"},
    {"mutex_unlock", CallKind::Unlock, "unlocks {0}"},
    {"spin_lock", CallKind::Lock, "locks {0}"},
    {"spin_trylock", CallKind::TryLock, "locks {0}"},
    {"spin_unlock", CallKind::Unlock, "unlocks {0}"},
    {"pthread_cond_wait", CallKind::Wait, "waits for {0} and is woken", "waits for {0}, gives {1} back",
     "is woken, locks {1} again"},
    {"pthread_cond_timedwait", CallKind::Wait, "waits for {0}", "waits for {0}, gives {1} back",
     "waits no longer, locks {1} again"},
    {"cnd_wait", CallKind::Wait, "waits for {0} and is woken", "waits for {0}, gives {1} back",
     "is woken, locks {1} again"},
    {"cnd_timedwait", CallKind::Wait, "waits for {0}", "waits for {0}, gives {1} back",
     "waits no longer, locks {1} again"},
    {"pthread_cond_signal", CallKind::Signal, "signals {0}"},
    {"pthread_cond_broadcast", CallKind::Signal, "signals {0} to all"},
    {"cnd_signal", CallKind::Signal, "signals {0}"},
    {"cnd_broadcast", CallKind::Signal, "signals {0} to all"},
    {"sem_wait", CallKind::Take, "takes one from {0}"},
    {"sem_post", CallKind::Other, "gives one to {0}"},
    {"pthread_barrier_wait", CallKind::Barrier, "passes {0}", "arrives at {0}", "passes {0}"},
    {"pthread_join", CallKind::Join, "the thread has ended"},
    {"thrd_join", CallKind::Join, "the thread has ended"},
    {"pthread_create", CallKind::Create, ""},
    {"thrd_create", CallKind::Create, ""},
    {"free", CallKind::Other, "frees {0}"},
});

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// What the argument points to, as one would call it: `&q.m` is q.m, `lock` is *lock.
std::string pointee(const std::string& argument) {
  if (argument.starts_with("&")) return argument.substr(1);
  return argument;
}

std::string fill(std::string_view pattern, const std::vector<std::string>& arguments) {
  std::string text(pattern);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string hole = fmt::format("{{{}}}", i);
    if (const auto at = text.find(hole); at != std::string::npos) text.replace(at, hole.size(), arguments[i]);
  }
  return text;
}

}  // namespace

std::optional<CallText> call_of(std::string_view statement) {
  statement = trimmed(statement);
  std::size_t end = 0;
  while (end < statement.size() && is_name_character(statement[end])) ++end;
  if (end == 0 || end == statement.size() || statement[end] != '(' || statement.back() != ')') return std::nullopt;
  CallText call{.name = statement.substr(0, end), .arguments = {}};
  const std::string_view inside = statement.substr(end + 1, statement.size() - end - 2);
  std::size_t depth = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const char c = inside[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') {
      if (depth == 0) return std::nullopt;  // `f(x) + g(y)`
      --depth;
    }
    if (c != ',' || depth != 0) continue;
    call.arguments.emplace_back(trimmed(inside.substr(from, i - from)));
    from = i + 1;
  }
  if (!trimmed(inside).empty()) call.arguments.emplace_back(trimmed(inside.substr(from)));
  return call;
}

std::optional<CallWords> words_of_call(std::string_view statement, const std::vector<std::string>& objects) {
  const auto call = call_of(statement);
  if (!call) return std::nullopt;
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& one) { return one.name == call->name; });
  if (row == rows.end()) return std::nullopt;
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < call->arguments.size(); ++i) {
    const bool is_known = i < objects.size() && !objects[i].empty();
    arguments.push_back(is_known ? objects[i] : pointee(call->arguments[i]));
  }
  return CallWords{.kind = row->kind,
                   .done = fill(row->done, arguments),
                   .begun = fill(row->begun, arguments),
                   .ended = fill(row->ended, arguments),
                   .object = arguments.empty() ? "" : arguments[0],
                   .mutex = arguments.size() < 2 ? "" : arguments[1]};
}

}  // namespace cohort::report
