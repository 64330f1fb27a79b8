// A spin lock that waits longer after each failure, up to a limit.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <sched.h>

enum { most_delay = 4 };

int lock;
int inside;

static void acquire(void) {
  int delay = 1;
  while (!__sync_bool_compare_and_swap(&lock, 0, 1)) {
    for (int i = 0; i < delay; i++) sched_yield();
    if (delay < most_delay) delay *= 2;
  }
}

static void release(void) {
  __sync_lock_release(&lock);
}

void *worker(void *argument) {
  acquire();
  inside++;
  assert(inside == 1);
  inside--;
  release();
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
