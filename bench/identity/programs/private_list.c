// Each thread builds a list of its own, adds it up, and frees it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif
struct node { int value; struct node *next; };
void *worker(void *p) {
  struct node *head = 0;
  for (int i = 0; i < 2; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i;
    n->next = head;
    head = n;
  }
  int sum = 0;
  while (head) {
    struct node *n = head;
    head = n->next;
    sum += n->value;
    free(n);
  }
#ifdef WRONG
  assert(sum == 2);
#else
  assert(sum == 1);
#endif
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
