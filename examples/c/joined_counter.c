// Threads that are created and joined in loops count under a mutex: their handles cost nothing.
// expect: safe
// threads: 5
// native: terminates
#include <assert.h>
#include <pthread.h>

enum { count = 4 };

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter, seen;

void *worker(void *argument) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
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
