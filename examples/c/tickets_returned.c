// Threads draw tickets under a lock and return them; no two have the same, whoever is joined first.
// expect: safe
// threads: 5
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { count = 4 };

long next_ticket;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *argument) {
  (void)argument;
  pthread_mutex_lock(&lock);
  const long mine = next_ticket++;
  pthread_mutex_unlock(&lock);
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
