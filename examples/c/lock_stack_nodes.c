// A queue lock whose nodes are on the stacks of the threads: each waits for its own node, whose address the one before it
// has.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  _Atomic(struct node *) next;
  atomic_bool waits;
};

_Atomic(struct node *) tail;
int inside;

void *work(void *argument) {
  struct node mine = {NULL, 1};
  struct node *before = atomic_exchange(&tail, &mine);
  if (before != NULL) {
    atomic_store(&before->next, &mine);
    while (atomic_load(&mine.waits)) {
    }
  }
  inside++;
  assert(inside == 1);
  inside--;
  struct node *expected = &mine;
  if (!atomic_compare_exchange_strong(&tail, &expected, NULL)) {
    struct node *after;
    while ((after = atomic_load(&mine.next)) == NULL) {
    }
    atomic_store(&after->waits, 0);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
