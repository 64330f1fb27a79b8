// N threads move money between two accounts, each behind its own lock, taken in order.  Wrong: one lock is forgotten.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
struct account { int balance; pthread_mutex_t lock; };
struct account accounts[2] = {{N, PTHREAD_MUTEX_INITIALIZER}, {N, PTHREAD_MUTEX_INITIALIZER}};
void *transfer(void *p) {
  int from = (long)p % 2;
  pthread_mutex_lock(&accounts[0].lock);
#ifndef WRONG
  pthread_mutex_lock(&accounts[1].lock);
#endif
  accounts[from].balance--;
  accounts[1 - from].balance++;
#ifdef WRONG
  pthread_mutex_unlock(&accounts[0].lock);
  pthread_mutex_lock(&accounts[1].lock);
  accounts[1].balance += 0;
#else
  pthread_mutex_unlock(&accounts[0].lock);
#endif
  pthread_mutex_unlock(&accounts[1].lock);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, transfer, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(accounts[0].balance + accounts[1].balance == 2 * N);
  return 0;
}
