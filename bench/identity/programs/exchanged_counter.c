// A counter that threads raise by compare-and-exchange until it succeeds.  Wrong: they give up after the first try.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
atomic_int counter;
void *worker(void *p) {
  int old = counter;
#ifdef WRONG
  atomic_compare_exchange_strong(&counter, &old, old + 1);
#else
  while (!atomic_compare_exchange_strong(&counter, &old, old + 1))
    ;
#endif
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(counter == N);
  return 0;
}
