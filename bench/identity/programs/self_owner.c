// A lock that remembers its owner by pthread_self.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t owner;
int count;
void *worker(void *p) {
  pthread_mutex_lock(&m);
  owner = pthread_self();
#ifdef WRONG
  pthread_mutex_unlock(&m);
#endif
  count++;
  assert(pthread_equal(owner, pthread_self()));
#ifndef WRONG
  pthread_mutex_unlock(&m);
#endif
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(count == N);
  return 0;
}
