// Commands are functions in a table; a thread runs those that main leaves for it.
// expect: safe
// threads: 2
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef void (*command)(void);

atomic_int next = -1;
int lamp, bell;

static void switch_lamp(void) {
  lamp = !lamp;
}

static void ring_bell(void) {
  bell++;
}

static const command commands[] = {switch_lamp, ring_bell};

void *server(void *argument) {
  int wanted;
  do {
    wanted = atomic_load(&next);
  } while (wanted < 0);
  commands[wanted]();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, server, NULL);
  atomic_store(&next, 1);
  pthread_join(thread, NULL);
  assert(lamp == 0 && bell == 1);
  return 0;
}
