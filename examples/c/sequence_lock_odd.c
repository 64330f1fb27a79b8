// The sequence lock of sequence_lock.c whose reader does not ask whether a writer is at work.
// expect: unsafe
// threads: 2
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint sequence;
atomic_int left, right;

void *writer(void *argument) {
  atomic_fetch_add(&sequence, 1);
  atomic_store(&left, 1);
  atomic_store(&right, 1);
  atomic_fetch_add(&sequence, 1);
  return argument;
}

int main(void) {
  pthread_t thread;
  unsigned before, after;
  int first, second;
  pthread_create(&thread, NULL, writer, NULL);
  do {
    before = atomic_load(&sequence);
    first = atomic_load(&left);
    second = atomic_load(&right);
    after = atomic_load(&sequence);
  } while (before != after);
  assert(first == second);
  pthread_join(thread, NULL);
  return 0;
}
