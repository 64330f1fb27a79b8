// A mutex that is unlocked only where it was locked, also by trylock; a recursive one that is locked twice.
// expect: safe
// property: locks
// threads: 2
// native: terminates
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t nested;
int count;

void *worker(void *argument) {
  if (pthread_mutex_trylock(&lock) == 0) {
    count++;
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&nested);
  pthread_mutex_lock(&nested);
  pthread_mutex_unlock(&nested);
  pthread_mutex_unlock(&nested);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&nested, &kind);
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  return 0;
}
