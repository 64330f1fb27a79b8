// A writer that takes the lock as a reader: readers see half of its update.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int left, right;

void *writer(void *argument) {
  pthread_rwlock_rdlock(&lock);
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
  pthread_t first, second;
  pthread_create(&first, NULL, writer, NULL);
  pthread_create(&second, NULL, reader, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
