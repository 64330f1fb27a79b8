// The values of mutex_any_number.c, each under a mutex of its own: together they do not agree.
// expect: unsafe
// threads: any
// unsafe-from: 3
// native: compiles
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

pthread_mutex_t left_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t right_lock = PTHREAD_MUTEX_INITIALIZER;
bool left, right;

void *worker(void *argument) {
  pthread_mutex_lock(&left_lock);
  left = !left;
  pthread_mutex_unlock(&left_lock);
  pthread_mutex_lock(&right_lock);
  right = !right;
  pthread_mutex_unlock(&right_lock);
  return argument;
}

void *observer(void *argument) {
  pthread_mutex_lock(&left_lock);
  pthread_mutex_lock(&right_lock);
  assert(left == right);
  pthread_mutex_unlock(&right_lock);
  pthread_mutex_unlock(&left_lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, observer, NULL);
  while (1) pthread_create(&thread, NULL, worker, NULL);
}
