// The object is freed when its user has ended, and the index stays inside the array.
// expect: safe
// property: faults
// threads: 2
// native: terminates
#include <pthread.h>
#include <stdlib.h>

int *object;
int table[2];

void *user(void *argument) {
  *object = 1;
  table[*object] = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  object = malloc(sizeof *object);
  if (object == NULL) return 1;
  pthread_create(&thread, NULL, user, NULL);
  pthread_join(thread, NULL);
  free(object);
  return 0;
}
