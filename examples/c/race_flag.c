// A flag that one thread writes and another reads, neither with a lock: a data race, whatever the values.
// expect: unsafe
// property: races
// threads: 2
// native: terminates
#include <pthread.h>

int flag;

void *setter(void *argument) {
  flag = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, setter, NULL);
  const int seen = flag;
  pthread_join(thread, NULL);
  return seen < 0;
}
