#include "frontend/c/ir/names.hpp"

#include <algorithm>
#include <utility>

#include "base/contract.hpp"

namespace cohort::frontend::c::ir {

namespace {

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

template <class Prefixes>
bool begins_with(std::string_view name, const Prefixes& prefixes) {
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

template <class Kind, std::size_t size>
std::optional<Kind> find(const std::pair<std::string_view, Kind> (&table)[size], std::string_view name) {
  for (const auto& [known, kind] : table) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

constexpr std::pair<std::string_view, Wrong> wrongs[] = {
    {"assertion", Wrong::Assertion}, {"deadlock", Wrong::Deadlock}, {"race", Wrong::Race},  {"lock", Wrong::Lock},
    {"fault", Wrong::Fault},         {"overflow", Wrong::Overflow}, {"abort", Wrong::Abort}};

constexpr std::pair<std::string_view, Intrinsic> intrinsics[] = {
    {"__cohort_atomic_begin", Intrinsic::AtomicBegin},
    {"__cohort_atomic_end", Intrinsic::AtomicEnd},
    {"__cohort_atomic_begin_when", Intrinsic::AtomicBeginWhen},
    {"__cohort_atomic_begin_when_or_by_chance", Intrinsic::AtomicBeginWhenOrByChance},
    {"__cohort_assume", Intrinsic::Assume},
    {"__cohort_violation", Intrinsic::Violation},
    {"__cohort_unsupported", Intrinsic::Unsupported},
    {"__cohort_note", Intrinsic::Note},
    {"__cohort_first_argument", Intrinsic::FirstArgument},
    {"__cohort_argument", Intrinsic::Argument},
    {"__cohort_spawn", Intrinsic::Spawn},
    {"__cohort_self", Intrinsic::Self},
    {"__cohort_finished", Intrinsic::Finished},
    {"__cohort_result", Intrinsic::Result},
    {"__cohort_exit_thread", Intrinsic::ExitThread},
    {"__cohort_end_process", Intrinsic::EndProcess},
    {"__cohort_exit", Intrinsic::Exit},
    {"__cohort_allocate", Intrinsic::Allocate},
    {"__cohort_allocate_zero", Intrinsic::AllocateZero},
    {"__cohort_free", Intrinsic::Free},
    {"setjmp", Intrinsic::SetJump},
    {"_setjmp", Intrinsic::SetJump},
    {"sigsetjmp", Intrinsic::SetJump},
    {"__sigsetjmp", Intrinsic::SetJump},
    {"__sigsetjmp_cancel", Intrinsic::SetJump},
    {"longjmp", Intrinsic::LongJump},
    {"_longjmp", Intrinsic::LongJump},
    {"siglongjmp", Intrinsic::LongJump},
    {"__cohort_longjmp", Intrinsic::LongJump},
};

}  // namespace

std::optional<Wrong> wrong_named(std::string_view word) {
  return find(wrongs, word);
}

std::string_view to_string(Wrong wrong) {
  for (const auto& [word, kind] : wrongs) {
    if (kind == wrong) return word;
  }
  COHORT_UNREACHABLE("every kind of violation has a word");
}

std::optional<Intrinsic> intrinsic_named(std::string_view name) {
  return find(intrinsics, name);
}

std::size_t arguments_of(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::AtomicBegin:
    case Intrinsic::AtomicEnd:
    case Intrinsic::FirstArgument:
    case Intrinsic::Self:
    case Intrinsic::EndProcess:
    case Intrinsic::Exit: return 0;
    case Intrinsic::AtomicBeginWhen:
    case Intrinsic::AtomicBeginWhenOrByChance:
    case Intrinsic::Assume:
    case Intrinsic::Unsupported:
    case Intrinsic::Note:
    case Intrinsic::Argument:
    case Intrinsic::Finished:
    case Intrinsic::Result:
    case Intrinsic::ExitThread:
    case Intrinsic::Allocate:
    case Intrinsic::AllocateZero:
    case Intrinsic::SetJump:
    case Intrinsic::Free: return 1;
    case Intrinsic::LongJump:
    case Intrinsic::Violation:
    case Intrinsic::Spawn: return 2;
  }
  COHORT_UNREACHABLE("every intrinsic has its arguments");
}

bool is_of_models(std::string_view name) {
  return name.starts_with("cohort_");
}

bool is_error_call(std::string_view name) {
  return name == "reach_error" || name == "__VERIFIER_error";
}

bool states_assertion(std::string_view name) {
  constexpr std::string_view names[] = {
      "assert", "__assert_fail", "__assert", "__assert_perror_fail", "__VERIFIER_assert", "__CPROVER_assert"};
  return is_error_call(name) || is_one_of(name, names);
}

bool is_atomic_by_name(std::string_view name) {
  return name.starts_with("__VERIFIER_atomic_");
}

bool gives_any_value(std::string_view name) {
  constexpr std::string_view prefixes[] = {"__cohort_nondet", "__VERIFIER_nondet", "nondet"};
  return begins_with(name, prefixes);
}

std::optional<MemoryCall> memory_call(std::string_view name) {
  if (name == "memset") return MemoryCall::Set;
  if (name == "memcpy") return MemoryCall::Copy;
  if (name == "memmove") return MemoryCall::Move;
  if (name == "cohort_read_memory") return MemoryCall::Read;
  return std::nullopt;
}

bool is_detach(std::string_view name) {
  return name == "pthread_detach" || name == "thrd_detach";
}

bool sets_detachment(std::string_view name) {
  return name == "pthread_attr_setdetachstate";
}

bool joins_thread(std::string_view name) {
  constexpr std::string_view names[] = {"pthread_join", "pthread_tryjoin_np", "pthread_timedjoin_np",
                                        "pthread_clockjoin_np", "thrd_join"};
  return is_one_of(name, names);
}

bool creates_key(std::string_view name) {
  return name == "pthread_key_create" || name == "tss_create";
}

bool registers_handler(std::string_view name) {
  return name == "atexit" || name == "at_quick_exit";
}

bool locks_mutex(std::string_view name) {
  return name == "pthread_mutex_lock" || name == "mtx_lock";
}

bool frees_mutex(std::string_view name) {
  constexpr std::string_view names[] = {"pthread_mutex_unlock", "mtx_unlock", "pthread_mutex_init", "mtx_init"};
  return is_one_of(name, names);
}

bool sets_mutex_kind(std::string_view name) {
  return name == "pthread_mutexattr_settype";
}

bool makes_mutex_of_kind(std::string_view name) {
  return name == "mtx_init";
}

std::size_t first_input(std::string_view name) {
  // glibc's headers call them __isoc99_scanf and so on.
  if (name.starts_with("__isoc")) name.remove_prefix(std::min(name.find('_', 2) + 1, name.size()));
  if (name == "scanf") return 1;
  return name == "sscanf" || name == "fscanf" ? 2 : 0;
}

bool synchronises(std::string_view name) {
  constexpr std::string_view prefixes[] = {"pthread_mutex_",   "pthread_spin_", "pthread_cond_", "pthread_rwlock_",
                                           "pthread_barrier_", "sem_",          "mtx_",          "cnd_",
                                           "cohort_futex_"};
  constexpr std::string_view names[] = {"pthread_once", "call_once"};
  return begins_with(name, prefixes) || is_one_of(name, names);
}

bool initialises_lock(std::string_view name) {
  constexpr std::string_view names[] = {"pthread_mutex_init", "pthread_rwlock_init", "pthread_spin_init", "mtx_init"};
  return is_one_of(name, names);
}

bool has_other_effects(std::string_view name) {
  constexpr std::string_view prefixes[] = {"pthread_", "thrd_",       "mtx_",      "cnd_",      "tss_",
                                           "sem_",     "__atomic",    "__sync_",   "__builtin", "atomic_",
                                           "__c11_",   "__VERIFIER_", "__CPROVER", "__cohort",  "cohort_"};
  constexpr std::string_view names[] = {
      "fork", "vfork", "clone", "longjmp", "_longjmp", "siglongjmp", "setcontext", "swapcontext", "makecontext",
      "getcontext", "sigsetjmp", "__sigsetjmp", "setjmp", "_setjmp", "nondet",
      // What is called later, and by whom, is not known.
      "sigset", "sigqueue", "on_exit", "mq_notify", "aio_read", "aio_write", "lio_listio", "fopencookie"};
  return begins_with(name, prefixes) || is_one_of(name, names);
}

}  // namespace cohort::frontend::c::ir
