/* A sense-reversing barrier with atomics, used twice.
 * bug (deadlock): the count is reset after the sense has been reversed */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#define NTHREADS 3
typedef struct {
  atomic_int count;
  atomic_bool sense;
  int parties;
} barrier_t;
static void barrier_init(barrier_t *b, int parties) {
  atomic_init(&b->count, parties);
  atomic_init(&b->sense, false);
  b->parties = parties;
}
static void barrier_wait(barrier_t *b, bool *local) {
  *local = !*local;
  if (atomic_fetch_sub(&b->count, 1) == 1) {
#ifdef BUG
    atomic_store(&b->sense, *local);
    atomic_store(&b->count, b->parties);
#else
    atomic_store(&b->count, b->parties);
    atomic_store(&b->sense, *local);
#endif
  } else {
    while (atomic_load(&b->sense) != *local) sched_yield();
  }
}
static barrier_t barrier;
static atomic_int phase[2];
static void *worker(void *arg) {
  bool local = false;
  for (int i = 0; i < 2; i++) {
    atomic_fetch_add(&phase[i], 1);
    barrier_wait(&barrier, &local);
    assert(atomic_load(&phase[i]) == NTHREADS);
  }
  return arg;
}
int main(void) {
  pthread_t t[NTHREADS];
  barrier_init(&barrier, NTHREADS);
  for (int i = 0; i < NTHREADS; i++) {
    if (pthread_create(&t[i], NULL, worker, NULL) != 0) {
      perror("pthread_create");
      return EXIT_FAILURE;
    }
  }
  for (int i = 0; i < NTHREADS; i++) pthread_join(t[i], NULL);
  return EXIT_SUCCESS;
}
