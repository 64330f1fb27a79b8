/* A pool of worker threads over a circular queue.
 * bug (assertions): a worker leaves at a graceful shutdown though jobs are left */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define MAX_THREADS 64
#define MAX_QUEUE 65536
typedef enum { tp_invalid = -1, tp_lock_failure = -2, tp_queue_full = -3, tp_shutdown = -4, tp_thread_failure = -5 } tp_error_t;
typedef enum { tp_graceful = 1 } tp_destroy_flags_t;
typedef enum { immediate_shutdown = 1, graceful_shutdown = 2 } tp_shutdown_t;
typedef struct {
  void (*function)(void *);
  void *argument;
} tp_task_t;
struct tp_t {
  pthread_mutex_t lock;
  pthread_cond_t notify;
  pthread_t *threads;
  tp_task_t *queue;
  int thread_count;
  int queue_size;
  int head;
  int tail;
  int count;
  int shutdown;
  int started;
};
typedef struct tp_t tp_t;
static void *tp_thread(void *pool);
int tp_free(tp_t *pool);
int tp_destroy(tp_t *pool, int flags);
tp_t *tp_create(int thread_count, int queue_size, int flags) {
  tp_t *pool;
  int i;
  (void)flags;
  if (thread_count <= 0 || thread_count > MAX_THREADS || queue_size <= 0 || queue_size > MAX_QUEUE) return NULL;
  if ((pool = (tp_t *)malloc(sizeof(tp_t))) == NULL) goto err;
  pool->thread_count = 0;
  pool->queue_size = queue_size;
  pool->head = pool->tail = pool->count = 0;
  pool->shutdown = pool->started = 0;
  pool->threads = (pthread_t *)malloc(sizeof(pthread_t) * thread_count);
  pool->queue = (tp_task_t *)malloc(sizeof(tp_task_t) * queue_size);
  if ((pthread_mutex_init(&(pool->lock), NULL) != 0) || (pthread_cond_init(&(pool->notify), NULL) != 0) || (pool->threads == NULL) || (pool->queue == NULL)) goto err;
  for (i = 0; i < thread_count; i++) {
    if (pthread_create(&(pool->threads[i]), NULL, tp_thread, (void *)pool) != 0) {
      tp_destroy(pool, 0);
      return NULL;
    }
    pool->thread_count++;
    pool->started++;
  }
  return pool;
err:
  if (pool) tp_free(pool);
  return NULL;
}
int tp_add(tp_t *pool, void (*function)(void *), void *argument, int flags) {
  int err = 0;
  int next;
  (void)flags;
  if (pool == NULL || function == NULL) return tp_invalid;
  if (pthread_mutex_lock(&(pool->lock)) != 0) return tp_lock_failure;
  next = (pool->tail + 1) % pool->queue_size;
  do {
    if (pool->count == pool->queue_size) {
      err = tp_queue_full;
      break;
    }
    if (pool->shutdown) {
      err = tp_shutdown;
      break;
    }
    pool->queue[pool->tail].function = function;
    pool->queue[pool->tail].argument = argument;
    pool->tail = next;
    pool->count += 1;
    if (pthread_cond_signal(&(pool->notify)) != 0) {
      err = tp_lock_failure;
      break;
    }
  } while (0);
  if (pthread_mutex_unlock(&pool->lock) != 0) err = tp_lock_failure;
  return err;
}
int tp_destroy(tp_t *pool, int flags) {
  int i, err = 0;
  if (pool == NULL) return tp_invalid;
  if (pthread_mutex_lock(&(pool->lock)) != 0) return tp_lock_failure;
  do {
    if (pool->shutdown) {
      err = tp_shutdown;
      break;
    }
    pool->shutdown = (flags & tp_graceful) ? graceful_shutdown : immediate_shutdown;
    if ((pthread_cond_broadcast(&(pool->notify)) != 0) || (pthread_mutex_unlock(&(pool->lock)) != 0)) {
      err = tp_lock_failure;
      break;
    }
    for (i = 0; i < pool->thread_count; i++) {
      if (pthread_join(pool->threads[i], NULL) != 0) err = tp_thread_failure;
    }
  } while (0);
  if (!err) tp_free(pool);
  return err;
}
int tp_free(tp_t *pool) {
  if (pool == NULL || pool->started > 0) {
    if (pool == NULL) return -1;
  }
  if (pool->threads) {
    free(pool->threads);
    free(pool->queue);
    pthread_mutex_lock(&(pool->lock));
    pthread_mutex_destroy(&(pool->lock));
    pthread_cond_destroy(&(pool->notify));
  }
  free(pool);
  return 0;
}
static void *tp_thread(void *threadpool) {
  tp_t *pool = (tp_t *)threadpool;
  tp_task_t task;
  for (;;) {
    pthread_mutex_lock(&(pool->lock));
    while ((pool->count == 0) && (!pool->shutdown)) pthread_cond_wait(&(pool->notify), &(pool->lock));
#ifdef BUG
    if (pool->shutdown) break;
#else
    if ((pool->shutdown == immediate_shutdown) || ((pool->shutdown == graceful_shutdown) && (pool->count == 0))) break;
#endif
    task.function = pool->queue[pool->head].function;
    task.argument = pool->queue[pool->head].argument;
    pool->head = (pool->head + 1) % pool->queue_size;
    pool->count -= 1;
    pthread_mutex_unlock(&(pool->lock));
    (*(task.function))(task.argument);
  }
  pool->started--;
  pthread_mutex_unlock(&(pool->lock));
  pthread_exit(NULL);
  return (NULL);
}
#define THREAD 2
#define QUEUE 8
int tasks = 0, done = 0;
pthread_mutex_t lock;
void dummy_task(void *arg) {
  usleep(10000);
  pthread_mutex_lock(&lock);
  done++;
  pthread_mutex_unlock(&lock);
}
int main(int argc, char **argv) {
  tp_t *pool;
  pthread_mutex_init(&lock, NULL);
  assert((pool = tp_create(THREAD, QUEUE, 0)) != NULL);
  fprintf(stderr, "Pool started with %d threads and queue size of %d\n", THREAD, QUEUE);
  while (tasks < 3 && tp_add(pool, &dummy_task, NULL, 0) == 0) {
    pthread_mutex_lock(&lock);
    tasks++;
    pthread_mutex_unlock(&lock);
  }
  fprintf(stderr, "Added %d tasks\n", tasks);
  assert(tp_destroy(pool, tp_graceful) == 0);
  fprintf(stderr, "Did %d tasks\n", done);
  assert(done == tasks);
  return 0;
}
