// Counting by compare and swap: read, add, and try again when somebody else was faster.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

unsigned counter;

void *worker(void *argument) {
  unsigned seen;
  do {
    seen = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
  } while (!__sync_bool_compare_and_swap(&counter, seen, seen + 1));
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, worker, NULL);
  pthread_create(&second, NULL, worker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(counter == 2);
  return 0;
}
