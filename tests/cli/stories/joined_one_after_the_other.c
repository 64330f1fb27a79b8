// Eight threads are joined one after the other, and none of them has counted: their ends are told in one line.
// has: T1 to T8 have ended
// has: why: T0 at
#include <assert.h>
#include <pthread.h>
#define N 8
int counted, ids[N];
void *racer(void *arg) { int *me = arg; *me += 1; return arg; }
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) { ids[i] = i; pthread_create(&t[i], 0, racer, &ids[i]); }
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(counted == ids[N-1]);
  return 0;
}
