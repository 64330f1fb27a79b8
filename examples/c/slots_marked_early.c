// Each thread marks the slot with its number; main looks at the slot of the next thread, which may still be at work.
// expect: unsafe
// threads: 5
// native: compiles
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { count = 4 };

int done[count];

void *worker(void *argument) {
  const long id = (long)argument;
  done[id] = 1;
  return NULL;
}

int main(void) {
  pthread_t threads[count];
  for (long i = 0; i < count; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < count; i++) {
    pthread_join(threads[i], NULL);
    assert(done[(i + 1) % count] == 1);
  }
  return 0;
}
