// threads.h of C11: two threads count under a mutex and answer with what they saw.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <threads.h>

mtx_t lock;
int counter;

int worker(void *argument) {
  (void)argument;
  mtx_lock(&lock);
  const int seen = ++counter;
  mtx_unlock(&lock);
  return seen;
}

int main(void) {
  thrd_t first, second;
  int left, right;
  mtx_init(&lock, mtx_plain);
  thrd_create(&first, worker, 0);
  thrd_create(&second, worker, 0);
  thrd_join(first, &left);
  thrd_join(second, &right);
  assert(left + right == 3);
  mtx_destroy(&lock);
  return 0;
}
