/* Futures with reference counts and callbacks that run when the value is there.
 * bug (faults): the last reference is counted without atomicity */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct future future_t;
typedef void (*future_cb)(future_t *f, void *ctx);
struct future {
#ifdef BUG
  volatile int refs;
#else
  atomic_int refs;
#endif
  pthread_mutex_t m;
  pthread_cond_t c;
  enum { PENDING, READY, FAILED } state;
  void *value;
  struct {
    future_cb fn;
    void *ctx;
  } cb;
};
static future_t *future_new(void) {
  future_t *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->refs = 2;
  pthread_mutex_init(&f->m, NULL);
  pthread_cond_init(&f->c, NULL);
  return f;
}
static void future_put(future_t *f) {
#ifdef BUG
  f->refs = f->refs - 1;
  if (f->refs == 0) {
#else
  if (atomic_fetch_sub_explicit(&f->refs, 1, memory_order_acq_rel) == 1) {
#endif
    pthread_mutex_destroy(&f->m);
    pthread_cond_destroy(&f->c);
    free(f);
  }
}
static void future_set(future_t *f, void *value) {
  pthread_mutex_lock(&f->m);
  f->value = value;
  f->state = READY;
  future_cb fn = f->cb.fn;
  void *ctx = f->cb.ctx;
  pthread_cond_broadcast(&f->c);
  pthread_mutex_unlock(&f->m);
  if (fn) fn(f, ctx);
}
static void *future_get(future_t *f) {
  pthread_mutex_lock(&f->m);
  while (f->state == PENDING) pthread_cond_wait(&f->c, &f->m);
  void *v = f->value;
  pthread_mutex_unlock(&f->m);
  return v;
}
static void *compute(void *arg) {
  future_t *f = arg;
  future_set(f, (void *)(intptr_t)42);
  future_put(f);
  return NULL;
}
static atomic_int called;
static void on_ready(future_t *f, void *ctx) {
  (void)f;
  atomic_fetch_add((atomic_int *)ctx, 1);
}
int main(void) {
  pthread_t t;
  future_t *f = future_new();
  if (f == NULL) exit(EXIT_FAILURE);
  f->cb.fn = on_ready;
  f->cb.ctx = &called;
  if (pthread_create(&t, NULL, compute, f)) exit(EXIT_FAILURE);
  assert((intptr_t)future_get(f) == 42);
  future_put(f);
  pthread_join(t, NULL);
  assert(called == 1);
  return 0;
}
