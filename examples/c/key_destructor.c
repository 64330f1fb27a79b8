// What a thread has under its key is given back by the destructor when the thread ends, however it ends.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

pthread_key_t key;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int taken;
int slots[2];

static void give_back(void *slot) {
  pthread_mutex_lock(&lock);
  *(int *)slot = 0;
  taken--;
  pthread_mutex_unlock(&lock);
}

void *work(void *argument) {
  int *slot = argument;
  pthread_mutex_lock(&lock);
  *slot = 1;
  taken++;
  pthread_mutex_unlock(&lock);
  pthread_setspecific(key, slot);
  if (slot == &slots[0]) pthread_exit(NULL);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_key_create(&key, give_back);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &slots[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(taken == 0 && slots[0] == 0 && slots[1] == 0);
  return 0;
}
