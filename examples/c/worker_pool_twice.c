// The pool of worker_pool.c whose counter is read and advanced in two steps: a task can be done twice.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

enum { workers = 2, tasks = 2 };

volatile int next_task;
volatile int done[tasks];

void *worker(void *argument) {
  while (next_task < tasks) {
    const int task = next_task;
    next_task = task + 1;
    if (task < tasks) done[task] = done[task] + 1;
  }
  return argument;
}

int main(void) {
  pthread_t pool[workers];
  for (int i = 0; i < workers; i++) pthread_create(&pool[i], NULL, worker, NULL);
  for (int i = 0; i < workers; i++) pthread_join(pool[i], NULL);
  for (int i = 0; i < tasks; i++) assert(done[i] == 1);
  return 0;
}
