// N threads that are joined increment a counter under a lock, twice, and look at it outside.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int c, done;
void *worker(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    c++;
    pthread_mutex_unlock(&m);
    int t = c;
    if (t > 0) done = 1;
  }
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(c == 2 * N);
  return 0;
}
