// Counting by an atomic increment, while another thread looks on.
// expect: safe
// threads: 4
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void *worker(void *argument) {
  counter++;
  atomic_fetch_add(&counter, 1);
  return argument;
}

void *observer(void *argument) {
  const int before = atomic_load(&counter);
  const int after = atomic_load(&counter);
  assert(before <= after && after <= 4);
  return argument;
}

int main(void) {
  pthread_t first, second, third;
  pthread_create(&first, NULL, worker, NULL);
  pthread_create(&second, NULL, worker, NULL);
  pthread_create(&third, NULL, observer, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_join(third, NULL);
  assert(counter == 4);
  return 0;
}
