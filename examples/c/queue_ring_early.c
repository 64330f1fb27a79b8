// The ring buffer of queue_ring.c that announces an item before it is there.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { slots = 2, items = 2 };

int ring[slots];
atomic_uint head, tail;

void *producer(void *argument) {
  for (int item = 1; item <= items; item++) {
    const unsigned end = atomic_load(&tail);
    while (end - atomic_load(&head) == slots) {
    }
    atomic_store(&tail, end + 1);
    ring[end % slots] = item;
  }
  return argument;
}

void *consumer(void *argument) {
  for (int item = 1; item <= items; item++) {
    const unsigned begin = atomic_load(&head);
    while (atomic_load(&tail) == begin) {
    }
    assert(ring[begin % slots] == item);
    atomic_store(&head, begin + 1);
  }
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, producer, NULL);
  pthread_create(&second, NULL, consumer, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
