// A pool: N workers take tasks from a list that main fills; main joins them and counts.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 2
#endif
enum { tasks = 3 };
struct task { int amount; struct task *next; };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t more = PTHREAD_COND_INITIALIZER;
struct task *head;
int closed, sum;
void *worker(void *p) {
  for (;;) {
    pthread_mutex_lock(&m);
    while (!head && !closed) pthread_cond_wait(&more, &m);
    struct task *task = head;
    if (!task) {
      pthread_mutex_unlock(&m);
      return 0;
    }
    head = task->next;
#ifndef WRONG
    sum += task->amount;
#endif
    pthread_mutex_unlock(&m);
#ifdef WRONG
    sum += task->amount;
#endif
    free(task);
  }
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < tasks; i++) {
    struct task *task = malloc(sizeof *task);
    task->amount = 1;
    pthread_mutex_lock(&m);
    task->next = head;
    head = task;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
  closed = 1;
  pthread_cond_broadcast(&more);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(sum == tasks);
  return 0;
}
