// A device with an interrupt handler, written with the names of the Linux kernel: the handler runs beside the process and
// both take the spin lock.
// expect: safe
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
  unsigned long flags;
  pthread_create(&handler, NULL, interrupt, NULL);
  spin_lock_irqsave(&lock, flags);
  assert(length == filled);
  if (length > 0) {
    length--;
    filled--;
  }
  spin_unlock_irqrestore(&lock, flags);
  assert(atomic_read(&interrupts) <= 1);
  return 0;
}
