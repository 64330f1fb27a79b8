/* A cache with a hash table and a list in the order of use, under a read-write lock; reference counts of entries.
 * bug (races): a hit moves the entry to the front under the lock for reading. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#define BUCKETS 2
#define MAX_ENTRIES 2

struct entry {
  uint32_t key;
  int value;
  struct entry *chain;
  TAILQ_ENTRY(entry) lru;
};

TAILQ_HEAD(lru_list, entry);

struct cache {
  pthread_rwlock_t lock;
  struct entry *buckets[BUCKETS];
  struct lru_list order;
  unsigned count;
  unsigned long hits, misses;
};

static struct cache cache;

static unsigned hash(uint32_t key)
{
  key ^= key >> 16;
  key *= 0x45d9f3bu;
  return (key ^ (key >> 16)) % BUCKETS;
}

static void cache_init(struct cache *c)
{
  memset(c, 0, sizeof *c);
  TAILQ_INIT(&c->order);
  if (pthread_rwlock_init(&c->lock, NULL) != 0)
    abort();
}

static struct entry *find(struct cache *c, uint32_t key)
{
  struct entry *e;
  for (e = c->buckets[hash(key)]; e != NULL; e = e->chain)
    if (e->key == key)
      return e;
  return NULL;
}

static void evict(struct cache *c)
{
  struct entry *old = TAILQ_LAST(&c->order, lru_list);
  struct entry **at = &c->buckets[hash(old->key)];
  while (*at != old)
    at = &(*at)->chain;
  *at = old->chain;
  TAILQ_REMOVE(&c->order, old, lru);
  c->count--;
  free(old);
}

static int cache_get(struct cache *c, uint32_t key, int *value)
{
  int found = 0;
#ifdef BUG
  pthread_rwlock_rdlock(&c->lock);
#else
  pthread_rwlock_wrlock(&c->lock);
#endif
  struct entry *e = find(c, key);
  if (e != NULL) {
    TAILQ_REMOVE(&c->order, e, lru);
    TAILQ_INSERT_HEAD(&c->order, e, lru);
    *value = e->value;
    found = 1;
  }
  pthread_rwlock_unlock(&c->lock);
  return found;
}

static int cache_put(struct cache *c, uint32_t key, int value)
{
  pthread_rwlock_wrlock(&c->lock);
  struct entry *e = find(c, key);
  if (e == NULL) {
    if (c->count == MAX_ENTRIES)
      evict(c);
    if ((e = calloc(1, sizeof *e)) == NULL) {
      pthread_rwlock_unlock(&c->lock);
      return -1;
    }
    e->key = key;
    e->chain = c->buckets[hash(key)];
    c->buckets[hash(key)] = e;
    TAILQ_INSERT_HEAD(&c->order, e, lru);
    c->count++;
  }
  e->value = value;
  pthread_rwlock_unlock(&c->lock);
  return 0;
}

static void *getter(void *arg)
{
  int value;
  if (cache_get(&cache, 1, &value))
    assert(value == 10);
  if (cache_get(&cache, (uint32_t)(uintptr_t)arg, &value))
    assert(value == 20 || value == 30);
  return NULL;
}

int main(void)
{
  pthread_t t[2];
  cache_init(&cache);
  cache_put(&cache, 1, 10);
  cache_put(&cache, 2, 20);
  pthread_create(&t[0], NULL, getter, (void *)2);
  pthread_create(&t[1], NULL, getter, (void *)3);
  cache_put(&cache, 3, 30);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  assert(cache.count == 2);
  return 0;
}
