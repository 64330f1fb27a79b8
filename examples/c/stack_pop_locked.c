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

#define NOTHING 3
struct node *top;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int taken[4];

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  pthread_mutex_lock(&lock);
  node->below = top;
  top = node;
  pthread_mutex_unlock(&lock);
}

static int pop(void) {
  int value = NOTHING;
  pthread_mutex_lock(&lock);
  struct node *old = top;
  if (old) {
    value = old->value;
    top = old->below;
    assert(top != old);
  }
  pthread_mutex_unlock(&lock);
  free(old);
  return value;
}

static void take(void) {
  int value = pop();
  assert(value == NOTHING || !taken[value]);
  taken[value] = 1;
}

static void *other(void *unused) {
  (void)unused;
  take();
  take();
  push(2);
  take();
  take();
  return 0;
}

int main(void) {
  pthread_t thread;
  push(0);
  push(1);
  pthread_create(&thread, 0, other, 0);
  take();
  pthread_join(thread, 0);
  return 0;
}
