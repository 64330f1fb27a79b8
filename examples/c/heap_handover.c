// A thread makes an object on the heap, hands it over through a pointer, and its receiver frees it.
// expect: safe
// threads: 2
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
  int kind;
  int size;
};

_Atomic(struct message *) box;

void *sender(void *argument) {
  struct message *message = malloc(sizeof *message);
  if (message == NULL) abort();
  message->kind = 3;
  message->size = 40;
  atomic_store(&box, message);
  return argument;
}

int main(void) {
  pthread_t thread;
  struct message *message;
  pthread_create(&thread, NULL, sender, NULL);
  do {
    message = atomic_load(&box);
  } while (message == NULL);
  assert(message->kind == 3);
  assert(message->size == 40);
  free(message);
  pthread_join(thread, NULL);
  return 0;
}
