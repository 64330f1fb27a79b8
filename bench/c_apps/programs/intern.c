/* A table of interned strings that grows by realloc; equal strings get equal pointers, from any thread.
 * bug (assertions): the table is looked up before the lock is taken, and not again. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
  pthread_mutex_t lock;
  char **names;
  size_t count, capacity;
};

static struct table symbols = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void *xrealloc(void *p, size_t n)
{
  void *q = realloc(p, n);
  if (q == NULL) {
    fputs("out of memory\n", stderr);
    exit(1);
  }
  return q;
}

static char *lookup(const struct table *t, const char *name)
{
  for (size_t i = 0; i < t->count; i++)
    if (strcmp(t->names[i], name) == 0)
      return t->names[i];
  return NULL;
}

static const char *intern(struct table *t, const char *name)
{
#ifdef BUG
  pthread_mutex_lock(&t->lock);
  char *found = lookup(t, name);
  pthread_mutex_unlock(&t->lock);
  if (found)
    return found;
  pthread_mutex_lock(&t->lock);
#else
  pthread_mutex_lock(&t->lock);
  char *found = lookup(t, name);
#endif
  if (found == NULL) {
    if (t->count == t->capacity) {
      t->capacity = t->capacity ? 2 * t->capacity : 1;
      t->names = xrealloc(t->names, t->capacity * sizeof *t->names);
    }
    found = strdup(name);
    if (found == NULL)
      abort();
    t->names[t->count++] = found;
  }
  pthread_mutex_unlock(&t->lock);
  return found;
}

static void *worker(void *arg)
{
  return (void *)intern(&symbols, arg);
}

int main(void)
{
  pthread_t a, b;
  void *first, *second;
  intern(&symbols, "main");
  pthread_create(&a, NULL, worker, "x");
  pthread_create(&b, NULL, worker, "x");
  pthread_join(a, &first);
  pthread_join(b, &second);
  assert(first == second);
  assert(symbols.count == 2);
  for (size_t i = 0; i < symbols.count; i++)
    free(symbols.names[i]);
  free(symbols.names);
  return 0;
}
