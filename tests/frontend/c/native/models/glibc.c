// What library functions return and store, as the GNU C library has it: this program is run natively, where no assertion
// fails, and given to Cohort part by part (-DPART_n), which must find none that can.  models.py says which function is
// missing here.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <getopt.h>
#include <pthread.h>
#include <search.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#if !defined(PART_1) && !defined(PART_2) && !defined(PART_3) && !defined(PART_4) && !defined(PART_5) && !defined(PART_6) && \
    !defined(PART_7) && !defined(PART_8) && !defined(PART_9) && !defined(PART_10) && !defined(PART_11)
#define PART_1
#define PART_2
#define PART_3
#define PART_4
#define PART_5
#define PART_6
#define PART_7
#define PART_8
#define PART_9
#define PART_10
#define PART_11
#endif

static struct timespec past = {1, 0};

#ifdef PART_1
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static void *try_others(void *a) {
  assert(pthread_mutex_trylock(&m) == EBUSY);
  assert(pthread_mutex_trylock(&r) == EBUSY);
  assert(pthread_mutex_trylock(&e) == EBUSY);
  assert(pthread_mutex_timedlock(&m, &past) == ETIMEDOUT);
  assert(pthread_mutex_clocklock(&r, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
  assert(pthread_mutex_unlock(&e) == EPERM);
  assert(pthread_mutex_unlock(&r) == EPERM);
  return a;
}
static void mutexes(void) {
  pthread_t t;
  pthread_mutexattr_t attributes;
  pthread_mutex_t own;
  int kind;
  assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_trylock(&m) == EBUSY);
  assert(pthread_mutex_lock(&r) == 0 && pthread_mutex_lock(&r) == 0 && pthread_mutex_trylock(&r) == 0);
  assert(pthread_mutex_lock(&e) == 0 && pthread_mutex_lock(&e) == EDEADLK && pthread_mutex_trylock(&e) == EBUSY);
  assert(pthread_mutex_timedlock(&e, &past) == EDEADLK);
  assert(pthread_create(&t, 0, try_others, 0) == 0 && pthread_join(t, 0) == 0);
  assert(pthread_mutex_unlock(&r) == 0 && pthread_mutex_unlock(&r) == 0 && pthread_mutex_unlock(&r) == 0);
  assert(pthread_mutex_unlock(&r) == EPERM && pthread_mutex_unlock(&e) == 0 && pthread_mutex_unlock(&e) == EPERM);
  assert(pthread_mutex_unlock(&m) == 0 && pthread_mutex_trylock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutexattr_init(&attributes) == 0 && pthread_mutexattr_gettype(&attributes, &kind) == 0);
  assert(kind == PTHREAD_MUTEX_NORMAL);
  assert(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE) == 0);
  assert(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(pthread_mutexattr_gettype(&attributes, &kind) == 0 && kind == PTHREAD_MUTEX_RECURSIVE);
  assert(pthread_mutex_init(&own, &attributes) == 0 && pthread_mutexattr_destroy(&attributes) == 0);
  assert(pthread_mutex_lock(&own) == 0 && pthread_mutex_lock(&own) == 0);
  assert(pthread_mutex_unlock(&own) == 0 && pthread_mutex_unlock(&own) == 0 && pthread_mutex_destroy(&own) == 0);
}
#endif

#ifdef PART_2
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t s;
static void *try_written(void *a) {
  assert(pthread_rwlock_tryrdlock(&l) == EBUSY && pthread_rwlock_trywrlock(&l) == EBUSY);
  assert(pthread_rwlock_timedrdlock(&l, &past) == ETIMEDOUT && pthread_rwlock_timedwrlock(&l, &past) == ETIMEDOUT);
  assert(pthread_spin_trylock(&s) == EBUSY);
  return a;
}
static void *try_read(void *a) {
  assert(pthread_rwlock_tryrdlock(&l) == 0 && pthread_rwlock_trywrlock(&l) == EBUSY);
  assert(pthread_rwlock_timedrdlock(&l, &past) == 0 && pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
  assert(pthread_rwlock_unlock(&l) == 0 && pthread_rwlock_unlock(&l) == 0);
  return a;
}
static void other_locks(void) {
  pthread_t t;
  pthread_rwlock_t own;
  pthread_rwlockattr_t attributes;
  assert(pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE) == 0 && pthread_spin_lock(&s) == 0);
  assert(pthread_rwlock_wrlock(&l) == 0);
  assert(pthread_create(&t, 0, try_written, 0) == 0 && pthread_join(t, 0) == 0);
  assert(pthread_rwlock_unlock(&l) == 0 && pthread_rwlock_rdlock(&l) == 0 && pthread_spin_unlock(&s) == 0);
  assert(pthread_create(&t, 0, try_read, 0) == 0 && pthread_join(t, 0) == 0);
  assert(pthread_rwlock_unlock(&l) == 0 && pthread_rwlock_trywrlock(&l) == 0 && pthread_rwlock_unlock(&l) == 0);
  assert(pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &past) == 0 && pthread_rwlock_unlock(&l) == 0);
  assert(pthread_spin_trylock(&s) == 0 && pthread_spin_unlock(&s) == 0 && pthread_spin_destroy(&s) == 0);
  assert(pthread_rwlockattr_init(&attributes) == 0 && pthread_rwlock_init(&own, &attributes) == 0);
  assert(pthread_rwlockattr_destroy(&attributes) == 0 && pthread_rwlock_destroy(&own) == 0);
}
#endif

#ifdef PART_3
static sem_t z;
static pthread_barrier_t b;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int runs, destroyed, serial;
static pthread_mutex_t cm = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void count(void) { runs++; }
static void destroy(void *value) { destroyed = *(int *)value; }
static void *meet(void *a) {
  static int value = 7;
  const int result = pthread_barrier_wait(&b);
  assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
  if (result != 0) __atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST);
  assert(pthread_getspecific(key) == 0 && pthread_setspecific(key, &value) == 0);
  assert(pthread_getspecific(key) == &value && pthread_once(&once, count) == 0);
  assert(sem_post(&z) == 0);
  return &value;
}
static void waits(void) {
  pthread_t t;
  pthread_condattr_t attributes;
  pthread_cond_t own;
  pthread_barrierattr_t battributes;
  int value;
  void *result;
  assert(sem_init(&z, 0, 2) == 0 && sem_getvalue(&z, &value) == 0 && value == 2);
  assert(sem_wait(&z) == 0 && sem_trywait(&z) == 0 && sem_trywait(&z) == -1 && errno == EAGAIN);
  assert(sem_timedwait(&z, &past) == -1 && errno == ETIMEDOUT);
  assert(sem_clockwait(&z, CLOCK_MONOTONIC, &past) == -1 && errno == ETIMEDOUT);
  assert(pthread_barrierattr_init(&battributes) == 0);
  assert(pthread_barrier_init(&b, &battributes, 0) == EINVAL && pthread_barrier_init(&b, &battributes, 2) == 0);
  assert(pthread_barrierattr_destroy(&battributes) == 0);
  assert(pthread_key_create(&key, destroy) == 0 && pthread_setspecific(key, &value) == 0);
  assert(pthread_create(&t, 0, meet, 0) == 0);
  if (pthread_barrier_wait(&b) != 0) __atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST);
  assert(pthread_once(&once, count) == 0 && sem_wait(&z) == 0);
  assert(pthread_join(t, &result) == 0 && *(int *)result == 7 && destroyed == 7 && serial == 1 && runs == 1);
  assert(pthread_getspecific(key) == &value && pthread_key_delete(key) == 0);
  assert(pthread_barrier_destroy(&b) == 0 && sem_destroy(&z) == 0);
  assert(pthread_condattr_init(&attributes) == 0 && pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
  assert(pthread_cond_init(&own, &attributes) == 0 && pthread_condattr_destroy(&attributes) == 0);
  assert(pthread_cond_signal(&own) == 0 && pthread_cond_broadcast(&own) == 0);
  assert(pthread_mutex_lock(&cm) == 0);
  value = pthread_cond_timedwait(&c, &cm, &past);
  assert(value == ETIMEDOUT || value == 0);
  value = pthread_cond_clockwait(&own, &cm, CLOCK_MONOTONIC, &past);
  assert(value == ETIMEDOUT || value == 0);
  assert(pthread_mutex_unlock(&cm) == 0 && pthread_cond_destroy(&own) == 0);
}
#endif

#ifdef PART_4
static sem_t go;
static void *wait_to_go(void *a) {
  sem_wait(&go);
  return a;
}
static void *leave(void *a) {
  pthread_exit(a);
  return 0;
}
static void *forever(void *a) {
  for (;;) sched_yield();
}
static void threads(void) {
  pthread_t t;
  pthread_attr_t attributes;
  int state;
  void *result;
  assert(pthread_attr_init(&attributes) == 0);
  assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE) == 0);
  assert(pthread_attr_getdetachstate(&attributes, &state) == 0);
  assert(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM) == 0);
  assert(pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED) == 0);
  assert(pthread_attr_setschedpolicy(&attributes, SCHED_OTHER) == 0);
  sem_init(&go, 0, 0);
  assert(pthread_create(&t, &attributes, wait_to_go, &state) == 0 && pthread_attr_destroy(&attributes) == 0);
  assert(pthread_self() != 0 && !pthread_equal(pthread_self(), t) && pthread_equal(t, t));
  assert(pthread_tryjoin_np(t, &result) == EBUSY && pthread_timedjoin_np(t, &result, &past) == ETIMEDOUT);
  assert(pthread_clockjoin_np(t, &result, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
  sem_post(&go);
  assert(pthread_join(t, &result) == 0 && result == &state);
  assert(pthread_create(&t, 0, leave, &state) == 0 && pthread_join(t, &result) == 0 && result == &state);
  assert(pthread_create(&t, 0, forever, 0) == 0 && pthread_detach(t) == 0 && pthread_detach(t) == EINVAL);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state) == 0 && state == PTHREAD_CANCEL_ENABLE);
  assert(pthread_setconcurrency(1) == 0 && sched_yield() == 0 && usleep(1) == 0 && sleep(0) == 0);
  pthread_testcancel();
}
#endif

#ifdef PART_5
static mtx_t n;
static cnd_t d;
static once_flag f = ONCE_FLAG_INIT;
static tss_t k;
static int calls;
static void call(void) { calls++; }
static int busy(void *a) {
  assert(mtx_trylock(&n) == thrd_busy && mtx_timedlock(&n, &past) == thrd_timedout);
  call_once(&f, call);
  assert(tss_get(k) == 0 && tss_set(k, a) == thrd_success && tss_get(k) == a);
  return 5;
}
static int leaves(void *a) { thrd_exit(6); }
static void c11(void) {
  thrd_t t;
  int result;
  assert(mtx_init(&n, mtx_timed) == thrd_success && mtx_lock(&n) == thrd_success);
  assert(tss_create(&k, 0) == thrd_success && tss_set(k, &n) == thrd_success);
  assert(thrd_create(&t, busy, &d) == thrd_success && thrd_join(t, &result) == thrd_success && result == 5);
  call_once(&f, call);
  assert(calls == 1 && tss_get(k) == &n && !thrd_equal(thrd_current(), t));
  tss_delete(k);
  assert(thrd_create(&t, leaves, 0) == thrd_success && thrd_join(t, &result) == thrd_success && result == 6);
  assert(cnd_init(&d) == thrd_success && cnd_signal(&d) == thrd_success && cnd_broadcast(&d) == thrd_success);
  result = cnd_timedwait(&d, &n, &past);
  assert(result == thrd_timedout || result == thrd_success);
  cnd_destroy(&d);
  assert(mtx_unlock(&n) == thrd_success);
  mtx_destroy(&n);
  assert(mtx_init(&n, mtx_recursive | mtx_plain) == thrd_success && mtx_lock(&n) == thrd_success);
  assert(mtx_trylock(&n) == thrd_success && mtx_unlock(&n) == thrd_success && mtx_unlock(&n) == thrd_success);
  thrd_yield();
}
#endif

#ifdef PART_6
static atomic_int a;
static atomic_flag g = ATOMIC_FLAG_INIT;
static int i;
static void values(void) {
  char text[8] = "ab", more[8];
  int expected = 5;
  atomic_init(&a, 5);
  assert(atomic_load(&a) == 5 && atomic_exchange(&a, 6) == 5 && atomic_fetch_add(&a, 2) == 6);
  assert(atomic_fetch_sub(&a, 1) == 8 && atomic_fetch_or(&a, 8) == 7 && atomic_fetch_and(&a, 12) == 15);
  assert(atomic_fetch_xor(&a, 5) == 12 && atomic_load_explicit(&a, memory_order_relaxed) == 9);
  assert(!atomic_compare_exchange_strong(&a, &expected, 1) && expected == 9);
  assert(atomic_compare_exchange_strong(&a, &expected, 1) && atomic_load(&a) == 1);
  atomic_store(&a, 3);
  atomic_store_explicit(&a, 4, memory_order_release);
  while (!atomic_compare_exchange_weak(&a, &expected, 2)) expected = 4;
  assert(a == 2 && !atomic_flag_test_and_set(&g) && atomic_flag_test_and_set(&g));
  atomic_flag_clear(&g);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
  __atomic_store_n(&i, 7, 5);
  assert(__atomic_load_n(&i, 5) == 7 && __atomic_exchange_n(&i, 1, 5) == 7 && __atomic_fetch_add(&i, 2, 5) == 1);
  assert(__atomic_fetch_sub(&i, 1, 5) == 3 && __atomic_add_fetch(&i, 3, 5) == 5 && __atomic_sub_fetch(&i, 4, 5) == 1);
  assert(__atomic_fetch_or(&i, 6, 5) == 1 && __atomic_fetch_and(&i, 5, 5) == 7);
  expected = 5;
  assert(__atomic_compare_exchange_n(&i, &expected, 8, 0, 5, 5) && i == 8);
  assert(__sync_fetch_and_add(&i, 1) == 8 && __sync_fetch_and_sub(&i, 2) == 9 && __sync_add_and_fetch(&i, 1) == 8);
  assert(__sync_sub_and_fetch(&i, 1) == 7 && __sync_fetch_and_or(&i, 8) == 7 && __sync_fetch_and_and(&i, 6) == 15);
  assert(__sync_bool_compare_and_swap(&i, 6, 2) && __sync_val_compare_and_swap(&i, 2, 1) == 2);
  assert(__sync_lock_test_and_set(&i, 9) == 1);
  __sync_lock_release(&i);
  __sync_synchronize();
  __atomic_thread_fence(5);
  assert(i == 0 && abs(-3) == 3);
  assert(strlen(text) == 2 && strcmp(text, "ab") == 0 && strcmp(text, "b") < 0 && strncmp(text, "ax", 1) == 0);
  assert(strcpy(more, text) == more && strcat(more, "c") == more && strcmp(more, "abc") == 0);
  char out[4];
  assert(sprintf(out, "%d", 42) == 2 && strcmp(out, "42") == 0);
  assert(snprintf(out, 2, "%d", 42) == 2 && strcmp(out, "4") == 0);
  assert(strncat(more, "defg", 2) == more && strcmp(more, "abcde") == 0);
  assert(strncpy(more, "x", 3) == more && more[1] == 0 && more[2] == 0 && more[3] == 'd');
  assert(strchr(text, 'b') == text + 1 && strchr(text, 'z') == 0 && strchr(text, 0) == text + 2);
  assert(strrchr("aba", 'a')[1] == 0 && strrchr(text, 'q') == 0);
  assert(memset(more, 'm', 3) == more && more[2] == 'm' && memcmp(more, "mmm", 3) == 0 && memcmp(more, "mm", 2) == 0);
  assert(memcpy(more, text, 3) == more && memcmp(more, text, 3) == 0);
  assert(memmove(more + 1, more, 3) == more + 1 && more[1] == 'a' && more[2] == 'b' && more[3] == 0);
  assert(rand() >= 0);
}
#endif

#ifdef PART_7
static int exit_order;
static void runs_last(void) { assert(exit_order == 1); }
static void runs_first(void) { exit_order++; }
static int by_number(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }
static void searching(void) {
  char text[] = "one,two;;three";
  char *rest = 0;
  int numbers[] = {1, 3, 5, 8};
  const int wanted = 5, missing = 4;
  assert(strnlen("abc", 2) == 2 && strnlen("abc", 9) == 3 && strnlen("", 4) == 0);
  assert(strspn("aab", "a") == 2 && strspn("abc", "cba") == 3 && strspn("abc", "") == 0);
  assert(strcspn("abc", "cb") == 1 && strcspn("abc", "") == 3 && strcspn("", "a") == 0);
  assert(*strpbrk(text, "tw") == 't' && strpbrk(text, "x") == 0);
  assert(strstr(text, "two") == text + 4 && strstr(text, "") == text && strstr(text, "twos") == 0);
  assert(memchr(text, 'e', sizeof text) == text + 2 && memchr(text, 'e', 2) == 0);
  assert(strtok_r(text, ",;", &rest) == text && strcmp(text, "one") == 0);
  assert(strtok_r(0, ",;", &rest) == text + 4 && strtok_r(0, ",;", &rest) == text + 9);
  assert(strtok_r(0, ",;", &rest) == 0);
  char words[] = " a b";
  assert(strtok(words, " ") == words + 1 && strtok(0, " ") == words + 3 && strtok(0, " ") == 0);
  assert(bsearch(&wanted, numbers, 4, sizeof(int), by_number) == numbers + 2);
  assert(bsearch(&missing, numbers, 4, sizeof(int), by_number) == 0);
  assert(atexit(runs_last) == 0 && atexit(runs_first) == 0);
}
static void characters(void) {
  assert(isupper('A') && !isupper('a') && islower('z') && !islower('Z') && isalpha('q') && !isalpha('1'));
  assert(isdigit('0') && !isdigit('a') && isxdigit('f') && isxdigit('F') && !isxdigit('g') && isalnum('9') && !isalnum('_'));
  assert(isspace('\n') && isspace(' ') && !isspace('x') && isblank('\t') && !isblank('\n') && iscntrl('\n') && iscntrl(127));
  assert(isprint(' ') && !isgraph(' ') && isgraph('!') && ispunct('_') && !ispunct('a') && !isprint(0) && !isalpha(EOF));
  assert((isdigit)('5') && !(isdigit)('x') && (isspace)('\r') && !isalpha(200) && !isprint(255));
  assert(toupper('b') == 'B' && toupper('1') == '1' && tolower('B') == 'b' && tolower('[') == '[');
}
#endif

#ifdef PART_8
static volatile int signals_seen;
static void see_signal(int number) { signals_seen = signals_seen * 100 + number; }
static int by_value(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }
static void at_fork(void) {}
static void signals(void) {
  sigset_t set, waiting;
  assert(signal(SIGUSR1, see_signal) == SIG_DFL && raise(SIGUSR1) == 0 && signals_seen == SIGUSR1);
  assert(sigemptyset(&set) == 0 && sigaddset(&set, SIGUSR1) == 0 && sigismember(&set, SIGUSR1) == 1);
  assert(sigprocmask(SIG_BLOCK, &set, 0) == 0 && raise(SIGUSR1) == 0 && signals_seen == SIGUSR1);
  assert(sigpending(&waiting) == 0 && sigismember(&waiting, SIGUSR1) == 1 && sigismember(&waiting, SIGUSR2) == 0);
  assert(sigprocmask(SIG_UNBLOCK, &set, 0) == 0 && signals_seen == SIGUSR1 * 101);
  assert(sigfillset(&set) == 0 && sigdelset(&set, SIGHUP) == 0 && !sigismember(&set, SIGHUP) && sigismember(&set, SIGINT));
  assert(sigaddset(&set, 0) == -1 && errno == EINVAL && pthread_atfork(at_fork, 0, 0) == 0);
}
static void descriptors(void) {
  int ends[2];
  char byte = 3;
  assert(pipe(ends) == 0);
  int copy = dup(ends[1]);
  assert(copy >= 0 && copy != ends[1] && close(ends[1]) == 0 && close(ends[1]) == -1 && errno == EBADF);
  assert(write(copy, &byte, 1) == 1 && close(copy) == 0 && read(ends[0], &byte, 1) == 1 && read(ends[0], &byte, 1) == 0);
  assert(close(ends[0]) == 0);
  assert(htons(0x102) == 0x201 && ntohs(0x102) == 0x201 && htonl(0x1020304) == 0x4030201 && ntohl(0x1020304) == 0x4030201);
}
static void files(void) {
  int numbers[] = {3, 1, 2};
  struct timespec tick;
  qsort(numbers, 3, sizeof(int), by_value);
  assert(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3);
  clearerr(stdin);
  assert(!feof(stdin) && !ferror(stdin) && setvbuf(stdout, 0, _IOLBF, 0) == 0 && fileno(stderr) == 2);
  assert(clock_getres(CLOCK_REALTIME, &tick) == 0 && tick.tv_sec == 0 && getpid() == getpid() && getppid() != getpid());
}
#endif

#ifdef PART_9
static void extensions(void) {
  char text[] = "a,,b";
  char *rest = text;
  char copy[8];
  pthread_mutexattr_t mutex;
  pthread_condattr_t condition;
  pthread_rwlockattr_t lock;
  pthread_barrierattr_t barrier;
  pthread_attr_t thread;
  assert(strcasecmp("Ab", "aB") == 0 && strcasecmp("ab", "aC") < 0 && strcasecmp("B", "a") > 0 && strcasecmp("a", "") > 0);
  assert(strncasecmp("ABx", "aby", 2) == 0 && strncasecmp("ABx", "aby", 3) < 0 && strncasecmp("a", "b", 0) == 0);
  assert(strsep(&rest, ",") == text && strcmp(text, "a") == 0 && rest == text + 2);
  assert(*strsep(&rest, ",") == 0 && strcmp(strsep(&rest, ","), "b") == 0 && rest == 0 && strsep(&rest, ",") == 0);
  assert(stpcpy(copy, "abc") == copy + 3 && strcmp(copy, "abc") == 0);
  assert(mempcpy(copy, "xy", 2) == copy + 2 && strcmp(copy, "xyc") == 0);
  assert(index(copy, 'y') == copy + 1 && rindex(copy, 'q') == 0 && memrchr("abab", 'a', 3) != 0 && memrchr("ab", 'b', 1) == 0);
  bcopy(copy, copy + 1, 3);
  assert(memcmp(copy, "xxyc", 4) == 0);
  bzero(copy, 2);
  explicit_bzero(copy + 3, 1);
  assert(copy[0] == 0 && copy[1] == 0 && copy[2] == 'y' && copy[3] == 0);
  assert(ffs(0) == 0 && ffs(8) == 4 && ffs(INT_MIN) == 32 && ffsl(1L << 40) == 41 && ffsll(LLONG_MIN) == 64);
  assert(labs(-3) == 3 && llabs(-3) == 3 && llabs(4) == 4);
  assert(sched_get_priority_max(SCHED_FIFO) == 99 && sched_get_priority_min(SCHED_OTHER) == 0 && getpagesize() == 4096);
  assert(pthread_mutexattr_init(&mutex) == 0 && pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_STALLED) == 0);
  assert(pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT) == 0);
  assert(pthread_condattr_init(&condition) == 0 && pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_rwlockattr_init(&lock) == 0 && pthread_rwlockattr_setpshared(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(pthread_rwlockattr_setkind_np(&lock, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) == 0);
  assert(pthread_barrierattr_init(&barrier) == 0 && pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(pthread_attr_init(&thread) == 0 && pthread_attr_setguardsize(&thread, 4096) == 0);
  assert(lrand48() >= 0 && random() >= 0 && sched_getcpu() >= 0);
  char *line = 0;
  unsigned long size = 0;
  const long length = getline(&line, &size, stdin);
  assert(length == -1 || (length >= 1 && line != 0 && (unsigned long)length < size && line[length] == 0));
  free(line);
}
#endif

#ifdef PART_10
static int by_rest(const void *left, const void *right, void *divisor) {
  return *(const int *)left % *(int *)divisor - *(const int *)right % *(int *)divisor;
}
static int differ(const void *left, const void *right) { return *(const int *)left != *(const int *)right; }
static void more_extensions(void) {
  char text[] = "aBcABC", copy[8] = "xxxxxxx";
  int numbers[6] = {5, 7, 3, 4, 9}, divisor = 3, key = 4;
  size_t count = 5;
  char *end;
  assert(strchrnul(text, 'c') == text + 2 && *strchrnul(text, 'z') == 0 && rawmemchr(text, 'A') == text + 3);
  assert(strcasestr(text, "CA") == text + 2 && strcasestr(text, "") == text && strcasestr(text, "ac") == 0);
  assert(memmem(text, 6, "AB", 2) == text + 3 && memmem(text, 4, "AB", 2) == 0 && memmem(text, 6, "", 0) == text);
  assert(memmem(text, 1, "aB", 2) == 0);
  assert(stpncpy(copy, "ab", 4) == copy + 2 && memcmp(copy, "ab\0\0xxx", 7) == 0 && stpncpy(copy, "abcd", 3) == copy + 3);
  assert(memccpy(copy, "12345", '3', 5) == copy + 3 && memcmp(copy, "123\0x", 5) == 0 && memccpy(copy, "45", '9', 2) == 0);
  assert(strcoll("a", "b") < 0 && strcoll("a", "a") == 0);
  assert(basename("a/b/name") != 0 && strcmp(basename("a/b/name"), "name") == 0 && strcmp(basename("name"), "name") == 0);
  assert(*basename("a/") == 0);
  assert(isascii(127) && !isascii(128) && toascii(0xe1) == 0x61);
  assert(strtoimax(" -12x", &end, 10) == -12 && *end == 'x' && strtoumax("0x1f", 0, 0) == 31);
  qsort_r(numbers, count, sizeof *numbers, by_rest, &divisor);
  assert(numbers[0] == 3 && numbers[1] == 9 && numbers[2] == 7 && numbers[3] == 4 && numbers[4] == 5);
  assert(lfind(&key, numbers, &count, sizeof key, differ) == numbers + 3 && count == 5);
  key = 8;
  assert(lfind(&key, numbers, &count, sizeof key, differ) == 0);
  assert(lsearch(&key, numbers, &count, sizeof key, differ) == numbers + 5 && count == 6 && numbers[5] == 8);
  assert(lsearch(&key, numbers, &count, sizeof key, differ) == numbers + 5 && count == 6);
  assert(unsetenv("COHORT_A") == 0 && setenv("COHORT_A", "1", 0) == 0 && strcmp(getenv("COHORT_A"), "1") == 0);
  assert(setenv("COHORT_A", "2", 0) == 0 && strcmp(getenv("COHORT_A"), "1") == 0);
  assert(setenv("COHORT_A", "3", 1) == 0 && strcmp(secure_getenv("COHORT_A"), "3") == 0);
  assert(unsetenv("COHORT_A") == 0 && getenv("COHORT_A") == 0 && unsetenv("COHORT_A") == 0);
  assert(setenv("", "1", 1) == -1 && errno == EINVAL && unsetenv("a=b") == -1);
}
static void copies_of_descriptors(void) {
  int ends[2];
  char byte = 0;
  assert(pipe(ends) == 0);
  const int other = dup2(ends[1], 9);
  assert(other == 9 && write(other, "a", 1) == 1 && read(ends[0], &byte, 1) == 1 && byte == 'a');
  assert(dup2(other, other) == other && dup3(other, other, 0) == -1 && errno == EINVAL);
  assert(close(ends[1]) == 0 && close(other) == 0 && read(ends[0], &byte, 1) == 0);
  assert(dup2(other, 10) == -1 && errno == EBADF && dup3(ends[0], 10, 0) == 10 && close(10) == 0);
  assert(pread(ends[0], &byte, 1, 0) == -1 && errno == ESPIPE && close(ends[0]) == 0);
}
#endif

#ifdef PART_11
static int set;
static struct option words[] = {{"all", no_argument, 0, 'a'},      {"size", required_argument, 0, 's'},
                                {"color", optional_argument, 0, 'c'}, {"set", no_argument, &set, 7},
                                {"sizes", no_argument, 0, 'z'},    {0, 0, 0, 0}};
static void options(void) {
  char *arguments[] = {"p", "-ab", "-n3", "-n", "4", "--all", "--size=5", "--size", "6", "--col", "--color=x", "--set", "-q",
                       "--all=1", "--none", "-o", "-ov", "--", "rest", 0};
  static const struct {
    int letter, index, wrong;
    const char *value;
  } expected[] = {{'a', -1, 0, 0}, {'b', -1, 0, 0},   {'n', -1, 0, "3"}, {'n', -1, 0, "4"}, {'a', 0, 0, 0},    {'s', 1, 0, "5"},
                  {'s', 1, 0, "6"}, {'c', 2, 0, 0},   {'c', 2, 0, "x"},  {0, 3, 0, 0},      {'?', -1, 'q', 0}, {'?', -1, 'a', 0},
                  {'?', -1, 0, 0},  {'o', -1, 0, 0}, {'o', -1, 0, "v"}, {-1, -1, 0, 0}};
  opterr = 0;
  for (int i = 0; i < 16; i++) {
    int index = -1;
    const int letter = getopt_long(19, arguments, "abn:o::", words, &index);
    assert(letter == expected[i].letter && index == expected[i].index);
    if (letter == '?') assert(optopt == expected[i].wrong);
    assert(letter == -1 || (expected[i].value == 0 ? optarg == 0 : strcmp(optarg, expected[i].value) == 0));
  }
  assert(set == 7 && optind == 18);
  char *others[] = {"p", "-x", "--all", "-n", 0};
  static const int letters[] = {'x', '?', '?', '?', '?', ':', -1}, wrong[] = {0, '-', 'a', 'l', 'l', 'n', 0};
  optind = 0;
  for (int i = 0; i < 7; i++) {
    const int letter = getopt(4, others, ":xn:");
    assert(letter == letters[i]);
    if (letter == '?' || letter == ':') assert(optopt == wrong[i]);
  }
}
#endif

int main(void) {
#ifdef PART_10
  more_extensions();
  copies_of_descriptors();
#endif
#ifdef PART_11
  options();
#endif
#ifdef PART_9
  extensions();
#endif
#ifdef PART_8
  signals();
  descriptors();
  files();
#endif
#ifdef PART_7
  searching();
  characters();
#endif
#ifdef PART_1
  mutexes();
#endif
#ifdef PART_2
  other_locks();
#endif
#ifdef PART_3
  waits();
#endif
#ifdef PART_4
  threads();
#endif
#ifdef PART_5
  c11();
#endif
#ifdef PART_6
  values();
#endif
  return 0;
}
