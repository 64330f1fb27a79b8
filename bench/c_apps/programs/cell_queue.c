/* A bounded queue for many producers and consumers, with sequence numbers in its cells.
 * bug (assertions): a cell is released before its content has been read */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef CACHE_LINE
#define CACHE_LINE 64
#endif
typedef struct cell {
  atomic_size_t sequence;
  void *data;
} cell_t;
typedef struct mpmc {
  char pad0[CACHE_LINE];
  cell_t *buffer;
  size_t mask;
  char pad1[CACHE_LINE - sizeof(cell_t *) - sizeof(size_t)];
  atomic_size_t enqueue_pos;
  char pad2[CACHE_LINE - sizeof(atomic_size_t)];
  atomic_size_t dequeue_pos;
  char pad3[CACHE_LINE - sizeof(atomic_size_t)];
} mpmc_t;
bool mpmc_init(mpmc_t *q, size_t size) {
  if (size < 2 || (size & (size - 1)) != 0) return false;
  q->buffer = calloc(size, sizeof(cell_t));
  if (!q->buffer) return false;
  q->mask = size - 1;
  for (size_t i = 0; i != size; i += 1) atomic_store_explicit(&q->buffer[i].sequence, i, memory_order_relaxed);
  atomic_store_explicit(&q->enqueue_pos, 0, memory_order_relaxed);
  atomic_store_explicit(&q->dequeue_pos, 0, memory_order_relaxed);
  return true;
}
bool mpmc_push(mpmc_t *q, void *data) {
  cell_t *cell;
  size_t pos = atomic_load_explicit(&q->enqueue_pos, memory_order_relaxed);
  for (;;) {
    cell = &q->buffer[pos & q->mask];
    size_t seq = atomic_load_explicit(&cell->sequence, memory_order_acquire);
    intptr_t dif = (intptr_t)seq - (intptr_t)pos;
    if (dif == 0) {
      if (atomic_compare_exchange_weak_explicit(&q->enqueue_pos, &pos, pos + 1, memory_order_relaxed, memory_order_relaxed)) break;
    } else if (dif < 0) {
      return false;
    } else {
      pos = atomic_load_explicit(&q->enqueue_pos, memory_order_relaxed);
    }
  }
  cell->data = data;
  atomic_store_explicit(&cell->sequence, pos + 1, memory_order_release);
  return true;
}
bool mpmc_pop(mpmc_t *q, void **data) {
  cell_t *cell;
  size_t pos = atomic_load_explicit(&q->dequeue_pos, memory_order_relaxed);
  for (;;) {
    cell = &q->buffer[pos & q->mask];
    size_t seq = atomic_load_explicit(&cell->sequence, memory_order_acquire);
    intptr_t dif = (intptr_t)seq - (intptr_t)(pos + 1);
    if (dif == 0) {
      if (atomic_compare_exchange_weak_explicit(&q->dequeue_pos, &pos, pos + 1, memory_order_relaxed, memory_order_relaxed)) break;
    } else if (dif < 0) {
      return false;
    } else {
      pos = atomic_load_explicit(&q->dequeue_pos, memory_order_relaxed);
    }
  }
#ifdef BUG
  atomic_store_explicit(&cell->sequence, pos + q->mask + 1, memory_order_release);
  *data = cell->data;
#else
  *data = cell->data;
  atomic_store_explicit(&cell->sequence, pos + q->mask + 1, memory_order_release);
#endif
  return true;
}
static mpmc_t q;
static int items[4];
static atomic_int seen[4];
static void *producer(void *arg) {
  uintptr_t base = (uintptr_t)arg;
  for (uintptr_t i = 0; i < 2; i++)
    while (!mpmc_push(&q, &items[base + i])) sched_yield();
  return NULL;
}
static void *consumer(void *arg) {
  for (int n = 0; n < 2; n++) {
    void *p;
    while (!mpmc_pop(&q, &p)) sched_yield();
    ptrdiff_t i = (int *)p - items;
    assert(atomic_fetch_add(&seen[i], 1) == 0);
  }
  return arg;
}
int main(void) {
  pthread_t p[1], c[2];
  if (!mpmc_init(&q, 2)) return EXIT_FAILURE;
  pthread_create(&p[0], NULL, producer, (void *)0);
  pthread_create(&c[0], NULL, consumer, NULL);
  producer((void *)2);
  consumer(NULL);
  pthread_join(p[0], NULL);
  pthread_join(c[0], NULL);
  free(q.buffer);
  return 0;
}
