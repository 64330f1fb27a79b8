// Arithmetic in small types from two sides: each step wraps around on its own.
// impossible: value == 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

atomic_uchar value = 250;

void *one(void *argument) {
  atomic_fetch_add(&value, 10);
  return argument;
}

void *two(void *argument) {
  value = (unsigned char)(value * 2);
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
  printf("value == %d\n", (int)value);
#endif
  return 0;
}
