// Threads draw tickets without a lock and return them: two may have the same.
// expect: unsafe
// threads: 5
// native: compiles
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { count = 4 };

long next_ticket;

void *worker(void *argument) {
  (void)argument;
  const long mine = next_ticket++;
  return (void *)mine;
}

int main(void) {
  pthread_t threads[count];
  long drawn = 0;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < count; i++) {
    void *ticket;
    pthread_join(threads[i], &ticket);
    drawn |= 1L << (long)ticket;
  }
  assert(drawn == (1L << count) - 1);
  return 0;
}
