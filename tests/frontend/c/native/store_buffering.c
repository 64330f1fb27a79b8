// Two threads write one flag and read the other's.
// impossible: left == 0 && right == 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

atomic_int x, y;
int left, right;

void *one(void *argument) {
  atomic_store(&x, 1);
  left = atomic_load(&y);
  return argument;
}

void *two(void *argument) {
  atomic_store(&y, 1);
  right = atomic_load(&x);
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
  printf("left == %d && right == %d\n", left, right);
#endif
  return 0;
}
