// The argument is the thread's number; it takes a lock, counts, and marks its slot.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#ifndef N
#define N 3
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count, done[N];
void *worker(void *p) {
  long id = (long)p;
  printf("thread %ld\n", id);
  pthread_mutex_lock(&m);
  count++;
  pthread_mutex_unlock(&m);
#ifdef WRONG
  done[id / 2] = 1;
#else
  done[id] = 1;
#endif
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(count == N);
  for (int i = 0; i < N; i++) assert(done[i]);
  return 0;
}
