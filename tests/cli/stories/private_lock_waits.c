// A lock that only one thread uses is given back where that thread waits, too.
// ask: --property deadlock
// has: locks m
// has: waits for c, gives m back
// has: why: T1 waits for c, and nobody is left to wake it; T0 waits for the end of T1
// hasnot: m since
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *consumer(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, consumer, 0);
  pthread_cond_signal(&c);
  pthread_join(t, 0);
  return 0;
}
