// The lock of lock_backoff.c that enters anyway when it has waited long enough.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <sched.h>

enum { most_attempts = 2 };

int lock;
int inside;

static void acquire(void) {
  int attempts = 0;
  while (!__sync_bool_compare_and_swap(&lock, 0, 1)) {
    attempts++;
    if (attempts == most_attempts) break;
    sched_yield();
  }
}

static void release(void) {
  __sync_lock_release(&lock);
}

void *worker(void *argument) {
  acquire();
  __sync_fetch_and_add(&inside, 1);
  assert(inside == 1);
  __sync_fetch_and_sub(&inside, 1);
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
