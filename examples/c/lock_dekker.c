// Dekker's lock, the oldest for two threads: whoever does not have the turn steps back.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

atomic_bool wants_left, wants_right;
atomic_int turn;
int inside;

static void section(atomic_bool *mine, atomic_bool *theirs, int me) {
  atomic_store(mine, true);
  while (atomic_load(theirs)) {
    if (atomic_load(&turn) != me) {
      atomic_store(mine, false);
      while (atomic_load(&turn) != me) {
      }
      atomic_store(mine, true);
    }
  }
  inside++;
  assert(inside == 1);
  inside--;
  atomic_store(&turn, 1 - me);
  atomic_store(mine, false);
}

void *left(void *argument) {
  section(&wants_left, &wants_right, 0);
  return argument;
}

void *right(void *argument) {
  section(&wants_right, &wants_left, 1);
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
