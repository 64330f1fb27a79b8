// The number of the thread is printed and serves nothing else.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#ifndef N
#define N 3
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count, ids[N];
void *worker(void *p) {
  int id = *(int *)p;
  printf("thread %d begins\n", id);
#ifndef WRONG
  pthread_mutex_lock(&m);
#endif
  count++;
#ifndef WRONG
  pthread_mutex_unlock(&m);
#endif
  printf("thread %d ends\n", id);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    ids[i] = i;
    pthread_create(&t[i], 0, worker, &ids[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(count == N);
  return 0;
}
