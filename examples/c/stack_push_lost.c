// The stack of stack_push.c with a plain store of the top: a node pushed meanwhile is lost.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct node {
  struct node *below;
  int value;
};

struct node nodes[2] = {{NULL, 1}, {NULL, 2}};
struct node *volatile top;

static void push(struct node *node) {
  node->below = top;
  top = node;
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
  struct node *upper = top;
  assert(upper != NULL && upper->below != NULL);
  return 0;
}
