// A sequence lock: the reader takes what it read only if no writer came between.
// expect: safe
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
  } while (before != after || before % 2 != 0);
  assert(first == second);
  pthread_join(thread, NULL);
  return 0;
}
