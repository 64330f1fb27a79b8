// Detached threads; main waits for a counter under a condition variable.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t all_done = PTHREAD_COND_INITIALIZER;
int done, sum;
void *worker(void *p) {
#ifdef WRONG
  sum++;
#endif
  pthread_mutex_lock(&m);
#ifndef WRONG
  sum++;
#endif
  done++;
  if (done == N) pthread_cond_signal(&all_done);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  for (int i = 0; i < N; i++) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
  }
  pthread_mutex_lock(&m);
  while (done < N) pthread_cond_wait(&all_done, &m);
  pthread_mutex_unlock(&m);
  assert(sum == N);
  return 0;
}
