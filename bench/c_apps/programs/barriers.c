/* A central sense-reversing barrier, a barrier of a mutex and a condition, and the one of the library, in phases.
 * bug (assertions): the sense is not reversed, so that a fast thread passes twice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define N 2
#define PHASES 2

struct sense_barrier {
  atomic_int remaining;
  atomic_bool sense;
};

struct cond_barrier {
  pthread_mutex_t lock;
  pthread_cond_t cond;
  unsigned waiting;
  unsigned generation;
};

static struct sense_barrier sb = { .remaining = N };
static struct cond_barrier cb = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };
static pthread_barrier_t pb;
static _Thread_local bool local_sense = true;
static atomic_int phase[N];

static void sense_wait(struct sense_barrier *b)
{
  bool mine = local_sense;
  if (atomic_fetch_sub(&b->remaining, 1) == 1) {
    atomic_store(&b->remaining, N);
    atomic_store(&b->sense, mine);
  } else {
    while (atomic_load(&b->sense) != mine)
      ;
  }
#ifndef BUG
  local_sense = !mine;
#endif
}

static int cond_wait(struct cond_barrier *b)
{
  int last = 0;
  pthread_mutex_lock(&b->lock);
  unsigned generation = b->generation;
  if (++b->waiting == N) {
    b->waiting = 0;
    b->generation++;
    last = 1;
    pthread_cond_broadcast(&b->cond);
  } else {
    while (generation == b->generation)
      pthread_cond_wait(&b->cond, &b->lock);
  }
  pthread_mutex_unlock(&b->lock);
  return last;
}

static void *worker(void *arg)
{
  int id = (int)(intptr_t)arg;
  for (int p = 1; p <= PHASES; p++) {
    atomic_store(&phase[id], p);
    sense_wait(&sb);
    for (int i = 0; i < N; i++)
      assert(atomic_load(&phase[i]) >= p);
    cond_wait(&cb);
  }
  int rc = pthread_barrier_wait(&pb);
  if (rc != 0 && rc != PTHREAD_BARRIER_SERIAL_THREAD)
    fprintf(stderr, "barrier: %d\n", rc);
  return NULL;
}

int main(void)
{
  pthread_t t[N];
  if (pthread_barrier_init(&pb, NULL, N))
    return 1;
  for (intptr_t i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  pthread_barrier_destroy(&pb);
  return 0;
}
