// A thread for each argument of the program, however many there are: when all have been joined, each has counted once.
// expect: safe
// threads: any
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int counted;

static void *work(void *argument) {
  (void)argument;
  atomic_fetch_add(&counted, 1);
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t *threads = malloc(argc * sizeof *threads);
  if (threads == NULL) return 1;
  for (int i = 0; i < argc; i++) {
    if (pthread_create(&threads[i], NULL, work, NULL) != 0) abort();
  }
  for (int i = 0; i < argc; i++) pthread_join(threads[i], NULL);
  assert(counted == argc);
  free(threads);
  return 0;
}
