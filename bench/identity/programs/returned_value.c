// Threads draw tickets and return them through pthread_join.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
long tickets;
void *worker(void *p) {
#ifndef WRONG
  pthread_mutex_lock(&m);
#endif
  long t = tickets;
  tickets = t + 1;
#ifndef WRONG
  pthread_mutex_unlock(&m);
#endif
  return (void *)t;
}
int main(void) {
  pthread_t t[N];
  long sum = 0;
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) {
    void *result;
    pthread_join(t[i], &result);
    sum += (long)result;
  }
  assert(sum == N * (N - 1) / 2);
  return 0;
}
