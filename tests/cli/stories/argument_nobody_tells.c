// All threads are given the same, so that nothing depends on it: what they are given is not told, rather than told wrong.
// has: creates T1, T2 running work
// hasnot: running work(
// has: why: T0 at
#include <assert.h>
#include <pthread.h>
int x;
void *work(void *arg) {
  int n = *(int *)arg;
  x += n;
  return 0;
}
int main(void) {
  int each = 3;
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &each);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(x == 6);
  return 0;
}
