/* Deferred reclamation by epochs: readers announce the epoch they run in, the writer frees what is two epochs old.
 * bug (faults): what was replaced is freed one epoch too early. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define READERS 1
#define NEPOCHS 3
#define ACTIVE 0x80000000u

struct config {
  int version;
  int checksum;
};

static _Atomic(struct config *) current;
static atomic_uint global_epoch;
static atomic_uint local_epoch[READERS];
static struct config *limbo[NEPOCHS];

static void epoch_enter(unsigned slot)
{
  unsigned epoch = atomic_load(&global_epoch);
  atomic_store(&local_epoch[slot], epoch | ACTIVE);
}

static void epoch_leave(unsigned slot)
{
  atomic_store(&local_epoch[slot], 0);
}

static bool epoch_advance(void)
{
  unsigned epoch = atomic_load(&global_epoch);
  for (unsigned i = 0; i < READERS; i++) {
    unsigned seen = atomic_load(&local_epoch[i]);
    if ((seen & ACTIVE) && seen != (epoch | ACTIVE))
      return false;
  }
  atomic_store(&global_epoch, (epoch + 1) % NEPOCHS);
  return true;
}

static void reclaim(void)
{
  unsigned epoch = atomic_load(&global_epoch);
#ifdef BUG
  unsigned old = (epoch + 2) % NEPOCHS;
#else
  unsigned old = (epoch + 1) % NEPOCHS;
#endif
  free(limbo[old]);
  limbo[old] = NULL;
}

static void *reader(void *arg)
{
  unsigned slot = (unsigned)(size_t)arg;
  for (int i = 0; i < 2; i++) {
    epoch_enter(slot);
    struct config *c = atomic_load(&current);
    assert(c->checksum == c->version * 7);
    epoch_leave(slot);
  }
  return NULL;
}

static struct config *config_new(int version)
{
  struct config *c = malloc(sizeof(struct config));
  if (c == NULL)
    abort();
  c->version = version;
  c->checksum = version * 7;
  return c;
}

static void *writer(void *arg)
{
  (void)arg;
  for (int v = 1; v <= 2; v++) {
    struct config *old = atomic_exchange(&current, config_new(v));
    unsigned epoch = atomic_load(&global_epoch);
    assert(limbo[epoch] == NULL);
    limbo[epoch] = old;
    while (!epoch_advance())
      sched_yield();
    reclaim();
  }
  return NULL;
}

int main(void)
{
  pthread_t r[READERS], w;
  atomic_init(&current, config_new(0));
  pthread_create(&w, NULL, writer, NULL);
  for (size_t i = 0; i < READERS; i++)
    pthread_create(&r[i], NULL, reader, (void *)i);
  pthread_join(w, NULL);
  for (size_t i = 0; i < READERS; i++)
    pthread_join(r[i], NULL);
  for (int i = 0; i < NEPOCHS; i++)
    free(limbo[i]);
  free(atomic_load(&current));
  return 0;
}
