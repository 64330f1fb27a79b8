/* A readers-writer lock of one's own that prefers writers, behind an opaque type.
 * bug (assertions): a writer does not wait for active readers */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct rw rw_t;
rw_t *rw_create(void);
void rw_destroy(rw_t *);
void rw_read_lock(rw_t *), rw_read_unlock(rw_t *), rw_write_lock(rw_t *), rw_write_unlock(rw_t *);
struct rw {
  pthread_mutex_t mutex;
  pthread_cond_t read, write;
  unsigned r_active, w_active, r_wait, w_wait;
};
#define CHECK(call)                                                                 \
  do {                                                                              \
    int status_ = (call);                                                           \
    if (status_ != 0) {                                                             \
      fprintf(stderr, "%s:%d: %s failed: %d\n", __FILE__, __LINE__, #call, status_); \
      abort();                                                                      \
    }                                                                               \
  } while (0)
rw_t *rw_create(void) {
  rw_t *rw = malloc(sizeof *rw);
  if (!rw) return NULL;
  *rw = (rw_t){.r_active = 0};
  CHECK(pthread_mutex_init(&rw->mutex, NULL));
  CHECK(pthread_cond_init(&rw->read, NULL));
  CHECK(pthread_cond_init(&rw->write, NULL));
  return rw;
}
void rw_destroy(rw_t *rw) {
  CHECK(pthread_mutex_destroy(&rw->mutex));
  free(rw);
}
void rw_read_lock(rw_t *rw) {
  CHECK(pthread_mutex_lock(&rw->mutex));
  if (rw->w_active || rw->w_wait) {
    rw->r_wait++;
    do CHECK(pthread_cond_wait(&rw->read, &rw->mutex));
    while (rw->w_active || rw->w_wait);
    rw->r_wait--;
  }
  rw->r_active++;
  CHECK(pthread_mutex_unlock(&rw->mutex));
}
void rw_read_unlock(rw_t *rw) {
  CHECK(pthread_mutex_lock(&rw->mutex));
  rw->r_active--;
  if (rw->r_active == 0 && rw->w_wait > 0) CHECK(pthread_cond_signal(&rw->write));
  CHECK(pthread_mutex_unlock(&rw->mutex));
}
void rw_write_lock(rw_t *rw) {
  CHECK(pthread_mutex_lock(&rw->mutex));
  rw->w_wait++;
#ifdef BUG
  while (rw->w_active) CHECK(pthread_cond_wait(&rw->write, &rw->mutex));
#else
  while (rw->w_active || rw->r_active > 0) CHECK(pthread_cond_wait(&rw->write, &rw->mutex));
#endif
  rw->w_wait--;
  rw->w_active = 1;
  CHECK(pthread_mutex_unlock(&rw->mutex));
}
void rw_write_unlock(rw_t *rw) {
  CHECK(pthread_mutex_lock(&rw->mutex));
  rw->w_active = 0;
  if (rw->w_wait > 0)
    CHECK(pthread_cond_signal(&rw->write));
  else if (rw->r_wait > 0)
    CHECK(pthread_cond_broadcast(&rw->read));
  CHECK(pthread_mutex_unlock(&rw->mutex));
}
static struct { int x, y; } data;
static rw_t *rw;
static void *reader(void *arg) {
  for (int i = 0; i < 2; i++) {
    rw_read_lock(rw);
    assert(data.x == data.y);
    rw_read_unlock(rw);
  }
  return arg;
}
static void *writer(void *arg) {
  rw_write_lock(rw);
  data.x++;
  data.y++;
  rw_write_unlock(rw);
  return arg;
}
int main(void) {
  pthread_t r[2], w[2];
  if ((rw = rw_create()) == NULL) return 1;
  for (int i = 0; i < 2; i++) {
    CHECK(pthread_create(&r[i], NULL, reader, NULL));
    CHECK(pthread_create(&w[i], NULL, writer, NULL));
  }
  for (int i = 0; i < 2; i++) {
    CHECK(pthread_join(r[i], NULL));
    CHECK(pthread_join(w[i], NULL));
  }
  assert(data.x == 2);
  rw_destroy(rw);
  return 0;
}
