// The queue lock with nodes on stacks, but a thread that finds no successor yet leaves without looking again: the one that
// has just come is never told, and may as well not have waited.
// expect: unsafe
// property: deadlock
// threads: 3
// native: compiles
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  _Atomic(struct node *) next;
  pthread_mutex_t closed;
};

_Atomic(struct node *) tail;

void *work(void *argument) {
  struct node mine;
  atomic_init(&mine.next, NULL);
  pthread_mutex_init(&mine.closed, NULL);
  pthread_mutex_lock(&mine.closed);
  struct node *before = atomic_exchange(&tail, &mine);
  if (before != NULL) {
    atomic_store(&before->next, &mine);
    pthread_mutex_lock(&mine.closed);
  }
  struct node *after = atomic_load(&mine.next);
  if (after != NULL) {
    pthread_mutex_unlock(&after->closed);
  } else {
    struct node *expected = &mine;
    atomic_compare_exchange_strong(&tail, &expected, NULL);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
