// Threads that are created and joined in loops count without a lock: updates are lost.
// expect: unsafe
// threads: 5
// native: compiles
#include <assert.h>
#include <pthread.h>

enum { count = 4 };

int counter, seen;

void *worker(void *argument) {
  for (int i = 0; i < 2; i++) {
    counter++;
    const int value = counter;
    if (value > 0) seen = 1;
  }
  return argument;
}

int main(void) {
  pthread_t threads[count];
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  assert(counter == 2 * count);
  return 0;
}
