/* The queue of Michael and Scott with counted pointers in 16-bit halves, on an array of nodes.
 * bug (assertions): the dequeuer reads the value after it has moved the head. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define NODES 4
#define NIL 0

typedef uint32_t ref_t; /* count << 16 | index */
#define INDEX(r) ((uint16_t)((r) & 0xffff))
#define COUNT(r) ((uint16_t)((r) >> 16))
#define REF(i, c) (((uint32_t)(uint16_t)(c) << 16) | (uint16_t)(i))

struct node {
  atomic_int value;
  _Atomic ref_t next;
};

static struct node nodes[NODES];
static _Atomic ref_t head, tail;
static atomic_int used[NODES];

static uint16_t node_alloc(void)
{
  for (uint16_t i = 1; i < NODES; i++) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&used[i], &expected, 1))
      return i;
  }
  return NIL;
}

static void node_free(uint16_t i)
{
  atomic_store(&nodes[i].value, -1);
  atomic_store(&used[i], 0);
}

static void queue_init(void)
{
  uint16_t dummy = node_alloc();
  atomic_store(&nodes[dummy].next, REF(NIL, 0));
  atomic_store(&head, REF(dummy, 0));
  atomic_store(&tail, REF(dummy, 0));
}

static bool enqueue(int value)
{
  uint16_t n = node_alloc();
  if (n == NIL)
    return false;
  atomic_store(&nodes[n].value, value);
  atomic_store(&nodes[n].next, REF(NIL, COUNT(atomic_load(&nodes[n].next)) + 1));
  for (;;) {
    ref_t t = atomic_load(&tail);
    ref_t next = atomic_load(&nodes[INDEX(t)].next);
    if (t != atomic_load(&tail))
      continue;
    if (INDEX(next) == NIL) {
      if (atomic_compare_exchange_strong(&nodes[INDEX(t)].next, &next, REF(n, COUNT(next) + 1))) {
        atomic_compare_exchange_strong(&tail, &t, REF(n, COUNT(t) + 1));
        return true;
      }
    } else {
      atomic_compare_exchange_strong(&tail, &t, REF(INDEX(next), COUNT(t) + 1));
    }
  }
}

static bool dequeue(int *value)
{
  for (;;) {
    ref_t h = atomic_load(&head);
    ref_t t = atomic_load(&tail);
    ref_t next = atomic_load(&nodes[INDEX(h)].next);
    if (h != atomic_load(&head))
      continue;
    if (INDEX(h) == INDEX(t)) {
      if (INDEX(next) == NIL)
        return false;
      atomic_compare_exchange_strong(&tail, &t, REF(INDEX(next), COUNT(t) + 1));
      continue;
    }
#ifndef BUG
    *value = atomic_load(&nodes[INDEX(next)].value);
#endif
    if (atomic_compare_exchange_strong(&head, &h, REF(INDEX(next), COUNT(h) + 1))) {
#ifdef BUG
      *value = atomic_load(&nodes[INDEX(next)].value);
#endif
      node_free(INDEX(h));
      return true;
    }
  }
}

static void *consumer(void *arg)
{
  int value;
  (void)arg;
  if (dequeue(&value))
    assert(value == 1 || value == 2);
  return NULL;
}

int main(void)
{
  pthread_t t[2];
  queue_init();
  enqueue(1);
  enqueue(2);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, consumer, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  return 0;
}
