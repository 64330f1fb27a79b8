// Signals.  A handler runs on the stack of the thread that it interrupts, so it is a call there.
//
// What the process sends to itself (raise, kill, abort is no part of it) is exact for the thread that sends it: the handler
// runs before raise returns, or the signal stays pending while it is blocked.  Signals from outside come where a thread
// sleeps or waits for input or for a signal, and not in between: the ledger says so.  Without a handler, a signal ends the
// process or does nothing.  Masks belong to threads.  A new thread starts with an empty one here, though it inherits that of
// its creator: signals from outside do not come where some creator had them blocked, and a raise there is refused.
#include "cohort_intrinsics.h"
#include "types.h"

int *__errno_location(void);

typedef void (*cohort_handler)(int);
struct cohort_sigaction {
  cohort_handler handler;
  unsigned long mask[16];
  int flags;
  void (*restorer)(void);
};
enum { COHORT_SIGNALS = 4, COHORT_LAST_SIGNAL = 64, COHORT_SIGINFO = 4, COHORT_RESETHAND = (int)0x80000000u };
enum { COHORT_SIG_BLOCK = 0, COHORT_SIG_UNBLOCK = 1, COHORT_SIG_SETMASK = 2, COHORT_EINTR = 4 };
#define COHORT_DEFAULT ((cohort_handler)0)
#define COHORT_IGNORE ((cohort_handler)1)

// Those that the program has said something about.
static struct {
  int number;
  cohort_handler handler;
  int flags;
} cohort_actions[COHORT_SIGNALS];
static unsigned long cohort_pending;
static _Thread_local unsigned long cohort_blocked;
static _Thread_local _Bool cohort_has_own_mask;
static unsigned long cohort_inherited;  // what some thread had blocked when it created another one
void cohort_note_mask(void) { cohort_inherited = cohort_inherited | cohort_blocked; }

static int cohort_bad_signal(int number) {
  if (number >= 1 && number <= COHORT_LAST_SIGNAL) return 0;
  *__errno_location() = COHORT_EINVAL;
  return 1;
}
static unsigned long cohort_bit(int number) { return 1ul << (number - 1); }
// SIGCHLD, SIGCONT, SIGURG and SIGWINCH do nothing unless somebody wants them.
static int cohort_is_quiet(int number) { return number == 17 || number == 18 || number == 23 || number == 28; }

static cohort_handler cohort_set_action(int number, cohort_handler handler, int flags) {
  cohort_handler old = COHORT_DEFAULT;
  __cohort_atomic_begin();
  int i = 0;
  while (i < COHORT_SIGNALS && cohort_actions[i].number != number && cohort_actions[i].number != 0) i++;
  if (i == COHORT_SIGNALS) __cohort_unsupported("more than 4 signals with actions of their own");
  if (cohort_actions[i].number == number) old = cohort_actions[i].handler;
  cohort_actions[i].number = number;
  cohort_actions[i].handler = handler;
  cohort_actions[i].flags = flags;
  __cohort_atomic_end();
  return old;
}

static void cohort_handle(int number, cohort_handler handler, int flags) {
  const unsigned long before = cohort_blocked;
  char information[128];
  cohort_blocked = cohort_blocked | cohort_bit(number);
  if (flags & COHORT_RESETHAND) cohort_set_action(number, COHORT_DEFAULT, 0);
  if (flags & COHORT_SIGINFO) {
    ((void (*)(int, void *, void *))handler)(number, information, COHORT_NULL);
  } else {
    handler(number);
  }
  cohort_blocked = before;
}

// A signal that is not blocked.
static void cohort_deliver(int number) {
  cohort_handler handler = COHORT_DEFAULT;
  int flags = 0;
  for (int i = 0; i < COHORT_SIGNALS; i++) {
    if (cohort_actions[i].number == number) {
      handler = cohort_actions[i].handler;
      flags = cohort_actions[i].flags;
    }
  }
  if (handler == COHORT_IGNORE) return;
  if (handler == COHORT_DEFAULT) {
    if (cohort_is_quiet(number)) return;
    if (number >= 19 && number <= 22) __cohort_unsupported("a signal that stops the process");
    __cohort_end_process();
  }
  cohort_handle(number, handler, flags);
}

int raise(int number) {
  if (cohort_bad_signal(number)) return -1;
  if (!cohort_has_own_mask && (cohort_inherited & cohort_bit(number)) != 0) {
    __cohort_unsupported("a signal in a thread that may have inherited that it is blocked");
  }
  if (cohort_blocked & cohort_bit(number)) {
    cohort_pending = cohort_pending | cohort_bit(number);
    return 0;
  }
  cohort_deliver(number);
  return 0;
}
int getpid(void) { return 1; }
int getppid(void) { return 2; }
int kill(int process, int number) {
  if (number == 0) return 0;
  if (process != getpid() && process != 0) {
    __cohort_note("signals to other processes do not come back");
    return 0;
  }
  __cohort_note("a signal that the process sends to itself comes to the thread that sends it, or stays pending where that blocks it");
  return raise(number);
}
#if COHORT_DIRECTED
// Signals that one thread has sent to another, which that one has not noticed yet.
enum { COHORT_RECEIVERS = 32 };
static unsigned long cohort_sent[COHORT_RECEIVERS];
int pthread_kill(pthread_t thread, int number) {
  cohort_handler handler = COHORT_DEFAULT;
  if (number == 0) return 0;
  if (cohort_bad_signal(number)) return COHORT_EINVAL;
  if (thread == (pthread_t)__cohort_self()) return raise(number) == 0 ? 0 : COHORT_EINVAL;
  if (thread >= COHORT_RECEIVERS) __cohort_unsupported("signals to more than 32 threads");
  for (int i = 0; i < COHORT_SIGNALS; i++) {
    if (cohort_actions[i].number == number) handler = cohort_actions[i].handler;
  }
  // What nobody handles does not care for which thread it is.
  if (handler == COHORT_DEFAULT || handler == COHORT_IGNORE) {
    cohort_deliver(number);
    return 0;
  }
  __cohort_note("a signal from one thread to another comes where that one sleeps, or waits for input or for a signal");
  __cohort_atomic_begin();
  cohort_sent[thread] = cohort_sent[thread] | cohort_bit(number);
  __cohort_atomic_end();
  return 0;
}
// Has one come?  It runs before this returns.
static int cohort_receive(void) {
  const int me = __cohort_self();
  if (me >= COHORT_RECEIVERS) __cohort_unsupported("signals to more than 32 threads");
  for (int i = 0; i < COHORT_SIGNALS; i++) {
    const int number = cohort_actions[i].number;
    if (number == 0) return 0;
    __cohort_atomic_begin();
    const _Bool came = (cohort_sent[me] & ~cohort_blocked & cohort_bit(number)) != 0;
    if (came) cohort_sent[me] = cohort_sent[me] & ~cohort_bit(number);
    __cohort_atomic_end();
    if (came) {
      cohort_deliver(number);
      return 1;
    }
  }
  return 0;
}
#define COHORT_IS_CALLED (cohort_sent[cohort_receiver] != 0)
#else
#define COHORT_IS_CALLED 0
#endif

// Where a signal from outside may come.  Who handles none looks at nothing here: else a loop that sleeps would be one that
// waits for a change of the table (verdicts/deadlocks.c, SERVES_ORDERED).
int cohort_interrupt(void) {
  int came = 0;
  cohort_cancellation_point();
#if COHORT_DIRECTED
  came = cohort_receive();
#endif
#if COHORT_HANDLERS
  for (int i = 0; i < COHORT_SIGNALS; i++) {
    if (cohort_actions[i].number == 0) return came;
    const cohort_handler handler = cohort_actions[i].handler;
    if (handler == COHORT_DEFAULT || handler == COHORT_IGNORE) continue;
    if ((cohort_blocked | cohort_inherited) & cohort_bit(cohort_actions[i].number)) continue;
    if (!__cohort_nondet_bool()) continue;
    cohort_handle(cohort_actions[i].number, handler, cohort_actions[i].flags);
    came = 1;
  }
#endif
  return came;
}

static void cohort_wait_for_signal(void) {
  COHORT_NAME_MYSELF;
  if (cohort_interrupt()) return;
  // Nobody wants one that could come.
  int wanted = 0;
  for (int i = 0; i < COHORT_SIGNALS; i++) {
    if (cohort_actions[i].handler != COHORT_DEFAULT && cohort_actions[i].handler != COHORT_IGNORE) wanted = 1;
  }
#if COHORT_DIRECTED
  const int cohort_receiver = __cohort_self();
  __cohort_assume(cohort_receiver < COHORT_RECEIVERS);
#else
  __cohort_assume(!wanted);
#endif
  __cohort_atomic_begin_when(COHORT_IS_CALLED COHORT_OR_MUST_END);
  __cohort_atomic_end();
  cohort_interrupt();
}
int pause(void) {
  cohort_wait_for_signal();
  *__errno_location() = COHORT_EINTR;
  return -1;
}
int sigsuspend(const void *set) {
  const unsigned long before = cohort_blocked;
  cohort_blocked = *(const unsigned long *)set;
  cohort_wait_for_signal();
  cohort_blocked = before;
  *__errno_location() = COHORT_EINTR;
  return -1;
}
// One of those that are pending, or one from outside.
static int cohort_take_signal(unsigned long wanted) {
  int number = __cohort_nondet_int();
  __cohort_assume(number >= 1);
  __cohort_assume(number <= COHORT_LAST_SIGNAL);
  __cohort_assume((wanted & cohort_bit(number)) != 0);
  __cohort_note("a signal that somebody waits for may come from outside at any time");
  __cohort_atomic_begin();
  cohort_pending = cohort_pending & ~cohort_bit(number);
  __cohort_atomic_end();
  return number;
}
int sigwait(const void *set, int *signal) {
  *signal = cohort_take_signal(*(const unsigned long *)set);
  return 0;
}
int sigwaitinfo(const void *set, void *information) {
  if (information != COHORT_NULL) __cohort_unsupported("sigwaitinfo: what is known of a signal besides its number");
  return cohort_take_signal(*(const unsigned long *)set);
}
int sigtimedwait(const void *set, void *information, const struct timespec *limit) {
  cohort_plain_limit(limit);
  if (__cohort_nondet_bool()) {
    *__errno_location() = COHORT_EAGAIN;
    return -1;
  }
  return sigwaitinfo(set, information);
}

cohort_handler signal(int number, cohort_handler handler) {
  if (cohort_bad_signal(number)) return (cohort_handler)-1;
  __cohort_note("signals from outside come where a thread sleeps, or waits for input or for a signal, and nowhere else");
  return cohort_set_action(number, handler, 0);
}
int sigaction(int number, const void *action, void *old) {
  const struct cohort_sigaction *wanted = action;
  struct cohort_sigaction *before = old;
  cohort_handler handler = COHORT_DEFAULT;
  if (cohort_bad_signal(number)) return -1;
  __cohort_note("signals from outside come where a thread sleeps, or waits for input or for a signal, and nowhere else");
  if (wanted != COHORT_NULL) {
    cohort_read_memory(wanted->mask, sizeof wanted->mask[0]);
    handler = cohort_set_action(number, wanted->handler, wanted->flags);
  } else {
    for (int i = 0; i < COHORT_SIGNALS; i++) {
      if (cohort_actions[i].number == number) handler = cohort_actions[i].handler;
    }
  }
  if (before != COHORT_NULL) {
    before->handler = handler;
    before->mask[0] = 0;
    before->flags = 0;
  }
  return 0;
}

int sigemptyset(void *set) {
  *(unsigned long *)set = 0;
  return 0;
}
int sigfillset(void *set) {
  *(unsigned long *)set = ~0ul;
  return 0;
}
int sigaddset(void *set, int number) {
  if (cohort_bad_signal(number)) return -1;
  *(unsigned long *)set |= cohort_bit(number);
  return 0;
}
int sigdelset(void *set, int number) {
  if (cohort_bad_signal(number)) return -1;
  *(unsigned long *)set &= ~cohort_bit(number);
  return 0;
}
int sigismember(const void *set, int number) {
  if (cohort_bad_signal(number)) return -1;
  return (*(const unsigned long *)set & cohort_bit(number)) != 0;
}
int sigpending(void *set) {
  *(unsigned long *)set = cohort_pending & cohort_blocked;
  return 0;
}
int pthread_sigmask(int how, const void *set, void *old_set) {
  const unsigned long before = cohort_blocked;
  if (set != COHORT_NULL) {
    const unsigned long bits = *(const unsigned long *)set;
    if (how != COHORT_SIG_BLOCK && how != COHORT_SIG_UNBLOCK && how != COHORT_SIG_SETMASK) return COHORT_EINVAL;
    cohort_has_own_mask = 1;
    cohort_blocked = how == COHORT_SIG_BLOCK ? before | bits : how == COHORT_SIG_UNBLOCK ? before & ~bits : bits;
    for (int number = 1; (cohort_pending & ~cohort_blocked) != 0; number++) {
      if ((cohort_pending & ~cohort_blocked & cohort_bit(number)) == 0) continue;
      cohort_pending = cohort_pending & ~cohort_bit(number);
      cohort_deliver(number);
    }
  }
  if (old_set != COHORT_NULL) *(unsigned long *)old_set = before;
  return 0;
}
int sigprocmask(int how, const void *set, void *old_set) {
  const int error = pthread_sigmask(how, set, old_set);
  if (error == 0) return 0;
  *__errno_location() = error;
  return -1;
}
unsigned alarm(unsigned seconds) {
  (void)seconds;
  return 0;
}
cohort_handler bsd_signal(int number, cohort_handler handler) { return signal(number, handler); }
cohort_handler sysv_signal(int number, cohort_handler handler) {
  if (cohort_bad_signal(number)) return (cohort_handler)-1;
  return cohort_set_action(number, handler, COHORT_RESETHAND);
}

// Timers.  One that sends a signal has it come as those from outside do; one that calls a function does so in a thread of its
// own, at any moment after it was set and before it is set again or deleted; a periodic one any number of times.
union sigval {
  int sival_int;
  void *sival_ptr;
};
struct cohort_timer_event {
  union sigval value;
  int number;
  int kind;
  void (*function)(union sigval);
};
struct cohort_timer_times {
  struct timespec interval;
  struct timespec first;
};
enum { COHORT_TIMERS = 4, COHORT_CALLS = 2 };
static _Bool cohort_timer_is_used[COHORT_TIMERS];
static _Bool cohort_timer_is_periodic[COHORT_TIMERS];
static unsigned char cohort_timer_setting[COHORT_TIMERS];  // how often it was set or deleted
static union sigval cohort_timer_value[COHORT_TIMERS];
static void (*cohort_timer_function[COHORT_TIMERS])(union sigval);
int timer_create(int clock, const struct cohort_timer_event *event, void **timer) {
  int i = 0;
  (void)clock;
  __cohort_atomic_begin();
  while (i < COHORT_TIMERS && cohort_timer_is_used[i]) i++;
  if (i == COHORT_TIMERS) __cohort_unsupported("more than 4 timers");
  cohort_timer_is_used[i] = 1;
  __cohort_atomic_end();
  cohort_timer_function[i] = COHORT_NULL;
  if (event != COHORT_NULL && event->kind == COHORT_CALLS) {
    cohort_timer_function[i] = event->function;
    cohort_timer_value[i] = event->value;
  }
  *timer = (void *)(long)(i + 1);
  return 0;
}
static int cohort_timer(void *timer) {
  const long i = (long)timer - 1;
  if (i >= 0 && i < COHORT_TIMERS && cohort_timer_is_used[i]) return (int)i;
  *__errno_location() = COHORT_EINVAL;
  return -1;
}
static void cohort_change_timer(int i) {
  if (cohort_timer_setting[i] == 255) __cohort_unsupported("a timer that is set more than 255 times");
  cohort_timer_setting[i]++;
}
static void *cohort_expire(void *what) {
  const int i = (int)((long)what % COHORT_TIMERS);
  const int setting = (int)((long)what / COHORT_TIMERS);
  do {
    __cohort_atomic_begin();
    const _Bool is_set = cohort_timer_setting[i] == setting;
    __cohort_atomic_end();
    if (!is_set) return COHORT_NULL;
    cohort_timer_function[i](cohort_timer_value[i]);
  } while (cohort_timer_is_periodic[i] && __cohort_nondet_bool());
  return COHORT_NULL;
}
int timer_settime(void *timer, int flags, const struct cohort_timer_times *times, struct cohort_timer_times *old) {
  const int i = cohort_timer(timer);
  (void)flags;
  if (i < 0) return -1;
  if (old != COHORT_NULL) {
    old->interval.tv_sec = __cohort_nondet_long();
    old->first.tv_sec = __cohort_nondet_long();
    old->interval.tv_nsec = old->first.tv_nsec = 0;
  }
  if (cohort_timer_function[i] == COHORT_NULL) return 0;
  cohort_change_timer(i);
  if (times->first.tv_sec == 0 && times->first.tv_nsec == 0) return 0;
  __cohort_note("the calls of one setting of a timer do not overlap");
  cohort_timer_is_periodic[i] = times->interval.tv_sec != 0 || times->interval.tv_nsec != 0;
  __cohort_spawn(cohort_expire, (void *)(long)(i + COHORT_TIMERS * cohort_timer_setting[i]));
  return 0;
}
int timer_delete(void *timer) {
  const int i = cohort_timer(timer);
  if (i < 0) return -1;
  cohort_change_timer(i);
  cohort_timer_is_used[i] = 0;
  return 0;
}
int timer_getoverrun(void *timer) {
  const int count = __cohort_nondet_int();
  if (cohort_timer(timer) < 0) return -1;
  __cohort_assume(count >= 0);
  return count;
}
