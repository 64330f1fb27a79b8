// As many threads as the user asks for forget to take a lock.
// expect: unsafe
// threads: 3
// native: compiles
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int inside;

void *worker(void *argument) {
  inside++;
  assert(inside == 1);
  inside--;
  return argument;
}

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  const int count = atoi(argv[1]);
  pthread_t *threads = malloc(count * sizeof *threads);
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  free(threads);
  return 0;
}
