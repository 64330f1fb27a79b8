// A stack of linked nodes; pushing is a compare and swap of the top.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  struct node *below;
  int value;
};

struct node nodes[2] = {{NULL, 1}, {NULL, 2}};
_Atomic(struct node *) top;

static void push(struct node *node) {
  struct node *seen = atomic_load(&top);
  do {
    node->below = seen;
  } while (!atomic_compare_exchange_strong(&top, &seen, node));
}

void *first_worker(void *argument) {
  push(&nodes[0]);
  return argument;
}

void *second_worker(void *argument) {
  push(&nodes[1]);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, first_worker, NULL);
  pthread_create(&second, NULL, second_worker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  struct node *upper = atomic_load(&top);
  assert(upper != NULL && upper->below != NULL);
  assert(upper->value + upper->below->value == 3);
  assert(upper->below->below == NULL);
  return 0;
}
