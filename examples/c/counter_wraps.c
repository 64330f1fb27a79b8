// A counter of eight bits wraps around; what fits into a byte is what C says.
// expect: safe
// threads: 2
// native: terminates
#include <assert.h>
#include <pthread.h>

unsigned char counter = 254;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  counter += 1;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  assert(counter == 0);
  assert((signed char)(counter - 1) == -1);
  return 0;
}
