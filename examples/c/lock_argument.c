// As many threads as the user asks for take a lock, one at a time.
// expect: safe
// threads: any
// native: compiles
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int inside;

void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  inside++;
  assert(inside == 1);
  inside--;
  pthread_mutex_unlock(&lock);
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
