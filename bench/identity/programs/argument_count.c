// How many threads there are comes from the command line.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;
void *worker(void *p) {
#ifndef WRONG
  pthread_mutex_lock(&m);
#endif
  inside++;
  assert(inside == 1);
  inside--;
#ifndef WRONG
  pthread_mutex_unlock(&m);
#endif
  return 0;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4;
  pthread_t *t = malloc(n * sizeof *t);
  for (int i = 0; i < n; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  free(t);
  return 0;
}
