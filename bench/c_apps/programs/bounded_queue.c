/* A bounded queue of pointers with blocking and timed operations, closed by its owner.
 * bug (assertions): a consumer tests the condition once instead of in a loop. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CAPACITY 2
#define ITEMS 3
#define CONSUMERS 2

struct queue {
  pthread_mutex_t mutex;
  pthread_cond_t not_empty, not_full;
  void **items;
  size_t head, count, capacity;
  int closed;
};

#define CHECK(call)                                                     \
  do {                                                                  \
    int rc_ = (call);                                                   \
    if (rc_ != 0) {                                                     \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,     \
              strerror(rc_));                                           \
      abort();                                                          \
    }                                                                   \
  } while (0)

static struct queue *queue_new(size_t capacity)
{
  struct queue *q = calloc(1, sizeof(*q));
  if (!q)
    return NULL;
  q->items = malloc(capacity * sizeof(*q->items));
  if (!q->items) {
    free(q);
    return NULL;
  }
  q->capacity = capacity;
  CHECK(pthread_mutex_init(&q->mutex, NULL));
  CHECK(pthread_cond_init(&q->not_empty, NULL));
  CHECK(pthread_cond_init(&q->not_full, NULL));
  return q;
}

static void queue_free(struct queue *q)
{
  if (!q)
    return;
  pthread_cond_destroy(&q->not_full);
  pthread_cond_destroy(&q->not_empty);
  pthread_mutex_destroy(&q->mutex);
  free(q->items);
  free(q);
}

static int queue_push(struct queue *q, void *item)
{
  int rc = 0;
  pthread_mutex_lock(&q->mutex);
  while (q->count == q->capacity && !q->closed)
    pthread_cond_wait(&q->not_full, &q->mutex);
  if (q->closed) {
    rc = EPIPE;
  } else {
    q->items[(q->head + q->count) % q->capacity] = item;
    q->count++;
    pthread_cond_signal(&q->not_empty);
  }
  pthread_mutex_unlock(&q->mutex);
  return rc;
}

static int queue_pop(struct queue *q, void **item)
{
  int rc = 0;
  pthread_mutex_lock(&q->mutex);
#ifdef BUG
  if (q->count == 0 && !q->closed)
#else
  while (q->count == 0 && !q->closed)
#endif
    pthread_cond_wait(&q->not_empty, &q->mutex);
#ifdef BUG
  if (q->count == 0 && q->closed) {
#else
  if (q->count == 0) {
#endif
    rc = EPIPE;
  } else {
    assert(q->count > 0);
    *item = q->items[q->head];
    q->head = (q->head + 1) % q->capacity;
    q->count--;
    pthread_cond_signal(&q->not_full);
  }
  pthread_mutex_unlock(&q->mutex);
  return rc;
}

static void queue_close(struct queue *q)
{
  pthread_mutex_lock(&q->mutex);
  q->closed = 1;
  pthread_cond_broadcast(&q->not_empty);
  pthread_cond_broadcast(&q->not_full);
  pthread_mutex_unlock(&q->mutex);
}

static void *consumer(void *arg)
{
  struct queue *q = arg;
  void *item;
  intptr_t sum = 0;
  while (queue_pop(q, &item) == 0)
    sum += (intptr_t)item;
  return (void *)sum;
}

int main(void)
{
  pthread_t tid[CONSUMERS];
  intptr_t total = 0;
  struct queue *q = queue_new(CAPACITY);
  if (q == NULL) {
    perror("queue_new");
    return EXIT_FAILURE;
  }
  for (int i = 0; i < CONSUMERS; i++)
    CHECK(pthread_create(&tid[i], NULL, consumer, q));
  for (intptr_t i = 1; i <= ITEMS; i++)
    if (queue_push(q, (void *)i) != 0)
      fprintf(stderr, "queue closed early\n");
  queue_close(q);
  for (int i = 0; i < CONSUMERS; i++) {
    void *sum;
    CHECK(pthread_join(tid[i], &sum));
    total += (intptr_t)sum;
  }
  assert(total == ITEMS * (ITEMS + 1) / 2);
  queue_free(q);
  return EXIT_SUCCESS;
}
