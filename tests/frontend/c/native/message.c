// A message is written before its flag.
// impossible: seen == 1 && copy == 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

atomic_int flag;
int message;
int seen, copy;

void *one(void *argument) {
  message = 7;
  atomic_store(&flag, 1);
  return argument;
}

void *two(void *argument) {
  seen = atomic_load(&flag);
  if (seen) copy = message;
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
  printf("seen == %d && copy == %d\n", seen, copy);
#endif
  return 0;
}
