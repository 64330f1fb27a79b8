// Two consumers that wait with `if` instead of `while`: one takes the item while the other wakes up.
// expect: unsafe
// threads: 4
// native: compiles
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
int count;

void *producer(void *argument) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
  return argument;
}

void *consumer(void *argument) {
  pthread_mutex_lock(&lock);
  if (count == 0) pthread_cond_wait(&not_empty, &lock);
  assert(count > 0);
  count--;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t first, second, third;
  pthread_create(&first, NULL, consumer, NULL);
  pthread_create(&second, NULL, consumer, NULL);
  pthread_create(&third, NULL, producer, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_join(third, NULL);
  return 0;
}
