// An object that is freed while another thread may still write to it.
// expect: unsafe
// property: faults
// threads: 2
// native: compiles
#include <pthread.h>
#include <stdlib.h>

int *object;

void *user(void *argument) {
  *object = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  object = malloc(sizeof *object);
  if (object == NULL) return 1;
  pthread_create(&thread, NULL, user, NULL);
  free(object);
  pthread_join(thread, NULL);
  return 0;
}
