// Two threads compute in two phases with a barrier between: the second phase sees all of the first.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int parts[2];

static void compute(int me) {
  parts[me] = me + 1;
  pthread_barrier_wait(&barrier);
  assert(parts[0] + parts[1] == 3);
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
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&first, NULL, left, NULL);
  pthread_create(&second, NULL, right, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
