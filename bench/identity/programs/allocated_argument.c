// Each thread gets an argument from malloc and frees it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int sum;
struct task { int amount; };
void *worker(void *p) {
  struct task *task = p;
#ifdef WRONG
  int before = sum;
  sum = before + task->amount;
#else
  pthread_mutex_lock(&m);
  sum += task->amount;
  pthread_mutex_unlock(&m);
#endif
  free(task);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    struct task *task = malloc(sizeof *task);
    task->amount = 1;
    pthread_create(&t[i], 0, worker, task);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(sum == N);
  return 0;
}
