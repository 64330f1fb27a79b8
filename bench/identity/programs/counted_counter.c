// The same, but the threads count themselves in an atomic variable that main waits for: no handles.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int c, done;
atomic_int ended;
void *worker(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    c++;
    pthread_mutex_unlock(&m);
    int t = c;
    if (t > 0) done = 1;
  }
  ended++;
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < N; i++) pthread_create(&t, 0, worker, 0);
  while (ended < N) ;
  assert(c == 2 * N);
  return 0;
}
