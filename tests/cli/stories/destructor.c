// What a destructor of thread-specific data does comes at the end of the routine.
// has: end of worker
// has: calls drop
// has: frees heap1[0]
// hasnot: ; worker
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_key_t key;
static int dropped;
static void drop(void *p) { dropped += *(int *)p; free(p); }
static void *worker(void *arg) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = (int)(long)arg;
  pthread_setspecific(key, p);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_key_create(&key, drop);
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, (void *)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(dropped == 0);
  return 0;
}
