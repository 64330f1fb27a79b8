/* MCS and CLH queue locks on GCC's atomic functions, chosen through a table of operations.
 * bug (deadlock): the MCS release does not wait for a successor that is about to link itself. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 2

struct mcs_node {
  struct mcs_node *next;
  int locked;
};

struct mcs_lock {
  struct mcs_node *tail;
};

struct clh_node {
  int busy;
};

struct clh_lock {
  struct clh_node *tail;
  struct clh_node stub;
};

static struct mcs_lock mcs;
static struct clh_lock clh = { .tail = &clh.stub };
static __thread struct mcs_node mcs_self;
static struct clh_node clh_nodes[THREADS];

static void mcs_acquire(struct mcs_lock *lock, struct mcs_node *me)
{
  struct mcs_node *prev;
  me->next = NULL;
  me->locked = 1;
  prev = __atomic_exchange_n(&lock->tail, me, __ATOMIC_ACQ_REL);
  if (prev == NULL)
    return;
  __atomic_store_n(&prev->next, me, __ATOMIC_RELEASE);
  while (__atomic_load_n(&me->locked, __ATOMIC_ACQUIRE))
    __builtin_ia32_pause();
}

static void mcs_release(struct mcs_lock *lock, struct mcs_node *me)
{
  struct mcs_node *succ = __atomic_load_n(&me->next, __ATOMIC_ACQUIRE);
  if (succ == NULL) {
    struct mcs_node *expected = me;
#ifdef BUG
    __atomic_store_n(&lock->tail, NULL, __ATOMIC_RELEASE);
    (void)expected;
    succ = __atomic_load_n(&me->next, __ATOMIC_ACQUIRE);
    if (succ == NULL)
      return;
#else
    if (__atomic_compare_exchange_n(&lock->tail, &expected, NULL, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      return;
    while ((succ = __atomic_load_n(&me->next, __ATOMIC_ACQUIRE)) == NULL)
      __builtin_ia32_pause();
#endif
  }
  __atomic_store_n(&succ->locked, 0, __ATOMIC_RELEASE);
}

static struct clh_node *clh_acquire(struct clh_lock *lock, struct clh_node *me)
{
  me->busy = 1;
  struct clh_node *prev = __atomic_exchange_n(&lock->tail, me, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(&prev->busy, __ATOMIC_ACQUIRE))
    __builtin_ia32_pause();
  return prev;
}

static void clh_release(struct clh_node *me)
{
  __atomic_store_n(&me->busy, 0, __ATOMIC_RELEASE);
}

static int in_mcs, in_clh, total;

static void *worker(void *arg)
{
  size_t id = (size_t)arg;

  mcs_acquire(&mcs, &mcs_self);
  in_mcs++;
  assert(in_mcs == 1);
  in_mcs--;
  mcs_release(&mcs, &mcs_self);

  clh_acquire(&clh, &clh_nodes[id]);
  in_clh++;
  assert(in_clh == 1);
  total++;
  in_clh--;
  clh_release(&clh_nodes[id]);
  return NULL;
}

int main(void)
{
  pthread_t t[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    int rc = pthread_create(&t[i], NULL, worker, (void *)i);
    if (rc) {
      fprintf(stderr, "pthread_create: %s\n", strerror(rc));
      return 1;
    }
  }
  for (size_t i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  assert(total == THREADS);
  return 0;
}
