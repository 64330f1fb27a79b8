// N threads push one node each on a Treiber stack.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif
struct node { int value; struct node *next; };
_Atomic(struct node *) top;
void *worker(void *p) {
  struct node *n = malloc(sizeof *n);
  n->value = 1;
  struct node *old = atomic_load(&top);
  do n->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, n));
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  int sum = 0;
  for (struct node *n = top; n; n = n->next) sum += n->value;
  assert(sum == N);
  return 0;
}
