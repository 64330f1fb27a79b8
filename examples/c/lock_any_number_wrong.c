// The lock of lock_any_number.c with its test and its set apart: two threads are enough to break it.
// expect: unsafe
// threads: any
// unsafe-from: 3
// native: compiles
#include <assert.h>
#include <pthread.h>

int lock;
int busy;

void *worker(void *argument) {
  while (lock) {
  }
  lock = 1;
  assert(!busy);
  busy = 1;
  busy = 0;
  lock = 0;
  return argument;
}

int main(void) {
  for (;;) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
  }
}
