// Two threads join each other.
// ask: --property deadlock
// has: the end of T2 (t[1 - i])
// has: why: T1 waits for the end of T2; T2 waits for the end of T1
#include <pthread.h>
pthread_t t[2];
pthread_barrier_t b;
static void *worker(void *arg) {
  long i = (long)arg;
  pthread_barrier_wait(&b);
  pthread_join(t[1 - i], 0);
  return 0;
}
int main(void) {
  pthread_barrier_init(&b, 0, 3);
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, (void *)i);
  pthread_barrier_wait(&b);
  pthread_exit(0);
}
