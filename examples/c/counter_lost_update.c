// Two threads count without a lock: an increment is a read and a write, and one of them can be lost.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

int counter;

void *worker(void *argument) {
  counter++;
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
