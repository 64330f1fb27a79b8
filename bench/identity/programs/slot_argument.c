// Each thread gets the address of its own argument, with its number in it, and leaves its result there.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
struct arg { int id; int result; };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int tickets;
void *worker(void *p) {
  struct arg *own = p;
#ifndef WRONG
  pthread_mutex_lock(&m);
#endif
  int t = tickets;
  tickets = t + 1;
#ifndef WRONG
  pthread_mutex_unlock(&m);
#endif
  own->result = t;
  return 0;
}
int main(void) {
  pthread_t t[N];
  struct arg a[N];
  for (int i = 0; i < N; i++) {
    a[i].id = i;
    a[i].result = -1;
    pthread_create(&t[i], 0, worker, &a[i]);
  }
  int sum = 0;
  for (int i = 0; i < N; i++) {
    pthread_join(t[i], 0);
    sum += a[i].result;
  }
  assert(sum == N * (N - 1) / 2);
  return 0;
}
