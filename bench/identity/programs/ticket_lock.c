// A ticket lock: threads are served in the order in which they drew.  Wrong: drawing is two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
atomic_uint next, serving;
int inside, counter;
void *worker(void *p) {
#ifdef WRONG
  unsigned own = next;
  next = own + 1;
#else
  unsigned own = atomic_fetch_add(&next, 1);
#endif
  while (serving != own)
    ;
  inside++;
  assert(inside == 1);
  counter++;
  inside--;
  serving = own + 1;
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(counter == N);
  return 0;
}
