// A pointer that is read before the other thread has set it.
// expect: unsafe
// property: faults
// threads: 2
// native: compiles
#include <pthread.h>
#include <stddef.h>

int value = 5;
int *volatile pointer;

void *setter(void *argument) {
  pointer = &value;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, setter, NULL);
  const int seen = *pointer;
  pthread_join(thread, NULL);
  return seen != 5;
}
