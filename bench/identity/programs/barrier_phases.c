// Two phases with a barrier in between: each thread fills its element, then reads its neighbour's.  Wrong: nobody waits at the barrier.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
pthread_barrier_t phase;
int filled[N];
void *worker(void *p) {
  long id = (long)p;
  filled[id] = 1;
#ifndef WRONG
  pthread_barrier_wait(&phase);
#endif
  assert(filled[(id + 1) % N]);
  return 0;
}
int main(void) {
  pthread_t t[N];
  pthread_barrier_init(&phase, 0, N);
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
