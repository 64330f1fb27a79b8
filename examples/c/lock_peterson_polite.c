// Peterson's lock with its first two steps exchanged: the turn is given away before the wish is known.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2];
atomic_int turn;
atomic_int inside;

static void section(int me) {
  const int other = 1 - me;
  atomic_store(&turn, other);
  atomic_store(&wants[me], 1);
  while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
  }
  inside++;
  assert(inside == 1);
  inside--;
  atomic_store(&wants[me], 0);
}

void *left(void *argument) {
  section(0);
  return argument;
}

void *right(void *argument) {
  section(1);
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
