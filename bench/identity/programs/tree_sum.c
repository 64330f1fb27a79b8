// Each thread sums its half of an array, and creates a thread for the other half, down to single elements.  Wrong: it does not wait for that.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
struct part { int low, high, sum; };
int data[N];
void *sum(void *p) {
  struct part *own = p;
  if (own->high - own->low == 1) {
    own->sum = data[own->low];
    return 0;
  }
  int middle = (own->low + own->high) / 2;
  struct part left = {own->low, middle, 0}, right = {middle, own->high, 0};
  pthread_t t;
  pthread_create(&t, 0, sum, &left);
  sum(&right);
#ifndef WRONG
  pthread_join(t, 0);
#endif
  own->sum = left.sum + right.sum;
  return 0;
}
int main(void) {
  for (int i = 0; i < N; i++) data[i] = i + 1;
  struct part all = {0, N, 0};
  sum(&all);
  assert(all.sum == N * (N + 1) / 2);
  return 0;
}
