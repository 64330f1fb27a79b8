// N producers and N consumers on a buffer of two places.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 2
#endif
enum { room = 2 };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
int buffer[room], in, out, used, got;
void *producer(void *p) {
  pthread_mutex_lock(&m);
  while (used == room) pthread_cond_wait(&not_full, &m);
  buffer[in] = 1;
  in = (in + 1) % room;
  used++;
  assert(used <= room);
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&m);
  return 0;
}
void *consumer(void *p) {
  pthread_mutex_lock(&m);
#ifdef WRONG
  if (used == 0) pthread_cond_wait(&not_empty, &m);
#else
  while (used == 0) pthread_cond_wait(&not_empty, &m);
#endif
  got += buffer[out];
  out = (out + 1) % room;
  used--;
  assert(used >= 0);
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t p[N], c[N];
  for (int i = 0; i < N; i++) {
    pthread_create(&p[i], 0, producer, 0);
    pthread_create(&c[i], 0, consumer, 0);
  }
  for (int i = 0; i < N; i++) {
    pthread_join(p[i], 0);
    pthread_join(c[i], 0);
  }
  assert(got == N && used == 0);
  return 0;
}
