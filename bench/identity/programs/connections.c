// A semaphore lets two of N threads in at a time.  Wrong: it lets in three, which N = 3 threads notice.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
sem_t places;
atomic_int inside;
void *worker(void *p) {
  sem_wait(&places);
  int now = atomic_fetch_add(&inside, 1) + 1;
  assert(now <= 2);
  atomic_fetch_sub(&inside, 1);
  sem_post(&places);
  return 0;
}
int main(void) {
  pthread_t t[N];
#ifdef WRONG
  sem_init(&places, 0, 3);
#else
  sem_init(&places, 0, 2);
#endif
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(inside == 0);
  return 0;
}
