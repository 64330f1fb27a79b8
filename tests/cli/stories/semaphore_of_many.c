// A semaphore that is posted once too seldom, by eight threads: what all do is told once.
// ask: --property deadlock --engine explicit
// has: running racer(&ids[0])
// has: do the same one after the other: takes one from gate
// has: why: T1 waits for one from gate, and nobody is left to give one; T0 waits for the end of T1
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#define N 8
sem_t gate; int ready; int ids[N];
void *racer(void *arg) { int *me = arg; sem_wait(&gate); *me += ready; return arg; }
int main(void) {
  pthread_t t[N];
  sem_init(&gate, 0, 0);
  for (int i = 0; i < N; i++) { ids[i] = i; pthread_create(&t[i], 0, racer, &ids[i]); }
  ready = 1;
  for (int i = 0; i < N - 1; i++) sem_post(&gate);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(ids[N-1] == N);
  return 0;
}
