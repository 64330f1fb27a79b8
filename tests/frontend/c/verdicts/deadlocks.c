// Deadlocks: of all threads, of some while others go on, and in loops that wait.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t k = PTHREAD_COND_INITIALIZER;
sem_t s;
int x;
atomic_int flag;

void *first(void *q) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return q;
}
void *second(void *q) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return q;
}
void start(void *(*routine)(void *)) {
  pthread_t t;
  pthread_create(&t, 0, routine, 0);
}

// case SERVES --property deadlock: unsafe, thread  waits for
#ifdef SERVES
int main(void) {
  start(first);
  start(second);
  for (;;) sleep(1);
}
#endif
// case SERVES_WITH_LOCK --property deadlock: unsafe, thread  waits for
#ifdef SERVES_WITH_LOCK
int main(void) {
  start(first);
  start(second);
  for (;;) {
    pthread_mutex_lock(&c);
    x = !x;
    pthread_mutex_unlock(&c);
  }
}
#endif
// case SERVES_AND_COUNTS --property deadlock: unsafe, thread  waits for
#ifdef SERVES_AND_COUNTS
unsigned served;
int main(void) {
  start(first);
  start(second);
  for (;;) served++;
}
#endif
// case SERVES_ORDERED --property deadlock: safe
#ifdef SERVES_ORDERED
int main(void) {
  start(first);
  start(first);
  for (;;) sleep(1);
}
#endif
// case SERVES_BY_TRYING --property deadlock: unsafe, thread  waits for
#ifdef SERVES_BY_TRYING
int main(void) {
  start(first);
  start(second);
  for (;;) {
    if (pthread_mutex_trylock(&a) == 0) pthread_mutex_unlock(&a);
  }
}
#endif
// case ENDS --property deadlock: safe
#ifdef ENDS
int main(void) {
  start(first);
  start(second);
  return 0;
}
#endif
// case BEFORE_THE_END --property deadlock: safe
#ifdef BEFORE_THE_END
int main(void) {
  start(first);
  start(second);
  for (int i = 0; i < 3; i++) x++;
  exit(0);
}
#endif
// case LEFT_BEHIND --property deadlock: unsafe, thread  waits for
#ifdef LEFT_BEHIND
int main(void) {
  start(first);
  start(second);
  pthread_exit(0);
}
#endif
// case LOST_SIGNAL --property deadlock: unsafe, thread  waits for
#ifdef LOST_SIGNAL
void *waiter(void *q) {
  pthread_mutex_lock(&a);
  pthread_cond_wait(&k, &a);
  pthread_mutex_unlock(&a);
  return q;
}
int main(void) {
  start(waiter);
  pthread_cond_signal(&k);
  for (;;) sleep(1);
}
#endif
// case SIGNALS_AGAIN --property deadlock: safe
#ifdef SIGNALS_AGAIN
void *waiter(void *q) {
  pthread_mutex_lock(&a);
  pthread_cond_wait(&k, &a);
  pthread_mutex_unlock(&a);
  return q;
}
int main(void) {
  start(waiter);
  for (;;) pthread_cond_signal(&k);
}
#endif
// case UPGRADE --property deadlock: unsafe, thread  waits for
#ifdef UPGRADE
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *upgrade(void *q) {
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_wrlock(&l);
  return q;
}
int main(void) {
  start(upgrade);
  for (;;) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
  }
}
#endif
// case MANY --property deadlock: unsafe, thread  waits for
#ifdef MANY
extern int __VERIFIER_nondet_int(void);
int main(void) {
  while (__VERIFIER_nondet_int()) {
    start(first);
    start(second);
  }
  for (;;) sleep(1);
}
#endif

// case SPIN --property deadlock: unsafe, thread  waits for
#ifdef SPIN
int main(void) {
  while (!flag)
    ;
}
#endif
// case SPIN_SET --property deadlock: safe
#ifdef SPIN_SET
void *set(void *q) {
  flag = 1;
  return q;
}
int main(void) {
  start(set);
  while (!flag)
    ;
}
#endif
// case SPIN_BESIDE --property deadlock: unsafe, thread  waits for
#ifdef SPIN_BESIDE
void *spin(void *q) {
  while (!flag) sched_yield();
  return q;
}
int main(void) {
  start(spin);
  for (;;) x = !x;
}
#endif
// case SPIN_TWO_FLAGS --property deadlock: unsafe, thread  waits for
#ifdef SPIN_TWO_FLAGS
atomic_int other;
void *spin(void *q) {
  other = 1;
  while (!flag || other == 2) usleep(1);
  return q;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, spin, 0);
  pthread_join(t, 0);
}
#endif
// case HANDED_OVER --property deadlock: unsafe, thread  waits for
#ifdef HANDED_OVER
atomic_flag l = ATOMIC_FLAG_INIT;
void *forget(void *q) {
  while (atomic_flag_test_and_set(&l))
    ;
  return q;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, forget, 0);
  pthread_create(&u, 0, forget, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
#endif
// case RELEASED --property deadlock: safe
#ifdef RELEASED
atomic_flag l = ATOMIC_FLAG_INIT;
void *once(void *q) {
  while (atomic_flag_test_and_set(&l))
    ;
  atomic_flag_clear(&l);
  return q;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, once, 0);
  pthread_create(&u, 0, once, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
#endif
// case WEAK_SPIN --property deadlock: unsafe, thread  waits for
#ifdef WEAK_SPIN
int main(void) {
  int expected = 1;
  while (!atomic_compare_exchange_weak(&flag, &expected, 2)) expected = 1;
}
#endif
// case FOR_EVER --property deadlock: safe
#ifdef FOR_EVER
int main(void) {
  for (;;)
    ;
}
#endif
// case TURNS --property deadlock: safe
#ifdef TURNS
void *even(void *q) {
  for (;;) {
    while (flag != 0)
      ;
    flag = 1;
  }
}
int main(void) {
  start(even);
  for (;;) {
    while (flag != 1)
      ;
    flag = 0;
  }
}
#endif
// case ASSUMED --property deadlock: safe
#ifdef ASSUMED
extern void __VERIFIER_assume(int);
int main(void) {
  start(first);
  __VERIFIER_assume(x == 1);
}
#endif

// Who waits inside of an atomic section keeps all others from their steps; they have not given up for that.
// case SECTION_WAITS_FOR_NOBODY --property deadlock: unsafe
// case SECTION_WAITS_FOR_POST --property deadlock: unsafe
// case SECTION_WAITS_FOR_HOLDER --property deadlock: unsafe
// case SECTION_WAITS_FOR_HOLDER --property deadlock --no-simplify: unsafe
// case SECTION_GOES_ON --property deadlock: safe
#if defined(SECTION_WAITS_FOR_NOBODY) || defined(SECTION_WAITS_FOR_POST) || defined(SECTION_WAITS_FOR_HOLDER) || defined(SECTION_GOES_ON)
#include <pthread.h>
#include <semaphore.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static sem_t gate;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int y;
static void *work(void *unused) {
#ifdef SECTION_GOES_ON
  sem_wait(&gate);
  __VERIFIER_atomic_begin();
  y = 2;
#else
  __VERIFIER_atomic_begin();
#ifdef SECTION_WAITS_FOR_HOLDER
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
#else
  sem_wait(&gate);
#endif
#endif
  __VERIFIER_atomic_end();
  return unused;
}
int main(void) {
  pthread_t thread;
  sem_init(&gate, 0, 0);
  pthread_create(&thread, NULL, work, NULL);
#ifdef SECTION_WAITS_FOR_NOBODY
  for (;;) y = !y;
#endif
  pthread_mutex_lock(&lock);
  y = 1;
  pthread_mutex_unlock(&lock);
  sem_post(&gate);
  pthread_join(thread, NULL);
  return 0;
}
#endif
