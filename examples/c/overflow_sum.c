// Two large amounts that together exceed an int.
// expect: unsafe
// property: overflow
// threads: 2
// native: terminates
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance;

void *deposit(void *argument) {
  pthread_mutex_lock(&lock);
  balance = balance + 2000000000;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, deposit, NULL);
  deposit(NULL);
  pthread_join(thread, NULL);
  return 0;
}
