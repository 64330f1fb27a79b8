// One slot, one producer, one consumer, two condition variables; each waits in a loop.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

enum { items = 2 };

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
int full;
int slot;

void *producer(void *argument) {
  for (int item = 1; item <= items; item++) {
    pthread_mutex_lock(&lock);
    while (full) pthread_cond_wait(&not_full, &lock);
    slot = item;
    full = 1;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
  }
  return argument;
}

void *consumer(void *argument) {
  for (int item = 1; item <= items; item++) {
    pthread_mutex_lock(&lock);
    while (!full) pthread_cond_wait(&not_empty, &lock);
    assert(slot == item);
    full = 0;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
  }
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, producer, NULL);
  pthread_create(&second, NULL, consumer, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(!full);
  return 0;
}
