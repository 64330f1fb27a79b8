// Readers and a writer under a read-write lock: no reader sees half of an update.
// expect: safe
// threads: 4
// native: terminates
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int left, right;

void *writer(void *argument) {
  pthread_rwlock_wrlock(&lock);
  left++;
  right++;
  pthread_rwlock_unlock(&lock);
  return argument;
}

void *reader(void *argument) {
  pthread_rwlock_rdlock(&lock);
  assert(left == right);
  pthread_rwlock_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t first, second, third;
  pthread_create(&first, NULL, writer, NULL);
  pthread_create(&second, NULL, reader, NULL);
  pthread_create(&third, NULL, reader, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_join(third, NULL);
  assert(left == 1);
  return 0;
}
