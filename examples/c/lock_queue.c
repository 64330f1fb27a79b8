// A queue lock in the manner of Mellor-Crummey and Scott: each thread waits on a node of its own until the one before it
// hands the lock on.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  _Atomic(struct node *) next;
  atomic_int waits;
};

struct node nodes[2];
_Atomic(struct node *) tail;
int inside;

static void acquire(struct node *mine) {
  atomic_store(&mine->next, NULL);
  struct node *before = atomic_exchange(&tail, mine);
  if (before != NULL) {
    atomic_store(&mine->waits, 1);
    atomic_store(&before->next, mine);
    while (atomic_load(&mine->waits)) {
    }
  }
}

static void release(struct node *mine) {
  struct node *after = atomic_load(&mine->next);
  if (after == NULL) {
    struct node *expected = mine;
    if (atomic_compare_exchange_strong(&tail, &expected, NULL)) return;
    do {
      after = atomic_load(&mine->next);
    } while (after == NULL);
  }
  atomic_store(&after->waits, 0);
}

static void section(struct node *mine) {
  acquire(mine);
  inside++;
  assert(inside == 1);
  inside--;
  release(mine);
}

void *left(void *argument) {
  section(&nodes[0]);
  return argument;
}

void *right(void *argument) {
  section(&nodes[1]);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, left, NULL);
  pthread_create(&second, NULL, right, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
