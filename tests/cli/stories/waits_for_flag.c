// A loop that waits for a flag that nobody sets, and a loop in a condition of two parts.
// ask: --property deadlock
// has: waits_for_flag.c:12: while (!flag)
// has: nobody is left to change what it looks at
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static void *worker(void *arg) { return arg; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  while (!flag)
    ;
  pthread_join(thread, 0);
  return 0;
}
