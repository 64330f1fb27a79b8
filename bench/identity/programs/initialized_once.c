// Whoever comes first initializes.  Wrong: with a flag instead of pthread_once, two may be the first.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
pthread_once_t once = PTHREAD_ONCE_INIT;
int times;
#ifdef WRONG
int done;
#endif
void initialize(void) { times++; }
void *worker(void *p) {
#ifdef WRONG
  if (!done) {
    initialize();
    done = 1;
  }
#else
  pthread_once(&once, initialize);
#endif
  assert(times == 1);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
