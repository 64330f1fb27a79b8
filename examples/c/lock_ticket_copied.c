// A ticket lock whose tickets are not drawn in one step: two threads can hold the same number.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

volatile unsigned next_ticket;
volatile unsigned serving;
volatile int inside;

void *worker(void *argument) {
  const unsigned ticket = next_ticket;
  next_ticket = ticket + 1;
  while (serving < ticket) {
  }
  inside = inside + 1;
  assert(inside == 1);
  inside = inside - 1;
  serving = ticket + 1;
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, worker, NULL);
  pthread_create(&second, NULL, worker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
