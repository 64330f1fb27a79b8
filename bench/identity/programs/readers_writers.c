// N readers and one writer with a read-write lock: readers see both halves of a pair alike.  Wrong: the writer takes the lock to read.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int left, right;
void *reader(void *p) {
  pthread_rwlock_rdlock(&lock);
  assert(left == right);
  pthread_rwlock_unlock(&lock);
  return 0;
}
void *writer(void *p) {
#ifdef WRONG
  pthread_rwlock_rdlock(&lock);
#else
  pthread_rwlock_wrlock(&lock);
#endif
  left++;
  right++;
  pthread_rwlock_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t[N], w;
  pthread_create(&w, 0, writer, 0);
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, reader, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  pthread_join(w, 0);
  assert(left == 1 && right == 1);
  return 0;
}
