// A server that starts a thread for each request; requests run only after the set-up, and closing waits for the lock.
// expect: safe
// threads: any
// native: compiles
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { created, serving, closed } state;
int answering;

void *request(void *argument) {
  pthread_mutex_lock(&lock);
  if (state == serving) {
    assert(!answering);
    answering = 1;
    assert(state != created);
    answering = 0;
  }
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  state = serving;
  while (__VERIFIER_nondet_int()) pthread_create(&thread, NULL, request, NULL);
  pthread_mutex_lock(&lock);
  assert(!answering);
  state = closed;
  pthread_mutex_unlock(&lock);
  return 0;
}
