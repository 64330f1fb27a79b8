// A set-up guarded by a flag that is raised before the set-up is done: others go on without waiting.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int begun;
atomic_int set_up;

void *worker(void *argument) {
  if (!atomic_exchange(&begun, 1)) atomic_store(&set_up, 1);
  assert(set_up == 1);
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
