// Every access to the counter is under the lock, or happens when the other thread has ended.
// expect: safe
// property: races
// threads: 2
// native: terminates
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter;
atomic_int accesses;

void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
  accesses++;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
  accesses++;
  pthread_join(thread, NULL);
  counter++;
  return counter != 3;
}
