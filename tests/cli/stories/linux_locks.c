// Locks of the Linux kernel are locks, not the functions that they are made of.
// ask: --linux --property deadlock
// has: locks a.lock
// has: locks b
// has: b (T2 holds it since
// has: a.lock since
// has: why: T1 waits for b, which T2 holds; T2 waits for a.lock, which T1 holds
#include <pthread.h>
struct device { spinlock_t lock; int open; } a;
DEFINE_MUTEX(b);
void *one(void *arg) {
  spin_lock(&a.lock);
  mutex_lock(&b);
  a.open = 1;
  mutex_unlock(&b);
  spin_unlock(&a.lock);
  return arg;
}
void *two(void *arg) {
  mutex_lock(&b);
  spin_lock(&a.lock);
  a.open = 0;
  spin_unlock(&a.lock);
  mutex_unlock(&b);
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
