/* A small stack machine with threaded code (computed goto); two machines share a cell under a lock of the language.
 * bug (assertions): the program of one machine forgets to lock. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum opcode { OP_PUSH, OP_ADD, OP_LOAD, OP_STORE, OP_LOCK, OP_UNLOCK, OP_HALT };

struct vm {
  const uint8_t *pc;
  int stack[4];
  int sp;
};

static pthread_mutex_t cell_lock = PTHREAD_MUTEX_INITIALIZER;
static int cell;

static void run(struct vm *vm)
{
  static const void *const targets[] = {
    &&op_push, &&op_add, &&op_load, &&op_store, &&op_lock, &&op_unlock, &&op_halt,
  };
#define DISPATCH() goto *targets[*vm->pc++]
  DISPATCH();
op_push:
  vm->stack[vm->sp++] = *vm->pc++;
  DISPATCH();
op_add:
  vm->sp--;
  vm->stack[vm->sp - 1] += vm->stack[vm->sp];
  DISPATCH();
op_load:
  vm->stack[vm->sp++] = cell;
  DISPATCH();
op_store:
  cell = vm->stack[--vm->sp];
  DISPATCH();
op_lock:
  pthread_mutex_lock(&cell_lock);
  DISPATCH();
op_unlock:
  pthread_mutex_unlock(&cell_lock);
  DISPATCH();
op_halt:
  return;
}

static const uint8_t increment[] = {
#ifdef BUG
  OP_LOAD, OP_PUSH, 1, OP_ADD, OP_STORE, OP_HALT
#else
  OP_LOCK, OP_LOAD, OP_PUSH, 1, OP_ADD, OP_STORE, OP_UNLOCK, OP_HALT
#endif
};

static void *machine(void *arg)
{
  struct vm vm = { .pc = arg, .sp = 0 };
  run(&vm);
  return NULL;
}

int main(void)
{
  pthread_t a, b;
  if (pthread_create(&a, NULL, machine, (void *)increment) || pthread_create(&b, NULL, machine, (void *)increment)) {
    perror("pthread_create");
    return EXIT_FAILURE;
  }
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(cell == 2);
  return EXIT_SUCCESS;
}
