// A spin lock that looks before it tries, so that waiting threads only read; for any number of threads.
// expect: safe
// threads: any
// native: compiles
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int inside;

static void acquire(void) {
  do {
    while (atomic_load(&lock)) {
    }
  } while (atomic_exchange(&lock, 1));
}

static void release(void) {
  atomic_store(&lock, 0);
}

void *worker(void *argument) {
  acquire();
  assert(inside == 0);
  inside = 1;
  inside = 0;
  release();
  return argument;
}

int main(void) {
  for (;;) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
  }
}
