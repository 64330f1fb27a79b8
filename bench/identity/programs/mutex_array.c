// Philosophers: as many mutexes as threads; each takes its own and its neighbour's, in order.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
pthread_mutex_t fork[N];
int eating[N];
void *worker(void *p) {
  long id = (long)p;
  int left = id, right = (id + 1) % N;
  int first = left < right ? left : right, second = left < right ? right : left;
  pthread_mutex_lock(&fork[first]);
#ifndef WRONG
  pthread_mutex_lock(&fork[second]);
#endif
  eating[id] = 1;
  assert(!eating[right]);
  eating[id] = 0;
#ifndef WRONG
  pthread_mutex_unlock(&fork[second]);
#endif
  pthread_mutex_unlock(&fork[first]);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&fork[i], 0);
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
