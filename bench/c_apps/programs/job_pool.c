/* A thread pool in the manner of small C libraries.
 * bug (deadlock): the last job does not wake whoever waits for the pool to be idle */
#if defined(__APPLE__)
#include <AvailabilityMacros.h>
#else
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 500
#endif
#endif
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#if !defined(DISABLE_PRINT)
#define err(str) fprintf(stderr, str)
#else
#define err(str)
#endif

typedef struct pool_ *threadpool;

static volatile int keepalive;
static volatile int on_hold;

typedef struct bsem {
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  int v;
} bsem;

typedef struct job {
  struct job *prev;
  void (*function)(void *arg);
  void *arg;
} job;

typedef struct jobqueue {
  pthread_mutex_t rwmutex;
  job *front;
  job *rear;
  bsem *has_jobs;
  int len;
} jobqueue;

typedef struct thread {
  int id;
  pthread_t pthread;
  struct pool_ *pool;
} thread;

typedef struct pool_ {
  thread **threads;
  volatile int num_alive;
  volatile int num_working;
  pthread_mutex_t count_lock;
  pthread_cond_t all_idle;
  jobqueue jobs;
} pool_;

static int thread_init(pool_ *p, struct thread **t, int id);
static void *thread_do(struct thread *t);
static void thread_destroy(struct thread *t);
static int jobqueue_init(jobqueue *q);
static void jobqueue_clear(jobqueue *q);
static void jobqueue_push(jobqueue *q, struct job *j);
static struct job *jobqueue_pull(jobqueue *q);
static void jobqueue_destroy(jobqueue *q);
static void bsem_init(struct bsem *b, int value);
static void bsem_reset(struct bsem *b);
static void bsem_post(struct bsem *b);
static void bsem_post_all(struct bsem *b);
static void bsem_wait(struct bsem *b);

struct pool_ *pool_init(int num_threads) {
  on_hold = 0;
  keepalive = 1;
  if (num_threads < 0) num_threads = 0;
  pool_ *p = (struct pool_ *)malloc(sizeof(struct pool_));
  if (p == NULL) {
    err("pool_init(): Could not allocate memory for thread pool\n");
    return NULL;
  }
  p->num_alive = 0;
  p->num_working = 0;
  if (jobqueue_init(&p->jobs) == -1) {
    err("pool_init(): Could not allocate memory for job queue\n");
    free(p);
    return NULL;
  }
  p->threads = (struct thread **)malloc(num_threads * sizeof(struct thread *));
  if (p->threads == NULL) {
    err("pool_init(): Could not allocate memory for threads\n");
    jobqueue_destroy(&p->jobs);
    free(p);
    return NULL;
  }
  pthread_mutex_init(&(p->count_lock), NULL);
  pthread_cond_init(&p->all_idle, NULL);
  int n;
  for (n = 0; n < num_threads; n++) {
    thread_init(p, &p->threads[n], n);
  }
  while (p->num_alive != num_threads) {
  }
  return p;
}

int pool_add(pool_ *p, void (*function)(void *), void *arg) {
  job *newjob = (struct job *)malloc(sizeof(struct job));
  if (newjob == NULL) {
    err("pool_add(): Could not allocate memory for new job\n");
    return -1;
  }
  newjob->function = function;
  newjob->arg = arg;
  jobqueue_push(&p->jobs, newjob);
  return 0;
}

void pool_wait(pool_ *p) {
  pthread_mutex_lock(&p->count_lock);
  while (p->jobs.len || p->num_working) {
    pthread_cond_wait(&p->all_idle, &p->count_lock);
  }
  pthread_mutex_unlock(&p->count_lock);
}

void pool_destroy(pool_ *p) {
  if (p == NULL) return;
  volatile int threads_total = p->num_alive;
  keepalive = 0;
  double TIMEOUT = 1.0;
  time_t start, end;
  double tpassed = 0.0;
  time(&start);
  while (tpassed < TIMEOUT && p->num_alive) {
    bsem_post_all(p->jobs.has_jobs);
    time(&end);
    tpassed = difftime(end, start);
  }
  while (p->num_alive) {
    bsem_post_all(p->jobs.has_jobs);
    sleep(1);
  }
  jobqueue_destroy(&p->jobs);
  int n;
  for (n = 0; n < threads_total; n++) {
    thread_destroy(p->threads[n]);
  }
  free(p->threads);
  free(p);
}

void pool_pause(pool_ *p) {
  int n;
  for (n = 0; n < p->num_alive; n++) {
    pthread_kill(p->threads[n]->pthread, SIGUSR1);
  }
}

static int thread_init(pool_ *p, struct thread **t, int id) {
  *t = (struct thread *)malloc(sizeof(struct thread));
  if (*t == NULL) {
    err("thread_init(): Could not allocate memory for thread\n");
    return -1;
  }
  (*t)->pool = p;
  (*t)->id = id;
  pthread_create(&(*t)->pthread, NULL, (void *(*)(void *))thread_do, (*t));
  pthread_detach((*t)->pthread);
  return 0;
}

static void thread_hold(int sig_id) {
  (void)sig_id;
  on_hold = 1;
  while (on_hold) {
    sleep(1);
  }
}

static void *thread_do(struct thread *t) {
  char thread_name[32] = {0};
  snprintf(thread_name, 32, "pool-%d", t->id);
#if defined(__linux__)
  prctl(PR_SET_NAME, thread_name);
#else
  err("thread_do(): no names\n");
#endif
  pool_ *p = t->pool;
  struct sigaction act;
  sigemptyset(&act.sa_mask);
  act.sa_flags = 0;
  act.sa_handler = thread_hold;
  if (sigaction(SIGUSR1, &act, NULL) == -1) {
    err("thread_do(): cannot handle SIGUSR1");
  }
  pthread_mutex_lock(&p->count_lock);
  p->num_alive += 1;
  pthread_mutex_unlock(&p->count_lock);
  while (keepalive) {
    bsem_wait(p->jobs.has_jobs);
    if (keepalive) {
      pthread_mutex_lock(&p->count_lock);
      p->num_working++;
      pthread_mutex_unlock(&p->count_lock);
      void (*func_buff)(void *);
      void *arg_buff;
      job *j = jobqueue_pull(&p->jobs);
      if (j) {
        func_buff = j->function;
        arg_buff = j->arg;
        func_buff(arg_buff);
        free(j);
      }
      pthread_mutex_lock(&p->count_lock);
      p->num_working--;
#ifdef BUG
      if (p->num_working > 0) {
#else
      if (!p->num_working) {
#endif
        pthread_cond_signal(&p->all_idle);
      }
      pthread_mutex_unlock(&p->count_lock);
    }
  }
  pthread_mutex_lock(&p->count_lock);
  p->num_alive--;
  pthread_mutex_unlock(&p->count_lock);
  return NULL;
}

static void thread_destroy(thread *t) { free(t); }

static int jobqueue_init(jobqueue *q) {
  q->len = 0;
  q->front = NULL;
  q->rear = NULL;
  q->has_jobs = (struct bsem *)malloc(sizeof(struct bsem));
  if (q->has_jobs == NULL) return -1;
  pthread_mutex_init(&(q->rwmutex), NULL);
  bsem_init(q->has_jobs, 0);
  return 0;
}
static void jobqueue_clear(jobqueue *q) {
  while (q->len) free(jobqueue_pull(q));
  q->front = NULL;
  q->rear = NULL;
  bsem_reset(q->has_jobs);
  q->len = 0;
}
static void jobqueue_push(jobqueue *q, struct job *newjob) {
  pthread_mutex_lock(&q->rwmutex);
  newjob->prev = NULL;
  switch (q->len) {
    case 0:
      q->front = newjob;
      q->rear = newjob;
      break;
    default:
      q->rear->prev = newjob;
      q->rear = newjob;
  }
  q->len++;
  bsem_post(q->has_jobs);
  pthread_mutex_unlock(&q->rwmutex);
}
static struct job *jobqueue_pull(jobqueue *q) {
  pthread_mutex_lock(&q->rwmutex);
  job *j = q->front;
  switch (q->len) {
    case 0:
      break;
    case 1:
      q->front = NULL;
      q->rear = NULL;
      q->len = 0;
      break;
    default:
      q->front = j->prev;
      q->len--;
      bsem_post(q->has_jobs);
  }
  pthread_mutex_unlock(&q->rwmutex);
  return j;
}
static void jobqueue_destroy(jobqueue *q) {
  jobqueue_clear(q);
  free(q->has_jobs);
}
static void bsem_init(bsem *b, int value) {
  if (value < 0 || value > 1) {
    err("bsem_init(): Binary semaphore can take only values 1 or 0");
    exit(1);
  }
  pthread_mutex_init(&(b->mutex), NULL);
  pthread_cond_init(&(b->cond), NULL);
  b->v = value;
}
static void bsem_reset(bsem *b) {
  pthread_mutex_destroy(&(b->mutex));
  pthread_cond_destroy(&(b->cond));
  bsem_init(b, 0);
}
static void bsem_post(bsem *b) {
  pthread_mutex_lock(&b->mutex);
  b->v = 1;
  pthread_cond_signal(&b->cond);
  pthread_mutex_unlock(&b->mutex);
}
static void bsem_post_all(bsem *b) {
  pthread_mutex_lock(&b->mutex);
  b->v = 1;
  pthread_cond_broadcast(&b->cond);
  pthread_mutex_unlock(&b->mutex);
}
static void bsem_wait(bsem *b) {
  pthread_mutex_lock(&b->mutex);
  while (b->v != 1) {
    pthread_cond_wait(&b->cond, &b->mutex);
  }
  b->v = 0;
  pthread_mutex_unlock(&b->mutex);
}

void task(void *arg) { printf("Thread #%u working on %d\n", (int)pthread_self(), (int)(intptr_t)arg); }

int main(void) {
  puts("Making threadpool with 2 threads");
  threadpool p = pool_init(2);
  puts("Adding 2 tasks to threadpool");
  int i;
  for (i = 0; i < 2; i++) {
    pool_add(p, task, (void *)(uintptr_t)i);
  }
  pool_wait(p);
  puts("Killing threadpool");
  pool_destroy(p);
  return 0;
}
