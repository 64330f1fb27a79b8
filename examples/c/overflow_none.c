// The same amounts in unsigned arithmetic, which wraps around and never overflows.
// expect: safe
// property: overflow
// threads: 2
// native: terminates
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned balance;

void *deposit(void *argument) {
  pthread_mutex_lock(&lock);
  balance = balance + 2000000000u;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, deposit, NULL);
  deposit(NULL);
  pthread_join(thread, NULL);
  return balance != 4000000000u;
}
