// main waits until N detached threads have counted a latch down.  Wrong: it waits for one of them only.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
int left = N, done;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
void *worker(void *p) {
  pthread_mutex_lock(&m);
  done++;
  left--;
  pthread_cond_signal(&changed);
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
#ifdef WRONG
  while (left == N) pthread_cond_wait(&changed, &m);
#else
  while (left > 0) pthread_cond_wait(&changed, &m);
#endif
  assert(done == N);
  pthread_mutex_unlock(&m);
  return 0;
}
