// Threads, locks and waits as programs use them: the verdicts of assertions, deadlocks, locks and faults.  -DN=5: five threads.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#ifndef N
#define N 2
#endif
int x, y, done;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
struct timespec limit;
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
void *w(void *arg);
#define MANY(BODY, BEFORE, BESIDE, AFTER) \
  void *w(void *arg) { \
    BODY; \
    return 0; \
  } \
  int main(void) { \
    pthread_t t[N]; \
    BEFORE; \
    for (intptr_t i = 0; i < N; i++) pthread_create(&t[i], 0, w, (void *)i); \
    BESIDE; \
    for (int i = 0; i < N; i++) pthread_join(t[i], 0); \
    AFTER; \
    return 0; \
  }
#define ALONE(BODY) \
  int main(void) { \
    BODY; \
    return 0; \
  }
#define NUMBER ((intptr_t)arg)

// case COUNT: safe
// case COUNT -DN=5: safe
// case COUNT --interleave=statement: safe
// case COUNT --property deadlock: safe
// case COUNT --property all: safe
#ifdef COUNT
MANY(LOCK(a); x++; UNLOCK(a), (void)0, (void)0, assert(x == N))
#endif
// case COUNT_PLAINLY: unsafe
// case COUNT_PLAINLY -DN=5: unsafe
// case COUNT_PLAINLY --interleave=statement: safe
// case COUNT_PLAINLY --property races --interleave=statement: unsafe
#ifdef COUNT_PLAINLY
MANY(x++, (void)0, (void)0, assert(x == N))
#endif
// case COUNT_IN_TWO_STATEMENTS --interleave=statement: unsafe
#ifdef COUNT_IN_TWO_STATEMENTS
MANY(int v = x; x = v + 1, (void)0, (void)0, assert(x == N))
#endif
// case COUNT_ATOMICALLY: safe
// case COUNT_ATOMICALLY -DN=5: safe
#ifdef COUNT_ATOMICALLY
atomic_int n;
MANY(n += 2; n--, (void)0, (void)0, assert(n == N))
#endif
// case ATOMIC_READ_THEN_WRITE: unsafe
// case ATOMIC_READ_THEN_WRITE --interleave=statement: safe
#ifdef ATOMIC_READ_THEN_WRITE
atomic_int n;
MANY(n = n + 1, (void)0, (void)0, assert(n == N))
#endif
// case ATOMIC_COMPOUND: safe
#ifdef ATOMIC_COMPOUND
_Atomic unsigned char n = 250;
_Atomic(int) m = 1;
MANY(n += 10; m *= 3, (void)0, (void)0, assert(n == (unsigned char)(250 + 10 * N) && m == 9))
#endif
// case ATOMIC_VALUES: safe
#ifdef ATOMIC_VALUES
atomic_int n = 5;
atomic_bool f;
_Atomic(int *) q;
int v[3];
ALONE(assert(n++ == 5 && ++n == 7 && (n -= 3) == 4 && (n |= 8) == 12 && atomic_fetch_and(&n, 4) == 12 && n == 4);
      int old = 4; assert(atomic_compare_exchange_strong(&n, &old, 9) && n == 9);
      assert(!atomic_compare_exchange_strong(&n, &old, 1) && old == 9 && n == 9);
      assert(atomic_exchange(&n, 3) == 9 && !atomic_exchange(&f, 7) && f == 1);
      q = v; q++; assert(q == v + 1); assert(q - v == 1))
#endif
// case COMPARE_AND_SWAP: safe
// case COMPARE_AND_SWAP -DN=3: safe
#ifdef COMPARE_AND_SWAP
atomic_int n;
MANY(int v = n; while (!atomic_compare_exchange_weak(&n, &v, v + 1)) {}, (void)0, (void)0, assert(n == N))
#endif

// case AGAIN --property deadlock: unsafe, deadlock
#ifdef AGAIN
pthread_mutex_t *m = &a;
ALONE(LOCK(a); pthread_mutex_lock(m))
#endif
// case RECURSIVE: safe
// case RECURSIVE --property all: safe
// case RECURSIVE --property deadlock -DN=5: safe
#ifdef RECURSIVE
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
MANY(LOCK(m); LOCK(m); x++; UNLOCK(m); x--; UNLOCK(m); , (void)0, LOCK(m); assert(x == 0); UNLOCK(m), (void)0)
#endif
// case RECURSIVE_ONCE_TOO_FEW --property deadlock: unsafe, deadlock
#ifdef RECURSIVE_ONCE_TOO_FEW
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
MANY(LOCK(m); LOCK(m); UNLOCK(m), (void)0, (void)0, (void)0)
#endif
// case RECURSIVE_BY_ATTRIBUTE: safe
#ifdef RECURSIVE_BY_ATTRIBUTE
pthread_mutex_t m;
ALONE(pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &k);
      assert(LOCK(m) == 0 && LOCK(m) == 0 && pthread_mutex_trylock(&m) == 0 && UNLOCK(m) == 0 && UNLOCK(m) == 0 && UNLOCK(m) == 0);
      assert(UNLOCK(m) == EPERM); x = 1; assert(x))
#endif
// case CHECKING: safe
#ifdef CHECKING
pthread_mutex_t m;
ALONE(pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&m, &k);
      assert(UNLOCK(m) == EPERM); assert(LOCK(m) == 0 && LOCK(m) == EDEADLK && pthread_mutex_trylock(&m) == EBUSY);
      assert(pthread_mutex_timedlock(&m, &limit) == EDEADLK && UNLOCK(m) == 0 && UNLOCK(m) == EPERM))
#endif
// case CHECKING_OTHERS: safe
#ifdef CHECKING_OTHERS
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
MANY(if (LOCK(m) == 0) { x++; x--; assert(x == 0); UNLOCK(m); }, assert(UNLOCK(m) == EPERM), assert(UNLOCK(m) == EPERM), (void)0)
#endif
// case TRIED: unsafe
#ifdef TRIED
MANY(if (pthread_mutex_trylock(&a) == 0) { x++; UNLOCK(a); }, (void)0, (void)0, assert(x == N))
#endif
// case TRIED_ALONE: safe
#ifdef TRIED_ALONE
ALONE(assert(pthread_mutex_trylock(&a) == 0 && pthread_mutex_trylock(&a) == EBUSY); UNLOCK(a); assert(pthread_mutex_trylock(&a) == 0))
#endif
// case CROSSED --property deadlock: unsafe, deadlock
// case CROSSED: safe
#ifdef CROSSED
MANY(if (NUMBER) { LOCK(a); LOCK(b); } else { LOCK(b); LOCK(a); } UNLOCK(a); UNLOCK(b), (void)0, (void)0, (void)0)
#endif
// case CROSSED_BEHIND_A_GATE --property deadlock: safe
#ifdef CROSSED_BEHIND_A_GATE
pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
MANY(LOCK(gate); if (NUMBER) { LOCK(a); LOCK(b); } else { LOCK(b); LOCK(a); } UNLOCK(gate); UNLOCK(a); UNLOCK(b), (void)0, (void)0, (void)0)
#endif
// case RING -DN=3 --property deadlock: unsafe, deadlock
// case RING -DN=3 -DLEFT_HANDED --property deadlock: safe
#ifdef RING
pthread_mutex_t fork_[N];
#ifdef LEFT_HANDED
#define FIRST (NUMBER == 0 ? 1 : NUMBER)
#define SECOND (NUMBER == 0 ? 0 : (NUMBER + 1) % N)
#else
#define FIRST NUMBER
#define SECOND ((NUMBER + 1) % N)
#endif
MANY(LOCK(fork_[FIRST]); LOCK(fork_[SECOND]); UNLOCK(fork_[SECOND]); UNLOCK(fork_[FIRST]),
     for (int i = 0; i < N; i++) pthread_mutex_init(&fork_[i], 0), (void)0, (void)0)
#endif
// case JOIN_WHILE_HOLDING --property deadlock: unsafe, deadlock
#ifdef JOIN_WHILE_HOLDING
MANY(LOCK(a); UNLOCK(a), LOCK(a), (void)0, UNLOCK(a))
#endif
// case KEPT_BY_THE_DEAD --property deadlock: unsafe, deadlock
#ifdef KEPT_BY_THE_DEAD
MANY(LOCK(a), (void)0, (void)0, (void)0)
#endif

// case READERS_TOGETHER --property deadlock: safe
#ifdef READERS_TOGETHER
sem_t s;
MANY(pthread_rwlock_rdlock(&l); if (NUMBER) sem_post(&s); else sem_wait(&s); pthread_rwlock_unlock(&l), sem_init(&s, 0, 0), (void)0, (void)0)
#endif
// case WRITERS_APART: safe
// case WRITERS_APART -DN=5: safe
#ifdef WRITERS_APART
MANY(pthread_rwlock_wrlock(&l); x++; assert(x == 1); x--; pthread_rwlock_unlock(&l), (void)0,
     pthread_rwlock_rdlock(&l); assert(x == 0); pthread_rwlock_unlock(&l), (void)0)
#endif
// case READERS_NOT_APART: unsafe
#ifdef READERS_NOT_APART
MANY(pthread_rwlock_rdlock(&l); x++; assert(x == 1); x--; pthread_rwlock_unlock(&l), (void)0, (void)0, (void)0)
#endif
// case RW_RESULTS: safe
#ifdef RW_RESULTS
ALONE(assert(!pthread_rwlock_rdlock(&l) && !pthread_rwlock_tryrdlock(&l) && pthread_rwlock_trywrlock(&l) == EBUSY);
      pthread_rwlock_unlock(&l); assert(pthread_rwlock_trywrlock(&l) == EBUSY); pthread_rwlock_unlock(&l);
      assert(!pthread_rwlock_trywrlock(&l) && pthread_rwlock_tryrdlock(&l) == EBUSY); pthread_rwlock_unlock(&l))
#endif
// case UPGRADE --property deadlock: unsafe, deadlock
#ifdef UPGRADE
ALONE(pthread_rwlock_rdlock(&l); pthread_rwlock_wrlock(&l))
#endif
// case SEMAPHORE_VALUES: safe
#ifdef SEMAPHORE_VALUES
sem_t s;
ALONE(int v; sem_init(&s, 0, 2); assert(!sem_wait(&s) && !sem_trywait(&s) && sem_trywait(&s) == -1 && errno == EAGAIN);
      sem_post(&s); sem_getvalue(&s, &v); assert(v == 1))
#endif
// case SEMAPHORE_ORDER: safe
// case SEMAPHORE_ORDER --property deadlock: safe
#ifdef SEMAPHORE_ORDER
sem_t s, r;
void *w(void *arg) { sem_wait(&s); assert(x == 1); x = 2; sem_post(&r); return 0; }
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  sem_init(&r, 0, 0);
  pthread_create(&t, 0, w, 0);
  x = 1;
  sem_post(&s);
  sem_wait(&r);
  assert(x == 2);
  pthread_join(t, 0);
}
#endif
// case SEMAPHORE_MISSED --property deadlock: unsafe, deadlock
#ifdef SEMAPHORE_MISSED
sem_t s;
MANY(sem_wait(&s), sem_init(&s, 0, N - 1), (void)0, (void)0)
#endif
// case BARRIER_LAST: safe
// case BARRIER_LAST -DN=3: safe
#ifdef BARRIER_LAST
pthread_barrier_t s;
atomic_int last;
MANY(if (pthread_barrier_wait(&s) == PTHREAD_BARRIER_SERIAL_THREAD) last++, pthread_barrier_init(&s, 0, N), (void)0, assert(last == 1))
#endif
// case BARRIER_TWICE: safe
#ifdef BARRIER_TWICE
pthread_barrier_t s;
atomic_int n;
MANY(n++; pthread_barrier_wait(&s); assert(n == N); pthread_barrier_wait(&s); n--; pthread_barrier_wait(&s); assert(n == 0),
     pthread_barrier_init(&s, 0, N), (void)0, (void)0)
#endif
// case BARRIER_TOO_FEW --property deadlock: unsafe, deadlock
#ifdef BARRIER_TOO_FEW
pthread_barrier_t s;
MANY(pthread_barrier_wait(&s), pthread_barrier_init(&s, 0, N + 1), (void)0, (void)0)
#endif

// case WAIT_IN_A_LOOP: safe
// case WAIT_IN_A_LOOP --property deadlock: safe
// case WAIT_IN_A_LOOP -DN=3 --property deadlock: unsafe, deadlock
#ifdef WAIT_IN_A_LOOP
MANY(LOCK(a); while (!done) pthread_cond_wait(&c, &a); x++; UNLOCK(a), (void)0, LOCK(a); done = 1;
     if (N == 2) pthread_cond_broadcast(&c); else pthread_cond_signal(&c); UNLOCK(a), assert(x == N))
#endif
// case WAIT_WITHOUT_LOOP: unsafe
// case WAIT_WITHOUT_LOOP --spurious-wakeups=no: safe
#ifdef WAIT_WITHOUT_LOOP
void *w(void *arg) { LOCK(a); done = 1; pthread_cond_signal(&c); UNLOCK(a); return 0; }
int main(void) {
  pthread_t t;
  LOCK(a);
  pthread_create(&t, 0, w, 0);
  pthread_cond_wait(&c, &a);
  assert(done);
  UNLOCK(a);
}
#endif
// case LOST_SIGNAL --property deadlock: unsafe, deadlock
#ifdef LOST_SIGNAL
void *w(void *arg) { done = 1; pthread_cond_signal(&c); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  LOCK(a);
  if (!done) pthread_cond_wait(&c, &a);
  UNLOCK(a);
}
#endif
// case SIGNAL_WAKES_ONE --property deadlock: unsafe, deadlock
// case SIGNAL_WAKES_ONE -DALL --property deadlock: safe
#ifdef SIGNAL_WAKES_ONE
#ifdef ALL
#define WAKE pthread_cond_broadcast
#else
#define WAKE pthread_cond_signal
#endif
MANY(LOCK(a); while (!done) pthread_cond_wait(&c, &a); UNLOCK(a), (void)0, LOCK(a); done = 1; WAKE(&c); UNLOCK(a), (void)0)
#endif
// case TIMED_WAIT: safe
// case TIMED_WAIT --property deadlock: safe
#ifdef TIMED_WAIT
ALONE(LOCK(a); int r = 0; while (r == 0) r = pthread_cond_timedwait(&c, &a, &limit); assert(r == ETIMEDOUT); UNLOCK(a))
#endif
// case TIMED_LOCK: unsafe
// case TIMED_LOCK --property deadlock: safe
#ifdef TIMED_LOCK
MANY(int r = pthread_mutex_timedlock(&a, &limit); if (r == 0) { x++; UNLOCK(a); } else assert(r == ETIMEDOUT), (void)0, (void)0, assert(x == N))
#endif
// case QUEUE: safe
// case QUEUE --property deadlock: safe
// case QUEUE --property races: safe
#ifdef QUEUE
int queue[2], first, count;
pthread_cond_t more = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
void put(int v) {
  LOCK(a);
  while (count == 2) pthread_cond_wait(&room, &a);
  queue[(first + count++) % 2] = v;
  pthread_cond_signal(&more);
  UNLOCK(a);
}
int take(void) {
  LOCK(a);
  while (count == 0) pthread_cond_wait(&more, &a);
  int v = queue[first];
  first = (first + 1) % 2;
  count--;
  pthread_cond_signal(&room);
  UNLOCK(a);
  return v;
}
void *w(void *arg) { for (int i = 1; i < 4; i++) put(i); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  for (int i = 1; i < 4; i++) assert(take() == i);
  pthread_join(t, 0);
}
#endif

// case ONCE: safe
// case ONCE -DN=5: safe
#ifdef ONCE
pthread_once_t o = PTHREAD_ONCE_INIT;
void make(void) { x++; }
MANY(pthread_once(&o, make); assert(x == 1), (void)0, (void)0, (void)0)
#endif
// case ONCE_FOR_EACH: unsafe
#ifdef ONCE_FOR_EACH
void make(void) { x++; }
MANY(pthread_once_t o = PTHREAD_ONCE_INIT; pthread_once(&o, make), (void)0, (void)0, assert(x == 1))
#endif
// case SPECIFIC: safe
// case SPECIFIC -DN=5: safe
#ifdef SPECIFIC
pthread_key_t k;
MANY(assert(pthread_getspecific(k) == 0); pthread_setspecific(k, (void *)(NUMBER + 1)); assert((intptr_t)pthread_getspecific(k) == NUMBER + 1),
     pthread_key_create(&k, 0); pthread_setspecific(k, &x), (void)0, assert(pthread_getspecific(k) == &x))
#endif
// case SPECIFIC_DESTROYED: safe
#ifdef SPECIFIC_DESTROYED
pthread_key_t k;
atomic_int n;
void destroy(void *v) { n += (intptr_t)v; }
MANY(if (NUMBER) pthread_setspecific(k, (void *)5), pthread_key_create(&k, destroy), (void)0, assert(n == 5))
#endif
// case OF_EACH_THREAD: safe
#ifdef OF_EACH_THREAD
_Thread_local int mine = 3;
static __thread int other;
MANY(mine += NUMBER; other++; assert(mine == 3 + NUMBER && other == 1), mine = 9, (void)0, assert(mine == 9 && other == 0))
#endif
// case RESULTS: safe
#ifdef RESULTS
void *w(void *arg) { return (void *)((intptr_t)arg * 10); }
void *v(void *arg) { pthread_exit((void *)7); }
int main(void) {
  pthread_t t, u;
  void *r, *q;
  pthread_create(&t, 0, w, (void *)4);
  pthread_create(&u, 0, v, 0);
  pthread_join(u, &q);
  pthread_join(t, &r);
  assert((intptr_t)r == 40 && (intptr_t)q == 7);
}
#endif
// case MAIN_LEAVES: unsafe
// case MAIN_LEAVES -DRETURNS: safe
#ifdef MAIN_LEAVES
void *w(void *arg) { pthread_join((pthread_t)arg, 0); assert(0); }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, (void *)pthread_self());
#ifdef RETURNS
  return 0;
#endif
  pthread_exit(0);
}
#endif
// case EXIT_OF_A_THREAD: safe
#ifdef EXIT_OF_A_THREAD
void *w(void *arg) { exit(0); }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  assert(0);
}
#endif
// case HANDLERS_AT_EXIT: unsafe
#ifdef HANDLERS_AT_EXIT
void check(void) { assert(x == 0); }
void *w(void *arg) { x = 1; return 0; }
int main(void) {
  pthread_t t;
  atexit(check);
  pthread_create(&t, 0, w, 0);
}
#endif
// case SELF: safe
#ifdef SELF
pthread_t t[2];
void *w(void *arg) { assert(!pthread_equal(pthread_self(), *(pthread_t *)arg)); return 0; }
int main(void) {
  pthread_t me = pthread_self();
  pthread_create(&t[0], 0, w, &me);
  pthread_create(&t[1], 0, w, &me);
  assert(!pthread_equal(t[0], t[1]) && pthread_equal(me, pthread_self()));
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
#endif
// case JOINED_BY_ITSELF: safe
#ifdef JOINED_BY_ITSELF
ALONE(assert(pthread_join(pthread_self(), 0) == EDEADLK))
#endif
// case DETACHED_TWICE: safe
#ifdef DETACHED_TWICE
void *w(void *arg) { return 0; }
sem_t s;
int main(void) {
  pthread_t t = pthread_self();
  assert(pthread_detach(t) == 0 && pthread_detach(t) == EINVAL);
}
#endif
// case C11_ALL: safe
#ifdef C11_ALL
mtx_t m;
cnd_t k;
once_flag f = ONCE_FLAG_INIT;
tss_t key;
void make(void) { y++; }
int v(void *arg) {
  call_once(&f, make);
  tss_set(key, arg);
  assert(tss_get(key) == arg);
  mtx_lock(&m);
  x++;
  cnd_signal(&k);
  mtx_unlock(&m);
  return 40 + (int)(intptr_t)arg;
}
int main(void) {
  thrd_t t, u;
  int r, q;
  mtx_init(&m, mtx_plain);
  cnd_init(&k);
  tss_create(&key, 0);
  thrd_create(&t, v, (void *)1);
  thrd_create(&u, v, (void *)2);
  mtx_lock(&m);
  while (x < 2) cnd_wait(&k, &m);
  assert(mtx_trylock(&m) == thrd_busy);
  mtx_unlock(&m);
  thrd_join(t, &r);
  thrd_join(u, &q);
  assert(r == 41 && q == 42 && y == 1 && tss_get(key) == 0);
}
#endif
// case C11_EXIT: safe
#ifdef C11_EXIT
int v(void *arg) { thrd_exit(-3); }
int main(void) {
  thrd_t t;
  int r = 0;
  assert(thrd_create(&t, v, 0) == thrd_success && thrd_join(t, &r) == thrd_success && r == -3);
}
#endif

// case STACK_OF_ANOTHER: safe
#ifdef STACK_OF_ANOTHER
struct job { int in, out; };
void *w(void *arg) { struct job *j = arg; j->out = j->in * 2; return j; }
int main(void) {
  pthread_t t[N];
  struct job j[N];
  for (int i = 0; i < N; i++) {
    j[i].in = i + 1;
    pthread_create(&t[i], 0, w, &j[i]);
  }
  for (int i = 0; i < N; i++) {
    void *r;
    pthread_join(t[i], &r);
    assert(r == &j[i] && j[i].out == 2 * (i + 1));
  }
}
#endif
// case LOOP_VARIABLE: unsafe
#ifdef LOOP_VARIABLE
int seen[N + 1];
void *w(void *arg) { seen[*(int *)arg]++; return 0; }
int main(void) {
  pthread_t t[N];
  int i;
  for (i = 0; i < N; i++) pthread_create(&t[i], 0, w, &i);
  for (int k = 0; k < N; k++) pthread_join(t[k], 0);
  assert(seen[0] == 1);
}
#endif
// case FREED_BY_ANOTHER --property faults: unsafe
#ifdef FREED_BY_ANOTHER
int *p;
MANY(LOCK(a); if (NUMBER) free(p); else *p = 1; UNLOCK(a), p = malloc(4), (void)0, (void)0)
#endif
// case FREED_TWICE --property faults: unsafe
// case FREED_TWICE -DONCE_ONLY --property faults: safe
#ifdef FREED_TWICE
int *p;
#ifdef ONCE_ONLY
MANY(LOCK(a); free(p); p = 0; UNLOCK(a), p = malloc(4), (void)0, (void)0)
#else
MANY(LOCK(a); free(p); UNLOCK(a), p = malloc(4), (void)0, (void)0)
#endif
#endif
// case LAST_FREES: safe
// case LAST_FREES --property faults: safe
// case LAST_FREES --property races: safe
#ifdef LAST_FREES
struct shared { atomic_int users; int v; } *s;
MANY(int v = s->v; assert(v == 7); if (--s->users == 0) free(s), s = malloc(sizeof *s); s->users = N; s->v = 7, (void)0, (void)0)
#endif
// case LAST_FREES_TOO_EARLY --property faults: unsafe
#ifdef LAST_FREES_TOO_EARLY
struct shared { atomic_int users; int v; } *s;
MANY(if (--s->users == 0) free(s); else s->v = 1, s = malloc(sizeof *s); s->users = N, (void)0, (void)0)
#endif
// case NULL_SEEN --property faults: unsafe
#ifdef NULL_SEEN
int *_Atomic p = &x;
MANY(if (NUMBER) p = 0; else if (p) *p = 1, (void)0, (void)0, (void)0)
#endif
// case INDEX_MOVED --property faults: unsafe
#ifdef INDEX_MOVED
atomic_int i;
int v[2];
MANY(if (i < 2) v[i++] = 1, (void)0, i = 1, (void)0)
#endif
// case DIVISOR_MOVED --property faults: unsafe
#ifdef DIVISOR_MOVED
atomic_int d = 2;
MANY(if (NUMBER) d = 0; else if (d) x = 4 / d, (void)0, (void)0, (void)0)
#endif

// case DEKKER: safe
#ifdef DEKKER
atomic_int want[2], turn;
MANY(want[NUMBER] = 1; while (want[1 - NUMBER]) if (turn != NUMBER) { want[NUMBER] = 0; while (turn != NUMBER) {} want[NUMBER] = 1; }
     x++; assert(x == 1); x--; turn = 1 - NUMBER; want[NUMBER] = 0, (void)0, (void)0, (void)0)
#endif
// case PETERSON: safe
// case PETERSON --property deadlock: safe
#ifdef PETERSON
atomic_int want[2], turn;
MANY(want[NUMBER] = 1; turn = 1 - NUMBER; while (want[1 - NUMBER] && turn == 1 - NUMBER) {} x++; assert(x == 1); x--; want[NUMBER] = 0,
     (void)0, (void)0, (void)0)
#endif
// case PETERSON_TURNED: unsafe
#ifdef PETERSON_TURNED
atomic_int want[2], turn;
MANY(turn = 1 - NUMBER; want[NUMBER] = 1; while (want[1 - NUMBER] && turn == 1 - NUMBER) {} x++; assert(x == 1); x--; want[NUMBER] = 0,
     (void)0, (void)0, (void)0)
#endif
// case TICKETS: safe
// case TICKETS -DN=3: safe
// case TICKETS --property deadlock: safe
#ifdef TICKETS
atomic_uint next, serving;
MANY(unsigned mine = next++; while (serving != mine) {} x++; assert(x == 1); x--; serving++, (void)0, (void)0, (void)0)
#endif
// case SEQLOCK: safe
#ifdef SEQLOCK
atomic_int seq, one, two;
void *w(void *arg) { seq++; one = 1; two = 1; seq++; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  int s = seq, v = one, u = two;
  if (!(s & 1) && s == seq) assert(v == u);
  pthread_join(t, 0);
}
#endif
// case SEQLOCK_WITHOUT_PARITY: unsafe
#ifdef SEQLOCK_WITHOUT_PARITY
atomic_int seq, one, two;
void *w(void *arg) { seq++; one = 1; two = 1; seq++; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  int s = seq, v = one, u = two;
  if (s == seq) assert(v == u);
  pthread_join(t, 0);
}
#endif
// case STRUCT_TORN: unsafe
// case STRUCT_TORN --interleave=statement: safe
#ifdef STRUCT_TORN
struct pair { int a, b; } s;
void *w(void *arg) { s = (struct pair){1, 1}; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  struct pair r = s;
  assert(r.a == r.b);
  pthread_join(t, 0);
}
#endif
// case STRUCT_ATOMIC: safe
#ifdef STRUCT_ATOMIC
struct pair { int a, b; };
_Atomic struct pair s;
void *w(void *arg) { s = (struct pair){1, 1}; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  struct pair r = s;
  assert(r.a == r.b);
  pthread_join(t, 0);
}
#endif
// case BITS_LOST: unsafe
#ifdef BITS_LOST
struct { unsigned a : 1, b : 1; } s;
MANY(if (NUMBER) s.a = 1; else s.b = 1, (void)0, (void)0, assert(s.a && s.b))
#endif
// case BITS_LOST --interleave=statement: safe
// case BITS_KEPT: safe
#ifdef BITS_KEPT
struct { unsigned a : 1, b : 1; unsigned : 0; unsigned c : 2; } s;
MANY(LOCK(a); if (NUMBER) s.a = 1; else s.b = 1; UNLOCK(a), (void)0, s.c = 2, assert(s.a && s.b && s.c == 2))
#endif
// case BITS_OF_ELEMENTS: unsafe
// case BITS_OF_ELEMENTS -DAPART: safe
#ifdef BITS_OF_ELEMENTS
struct { unsigned a : 1, b : 1; } s[2];
#ifdef APART
MANY(if (NUMBER) s[1].a = 1; else s[0].b = 1, (void)0, (void)0, assert(s[1].a && s[0].b))
#else
MANY(int i = x; if (NUMBER) s[i].a = 1; else s[i].b = 1, x = 1, (void)0, assert(s[1].a && s[1].b))
#endif
#endif
// case BYTES_KEPT: safe
#ifdef BYTES_KEPT
union { int all; char bytes[4]; } u;
MANY(u.bytes[NUMBER] = 1, (void)0, (void)0, assert(u.all == 0x101))
#endif
// case FUNCTION_CHANGED: unsafe
#ifdef FUNCTION_CHANGED
void good(void) {}
void bad(void) { assert(0); }
void (*_Atomic f)(void) = good;
MANY(if (NUMBER) f = bad; else f(), (void)0, (void)0, (void)0)
#endif
// case COMPARED_BY_ADDRESS: safe
#ifdef COMPARED_BY_ADDRESS
int *_Atomic kept[N];
MANY(int *q = malloc(4); *q = NUMBER; kept[NUMBER] = q, (void)0, (void)0, assert(kept[0] != kept[1] && *kept[1] == 1))
#endif
// case SHORT_CIRCUIT_READS: unsafe
#ifdef SHORT_CIRCUIT_READS
MANY(if (NUMBER) x = 1; else if (!x && x) assert(0), (void)0, (void)0, (void)0)
#endif
// case ARGUMENT_ORDER: safe
#ifdef ARGUMENT_ORDER
int pair(int p, int q) { return p * 10 + q; }
int n;
int step(void) { return ++n; }
ALONE(assert(pair(step(), 5) == 15); x = step() + 0 * step(); assert(n == 3))
#endif
