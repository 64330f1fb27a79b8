// Threads with different data: the largest element, found under a lock, each thread with its own element.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
int data[N], best;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *p) {
  int own = *(int *)p;
#ifdef WRONG
  if (own > best) {
    pthread_mutex_lock(&m);
    best = own;
    pthread_mutex_unlock(&m);
  }
#else
  pthread_mutex_lock(&m);
  if (own > best) best = own;
  pthread_mutex_unlock(&m);
#endif
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) data[i] = (i * 7) % 5 + 1;
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, &data[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  for (int i = 0; i < N; i++) assert(best >= data[i]);
  return 0;
}
