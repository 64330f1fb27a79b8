// A mutex that is unlocked on a path on which it was not locked.
// expect: unsafe
// property: locks
// threads: 2
// native: terminates
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *worker(void *argument) {
  if (pthread_mutex_trylock(&lock) == 0) count++;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  return 0;
}
