// A thread that does not get the lock goes another way.
// impossible: taken == 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int taken, failed;

static void attempt(void) {
  if (pthread_mutex_trylock(&lock) == 0) {
    taken++;
    pthread_mutex_unlock(&lock);
  } else {
    failed++;
  }
}

void *one(void *argument) {
  attempt();
  return argument;
}

void *two(void *argument) {
  attempt();
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
  printf("taken == %d && failed == %d\n", taken, failed);
#endif
  return 0;
}
