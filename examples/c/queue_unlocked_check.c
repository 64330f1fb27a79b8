// A queue whose taker looks whether it is empty before it locks: by then another may have emptied it.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count = 1;

void *taker(void *argument) {
  if (count > 0) {
    pthread_mutex_lock(&lock);
    count--;
    assert(count >= 0);
    pthread_mutex_unlock(&lock);
  }
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, taker, NULL);
  pthread_create(&second, NULL, taker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
