// One waiter that trusts its wake-up.  It is right as long as nobody wakes for no reason, which POSIX allows.
// expect: unsafe
// threads: 2
// native: terminates
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

void *setter(void *argument) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, setter, NULL);
  pthread_mutex_lock(&lock);
  if (!ready) pthread_cond_wait(&changed, &lock);
  assert(ready);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
