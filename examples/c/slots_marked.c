// Each thread marks the slot with its number; main looks at a slot when it has joined the thread.
// expect: safe
// threads: 5
// native: terminates
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
    assert(done[i] == 1);
  }
  return 0;
}
