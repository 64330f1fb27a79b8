// What programs ask the operating system: its time, errors, arguments and signals, and input.
#include "cohort_intrinsics.h"

struct timeval {
  long tv_sec;
  long tv_usec;
};

static _Thread_local int cohort_error;
int *__errno_location(void) { return &cohort_error; }

int clock_gettime(int clock, struct timespec *now) {
  const long part = __cohort_nondet_long();
  (void)clock;
  __cohort_assume(part >= 0);
  __cohort_assume(part < 1000000000);
  now->tv_sec = __cohort_nondet_long();
  now->tv_nsec = part;
  return 0;
}
int timespec_get(struct timespec *now, int base) {
  clock_gettime(0, now);
  return base;
}
int gettimeofday(struct timeval *now, void *zone) {
  const long part = __cohort_nondet_long();
  (void)zone;
  __cohort_assume(part >= 0);
  __cohort_assume(part < 1000000);
  now->tv_sec = __cohort_nondet_long();
  now->tv_usec = part;
  return 0;
}
int clock_nanosleep(int clock, int flags, const struct timespec *limit, struct timespec *rest) {
  (void)clock, (void)flags, (void)limit, (void)rest;
  return 0;
}
unsigned alarm(unsigned seconds) {
  (void)seconds;
  __cohort_note("signals do not come");
  return 0;
}

int getpid(void) { return 1; }
int gettid(void) { return __cohort_self(); }
long sysconf(int name) {
  const int value = __cohort_nondet_int();
  (void)name;
  __cohort_assume(value >= 1);
  return value;
}
int get_nprocs(void) { return (int)sysconf(0); }
char *getenv(const char *name) {
  (void)name;
  __cohort_note("variables of the environment are not set");
  return COHORT_NULL;
}

// A thread that waits for a signal waits for ever.
static void cohort_wait_for_signal(void) {
  __cohort_note("signals do not come");
  __cohort_atomic_begin_when(0);
  __cohort_atomic_end();
}
int pause(void) {
  cohort_wait_for_signal();
  return -1;
}
int sigwait(const void *set, int *signal) {
  (void)set, (void)signal;
  cohort_wait_for_signal();
  return 0;
}
int sigsuspend(const void *set) {
  (void)set;
  cohort_wait_for_signal();
  return -1;
}
int sigwaitinfo(const void *set, void *information) {
  (void)set, (void)information;
  cohort_wait_for_signal();
  return -1;
}
void (*signal(int number, void (*handler)(int)))(int) {
  (void)number, (void)handler;
  __cohort_note("signals do not come");
  return COHORT_NULL;
}
int sigaction(int number, const void *action, void *old) {
  (void)number, (void)action;
  if (old != COHORT_NULL) __cohort_unsupported("sigaction: the action that was there before is not modelled");
  __cohort_note("signals do not come");
  return 0;
}
int sigemptyset(void *set) {
  (void)set;
  return 0;
}
int sigfillset(void *set) {
  (void)set;
  return 0;
}
int sigaddset(void *set, int number) {
  (void)set, (void)number;
  return 0;
}
int sigdelset(void *set, int number) {
  (void)set, (void)number;
  return 0;
}
int pthread_sigmask(int how, const void *set, void *old_set) {
  (void)how, (void)set;
  if (old_set != COHORT_NULL) __cohort_unsupported("pthread_sigmask: the mask that was there before is not modelled");
  __cohort_note("signals do not come");
  return 0;
}
int sigprocmask(int how, const void *set, void *old_set) { return pthread_sigmask(how, set, old_set); }

int getchar(void) {
  const int character = __cohort_nondet_int();
  __cohort_assume(character >= -1);
  __cohort_assume(character <= 255);
  return character;
}
