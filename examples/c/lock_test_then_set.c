// Not a lock: the flag is read and set in two steps, and two threads can both read it before either sets it.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

volatile int taken;
volatile int inside;

void *worker(void *argument) {
  while (taken) {
  }
  taken = 1;
  inside++;
  assert(inside == 1);
  inside--;
  taken = 0;
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
