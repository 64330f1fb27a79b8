/* CLH queue lock.
 * bug (deadlock): the own node is reused instead of that of the predecessor */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#define CACHELINE 64
#if defined(__x86_64__) || defined(__i386__)
#define cpu_relax() __asm__ __volatile__("pause" ::: "memory")
#else
#define cpu_relax() do { } while (0)
#endif
typedef struct clh_node {
  _Alignas(CACHELINE) atomic_int locked;
} clh_node_t;
typedef struct {
  _Alignas(CACHELINE) _Atomic(clh_node_t *) tail;
} clh_lock_t;
typedef struct {
  clh_node_t *node;
  clh_node_t *prev;
} clh_handle_t;
static void clh_init(clh_lock_t *l) {
  clh_node_t *n = malloc(sizeof *n);
  if (!n) abort();
  atomic_init(&n->locked, 0);
  atomic_init(&l->tail, n);
}
static void clh_lock(clh_lock_t *l, clh_handle_t *h) {
  atomic_store_explicit(&h->node->locked, 1, memory_order_relaxed);
  h->prev = atomic_exchange_explicit(&l->tail, h->node, memory_order_acq_rel);
  while (atomic_load_explicit(&h->prev->locked, memory_order_acquire)) cpu_relax();
}
static void clh_unlock(clh_handle_t *h) {
  clh_node_t *prev = h->prev;
  atomic_store_explicit(&h->node->locked, 0, memory_order_release);
#ifdef BUG
  (void)prev;
#else
  h->node = prev;
#endif
}
static clh_lock_t lock;
static int counter;
#define N 3
#define ROUNDS 2
static void *run(void *arg) {
  clh_handle_t h = {.node = malloc(sizeof(clh_node_t))};
  if (!h.node) return NULL;
  for (int i = 0; i < ROUNDS; i++) {
    clh_lock(&lock, &h);
    counter++;
    clh_unlock(&h);
  }
  return NULL;
}
int main(void) {
  pthread_t t[N];
  clh_init(&lock);
  for (long i = 0; i < N; i++) {
    int rc = pthread_create(&t[i], NULL, run, (void *)i);
    if (rc) {
      fprintf(stderr, "pthread_create: %d\n", rc);
      exit(1);
    }
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  printf("counter %d\n", counter);
  assert(counter == N * ROUNDS);
  return 0;
}
