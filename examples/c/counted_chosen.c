// How many threads there are depends on what the program is given: all that were created are joined, and have counted.
// expect: safe
// threads: any
// native: compiles
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static atomic_int counted;

static void *work(void *argument) {
  (void)argument;
  atomic_fetch_add(&counted, 1);
  return NULL;
}

int main(int argc, char **argv) {
  const int n = argc > 1 && argv[1][0] == '+' ? __VERIFIER_nondet_int() : 4;
  if (n < 1 || n > 1000000) return 1;
  pthread_t *threads = malloc(n * sizeof *threads);
  if (threads == NULL) return 1;
  for (int i = 0; i < n; i++) {
    if (pthread_create(&threads[i], NULL, work, NULL) != 0) abort();
  }
  for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
  assert(counted == n);
  free(threads);
  return 0;
}
