/* The deque of Chase and Lev in a fixed buffer: the owner works at the bottom, thieves at the top.
 * bug (assertions): the owner takes the last task without competing for it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define LOG_SIZE 2
#define SIZE (1l << LOG_SIZE)
#define EMPTY (-1)
#define ABORTED (-2)
#define TASKS 2
#define THIEVES 1

typedef struct {
  _Atomic long top;
  _Atomic long bottom;
  _Atomic int buffer[SIZE];
} deque_t;

static deque_t deque;
static atomic_int executed[TASKS];

static bool deque_push(deque_t *d, int task)
{
  long b = atomic_load_explicit(&d->bottom, memory_order_relaxed);
  long t = atomic_load_explicit(&d->top, memory_order_acquire);
  if (b - t > SIZE - 1)
    return false;
  atomic_store_explicit(&d->buffer[b & (SIZE - 1)], task, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&d->bottom, b + 1, memory_order_relaxed);
  return true;
}

static int deque_take(deque_t *d)
{
  long b = atomic_load_explicit(&d->bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&d->bottom, b, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  long t = atomic_load_explicit(&d->top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit(&d->bottom, b + 1, memory_order_relaxed);
    return EMPTY;
  }
  int task = atomic_load_explicit(&d->buffer[b & (SIZE - 1)], memory_order_relaxed);
  if (t == b) {
#ifndef BUG
    if (!atomic_compare_exchange_strong_explicit(&d->top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
      task = EMPTY;
#else
    atomic_store_explicit(&d->top, t + 1, memory_order_relaxed);
#endif
    atomic_store_explicit(&d->bottom, b + 1, memory_order_relaxed);
  }
  return task;
}

static int deque_steal(deque_t *d)
{
  long t = atomic_load_explicit(&d->top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  long b = atomic_load_explicit(&d->bottom, memory_order_acquire);
  if (t >= b)
    return EMPTY;
  int task = atomic_load_explicit(&d->buffer[t & (SIZE - 1)], memory_order_relaxed);
  if (!atomic_compare_exchange_strong_explicit(&d->top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
    return ABORTED;
  return task;
}

static void execute(int task)
{
  int before = atomic_fetch_add(&executed[task], 1);
  assert(before == 0);
}

static void *thief(void *arg)
{
  (void)arg;
  for (int i = 0; i < 2; i++) {
    int task = deque_steal(&deque);
    if (task >= 0)
      execute(task);
  }
  return NULL;
}

int main(void)
{
  pthread_t t[THIEVES];
  for (int i = 0; i < THIEVES; i++)
    pthread_create(&t[i], NULL, thief, NULL);
  for (int i = 0; i < TASKS; i++)
    if (!deque_push(&deque, i))
      fprintf(stderr, "full\n");
  int task;
  while ((task = deque_take(&deque)) != EMPTY)
    execute(task);
  for (int i = 0; i < THIEVES; i++)
    pthread_join(t[i], NULL);
  for (int i = 0; i < TASKS; i++)
    assert(executed[i] == 1);
  return 0;
}
