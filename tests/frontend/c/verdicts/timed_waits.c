// A wait with a limit gives up at any moment at which it cannot go on: no execution ends there, and none gives up where it
// need not.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
sem_t s;
struct timespec limit = {1, 0};

// case MUTEX --property deadlock: safe
// case MUTEX: unsafe, ETIMEDOUT
#ifdef MUTEX
void *w(void *a) {
  pthread_mutex_lock(&n);
  int r = pthread_mutex_timedlock(&m, &limit);
  assert(r != ETIMEDOUT);
  if (r == 0) pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
#endif

// case MUTEX_FREE: safe
#ifdef MUTEX_FREE
int main(void) {
  assert(pthread_mutex_timedlock(&m, &limit) == 0);
  assert(pthread_mutex_clocklock(&n, CLOCK_MONOTONIC, &limit) == 0);
  pthread_rwlock_rdlock(&l);
  assert(pthread_rwlock_timedrdlock(&l, &limit) == 0);
  assert(pthread_rwlock_timedwrlock(&l, &limit) == ETIMEDOUT);
}
#endif

// case SEMAPHORE --property deadlock: safe
// case SEMAPHORE: safe
#ifdef SEMAPHORE
int main(void) {
  sem_init(&s, 0, 0);
  assert(sem_timedwait(&s, &limit) == -1 && errno == ETIMEDOUT);
  assert(sem_clockwait(&s, CLOCK_MONOTONIC, &limit) == -1 && errno == ETIMEDOUT);
  sem_post(&s);
  assert(sem_timedwait(&s, &limit) == 0);
}
#endif

// case RWLOCKS --property deadlock: safe
#ifdef RWLOCKS
void *w(void *a) {
  pthread_rwlock_wrlock(&l);
  while (pthread_rwlock_timedrdlock(&l, &limit) == 0) pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&l);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  if (pthread_rwlock_timedwrlock(&l, &limit) == 0) pthread_rwlock_unlock(&l);
  pthread_join(t, 0);
}
#endif

// case CONDITION --property deadlock: safe
// case CONDITION: unsafe
#ifdef CONDITION
int main(void) {
  pthread_mutex_lock(&m);
  assert(pthread_cond_timedwait(&c, &m, &limit) == 0);
  pthread_mutex_unlock(&m);
}
#endif

// case CONDITION_LOOP --property deadlock: safe
// case CONDITION_LOOP: safe
#ifdef CONDITION_LOOP
int ready;
void *w(void *a) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  int r = 0;
  pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m);
  while (!ready && r != ETIMEDOUT) r = pthread_cond_timedwait(&c, &m, &limit);
  assert(ready || r == ETIMEDOUT);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
#endif

// case JOIN --property deadlock: safe
#ifdef JOIN
void *w(void *a) {
  sem_wait(&s);
  return a;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, w, 0);
  if (pthread_timedjoin_np(t, 0, &limit) == ETIMEDOUT) {
    sem_post(&s);
    pthread_join(t, 0);
  }
}
#endif

// case C11 --property deadlock: safe
#ifdef C11
mtx_t x;
cnd_t y;
int w(void *a) {
  mtx_lock(&x);
  mtx_unlock(&x);
  return 0;
}
int main(void) {
  thrd_t t;
  mtx_init(&x, mtx_timed);
  cnd_init(&y);
  thrd_create(&t, w, 0);
  if (mtx_timedlock(&x, &limit) == thrd_success) {
    cnd_timedwait(&y, &x, &limit);
    mtx_unlock(&x);
  }
  thrd_join(t, 0);
}
#endif
