// Wake-ups and failures for no reason, where POSIX and C11 allow them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

// case ONCE: unsafe, wakes up without a signal
// case ONCE --spurious-wakeups: unsafe
// case ONCE --spurious-wakeups=yes: unsafe
// case ONCE --spurious-wakeups=no: safe, condition variables wake nobody without a signal
// case ONCE --property deadlock: safe
// case ONCE --property deadlock,assertions: safe, condition variables wake nobody without a signal
// case ONCE --property deadlock,assertions --spurious-wakeups=yes: unsafe, wakes up without a signal
#ifdef ONCE
void *w(void *a) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m);
  if (!ready) pthread_cond_wait(&c, &m);
  assert(ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
#endif

// case LOST --property deadlock: unsafe
// case LOST --property deadlock,assertions: unsafe, deadlock
#ifdef LOST
void *w(void *a) {
  ready = 1;
  pthread_cond_signal(&c);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
#endif

// case C11: unsafe, wakes up without a signal
#ifdef C11
mtx_t x;
cnd_t y;
int w(void *a) {
  mtx_lock(&x);
  ready = 1;
  cnd_signal(&y);
  mtx_unlock(&x);
  return 0;
}
int main(void) {
  thrd_t t;
  mtx_init(&x, mtx_plain);
  cnd_init(&y);
  thrd_create(&t, w, 0);
  mtx_lock(&x);
  if (!ready) cnd_wait(&y, &x);
  assert(ready);
  mtx_unlock(&x);
  thrd_join(t, 0);
}
#endif

// case WEAK: unsafe
// case WEAK --spurious-failures=no: safe, a weak compare-and-exchange fails only where the values differ
// case WEAK --spurious-failures: unsafe
#ifdef WEAK
atomic_int a;
int main(void) {
  int expected = 0;
  assert(atomic_compare_exchange_weak(&a, &expected, 1));
}
#endif

// case STRONG: safe
#ifdef STRONG
atomic_int a;
int main(void) {
  int expected = 0;
  assert(atomic_compare_exchange_strong(&a, &expected, 1));
}
#endif

// case WEAK_LOOP: safe
#ifdef WEAK_LOOP
atomic_int a;
int main(void) {
  int expected = 0;
  while (!atomic_compare_exchange_weak(&a, &expected, expected + 1))
    ;
  assert(a == 1);
}
#endif
