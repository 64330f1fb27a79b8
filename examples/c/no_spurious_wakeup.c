// The program of spurious_wakeup.c where nobody wakes for no reason.
// expect: safe
// threads: 2
// options: --spurious-wakeups=no
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
