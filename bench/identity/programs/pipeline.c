// N stages in a row: each waits for what the stage before has made and makes one more of it.  Wrong: stages do not wait.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
int made[N + 1];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t more = PTHREAD_COND_INITIALIZER;
void *stage(void *p) {
  long id = (long)p;
  pthread_mutex_lock(&m);
#ifndef WRONG
  while (!made[id]) pthread_cond_wait(&more, &m);
#endif
  made[id + 1] = made[id] + 1;
  pthread_cond_broadcast(&more);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, stage, (void *)i);
  pthread_mutex_lock(&m);
  made[0] = 1;
  pthread_cond_broadcast(&more);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(made[N] == N + 1);
  return 0;
}
