// Each thread adds up in a variable of its own and publishes the sum once.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Thread_local int sum;
atomic_int total;

static void add(int amount) {
  sum += amount;
}

void *worker(void *argument) {
  for (int i = 1; i <= 3; i++) add(i);
  total += sum;
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, worker, NULL);
  pthread_create(&second, NULL, worker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(total == 12);
  assert(sum == 0);
  return 0;
}
