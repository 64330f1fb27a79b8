// Any number of threads update two values under one mutex that must agree whenever it is free.
// expect: safe
// threads: any
// native: compiles
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
bool left, right;

void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  assert(left == right);
  left = !left;
  right = !right;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  while (1) pthread_create(&thread, NULL, worker, NULL);
}
