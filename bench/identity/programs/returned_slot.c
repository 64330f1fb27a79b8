// Each thread returns the address of its own element, which main reads through what join gives.  Wrong: all return the first.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
int squares[N];
void *worker(void *p) {
  long id = (long)p;
  squares[id] = id * id;
#ifdef WRONG
  return &squares[0];
#else
  return &squares[id];
#endif
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++) {
    void *result;
    pthread_join(t[i], &result);
    assert(*(int *)result == i * i);
  }
  return 0;
}
