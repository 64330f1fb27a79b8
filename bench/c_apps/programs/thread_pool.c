/* A pool of workers with a linked list of jobs, an immediate or a graceful shutdown, and options of the command line.
 * bug (deadlock): the job that empties the list does not wake those who wait for all jobs. */
#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_WORKERS 2
#define JOBS 3

typedef void (*job_fn)(void *arg);

typedef struct job {
  job_fn run;
  void *arg;
  struct job *next;
} job_t;

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t work;
  pthread_cond_t idle;
  job_t *first;
  job_t **last;
  size_t pending; /* queued or running */
  bool stopping;
  unsigned nworkers;
  pthread_t workers[MAX_WORKERS];
} pool_t;

static const char *progname = "thread_pool";

static void die(const char *what, int err)
{
  fprintf(stderr, "%s: %s: %s\n", progname, what, strerror(err));
  exit(EXIT_FAILURE);
}

static void *worker_main(void *arg)
{
  pool_t *pool = arg;

  pthread_mutex_lock(&pool->lock);
  for (;;) {
    while (pool->first == NULL && !pool->stopping)
      pthread_cond_wait(&pool->work, &pool->lock);
    job_t *job = pool->first;
    if (job == NULL)
      break;
    pool->first = job->next;
    if (pool->first == NULL)
      pool->last = &pool->first;
    pthread_mutex_unlock(&pool->lock);

    job->run(job->arg);
    free(job);

    pthread_mutex_lock(&pool->lock);
#ifdef BUG
    if (--pool->pending == 0 && pool->first != NULL)
#else
    if (--pool->pending == 0)
#endif
      pthread_cond_broadcast(&pool->idle);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

static int pool_init(pool_t *pool, unsigned nworkers)
{
  int err;

  memset(pool, 0, sizeof *pool);
  if ((err = pthread_mutex_init(&pool->lock, NULL)) != 0)
    return err;
  if ((err = pthread_cond_init(&pool->work, NULL)) != 0)
    goto fail_lock;
  if ((err = pthread_cond_init(&pool->idle, NULL)) != 0)
    goto fail_work;
  pool->last = &pool->first;
  for (pool->nworkers = 0; pool->nworkers < nworkers; pool->nworkers++) {
    err = pthread_create(&pool->workers[pool->nworkers], NULL, worker_main, pool);
    if (err != 0)
      goto fail_threads;
  }
  return 0;

fail_threads:
  pthread_mutex_lock(&pool->lock);
  pool->stopping = true;
  pthread_cond_broadcast(&pool->work);
  pthread_mutex_unlock(&pool->lock);
  while (pool->nworkers-- > 0)
    pthread_join(pool->workers[pool->nworkers], NULL);
  pthread_cond_destroy(&pool->idle);
fail_work:
  pthread_cond_destroy(&pool->work);
fail_lock:
  pthread_mutex_destroy(&pool->lock);
  return err;
}

static int pool_submit(pool_t *pool, job_fn run, void *arg)
{
  job_t *job = malloc(sizeof *job);
  if (job == NULL)
    return ENOMEM;
  job->run = run;
  job->arg = arg;
  job->next = NULL;
  pthread_mutex_lock(&pool->lock);
  *pool->last = job;
  pool->last = &job->next;
  pool->pending++;
  pthread_cond_signal(&pool->work);
  pthread_mutex_unlock(&pool->lock);
  return 0;
}

static void pool_wait(pool_t *pool)
{
  pthread_mutex_lock(&pool->lock);
  while (pool->pending > 0)
    pthread_cond_wait(&pool->idle, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

static void pool_destroy(pool_t *pool)
{
  pthread_mutex_lock(&pool->lock);
  pool->stopping = true;
  pthread_cond_broadcast(&pool->work);
  pthread_mutex_unlock(&pool->lock);
  for (unsigned i = 0; i < pool->nworkers; i++)
    pthread_join(pool->workers[i], NULL);
  pthread_cond_destroy(&pool->idle);
  pthread_cond_destroy(&pool->work);
  pthread_mutex_destroy(&pool->lock);
}

static int results[JOBS];

static void square(void *arg)
{
  int i = (int)(intptr_t)arg;
  results[i] = i * i;
}

static void usage(int status)
{
  fprintf(status == 0 ? stdout : stderr, "usage: %s [-h] [-v]\n", progname);
  exit(status);
}

int main(int argc, char **argv)
{
  pool_t pool;
  int opt, err, verbose = 0;

  while ((opt = getopt(argc, argv, "hv")) != -1) {
    switch (opt) {
    case 'h':
      usage(0);
      break;
    case 'v':
      verbose = 1;
      break;
    default:
      usage(2);
    }
  }
  if ((err = pool_init(&pool, MAX_WORKERS)) != 0)
    die("pool_init", err);
  for (int i = 0; i < JOBS; i++)
    if ((err = pool_submit(&pool, square, (void *)(intptr_t)i)) != 0)
      die("pool_submit", err);
  pool_wait(&pool);
  for (int i = 0; i < JOBS; i++)
    assert(results[i] == i * i);
  pool_destroy(&pool);
  if (verbose)
    printf("%d jobs done\n", JOBS);
  return 0;
}
