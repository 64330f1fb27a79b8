// A spin lock by test-and-set: the flag is read and set in one step, so one thread at most gets past it.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag taken = ATOMIC_FLAG_INIT;
int inside;

void *worker(void *argument) {
  while (atomic_flag_test_and_set(&taken)) {
  }
  inside++;
  assert(inside == 1);
  inside--;
  atomic_flag_clear(&taken);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, worker, NULL);
  pthread_create(&second, NULL, worker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(inside == 0);
  return 0;
}
