// A pool of two workers that take tasks from a shared counter; main waits for them and finds all tasks done once.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { workers = 2, tasks = 3 };

atomic_int next_task;
int done[tasks];

void *worker(void *argument) {
  for (;;) {
    const int task = atomic_fetch_add(&next_task, 1);
    if (task >= tasks) return argument;
    done[task]++;
  }
}

int main(void) {
  pthread_t pool[workers];
  for (int i = 0; i < workers; i++) pthread_create(&pool[i], NULL, worker, NULL);
  for (int i = 0; i < workers; i++) pthread_join(pool[i], NULL);
  for (int i = 0; i < tasks; i++) assert(done[i] == 1);
  return 0;
}
