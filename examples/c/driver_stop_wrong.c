// The driver of driver_stop.c whose requests look whether it is stopping before they count themselves.
// expect: unsafe
// threads: 2
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

atomic_int pending = 1;
atomic_bool stopping;
atomic_bool drained;
atomic_bool stopped;

static void leave(void) {
  if (atomic_fetch_sub(&pending, 1) == 1) drained = true;
}

static bool enter(void) {
  if (stopping) return false;
  atomic_fetch_add(&pending, 1);
  return true;
}

void *request(void *argument) {
  if (enter()) {
    assert(!stopped);
    leave();
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, request, NULL);
  stopping = true;
  leave();
  while (!drained) {
  }
  stopped = true;
  pthread_join(thread, NULL);
  return 0;
}
