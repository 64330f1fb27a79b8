// A parallel sum: thread i sums its own slice into its own slot.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
enum { size = 2 * N };
int data[size];
struct arg { int lo, hi, result; } a[N];
void *worker(void *p) {
  struct arg *own = p;
  for (int i = own->lo; i < own->hi; i++) own->result += data[i];
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < size; i++) data[i] = i;
  for (int i = 0; i < N; i++) {
    a[i].lo = 2 * i;
    a[i].hi = 2 * i + 2;
    pthread_create(&t[i], 0, worker, &a[i]);
  }
  int sum = 0;
  for (int i = 0; i < N; i++) {
    pthread_join(t[i], 0);
    sum += a[i].result;
  }
  assert(sum == size * (size - 1) / 2);
  return 0;
}
