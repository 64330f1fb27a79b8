// A barrier made of a counter that is used a second time without being reset: it no longer holds anybody back.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { parties = 2 };

atomic_int arrived;
atomic_int phase[parties];

static void barrier(void) {
  arrived++;
  while (atomic_load(&arrived) < parties) {
  }
}

static void compute(int me) {
  phase[me] = 1;
  barrier();
  assert(phase[1 - me] >= 1);
  phase[me] = 2;
  barrier();
  assert(phase[1 - me] >= 2);
}

void *left(void *argument) {
  compute(0);
  return argument;
}

void *right(void *argument) {
  compute(1);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, left, NULL);
  pthread_create(&second, NULL, right, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
