// The device of driver_interrupt.c, where the process does not lock: it sees half of what the handler does.
// expect: unsafe
// threads: 2
// options: --linux
// native: no
#include <assert.h>
#include <pthread.h>

DEFINE_SPINLOCK(lock);
atomic_t interrupts = ATOMIC_INIT(0);
int length;
int filled;

void *interrupt(void *argument) {
  spin_lock(&lock);
  if (length < 2) {
    length++;
    filled++;
  }
  spin_unlock(&lock);
  atomic_inc(&interrupts);
  return argument;
}

int main(void) {
  pthread_t handler;
  pthread_create(&handler, NULL, interrupt, NULL);
  assert(length == filled);
  if (length > 0) {
    length--;
    filled--;
  }
  assert(atomic_read(&interrupts) <= 1);
  return 0;
}
