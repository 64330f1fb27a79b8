// The stack of stack_pop_aba.c with a lock: nobody holds a node that another thread has freed.
// expect: safe
// threads: 2
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *below;
};

struct node *top;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int taken[3];

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  pthread_mutex_lock(&lock);
  node->below = top;
  top = node;
  pthread_mutex_unlock(&lock);
}

static void pop(void) {
  pthread_mutex_lock(&lock);
  struct node *old = top;
  if (old) {
    top = old->below;
    assert(top != old);
    assert(!taken[old->value]);
    taken[old->value] = 1;
  }
  pthread_mutex_unlock(&lock);
  free(old);
}

static void *other(void *unused) {
  (void)unused;
  pop();
  pop();
  push(2);
  pop();
  pop();
  return 0;
}

int main(void) {
  pthread_t thread;
  push(0);
  push(1);
  pthread_create(&thread, 0, other, 0);
  pop();
  pthread_join(thread, 0);
  return 0;
}
