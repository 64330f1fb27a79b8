// A ticket lock: whoever comes draws a number and waits until it is served.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next_ticket;
atomic_uint serving;
unsigned entries;

void *worker(void *argument) {
  for (int round = 0; round < 2; round++) {
    const unsigned ticket = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&serving) != ticket) {
    }
    assert(entries == ticket);
    entries++;
    atomic_fetch_add(&serving, 1);
  }
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, worker, NULL);
  pthread_create(&second, NULL, worker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(entries == 4);
  return 0;
}
