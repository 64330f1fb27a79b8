// The queue lock of lock_queue.c that resets the end of the queue without looking: who came meanwhile is forgotten, and the
// next to come finds an empty queue.
// expect: unsafe
// threads: 4
// native: compiles
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  _Atomic(struct node *) next;
  atomic_int waits;
};

struct node nodes[3];
_Atomic(struct node *) tail;
atomic_int inside;

static void acquire(struct node *mine) {
  atomic_store(&mine->next, NULL);
  atomic_store(&mine->waits, 1);
  struct node *before = atomic_exchange(&tail, mine);
  if (before != NULL) {
    atomic_store(&before->next, mine);
    while (atomic_load(&mine->waits)) {
    }
  }
}

static void release(struct node *mine) {
  struct node *after = atomic_load(&mine->next);
  atomic_store(&tail, NULL);
  if (after != NULL) atomic_store(&after->waits, 0);
}

static void section(struct node *mine) {
  acquire(mine);
  inside++;
  assert(inside == 1);
  inside--;
  release(mine);
}

void *first_worker(void *argument) {
  section(&nodes[0]);
  return argument;
}

void *second_worker(void *argument) {
  section(&nodes[1]);
  return argument;
}

void *third_worker(void *argument) {
  section(&nodes[2]);
  return argument;
}

int main(void) {
  pthread_t first, second, third;
  pthread_create(&first, NULL, first_worker, NULL);
  pthread_create(&second, NULL, second_worker, NULL);
  pthread_create(&third, NULL, third_worker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_join(third, NULL);
  return 0;
}
