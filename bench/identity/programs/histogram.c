// Each thread counts its share of some data in bins of its own and adds them to the common ones under a lock.  Wrong: without the lock.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
enum { share = 2 };
int data[share * N], bins[2];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *p) {
  long id = (long)p;
  int own[2] = {0, 0};
  for (int i = id * share; i < (id + 1) * share; i++) own[data[i]]++;
  for (int i = 0; i < 2; i++) {
#ifndef WRONG
    pthread_mutex_lock(&m);
#endif
    bins[i] += own[i];
#ifndef WRONG
    pthread_mutex_unlock(&m);
#endif
  }
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < share * N; i++) data[i] = i % 2;
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(bins[0] == N && bins[1] == N);
  return 0;
}
