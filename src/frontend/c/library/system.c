// What programs ask the operating system: its time, errors and environment, sleep, and futexes.
#include "cohort_intrinsics.h"
#include "types.h"

int cohort_interrupt(void);
long cohort_seconds(void);

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
  now->tv_sec = cohort_seconds();
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
  now->tv_sec = cohort_seconds();
  now->tv_usec = part;
  return 0;
}
int gettid(void) { return __cohort_self(); }
long sysconf(int name) {
  enum { page_size = 30, page = 4096 };
  const int value = __cohort_nondet_int();
  if (name == page_size) return page;
  __cohort_assume(value >= 1);
  return value;
}
int get_nprocs(void) { return (int)sysconf(0); }
// Time does not pass: whoever sleeps may go on at once, and is overtaken by others in other interleavings.  A signal may
// come meanwhile, and then some time is left.
static _Bool cohort_sleep(void) { return cohort_interrupt() != 0; }
unsigned sleep(unsigned seconds) { return cohort_sleep() ? seconds : 0; }
int usleep(unsigned microseconds) {
  (void)microseconds;
  if (!cohort_sleep()) return 0;
  cohort_error = 4;
  return -1;
}
int nanosleep(const struct timespec *duration, struct timespec *remaining) {
  if (!cohort_sleep()) return 0;
  if (remaining != COHORT_NULL && duration != COHORT_NULL) *remaining = *duration;
  cohort_error = 4;
  return -1;
}
int clock_nanosleep(int clock, int flags, const struct timespec *limit, struct timespec *rest) {
  (void)clock, (void)flags;
  if (!cohort_sleep()) return 0;
  if (rest != COHORT_NULL && limit != COHORT_NULL) *rest = *limit;
  return 4;
}
int clock_getres(int clock, struct timespec *resolution) {
  (void)clock;
  if (resolution != COHORT_NULL) {
    resolution->tv_sec = 0;
    resolution->tv_nsec = 1;
  }
  return 0;
}

// Who sleeps on which word, and who of them has been woken.
enum { COHORT_SLEEPERS = 8, COHORT_FUTEX = 202, COHORT_GETTID = 186, COHORT_SCHED_YIELD = 24 };
enum { COHORT_FUTEX_WAIT = 0, COHORT_FUTEX_WAKE = 1, COHORT_FUTEX_WAIT_BITSET = 9, COHORT_FUTEX_WAKE_BITSET = 10 };
static const int *cohort_sleeps_on[COHORT_SLEEPERS];
static _Bool cohort_is_woken[COHORT_SLEEPERS];
static long cohort_futex_wait(const int *word, int value, const struct timespec *limit) {
  int place = 0;
  __cohort_atomic_begin();
  const _Bool sleeps = *word == value;
  if (sleeps) {
    while (place < COHORT_SLEEPERS && cohort_sleeps_on[place] != COHORT_NULL) place++;
    if (place == COHORT_SLEEPERS) __cohort_unsupported("more than 8 threads that sleep on futexes");
    cohort_sleeps_on[place] = word;
    cohort_is_woken[place] = 0;
  }
  __cohort_atomic_end();
  if (!sleeps) {
    cohort_error = COHORT_EAGAIN;
    return -1;
  }
  const _Bool has_limit = limit != COHORT_NULL;
#if COHORT_SPURIOUS
  __cohort_atomic_begin_when_or_by_chance(cohort_is_woken[place] | has_limit);
#else
  __cohort_atomic_begin_when(cohort_is_woken[place] | has_limit);
#endif
  const _Bool woken = cohort_is_woken[place];
  cohort_sleeps_on[place] = COHORT_NULL;
  __cohort_atomic_end();
  if (woken) return 0;
  cohort_error = has_limit ? COHORT_ETIMEDOUT : 4;
  return -1;
}
static long cohort_futex_wake(const int *word, int most) {
  long woken = 0;
  int left = 0;
  __cohort_atomic_begin();
  for (int i = 0; i < COHORT_SLEEPERS; i++) left += cohort_sleeps_on[i] == word && !cohort_is_woken[i];
  for (int i = 0; i < COHORT_SLEEPERS; i++) {
    if (cohort_sleeps_on[i] != word || cohort_is_woken[i]) continue;
    // Any of them, unless all are needed.
    if (woken < most && (left <= most - woken || __cohort_nondet_bool())) {
      cohort_is_woken[i] = 1;
      woken++;
    }
    left--;
  }
  __cohort_atomic_end();
  return woken;
}
long syscall(long number, const int *word, int operation, int value, const struct timespec *limit) {
  if (number == COHORT_GETTID) return gettid();
  if (number == COHORT_SCHED_YIELD) return 0;
  if (number != COHORT_FUTEX) __cohort_unsupported("syscall of something else than futex, gettid and sched_yield");
  operation &= 127;
  if (operation == COHORT_FUTEX_WAIT || operation == COHORT_FUTEX_WAIT_BITSET) {
    return cohort_futex_wait(word, value, limit);
  }
  if (operation != COHORT_FUTEX_WAKE && operation != COHORT_FUTEX_WAKE_BITSET) {
    __cohort_unsupported("an operation of futexes that neither waits nor wakes");
  }
  return cohort_futex_wake(word, value);
}
int prctl(int option) {
  (void)option;
  return 0;
}

// Memory from the system: pages are objects as of calloc, the break is a piece of limited length.
enum { COHORT_BREAK_WORDS = 64, COHORT_MAP_ANONYMOUS = 32 };
static long cohort_break_memory[COHORT_BREAK_WORDS];
static long cohort_break_at;
void *sbrk(long change) {
  __cohort_atomic_begin();
  char *old = (char *)cohort_break_memory + cohort_break_at;
  cohort_break_at += change;
  if (cohort_break_at < 0) __cohort_unsupported("a break below its start");
  if (cohort_break_at > (long)sizeof cohort_break_memory) __cohort_unsupported("more than 512 bytes by sbrk");
  __cohort_atomic_end();
  return old;
}
void *mmap(void *where, unsigned long size, int protection, int flags, int descriptor, long offset) {
  (void)where, (void)protection, (void)descriptor, (void)offset;
  if (!(flags & COHORT_MAP_ANONYMOUS)) __cohort_unsupported("mmap of a file");
#if COHORT_FAILING
  if (__cohort_nondet_bool()) return (void *)-1;
#endif
  return __cohort_allocate_zero(size);
}
int munmap(void *memory, unsigned long size) {
  (void)size;
  __cohort_note("munmap gives back all that mmap gave");
  __cohort_free(memory);
  return 0;
}
int mprotect(void *memory, unsigned long size, int protection) {
  (void)memory, (void)size, (void)protection;
  return 0;
}
int madvise(void *memory, unsigned long size, int advice) {
  (void)memory, (void)size, (void)advice;
  return 0;
}

// Who runs the program: anybody, or somebody whom nobody knows.
struct passwd {
  char *pw_name, *pw_passwd;
  unsigned pw_uid, pw_gid;
  char *pw_gecos, *pw_dir, *pw_shell;
};
static char cohort_user_name[] = "user";
static char cohort_user_place[] = "/";
static struct passwd cohort_user = {cohort_user_name, cohort_user_name, 0, 0, cohort_user_name, cohort_user_place, cohort_user_place};
static struct passwd *cohort_any_user(void) {
  if (__cohort_nondet_bool()) return COHORT_NULL;
  __cohort_note("users are called user and live in /");
  return &cohort_user;
}
struct passwd *getpwuid(unsigned user) {
  cohort_user.pw_uid = user;
  return cohort_any_user();
}
struct passwd *getpwnam(const char *name) {
  (void)name;
  return cohort_any_user();
}
