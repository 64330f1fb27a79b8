// Workers get the address of the loop's variable, which has changed by the time they read it.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

enum { workers = 2 };

int results[workers + 1];

void *worker(void *argument) {
  const int number = *(volatile int *)argument;
  results[number] = 1;
  return NULL;
}

int main(void) {
  pthread_t pool[workers];
  int i;
  for (i = 0; i < workers; i++) pthread_create(&pool[i], NULL, worker, &i);
  pthread_join(pool[0], NULL);
  pthread_join(pool[1], NULL);
  assert(results[0] == 1);
  return 0;
}
