// Handles and slots from malloc, of a number known at run time.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif
struct job { int input, output; };
int total;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *p) {
  struct job *job = p;
  job->output = job->input + 1;
#ifndef WRONG
  pthread_mutex_lock(&m);
#endif
  total += job->output;
#ifndef WRONG
  pthread_mutex_unlock(&m);
#endif
  return 0;
}
int main(void) {
  pthread_t *t = malloc(N * sizeof *t);
  struct job *jobs = malloc(N * sizeof *jobs);
  for (int i = 0; i < N; i++) {
    jobs[i].input = 1;
    pthread_create(&t[i], 0, worker, &jobs[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  for (int i = 0; i < N; i++) assert(jobs[i].output == 2);
  assert(total == 2 * N);
  free(jobs);
  free(t);
  return 0;
}
