/* A pool of fixed objects with a free list of indices and tags against reuse (ABA), packed into 64 bits.
 * bug (assertions): the tag is not increased when an object comes back. */
#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define OBJECTS 2
#define NIL 0xffffu

struct object {
  _Atomic uint16_t next;
  atomic_int users;
  char payload[16];
};

static struct object pool[OBJECTS];
static _Atomic uint64_t free_head; /* tag in the upper half, index in the lower */

static inline uint64_t pack(uint32_t tag, uint16_t index)
{
  return ((uint64_t)tag << 32) | index;
}
static inline uint32_t tag_of(uint64_t word) { return (uint32_t)(word >> 32); }
static inline uint16_t index_of(uint64_t word) { return (uint16_t)(word & 0xffff); }

static struct object *pool_get(void)
{
  uint64_t head = atomic_load(&free_head);
  for (;;) {
    uint16_t i = index_of(head);
    if (i == NIL)
      return NULL;
    uint16_t next = atomic_load(&pool[i].next);
    if (atomic_compare_exchange_strong(&free_head, &head, pack(tag_of(head), next)))
      return &pool[i];
  }
}

static void pool_put(struct object *o)
{
  uint16_t i = (uint16_t)(o - pool);
  uint64_t head = atomic_load(&free_head);
  uint64_t wanted;
  do {
    atomic_store(&o->next, index_of(head));
#ifdef BUG
    wanted = pack(tag_of(head), i);
#else
    wanted = pack(tag_of(head) + 1, i);
#endif
  } while (!atomic_compare_exchange_strong(&free_head, &head, wanted));
}

static void use(struct object *o)
{
  int before = atomic_fetch_add(&o->users, 1);
  assert(before == 0);
  atomic_fetch_sub(&o->users, 1);
}

static void *holder(void *arg)
{
  (void)arg;
  struct object *a = pool_get();
  struct object *b = pool_get();
  if (a) {
    pool_put(a);
  }
  if (b)
    use(b);
  return NULL;
}

static void *taker(void *arg)
{
  (void)arg;
  struct object *o = pool_get();
  if (o) {
    struct object *p = pool_get();
    if (p)
      use(p);
    use(o);
  }
  return NULL;
}

int main(void)
{
  pthread_t t, u;
  for (uint16_t i = 0; i < OBJECTS; i++)
    atomic_init(&pool[i].next, (uint16_t)(i + 1 < OBJECTS ? i + 1u : NIL));
  pthread_create(&t, NULL, holder, NULL);
  pthread_create(&u, NULL, taker, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  printf("head %" PRIu64 "\n", atomic_load(&free_head));
  return 0;
}
