// Objects on the stack of main that only other threads are led to: once the pointers have been followed nobody takes
// their addresses any more, and still they are no thread's own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct pair {
  int first, second;
};
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t t, u;
#define WORKER(BODY) \
  static void *worker(void *arg) { \
    BODY; \
    return 0; \
  }
// Two threads that are given the same; `main` looks afterwards.
#define TWO(DECLARE, GIVEN, BESIDE, AFTER) \
  int main(void) { \
    DECLARE; \
    pthread_create(&t, 0, worker, GIVEN); \
    pthread_create(&u, 0, worker, GIVEN); \
    BESIDE; \
    pthread_join(t, 0); \
    pthread_join(u, 0); \
    AFTER; \
    return 0; \
  }

// case STORED: safe
// case STORED --property all: unsafe
// case STORED --property races: unsafe
// case STORED --property faults: safe
// case STORED --interleave=statement: safe
#ifdef STORED
WORKER(((struct pair *)arg)->second = 1)
TWO(struct pair data; data.second = 0, &data, (void)0, assert(data.second == 1))
#endif
// case STORED_WRONG: unsafe
#ifdef STORED_WRONG
WORKER(((struct pair *)arg)->second = 1)
TWO(struct pair data; data.second = 0, &data, (void)0, assert(data.second == 0))
#endif
// case COUNTED: safe
// case COUNTED --property races: safe
// case COUNTED --property deadlock: safe
#ifdef COUNTED
WORKER(int *p = arg; pthread_mutex_lock(&m); ++*p; pthread_mutex_unlock(&m))
TWO(int count = 0, &count, (void)0, assert(count == 2))
#endif
// case COUNTED_PLAINLY: unsafe
#ifdef COUNTED_PLAINLY
WORKER(int *p = arg; ++*p)
TWO(int count = 0, &count, (void)0, assert(count == 2))
#endif
// Only the threads look at it.
// case FOUND: unsafe
// case FOUND --property races: unsafe
#ifdef FOUND
WORKER(int *p = arg; int seen = *p; *p = 1; assert(seen == 0))
TWO(int count = 0, &count, (void)0, (void)0)
#endif
// Nobody reads it, and still it is a race.
// case UNREAD: safe
// case UNREAD --property races: unsafe
#ifdef UNREAD
WORKER(*(int *)arg = 1)
TWO(int count, &count, (void)0, (void)0)
#endif
// case UNREAD_BESIDE --property races: unsafe
#ifdef UNREAD_BESIDE
WORKER(pthread_mutex_lock(&m); *(int *)arg = 1; pthread_mutex_unlock(&m))
TWO(int count, &count, count = 2, (void)0)
#endif
// main waits in a loop for what a thread stores to its local, and a thread for what main stores.
// case AWAITED: safe
// case AWAITED --property deadlock: safe
#ifdef AWAITED
WORKER(atomic_store((atomic_bool *)arg, true))
TWO(atomic_bool flag = false, &flag, while (!atomic_load(&flag)), (void)0)
#endif
// case AWAITED_IN_VAIN --property deadlock: unsafe
#ifdef AWAITED_IN_VAIN
WORKER(atomic_store((atomic_bool *)arg, false))
TWO(atomic_bool flag = false, &flag, while (!atomic_load(&flag)), (void)0)
#endif
// case RELEASED --property deadlock: safe
#ifdef RELEASED
WORKER(while (!atomic_load((atomic_bool *)arg)))
TWO(atomic_bool flag = false, &flag, atomic_store(&flag, true), (void)0)
#endif
// case NEVER_RELEASED --property deadlock: unsafe
#ifdef NEVER_RELEASED
WORKER(while (!atomic_load((atomic_bool *)arg)))
TWO(atomic_bool flag = false, &flag, (void)0, (void)0)
#endif
// main stores once more to its local before it ends: others may see it.
// case LAST_STORE: unsafe
#ifdef LAST_STORE
WORKER(assert(!atomic_load((atomic_int *)arg)))
int main(void) {
  atomic_int last = 0;
  pthread_create(&t, 0, worker, &last);
  pthread_create(&u, 0, worker, &last);
  last = 1;
  return 0;
}
#endif
// Nobody has set it when the threads look.
// case UNSET: unsafe
// case UNSET_BEFORE: unsafe
// case SET_BEFORE: safe
#ifdef UNSET
WORKER(int *p = arg; assert(*p == 0))
TWO(int count, &count, count = 0, (void)0)
#endif
#ifdef UNSET_BEFORE
WORKER(struct pair *p = arg; assert(p->second == 0))
TWO(struct pair data; data.first = 0, &data, (void)0, assert(data.first == 0))
#endif
#ifdef SET_BEFORE
WORKER(struct pair *p = arg; assert(p->second == 0))
TWO(struct pair data; data.second = 0, &data, (void)0, assert(data.second == 0))
#endif
// What main chose before it created the threads, they read; what it chooses afterwards, too.
// case CHOSEN: safe
// case CHOSEN_WRONG: unsafe
#if defined CHOSEN || defined CHOSEN_WRONG
extern int __VERIFIER_nondet_int(void);
#ifdef CHOSEN
WORKER(int *p = arg; assert(*p != 7))
#else
WORKER(int *p = arg; assert(*p != 8))
#endif
int main(void) {
  int chosen = __VERIFIER_nondet_int();
  if (chosen == 7) return 0;
  pthread_create(&t, 0, worker, &chosen);
  pthread_create(&u, 0, worker, &chosen);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
#endif
// A thread that hands the address of its own local to a thread of the same routine.
// case HANDED_ON: safe
// case HANDED_ON_WRONG: unsafe
#if defined HANDED_ON || defined HANDED_ON_WRONG
static void *worker(void *arg) {
  int mine = 0;
  int *other = arg;
  if (other) {
    *other = 1;
    return 0;
  }
  pthread_t child;
  pthread_create(&child, 0, worker, &mine);
  pthread_join(child, 0);
#ifdef HANDED_ON
  assert(mine == 1);
#else
  assert(mine == 0);
#endif
  return 0;
}
int main(void) {
  pthread_create(&t, 0, worker, NULL);
  pthread_join(t, 0);
  return 0;
}
#endif
