/* A Treiber stack with hazard pointers: a node is freed only when no thread announces it.
 * bug (faults): the head is not read again after it was announced. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS 2
#define RETIRED_MAX 4

typedef struct node {
  struct node *next;
  int value;
} node_t;

typedef struct {
  _Atomic(node_t *) hazard;
  node_t *retired[RETIRED_MAX];
  int nretired;
} hp_record_t;

static _Atomic(node_t *) head;
static hp_record_t records[THREADS];
static atomic_int popped_sum;

static node_t *hp_protect(hp_record_t *rec)
{
  node_t *p;
#ifdef BUG
  p = atomic_load(&head);
  atomic_store(&rec->hazard, p);
#else
  do {
    p = atomic_load(&head);
    atomic_store(&rec->hazard, p);
  } while (p != atomic_load(&head));
#endif
  return p;
}

static bool hp_announced(const node_t *p)
{
  for (int i = 0; i < THREADS; i++)
    if (atomic_load(&records[i].hazard) == p)
      return true;
  return false;
}

static void hp_scan(hp_record_t *rec)
{
  int kept = 0;
  for (int i = 0; i < rec->nretired; i++) {
    node_t *p = rec->retired[i];
    if (hp_announced(p))
      rec->retired[kept++] = p;
    else
      free(p);
  }
  rec->nretired = kept;
}

static void hp_retire(hp_record_t *rec, node_t *p)
{
  assert(rec->nretired < RETIRED_MAX);
  rec->retired[rec->nretired++] = p;
  hp_scan(rec);
}

static void push(int value)
{
  node_t *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->value = value;
  n->next = atomic_load(&head);
  while (!atomic_compare_exchange_strong(&head, &n->next, n))
    ;
}

static bool pop(hp_record_t *rec, int *value)
{
  for (;;) {
    node_t *p = hp_protect(rec);
    if (p == NULL) {
      atomic_store(&rec->hazard, NULL);
      return false;
    }
    node_t *next = p->next;
    node_t *expected = p;
    if (atomic_compare_exchange_strong(&head, &expected, next)) {
      *value = p->value;
      atomic_store(&rec->hazard, NULL);
      hp_retire(rec, p);
      return true;
    }
  }
}

static void *worker(void *arg)
{
  hp_record_t *rec = &records[(intptr_t)arg];
  int value;
  if (pop(rec, &value))
    atomic_fetch_add(&popped_sum, value);
  return NULL;
}

int main(void)
{
  pthread_t t[THREADS];
  push(1);
  push(2);
  for (intptr_t i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  assert(atomic_load(&popped_sum) == 3);
  for (int i = 0; i < THREADS; i++)
    hp_scan(&records[i]);
  return 0;
}
