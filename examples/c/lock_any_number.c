// A test-and-set lock for as many threads as anyone creates: one bit of lock, one bit of data.
// expect: safe
// threads: any
// native: compiles
#include <assert.h>
#include <pthread.h>

int lock;
int busy;

void *worker(void *argument) {
  while (__sync_lock_test_and_set(&lock, 1)) {
  }
  assert(!busy);
  busy = 1;
  busy = 0;
  __sync_lock_release(&lock);
  return argument;
}

int main(void) {
  for (;;) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
  }
}
