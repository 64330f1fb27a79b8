// Two increments of a plain counter: one may be lost.
// impossible: counter == 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

volatile int counter;

void *one(void *argument) {
  counter = counter + 1;
  return argument;
}

void *two(void *argument) {
  counter = counter + 1;
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, one, NULL);
  pthread_create(&second, NULL, two, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
#ifdef OUTCOME
  assert(!(OUTCOME));
#else
  printf("counter == %d\n", counter);
#endif
  return 0;
}
