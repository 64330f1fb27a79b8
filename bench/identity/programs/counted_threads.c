// Any number of threads, and after they are joined the counter has their number.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int c;
void *worker(void *p) {
#ifndef WRONG
  pthread_mutex_lock(&m);
#endif
  c++;
#ifndef WRONG
  pthread_mutex_unlock(&m);
#endif
  return 0;
}
int main(void) {
  int n = nondet_int();
  if (n < 1 || n > 100) return 0;
  pthread_t t[100];
  for (int i = 0; i < n; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  assert(c == n);
  return 0;
}
