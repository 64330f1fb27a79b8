/* Treiber stack whose head carries a tag in the upper bits of the pointer.
 * bug (assertions): the tag is not counted on, so that a head comes back (ABA) */
#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
struct node {
  int owner;
  uint32_t next;
};
#define NODES 3
#define NIL UINT32_MAX
static struct node nodes[NODES];
static _Atomic uint64_t head = NIL;
static inline uint64_t pack(uint32_t tag, uint32_t index) { return ((uint64_t)tag << 32) | index; }
#define INDEX(h) ((uint32_t)(h))
#define TAG(h) ((uint32_t)((h) >> 32))
static void push(uint32_t n) {
  uint64_t old = atomic_load(&head), new;
  do {
    nodes[n].next = INDEX(old);
#ifdef BUG
    new = pack(TAG(old), n);
#else
    new = pack(TAG(old) + 1, n);
#endif
  } while (!atomic_compare_exchange_weak(&head, &old, new));
}
static bool pop(uint32_t *n) {
  uint64_t old = atomic_load(&head), new;
  do {
    if (INDEX(old) == NIL) return false;
    *n = INDEX(old);
#ifdef BUG
    new = pack(TAG(old), nodes[*n].next);
#else
    new = pack(TAG(old) + 1, nodes[*n].next);
#endif
  } while (!atomic_compare_exchange_weak(&head, &old, new));
  return true;
}
static atomic_int owned[NODES];
static void use(uint32_t n) {
  int before = atomic_fetch_add(&owned[n], 1);
  assert(before == 0);
  atomic_fetch_sub(&owned[n], 1);
}
static void *one(void *arg) {
  uint32_t a;
  if (pop(&a)) use(a);
  return arg;
}
static void *two(void *arg) {
  uint32_t a, b, c;
  if (!pop(&a)) return NULL;
  if (!pop(&b)) return NULL;
  atomic_fetch_add(&owned[b], 1);
  push(a);
  if (pop(&c)) use(c);
  if (pop(&c)) use(c);
  return arg;
}
int main(int argc, char *argv[]) {
  pthread_t t1, t2;
  for (uint32_t i = 0; i < NODES; i++) push(i);
  pthread_create(&t1, NULL, one, NULL);
  pthread_create(&t2, NULL, two, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  printf("head %" PRIx64 "\n", (uint64_t)atomic_load(&head));
  return 0;
}
