// The handover of heap_handover.c before the object is complete.
// expect: unsafe
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
  struct message *message = calloc(1, sizeof *message);
  if (message == NULL) abort();
  message->kind = 3;
  atomic_store(&box, message);
  message->size = 40;
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
  pthread_join(thread, NULL);
  free(message);
  return 0;
}
