// pthread_once runs the set-up once and makes everybody else wait for it.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int set_up;

static void initialise(void) {
  assert(set_up == 0);
  set_up = 1;
}

void *worker(void *argument) {
  pthread_once(&once, initialise);
  assert(set_up == 1);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, worker, NULL);
  pthread_create(&second, NULL, worker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
