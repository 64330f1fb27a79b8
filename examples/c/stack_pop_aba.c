// A stack without locks whose nodes are freed.  A pop reads the top and what lies below it; meanwhile both are popped and freed, a new node gets
// the address of the old top, and the exchange succeeds: what it makes the top is gone, and is handed out twice (the ABA problem).
// expect: unsafe
// threads: 2
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *below;
};

_Atomic(struct node *) top;
int taken[3];

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  struct node *old = atomic_load(&top);
  do node->below = old;
  while (!atomic_compare_exchange_strong(&top, &old, node));
}

static void pop(void) {
  struct node *old = atomic_load(&top);
  while (old) {
    struct node *below = old->below;
    if (atomic_compare_exchange_strong(&top, &old, below)) {
      assert(!taken[old->value]);
      taken[old->value] = 1;
      free(old);
      return;
    }
  }
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
