// Threads that nobody can tell apart have no handle that one could name.
// has: counter = 1, T1 ends
// has: the thread has ended
// hasnot: T2 has ended
// hasnot: T1 has ended
#include <assert.h>
#include <pthread.h>
static int counter;
static void *worker(void *arg) { counter++; return arg; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  return 0;
}
