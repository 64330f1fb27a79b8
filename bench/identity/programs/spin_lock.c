// A counter behind a test-and-set lock.  Wrong: the flag is tested and set in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
atomic_int taken;
int counter;
void *worker(void *p) {
#ifdef WRONG
  while (taken)
    ;
  taken = 1;
#else
  while (atomic_exchange(&taken, 1))
    ;
#endif
  int old = counter;
  counter = old + 1;
  taken = 0;
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(counter == N);
  return 0;
}
