// What race detectors are tried with: the same access through names, pointers, structs, arrays, function pointers and copies of
// locks, and what orders accesses without a lock.  With -DN=5 there are five threads of each kind instead of two.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#ifndef N
#define N 2
#endif
int x, y, *p;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
void *w(void *arg);

// N threads run BODY; main runs BEFORE, BESIDE and AFTER.
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
#define NUMBER ((intptr_t)arg)

// case SAME_LOCK --property races: safe
// case SAME_LOCK -DN=5 --property races: safe
#ifdef SAME_LOCK
MANY(LOCK(a); x++; UNLOCK(a), x = 1, LOCK(a); x = 2; UNLOCK(a), x = 3)
#endif
// case OTHER_LOCK --property races: unsafe, data race
// case OTHER_LOCK -DN=5 --property races: unsafe, data race
#ifdef OTHER_LOCK
MANY(LOCK(a); x++; UNLOCK(a), (void)0, LOCK(b); x = 2; UNLOCK(b), (void)0)
#endif
// case BOTH_LOCKS --property races: safe
#ifdef BOTH_LOCKS
MANY(LOCK(a); LOCK(b); x++; UNLOCK(b); UNLOCK(a), (void)0, LOCK(b); x = 2; UNLOCK(b), (void)0)
#endif
// case LOCK_DROPPED_EARLY --property races: unsafe, data race
#ifdef LOCK_DROPPED_EARLY
MANY(LOCK(a); int v = x; UNLOCK(a); x = v + 1, (void)0, (void)0, (void)0)
#endif
// case READS_ONLY --property races: safe
// case READS_ONLY -DN=5 --property races: safe
#ifdef READS_ONLY
MANY(int v = x + y; (void)v, x = 1; y = 2, int u = x; (void)u, x = y)
#endif
// case BEFORE_CREATION --property races: safe
#ifdef BEFORE_CREATION
MANY(int v = x; (void)v, x = 1, (void)0, x = 2)
#endif
// case AFTER_CREATION --property races: unsafe, data race
#ifdef AFTER_CREATION
MANY(int v = x; (void)v, (void)0, x = 1, (void)0)
#endif
// case AFTER_FIRST_JOIN --property races: unsafe, data race
// case AFTER_FIRST_JOIN -DN=5 --property races: unsafe, data race
#ifdef AFTER_FIRST_JOIN
void *w(void *arg) { x = 1; return arg; }
void *v(void *arg) { return arg; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, v, 0);
  pthread_create(&u, 0, w, 0);
  pthread_join(t, 0);
  x = 2;
  pthread_join(u, 0);
}
#endif
// case JOIN_BY_ANOTHER --property races: safe
#ifdef JOIN_BY_ANOTHER
pthread_t t, u;
void *w(void *arg) { x = 1; return arg; }
void *v(void *arg) { pthread_join(t, 0); return arg; }
int main(void) {
  pthread_create(&t, 0, w, 0);
  pthread_create(&u, 0, v, 0);
  pthread_join(u, 0);
  x = 2;
}
#endif
// case DETACHED --property races: unsafe, data race
#ifdef DETACHED
void *w(void *arg) { x = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_detach(t);
  x = 2;
}
#endif
// case CHILD_OF_CHILD --property races: unsafe, data race
#ifdef CHILD_OF_CHILD
void *v(void *arg) { x = 1; return arg; }
void *w(void *arg) {
  pthread_t t;
  pthread_create(&t, 0, v, 0);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  x = 2;
}
#endif
// case CHILD_OF_CHILD_JOINED --property races: safe
#ifdef CHILD_OF_CHILD_JOINED
void *v(void *arg) { x = 1; return arg; }
void *w(void *arg) {
  pthread_t t;
  pthread_create(&t, 0, v, 0);
  pthread_join(t, 0);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  x = 2;
}
#endif
// case CREATOR_AFTER_CREATION --property races: unsafe, data race
#ifdef CREATOR_AFTER_CREATION
void *v(void *arg) { x = 1; return arg; }
void *w(void *arg) {
  pthread_t t;
  pthread_create(&t, 0, v, 0);
  x = 2;
  pthread_join(t, 0);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
}
#endif

// case THROUGH_POINTER --property races: unsafe, data race
#ifdef THROUGH_POINTER
MANY(*p = 1, p = &x, x = 2, (void)0)
#endif
// case THROUGH_TWO_POINTERS --property races: unsafe, data race
#ifdef THROUGH_TWO_POINTERS
int **q = &p;
MANY(**q = 1, p = &x, x = 2, (void)0)
#endif
// case POINTER_ELSEWHERE --property races: safe
#ifdef POINTER_ELSEWHERE
void *w(void *arg) { *p = 1; return arg; }
int main(void) {
  pthread_t t;
  p = &y;
  pthread_create(&t, 0, w, 0);
  x = 2;
  pthread_join(t, 0);
}
#endif
// case POINTER_CHANGED --property races: unsafe, data race
#ifdef POINTER_CHANGED
MANY(*p = 1, p = &x, p = &y, (void)0)
#endif
// case POINTER_EITHER --property races: unsafe, data race
#ifdef POINTER_EITHER
extern int __VERIFIER_nondet_int(void);
void *w(void *arg) { *p = 1; return arg; }
int main(void) {
  pthread_t t;
  p = __VERIFIER_nondet_int() ? &x : &y;
  pthread_create(&t, 0, w, 0);
  x = 2;
  pthread_join(t, 0);
}
#endif
// case LOCKS_OF_ONE_OBJECT --property races: safe
#ifdef LOCKS_OF_ONE_OBJECT
struct account { pthread_mutex_t lock; int money; } one = {PTHREAD_MUTEX_INITIALIZER, 0}, *alias = &one;
MANY(LOCK(alias->lock); alias->money++; UNLOCK(alias->lock), (void)0, LOCK(one.lock); one.money++; UNLOCK(one.lock), (void)0)
#endif
// case LOCK_OF_ANOTHER_OBJECT --property races: unsafe, data race
#ifdef LOCK_OF_ANOTHER_OBJECT
struct account { pthread_mutex_t lock; int money; } one = {PTHREAD_MUTEX_INITIALIZER, 0}, two = {PTHREAD_MUTEX_INITIALIZER, 0};
MANY(LOCK(two.lock); one.money++; UNLOCK(two.lock), (void)0, LOCK(one.lock); one.money++; UNLOCK(one.lock), (void)0)
#endif
// case LOCK_BY_POINTER --property races: safe
#ifdef LOCK_BY_POINTER
pthread_mutex_t *m = &a;
MANY(pthread_mutex_lock(m); x++; pthread_mutex_unlock(m), (void)0, LOCK(a); x++; UNLOCK(a), (void)0)
#endif
// case LOCK_POINTER_MOVED --property races: unsafe, data race
#ifdef LOCK_POINTER_MOVED
pthread_mutex_t *m;
void *w(void *arg) { pthread_mutex_t *k = arg; pthread_mutex_lock(k); x++; pthread_mutex_unlock(k); return 0; }
int main(void) {
  pthread_t t, u;
  m = &a;
  pthread_create(&t, 0, w, m);
  m = &b;
  pthread_create(&u, 0, w, m);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
#endif
// case LOCK_HANDED_TO_BOTH --property races: safe
#ifdef LOCK_HANDED_TO_BOTH
void *w(void *arg) { pthread_mutex_t *k = arg; pthread_mutex_lock(k); x++; pthread_mutex_unlock(k); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, w, &a);
  pthread_create(&u, 0, w, &a);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
#endif
// case FIELDS --property races: safe
#ifdef FIELDS
struct { int a, b; } s;
void *w(void *arg) { s.a = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  s.b = 1;
  pthread_join(t, 0);
}
#endif
// case WHOLE_STRUCT --property races: unsafe, data race
#ifdef WHOLE_STRUCT
struct pair { int a, b; } s, r;
void *w(void *arg) { s.a = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  r = s;
  pthread_join(t, 0);
}
#endif
// case STRUCT_BY_VALUE --property races: unsafe, data race
#ifdef STRUCT_BY_VALUE
struct pair { int a, b; } s;
int sum(struct pair q) { return q.a; }
void *w(void *arg) { s.b = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  sum(s);
  pthread_join(t, 0);
}
#endif
// case NESTED_FIELD --property races: unsafe, data race
#ifdef NESTED_FIELD
struct { struct { int a[2]; } in; } s;
MANY(s.in.a[1]++, (void)0, (void)0, (void)0)
#endif
// case OWN_ELEMENT --property races: safe
// case OWN_ELEMENT -DN=5 --property races: safe
#ifdef OWN_ELEMENT
int own[N];
MANY(own[NUMBER]++, (void)0, (void)0, x = own[0])
#endif
// case NEIGHBOURS_ELEMENT --property races: unsafe, data race
// case NEIGHBOURS_ELEMENT -DN=5 --property races: unsafe, data race
#ifdef NEIGHBOURS_ELEMENT
int own[N + 1];
MANY(own[NUMBER] = own[NUMBER + 1], (void)0, (void)0, (void)0)
#endif
// case LOCK_OF_ELEMENT --property races: safe
#ifdef LOCK_OF_ELEMENT
pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int slots[2];
MANY(int i = NUMBER & 1; LOCK(locks[i]); slots[i]++; UNLOCK(locks[i]), (void)0, LOCK(locks[0]); slots[0]++; UNLOCK(locks[0]), (void)0)
#endif
// case LOCK_OF_WRONG_ELEMENT --property races: unsafe, data race
#ifdef LOCK_OF_WRONG_ELEMENT
pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int slots[2];
MANY(int i = NUMBER & 1; LOCK(locks[i]); slots[1 - i]++; UNLOCK(locks[i]), (void)0, LOCK(locks[0]); slots[0]++; UNLOCK(locks[0]), (void)0)
#endif
// case ROW_AND_ELEMENT --property races: unsafe, data race
#ifdef ROW_AND_ELEMENT
int grid[2][2];
MANY(memset(grid[1], 0, sizeof grid[1]), (void)0, grid[1][1] = 1, (void)0)
#endif
// case ROWS_APART --property races: safe
#ifdef ROWS_APART
int grid[N][2];
MANY(grid[NUMBER][0] = grid[NUMBER][1], (void)0, (void)0, x = grid[1][0])
#endif

// case FUNCTION_POINTER --property races: unsafe, data race
#ifdef FUNCTION_POINTER
void touch(void) { x++; }
void leave(void) {}
void (*f)(void) = touch;
MANY(f(), (void)0, x = 1, (void)0)
#endif
// case FUNCTION_POINTER_HARMLESS --property races: safe
#ifdef FUNCTION_POINTER_HARMLESS
void touch(void) { x++; }
void leave(void) {}
void (*f)(void) = touch;
MANY(f(), f = leave, x = 1, touch())
#endif
// case TABLE_OF_FUNCTIONS --property races: unsafe, data race
#ifdef TABLE_OF_FUNCTIONS
void set(void) { x = 1; }
void other(void) { y = 1; }
void (*const table[])(void) = {other, set};
MANY(table[NUMBER & 1](), (void)0, table[1](), (void)0)
#endif
// case FUNCTION_THAT_LOCKS --property races: safe
#ifdef FUNCTION_THAT_LOCKS
void with_lock(void (*f)(void)) { LOCK(a); f(); UNLOCK(a); }
void touch(void) { x++; }
MANY(with_lock(touch), (void)0, with_lock(touch), (void)0)
#endif
// case STATIC_LOCAL --property races: unsafe, data race
#ifdef STATIC_LOCAL
int next(void) { static int count; return ++count; }
MANY(next(), (void)0, (void)0, (void)0)
#endif
// case AUTOMATIC --property races: safe
#ifdef AUTOMATIC
int next(void) { int count = 0; int *q = &count; return ++*q; }
MANY(next(), (void)0, next(), (void)0)
#endif
// case OF_EACH_THREAD --property races: safe
#ifdef OF_EACH_THREAD
_Thread_local int mine;
MANY(mine++, mine = 1, mine++, (void)0)
#endif
// case OF_A_THREAD_ESCAPED --property races: unsafe, data race
#ifdef OF_A_THREAD_ESCAPED
_Thread_local int mine;
MANY((*p)++, p = &mine, mine++, (void)0)
#endif
// case STACK_ESCAPED --property races: unsafe, data race
#ifdef STACK_ESCAPED
void *w(void *arg) { *(int *)arg = 1; return 0; }
int main(void) {
  pthread_t t;
  int local = 0;
  pthread_create(&t, 0, w, &local);
  local = 2;
  pthread_join(t, 0);
}
#endif
// case STACK_HANDED_OVER --property races: safe
#ifdef STACK_HANDED_OVER
void *w(void *arg) { *(int *)arg = 1; return 0; }
int main(void) {
  pthread_t t;
  int local = 0;
  pthread_create(&t, 0, w, &local);
  pthread_join(t, 0);
  local = 2;
}
#endif
// case LOOP_VARIABLE --property races: unsafe, data race
#ifdef LOOP_VARIABLE
void *w(void *arg) { int n = *(int *)arg; return n ? arg : 0; }
int main(void) {
  pthread_t t[N];
  int i;
  for (i = 0; i < N; i++) pthread_create(&t[i], 0, w, &i);
  for (int k = 0; k < N; k++) pthread_join(t[k], 0);
}
#endif
// case HEAP_OF_EACH --property races: safe
// case HEAP_OF_EACH -DN=5 --property races: safe
#ifdef HEAP_OF_EACH
MANY(int *q = malloc(4); *q = 1; free(q), (void)0, (void)0, (void)0)
#endif
// case HEAP_SHARED --property races: unsafe, data race
#ifdef HEAP_SHARED
MANY(*(int *)p = 1, p = malloc(4), (void)0, free(p))
#endif
// case HEAP_PUBLISHED --property races: unsafe, data race
#ifdef HEAP_PUBLISHED
void *w(void *arg) { if (p) *p = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  int *q = malloc(4);
  *q = 0;
  p = q;
  pthread_join(t, 0);
}
#endif
// case HEAP_PUBLISHED_ATOMICALLY --property races: safe
#ifdef HEAP_PUBLISHED_ATOMICALLY
_Atomic(int *) shared;
void *w(void *arg) { int *q = shared; if (q) *q = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  int *q = malloc(4);
  *q = 0;
  shared = q;
  pthread_join(t, 0);
}
#endif
// case HEAP_PUBLISHED_AND_KEPT --property races: unsafe, data race
#ifdef HEAP_PUBLISHED_AND_KEPT
_Atomic(int *) shared;
void *w(void *arg) { int *q = shared; if (q) *q = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  int *q = malloc(4);
  shared = q;
  *q = 0;
  pthread_join(t, 0);
}
#endif

// case TRIED --property races: safe
// case TRIED -DN=5 --property races: safe
#ifdef TRIED
MANY(if (pthread_mutex_trylock(&a) == 0) { x++; UNLOCK(a); }, (void)0, LOCK(a); x++; UNLOCK(a), (void)0)
#endif
// case TRIED_AND_IGNORED --property races: unsafe, data race
#ifdef TRIED_AND_IGNORED
MANY(int busy = pthread_mutex_trylock(&a); x++; if (!busy) UNLOCK(a), (void)0, LOCK(a); x++; UNLOCK(a), (void)0)
#endif
// case TRIED_THE_WRONG_WAY --property races: unsafe, data race
#ifdef TRIED_THE_WRONG_WAY
MANY(if (pthread_mutex_trylock(&a)) x++; else UNLOCK(a), (void)0, LOCK(a); x++; UNLOCK(a), (void)0)
#endif
// case TRIED_AND_REMEMBERED --property races: safe
#ifdef TRIED_AND_REMEMBERED
MANY(bool held = pthread_mutex_trylock(&a) == 0; if (!held) { LOCK(a); } x++; UNLOCK(a), (void)0, LOCK(a); x++; UNLOCK(a), (void)0)
#endif
// case SOMETIMES_LOCKED --property races: unsafe, data race
#ifdef SOMETIMES_LOCKED
extern int __VERIFIER_nondet_int(void);
MANY(int n = __VERIFIER_nondet_int(); if (n) LOCK(a); x++; if (n) UNLOCK(a), (void)0, (void)0, (void)0)
#endif
// case LOCKED_WHEN_USED --property races: safe
#ifdef LOCKED_WHEN_USED
extern _Bool __VERIFIER_nondet_bool(void);
MANY(_Bool n = __VERIFIER_nondet_bool(); if (n) LOCK(a); if (n) x++; if (n) UNLOCK(a), (void)0, LOCK(a); x++; UNLOCK(a), (void)0)
#endif
// case LOCKED_IN_A_LOOP --property races: safe
#ifdef LOCKED_IN_A_LOOP
MANY(for (int i = 0; i < 2; i++) { LOCK(a); x++; UNLOCK(a); }, (void)0, (void)0, x = 0)
#endif
// case UNLOCKED_IN_A_LOOP --property races: unsafe, data race
#ifdef UNLOCKED_IN_A_LOOP
MANY(LOCK(a); for (int i = 0; i < 2; i++) { x++; if (i == 0) UNLOCK(a); }, (void)0, LOCK(a); x++; UNLOCK(a), (void)0)
#endif
// case READERS --property races: safe
// case READERS -DN=5 --property races: safe
#ifdef READERS
MANY(pthread_rwlock_rdlock(&l); int v = x; (void)v; pthread_rwlock_unlock(&l), (void)0,
     pthread_rwlock_wrlock(&l); x++; pthread_rwlock_unlock(&l), (void)0)
#endif
// case READER_WRITES --property races: unsafe, data race
// case READER_WRITES -DN=5 --property races: unsafe, data race
#ifdef READER_WRITES
MANY(pthread_rwlock_rdlock(&l); x++; pthread_rwlock_unlock(&l), (void)0, (void)0, (void)0)
#endif
// case READER_TRIES --property races: safe
#ifdef READER_TRIES
MANY(if (!pthread_rwlock_tryrdlock(&l)) { int v = x; (void)v; pthread_rwlock_unlock(&l); }, (void)0,
     if (!pthread_rwlock_trywrlock(&l)) { x++; pthread_rwlock_unlock(&l); }, (void)0)
#endif
// case READER_BESIDE_MUTEX --property races: unsafe, data race
#ifdef READER_BESIDE_MUTEX
MANY(pthread_rwlock_rdlock(&l); int v = x; (void)v; pthread_rwlock_unlock(&l), (void)0, LOCK(a); x++; UNLOCK(a), (void)0)
#endif
// case SPIN --property races: safe
#ifdef SPIN
pthread_spinlock_t s;
MANY(pthread_spin_lock(&s); x++; pthread_spin_unlock(&s), pthread_spin_init(&s, 0), (void)0, (void)0)
#endif
// case OWN_SPIN --property races: safe
#ifdef OWN_SPIN
atomic_flag s = ATOMIC_FLAG_INIT;
MANY(while (atomic_flag_test_and_set(&s)) {} x++; atomic_flag_clear(&s), (void)0, (void)0, (void)0)
#endif
// case OWN_SPIN_PLAIN --property races: unsafe, data race
#ifdef OWN_SPIN_PLAIN
int s;
MANY(while (s) {} s = 1; x++; s = 0, (void)0, (void)0, (void)0)
#endif
// case OWN_SPIN_RELEASED_PLAINLY --property races: unsafe, data race
#ifdef OWN_SPIN_RELEASED_PLAINLY
int s;
MANY(while (__sync_lock_test_and_set(&s, 1)) {} x++; s = 0, (void)0, (void)0, (void)0)
#endif
// case OWN_SPIN_RELEASED --property races: safe
#ifdef OWN_SPIN_RELEASED
int s;
MANY(while (__sync_lock_test_and_set(&s, 1)) {} x++; __sync_lock_release(&s), (void)0, (void)0, (void)0)
#endif
// case COUNTING --property races: safe
#ifdef COUNTING
sem_t s;
MANY(sem_wait(&s); x++; sem_post(&s), sem_init(&s, 0, 1), (void)0, (void)0)
#endif
// case COUNTING_TWO --property races: unsafe, data race
#ifdef COUNTING_TWO
sem_t s;
MANY(sem_wait(&s); x++; sem_post(&s), sem_init(&s, 0, 2), (void)0, (void)0)
#endif
// case HANDED_OVER --property races: safe
#ifdef HANDED_OVER
sem_t s;
void *w(void *arg) { x = 1; sem_post(&s); return arg; }
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, w, 0);
  sem_wait(&s);
  x = 2;
  pthread_join(t, 0);
}
#endif
// case HANDED_OVER_TOO_EARLY --property races: unsafe, data race
#ifdef HANDED_OVER_TOO_EARLY
sem_t s;
void *w(void *arg) { sem_post(&s); x = 1; return arg; }
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, w, 0);
  sem_wait(&s);
  x = 2;
  pthread_join(t, 0);
}
#endif
// case TRIED_HANDED_OVER --property races: unsafe, data race
#ifdef TRIED_HANDED_OVER
sem_t s;
void *w(void *arg) { x = 1; sem_post(&s); return arg; }
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, w, 0);
  sem_trywait(&s);
  x = 2;
  pthread_join(t, 0);
}
#endif
// case PHASES --property races: safe
// case PHASES -DN=3 --property races: safe
#ifdef PHASES
pthread_barrier_t s;
int own[N];
MANY(own[NUMBER] = 1; pthread_barrier_wait(&s); int v = own[(NUMBER + 1) % N]; (void)v, pthread_barrier_init(&s, 0, N), (void)0, (void)0)
#endif
// case PHASES_MIXED --property races: unsafe, data race
#ifdef PHASES_MIXED
pthread_barrier_t s;
int own[N];
MANY(int v = own[(NUMBER + 1) % N]; (void)v; own[NUMBER] = 1; pthread_barrier_wait(&s), pthread_barrier_init(&s, 0, N), (void)0, (void)0)
#endif
// case SIGNALLED --property races: safe
#ifdef SIGNALLED
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *w(void *arg) {
  x = 1;
  LOCK(a);
  ready = 1;
  pthread_cond_signal(&c);
  UNLOCK(a);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  LOCK(a);
  while (!ready) pthread_cond_wait(&c, &a);
  UNLOCK(a);
  x = 2;
  pthread_join(t, 0);
}
#endif
// case SIGNALLED_WITHOUT_FLAG --property races: unsafe, data race
#ifdef SIGNALLED_WITHOUT_FLAG
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *w(void *arg) {
  LOCK(a);
  pthread_cond_signal(&c);
  UNLOCK(a);
  x = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  LOCK(a);
  pthread_create(&t, 0, w, 0);
  pthread_cond_wait(&c, &a);
  UNLOCK(a);
  x = 2;
  pthread_join(t, 0);
}
#endif
// case FLAG_READ_OUTSIDE --property races: unsafe, data race
#ifdef FLAG_READ_OUTSIDE
int ready;
MANY(LOCK(a); ready = 1; UNLOCK(a), (void)0, while (!ready) {}, (void)0)
#endif
// case MADE_ONCE --property races: safe
// case MADE_ONCE -DN=5 --property races: safe
#ifdef MADE_ONCE
pthread_once_t o = PTHREAD_ONCE_INIT;
void make(void) { x = 1; }
MANY(pthread_once(&o, make); int v = x; (void)v, (void)0, (void)0, (void)0)
#endif
// case MADE_TWICE --property races: unsafe, data race
#ifdef MADE_TWICE
int made;
MANY(if (!made) { LOCK(a); if (!made) { x = 1; made = 1; } UNLOCK(a); } int v = x; (void)v, (void)0, (void)0, (void)0)
#endif
// case MADE_AND_CHECKED_ATOMICALLY --property races: safe
#ifdef MADE_AND_CHECKED_ATOMICALLY
atomic_int made;
MANY(if (!made) { LOCK(a); if (!made) { x = 1; made = 1; } UNLOCK(a); } int v = x; (void)v, (void)0, (void)0, (void)0)
#endif
// case ADJACENT_BYTES --property races: safe
// case ADJACENT_BYTES -DN=5 --property races: safe
#ifdef ADJACENT_BYTES
char own[N + 1];
MANY(own[NUMBER]++, (void)0, own[N] = 1, (void)0)
#endif
// case ADJACENT_BITS --property races: unsafe, data race
#ifdef ADJACENT_BITS
struct { unsigned a : 1, b : 1; } s;
MANY(if (NUMBER) s.a = 1; else s.b = 1, (void)0, (void)0, (void)0)
#endif
// case BITS_APART --property races: safe
#ifdef BITS_APART
struct { unsigned a : 1; unsigned : 0; unsigned b : 1; } s;
void *w(void *arg) { s.a = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  s.b = 1;
  pthread_join(t, 0);
}
#endif
// case BIT_AND_BYTE --property races: safe
#ifdef BIT_AND_BYTE
struct { unsigned a : 3; unsigned char b; } s;
void *w(void *arg) { s.a = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  s.b = 1;
  pthread_join(t, 0);
}
#endif
// case COPY_OF_A_PART --property races: safe
#ifdef COPY_OF_A_PART
char text[8];
void *w(void *arg) { memcpy(text, "abcd", 4); return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  text[4] = 'x';
  pthread_join(t, 0);
}
#endif
// case COPY_ONE_TOO_FAR --property races: unsafe, data race
#ifdef COPY_ONE_TOO_FAR
char text[8];
void *w(void *arg) { memcpy(text, "abcd", 5); return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  text[4] = 'x';
  pthread_join(t, 0);
}
#endif
// case LENGTH_AND_END --property races: unsafe, data race
#ifdef LENGTH_AND_END
char text[8] = "abc";
void *w(void *arg) { strlen(text); return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  text[3] = 'x';
  pthread_join(t, 0);
}
#endif
// case LENGTH_AND_BEHIND --property races: safe
#ifdef LENGTH_AND_BEHIND
char text[8] = "abc";
void *w(void *arg) { strlen(text); return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  text[4] = 'x';
  pthread_join(t, 0);
}
#endif
// case SAME_VALUE --property races: unsafe, data race
#ifdef SAME_VALUE
MANY(x = 1, (void)0, (void)0, (void)0)
#endif
// case UNREACHABLE --property races: safe
#ifdef UNREACHABLE
MANY(if (y) x++, (void)0, x = 1, (void)0)
#endif
// case RESULT_OF_THREAD --property races: safe
#ifdef RESULT_OF_THREAD
void *w(void *arg) { int *q = malloc(4); *q = 7; return q; }
int main(void) {
  pthread_t t;
  void *r;
  pthread_create(&t, 0, w, 0);
  pthread_join(t, &r);
  *(int *)r = 8;
  free(r);
}
#endif
// case C11_THREADS --property races: unsafe, data race
#ifdef C11_THREADS
int v(void *arg) { x = 1; return 0; }
int main(void) {
  thrd_t t;
  thrd_create(&t, v, 0);
  x = 2;
  thrd_join(t, 0);
}
#endif
// case C11_HANDLE --property races: unsafe, data race
#ifdef C11_HANDLE
thrd_t t;
int v(void *arg) { thrd_t own = t; (void)own; return 0; }
int main(void) {
  thrd_create(&t, v, 0);
  thrd_join(t, 0);
}
#endif
// case C11_MUTEX --property races: safe
#ifdef C11_MUTEX
mtx_t m;
int v(void *arg) { mtx_lock(&m); x = 1; mtx_unlock(&m); return 0; }
int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_plain);
  thrd_create(&t, v, 0);
  mtx_lock(&m);
  x = 2;
  mtx_unlock(&m);
  thrd_join(t, 0);
}
#endif
