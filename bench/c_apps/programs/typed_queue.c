/* A blocking queue made by macros for any element type, with a timed pop.
 * bug (assertions): close does not count what is still in the queue */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define DECLARE_QUEUE(T, name, CAP)                                                   \
  typedef struct {                                                                    \
    T items[CAP];                                                                     \
    size_t head, count;                                                               \
    bool closed;                                                                      \
    pthread_mutex_t lock;                                                             \
    pthread_cond_t not_empty, not_full;                                               \
  } name##_t;                                                                         \
  static inline void name##_init(name##_t *q) {                                       \
    memset(q, 0, sizeof *q);                                                          \
    pthread_mutex_init(&q->lock, NULL);                                               \
    pthread_cond_init(&q->not_empty, NULL);                                           \
    pthread_cond_init(&q->not_full, NULL);                                            \
  }                                                                                   \
  static inline bool name##_push(name##_t *q, T item) {                               \
    pthread_mutex_lock(&q->lock);                                                     \
    while (q->count == (CAP) && !q->closed) pthread_cond_wait(&q->not_full, &q->lock); \
    bool ok = !q->closed;                                                             \
    if (ok) q->items[(q->head + q->count++) % (CAP)] = item;                          \
    pthread_mutex_unlock(&q->lock);                                                   \
    pthread_cond_signal(&q->not_empty);                                               \
    return ok;                                                                        \
  }                                                                                   \
  static inline int name##_pop(name##_t *q, T *out, long ms) {                        \
    struct timespec ts;                                                               \
    int rc = 0;                                                                       \
    clock_gettime(CLOCK_REALTIME, &ts);                                               \
    ts.tv_nsec += (ms % 1000) * 1000000L;                                             \
    ts.tv_sec += ms / 1000 + ts.tv_nsec / 1000000000L;                                \
    ts.tv_nsec %= 1000000000L;                                                        \
    pthread_mutex_lock(&q->lock);                                                     \
    while (q->count == 0 && !q->closed && rc != ETIMEDOUT)                            \
      rc = ms < 0 ? pthread_cond_wait(&q->not_empty, &q->lock)                        \
                  : pthread_cond_timedwait(&q->not_empty, &q->lock, &ts);             \
    if (q->count > 0 POP_ANYWAY) {                                                    \
      *out = q->items[q->head];                                                       \
      q->head = (q->head + 1) % (CAP);                                                \
      q->count--;                                                                     \
      rc = 0;                                                                         \
    } else {                                                                          \
      rc = q->closed ? EPIPE : ETIMEDOUT;                                             \
    }                                                                                 \
    pthread_mutex_unlock(&q->lock);                                                   \
    pthread_cond_signal(&q->not_full);                                                \
    return rc;                                                                        \
  }                                                                                   \
  static inline void name##_close(name##_t *q) {                                      \
    pthread_mutex_lock(&q->lock);                                                     \
    q->closed = true;                                                                 \
    pthread_cond_broadcast(&q->not_empty);                                            \
    pthread_cond_broadcast(&q->not_full);                                             \
    pthread_mutex_unlock(&q->lock);                                                   \
  }
#ifdef BUG
#define POP_ANYWAY &&!q->closed
#else
#define POP_ANYWAY
#endif
struct message {
  int kind;
  int payload;
};
DECLARE_QUEUE(struct message, mq, 2)
static mq_t queue;
static void *producer(void *arg) {
  for (int i = 1; i <= 3; i++) mq_push(&queue, (struct message){.kind = 1, .payload = i});
  mq_close(&queue);
  return arg;
}
int main(void) {
  pthread_t t;
  struct message m = {0};
  int sum = 0, rc;
  mq_init(&queue);
  pthread_create(&t, NULL, producer, NULL);
  while ((rc = mq_pop(&queue, &m, 500)) != EPIPE) {
    if (rc == ETIMEDOUT) continue;
    assert(m.kind == 1);
    sum += m.payload;
  }
  pthread_join(t, NULL);
  assert(sum == 6);
  return 0;
}
