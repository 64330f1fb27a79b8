// A pool whose stop signals one worker only: who waits for whom, and that on a page.
// ask: --property deadlock
// has: creates T1, T2, T3 running worker(&pool)
// has: calls submit: pool.queue[0].run = add, pool.queue[0].arg = 1, pool.count = 1
// has: (p->workers[i])
// has: for pool.not_empty, and nobody is left to wake
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#define WORKERS 3
#define SLOTS 2
typedef void (*job_fn)(int);
struct job { job_fn run; int arg; };
struct pool {
  pthread_mutex_t mutex;
  pthread_cond_t not_empty, not_full;
  struct job queue[SLOTS];
  int head, count;
  bool stopping;
  pthread_t workers[WORKERS];
};
static struct pool pool;
static int sum;
static void add(int x) { __atomic_fetch_add(&sum, x, __ATOMIC_SEQ_CST); }
static void *worker(void *arg) {
  struct pool *p = arg;
  for (;;) {
    pthread_mutex_lock(&p->mutex);
    while (p->count == 0 && !p->stopping)
      pthread_cond_wait(&p->not_empty, &p->mutex);
    if (p->count == 0 && p->stopping) {
      pthread_mutex_unlock(&p->mutex);
      return NULL;
    }
    struct job j = p->queue[p->head];
    p->head = (p->head + 1) % SLOTS;
    p->count--;
    pthread_cond_signal(&p->not_full);
    pthread_mutex_unlock(&p->mutex);
    j.run(j.arg);
  }
}
static void submit(struct pool *p, job_fn f, int arg) {
  pthread_mutex_lock(&p->mutex);
  while (p->count == SLOTS)
    pthread_cond_wait(&p->not_full, &p->mutex);
  p->queue[(p->head + p->count) % SLOTS] = (struct job){f, arg};
  p->count++;
  pthread_cond_signal(&p->not_empty);
  pthread_mutex_unlock(&p->mutex);
}
static void pool_start(struct pool *p) {
  pthread_mutex_init(&p->mutex, NULL);
  pthread_cond_init(&p->not_empty, NULL);
  pthread_cond_init(&p->not_full, NULL);
  for (int i = 0; i < WORKERS; i++) pthread_create(&p->workers[i], NULL, worker, p);
}
static void pool_stop(struct pool *p) {
  pthread_mutex_lock(&p->mutex);
  p->stopping = true;
  pthread_cond_signal(&p->not_empty);
  pthread_mutex_unlock(&p->mutex);
  for (int i = 0; i < WORKERS; i++) pthread_join(p->workers[i], NULL);
}
int main(void) {
  pool_start(&pool);
  for (int i = 1; i <= 3; i++) submit(&pool, add, i);
  pool_stop(&pool);
  return 0;
}
