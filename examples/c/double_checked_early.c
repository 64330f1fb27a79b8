// Double-checked locking that publishes the object before it is complete.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int ready;
atomic_int width;

static int get(void) {
  if (!atomic_load(&ready)) {
    pthread_mutex_lock(&lock);
    if (!atomic_load(&ready)) {
      atomic_store(&ready, 1);
      atomic_store(&width, 4);
    }
    pthread_mutex_unlock(&lock);
  }
  return atomic_load(&width);
}

void *worker(void *argument) {
  assert(get() == 4);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, worker, NULL);
  pthread_create(&second, NULL, worker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
