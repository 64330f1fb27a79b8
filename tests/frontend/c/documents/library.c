// What docs/c-library.md says of functions that a native run shows nothing of: conventions of verifiers, input, time, signals, what is refused.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int nondet_int(void);
extern void assume_abort_if_not(int);
extern void __VERIFIER_spin_start(void), __VERIFIER_spin_end(void), __VERIFIER_loop_begin(void), __VERIFIER_loop_bound(int);
extern void __CPROVER_assume(_Bool), __CPROVER_atomic_begin(void), __CPROVER_atomic_end(void), __CPROVER_fence(const char *, ...);
extern void __CPROVER_predicate(_Bool), atomic_begin(void), atomic_end(void);
static int x;
static pthread_t start(void *(*work)(void *)) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  return t;
}

// case ANY_BOOL: unsafe
#ifdef ANY_BOOL
int main(void) { assert(!__VERIFIER_nondet_bool()); return 0; }
#endif
// case ANY_UNSIGNED: unsafe
#ifdef ANY_UNSIGNED
int main(void) { assert(__VERIFIER_nondet_uint() < 4000000000u); return 0; }
#endif
// case ANY_INT: unsafe
#ifdef ANY_INT
int main(void) { assert(nondet_int() != -7); return 0; }
#endif
// case ASSUMES: safe
#ifdef ASSUMES
int main(void) { int n = nondet_int(); assume_abort_if_not(n > 2); __CPROVER_assume(n < 4); assert(n == 3); return 0; }
#endif
// case ASSUMES_NOTHING: unsafe
#ifdef ASSUMES_NOTHING
int main(void) { int n = nondet_int(); assume_abort_if_not(n > 2); __CPROVER_assume(n < 5); assert(n == 3); return 0; }
#endif
// case HINTS: unsafe
#ifdef HINTS
int main(void) {
  __VERIFIER_loop_begin();
  for (int i = 0; i < 3; i++) { __VERIFIER_loop_bound(2); __VERIFIER_spin_start(); x++; __VERIFIER_spin_end(); }
  __CPROVER_fence("WWfence"), __CPROVER_predicate(x == 0);
  assert(x == 2);
  return 0;
}
#endif
// case SECTIONS_OF_CPROVER: safe
#ifdef SECTIONS_OF_CPROVER
static void *work(void *a) { __CPROVER_atomic_begin(); x++; __CPROVER_atomic_end(); return a; }
int main(void) { pthread_t t = start(work); __CPROVER_atomic_begin(); x++; __CPROVER_atomic_end(); pthread_join(t, NULL); assert(x == 2); return 0; }
#endif
// case SECTIONS_OF_SATABS: safe
#ifdef SECTIONS_OF_SATABS
static void *work(void *a) { atomic_begin(); x++; atomic_end(); return a; }
int main(void) { pthread_t t = start(work); atomic_begin(); x++; atomic_end(); pthread_join(t, NULL); assert(x == 2); return 0; }
#endif
// case CLEANUP: safe
#ifdef CLEANUP
static void back(void *a) { *(int *)a += 1; }
static void *work(void *a) { pthread_cleanup_push(back, &x); x = 1; pthread_cleanup_pop(1); return a; }
int main(void) { pthread_t t = start(work); pthread_join(t, NULL); assert(x == 2); return 0; }
#endif
// case CLEANUP_NOT: safe
#ifdef CLEANUP_NOT
static void back(void *a) { *(int *)a += 1; }
static void *work(void *a) { pthread_cleanup_push(back, &x); x = 1; pthread_cleanup_pop(0); return a; }
int main(void) { pthread_t t = start(work); pthread_join(t, NULL); assert(x == 1); return 0; }
#endif
// case CANCEL: safe, is cancelled ends where
#ifdef CANCEL
static void *work(void *a) { return a; }
int main(void) { pthread_t t = start(work); pthread_cancel(t); assert(x == 0); return 0; }
#endif
// case KILL: safe, a signal from one thread to another
#ifdef KILL
static void *work(void *a) { return a; }
int main(void) { pthread_t t = start(work); pthread_kill(t, SIGUSR1); assert(x == 0); return 0; }
#endif
// case AT_FORK: safe
#ifdef AT_FORK
int main(void) { pthread_atfork(0, 0, 0); assert(x == 0); return 0; }
#endif
// case OF_NO_EFFECT: safe
#ifdef OF_NO_EFFECT
extern int pthread_yield(void);
int main(void) {
  pthread_attr_t a;
  struct sched_param p = {0};
  cpu_set_t set;
  sigset_t signals;
  struct sigaction action;
  struct timespec moment = {0, 1};
  int old;
  memset(&set, 0, sizeof set), memset(&action, 0, sizeof action);
  pthread_attr_init(&a), pthread_attr_setstacksize(&a, 65536), pthread_attr_setschedparam(&a, &p);
  pthread_setschedparam(pthread_self(), SCHED_OTHER, &p), pthread_setname_np(pthread_self(), "name");
  pthread_setaffinity_np(pthread_self(), sizeof set, &set), pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL), pthread_yield();
  sigemptyset(&signals), sigfillset(&signals), sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, NULL), pthread_sigmask(SIG_BLOCK, &signals, NULL), sigaction(SIGINT, &action, NULL);
  nanosleep(&moment, NULL), clock_nanosleep(CLOCK_REALTIME, 0, &moment, NULL), thrd_sleep(&moment, NULL);
  srand(1), putchar('a'), perror("text");
  assert(x == 0);
  return 0;
}
#endif
// case STACK_SIZE: unsafe
#ifdef STACK_SIZE
int main(void) { pthread_attr_t a; size_t n = 0; pthread_attr_init(&a); pthread_attr_getstacksize(&a, &n); assert(n != 77777); return 0; }
#endif
// case NAMED_SEMAPHORE: safe
#ifdef NAMED_SEMAPHORE
static sem_t *s;
static void *work(void *a) { sem_wait(s); x++; sem_post(s); return a; }
int main(void) {
  s = sem_open("/name", 0100, 0600, 1);
  pthread_t t = start(work);
  sem_wait(s), x++, sem_post(s);
  pthread_join(t, NULL);
  assert(x == 2);
  sem_close(s), sem_unlink("/name");
  return 0;
}
#endif
// case DETACHED: unsafe
#ifdef DETACHED
static int work(void *a) { x = 1; return 0; }
int main(void) { thrd_t t; thrd_create(&t, work, NULL); thrd_detach(t); assert(x == 0); return 0; }
#endif
// case ENDS_THE_PROCESS: safe
#ifdef ENDS_THE_PROCESS
int main(void) { if (nondet_int()) _exit(1); else _Exit(2); assert(0); }
#endif
// case GROWS: safe
#ifdef GROWS
int main(void) { int *p = malloc(4); *p = 3; p = realloc(p, 8); assert(*p == 3); free(p); return 0; }
#endif
// case GROWS_FROM_NOTHING: safe
#ifdef GROWS_FROM_NOTHING
int main(void) { int *p = realloc(NULL, 8); p[1] = 1; assert(p[1] == 1); free(p); return 0; }
#endif
// case ALIGNED: safe
#ifdef ALIGNED
int main(void) {
  int *p = aligned_alloc(16, 16);
  void *q = NULL;
  assert(posix_memalign(&q, 16, 8) == 0 && p != q);
  p[3] = 1, *(int *)q = 2;
  assert(p[3] == 1);
  free(p), free(q);
  return 0;
}
#endif
// case NUMBERS_IN_TEXT: safe
#ifdef NUMBERS_IN_TEXT
int main(void) { assert(atol("-3") == -3 && atoll("44") == 44 && strtoll("-9", NULL, 10) == -9 && strtoull("12", NULL, 3) == 5); return 0; }
#endif
// case NUMBERS_IN_ARGUMENTS: unsafe
#ifdef NUMBERS_IN_ARGUMENTS
int main(int count, char **words) { if (count > 1) assert(strtoull(words[1], NULL, 10) != 12); return 0; }
#endif
// case ENVIRONMENT: safe
// case ENVIRONMENT_SET: unsafe
// case ENVIRONMENT_NOT_SET: unsafe
// case ENVIRONMENT_TEXT: unsafe
#if defined(ENVIRONMENT) || defined(ENVIRONMENT_SET) || defined(ENVIRONMENT_NOT_SET) || defined(ENVIRONMENT_TEXT)
int main(void) {
  char *home = getenv("HOME");
#ifdef ENVIRONMENT
  assert(home == getenv("HOME"));
#elif defined(ENVIRONMENT_SET)
  assert(home == NULL);
#elif defined(ENVIRONMENT_NOT_SET)
  assert(home != NULL);
#else
  if (home != NULL) assert(atoi(home) != 12 && home[0] != '/');
#endif
  return 0;
}
#endif
// case SYSTEM: safe
#ifdef SYSTEM
int main(void) { assert(sysconf(_SC_NPROCESSORS_ONLN) >= 1); return getpid() == 0; }
#endif
// case SYSTEM_ANY: unsafe
#ifdef SYSTEM_ANY
int main(void) { assert(sysconf(_SC_NPROCESSORS_ONLN) != 6); return 0; }
#endif
// case SIGNALS_DO_NOT_COME: safe
#ifdef SIGNALS_DO_NOT_COME
int main(void) { sigset_t s; int n; sigemptyset(&s); sigwait(&s, &n); assert(0); return 0; }
#endif
// case ERROR_NUMBER: safe
#ifdef ERROR_NUMBER
static void *work(void *a) { errno = 4; return a; }
int main(void) { errno = 3; pthread_t t = start(work); pthread_join(t, NULL); assert(errno == 3 && *__errno_location() == 3); return 0; }
#endif
// case COPIES_OF_TEXT: safe
#ifdef COPIES_OF_TEXT
int main(void) { char *s = strndup("abc", 2); assert(strcmp(s, "ab") == 0 && strerror(1) != NULL); free(s); return 0; }
#endif
// case ANY_TIME: unsafe
#ifdef ANY_TIME
int main(void) { struct timespec t; timespec_get(&t, TIME_UTC); assert(t.tv_sec != 5); return 0; }
#endif
// case ANY_TIME_OF_DAY: unsafe
#ifdef ANY_TIME_OF_DAY
int main(void) { struct timeval t; gettimeofday(&t, NULL); assert(t.tv_sec != 5); return 0; }
#endif
// case INPUT: unsafe
#ifdef INPUT
int main(void) { int n = 1; scanf("%d", &n); assert(n != 9); return 0; }
#endif
// case INPUT_MISSING: unsafe
#ifdef INPUT_MISSING
int main(void) { int n = 1; assert(fscanf(stdin, "%d", &n) == 1); return 0; }
#endif
// case INPUT_KEEPS: safe
#ifdef INPUT_KEEPS
int main(void) { int n = 1; if (scanf("%d", &n) != 1) assert(n == 1); return 0; }
#endif
// case CHARACTERS: unsafe
#ifdef CHARACTERS
int main(void) { assert(getchar() != 'q'); return 0; }
#endif
// case CHARACTERS_END: unsafe
#ifdef CHARACTERS_END
int main(void) { assert(getchar() != EOF); return 0; }
#endif
// case CHARACTERS_ONLY: safe
#ifdef CHARACTERS_ONLY
int main(void) { int c = getchar(); assert(c >= -1 && c < 256); return 0; }
#endif
