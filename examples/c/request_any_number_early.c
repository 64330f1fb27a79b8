// The server of request_any_number.c that takes requests before its set-up is done.
// expect: unsafe
// threads: any
// unsafe-from: 2
// native: compiles
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { created, serving } state;

void *request(void *argument) {
  pthread_mutex_lock(&lock);
  assert(state != created);
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_int()) pthread_create(&thread, NULL, request, NULL);
  pthread_mutex_lock(&lock);
  state = serving;
  pthread_mutex_unlock(&lock);
  return 0;
}
