// N producers put one item each into a ring of two places, main takes them out.  Wrong: producers do not wait for an empty place.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#ifndef N
#define N 3
#endif
enum { places = 2 };
int ring[places], in, out;
sem_t empty, full;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *producer(void *p) {
#ifndef WRONG
  sem_wait(&empty);
#endif
  pthread_mutex_lock(&m);
  assert(!ring[in]);
  ring[in] = 1;
  in = (in + 1) % places;
  pthread_mutex_unlock(&m);
  sem_post(&full);
  return 0;
}
int main(void) {
  pthread_t t[N];
  sem_init(&empty, 0, places);
  sem_init(&full, 0, 0);
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, producer, 0);
  int taken = 0;
  for (int i = 0; i < N; i++) {
    sem_wait(&full);
    pthread_mutex_lock(&m);
    taken += ring[out];
    ring[out] = 0;
    out = (out + 1) % places;
    pthread_mutex_unlock(&m);
    sem_post(&empty);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(taken == N);
  return 0;
}
