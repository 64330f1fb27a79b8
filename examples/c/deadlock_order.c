// Two locks taken in two orders: each thread can hold one and wait for the other.
// expect: unsafe
// property: deadlock
// threads: 3
// native: compiles
#include <pthread.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

void *left_first(void *argument) {
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  return argument;
}

void *right_first(void *argument) {
  pthread_mutex_lock(&right);
  pthread_mutex_lock(&left);
  pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, left_first, NULL);
  pthread_create(&second, NULL, right_first, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
