/* Actors with mailboxes, a dispatcher table of handlers and messages with variable payloads.
 * bug (faults): a message is freed by the sender, too */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum msg_type { MSG_ADD, MSG_PRINT, MSG_STOP, MSG_COUNT };
typedef struct msg {
  struct msg *next;
  enum msg_type type;
  size_t len;
  unsigned char payload[];
} msg_t;
typedef struct actor {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t cond;
  msg_t *head, **tail;
  long sum;
} actor_t;
typedef int (*handler_t)(actor_t *self, const msg_t *m);
static int on_add(actor_t *self, const msg_t *m) {
  int32_t v;
  assert(m->len == sizeof v);
  memcpy(&v, m->payload, sizeof v);
  self->sum += v;
  return 1;
}
static int on_print(actor_t *self, const msg_t *m) {
  printf("%.*s %ld\n", (int)m->len, (const char *)m->payload, self->sum);
  return 1;
}
static int on_stop(actor_t *self, const msg_t *m) {
  (void)self, (void)m;
  return 0;
}
static const handler_t handlers[MSG_COUNT] = {[MSG_ADD] = on_add, [MSG_PRINT] = on_print, [MSG_STOP] = on_stop};
static msg_t *msg_new(enum msg_type type, const void *data, size_t len) {
  msg_t *m = malloc(sizeof *m + len);
  if (m == NULL) abort();
  m->next = NULL;
  m->type = type;
  m->len = len;
  if (len) memcpy(m->payload, data, len);
  return m;
}
static void actor_send(actor_t *a, enum msg_type type, const void *data, size_t len) {
  msg_t *m = msg_new(type, data, len);
  pthread_mutex_lock(&a->lock);
  *a->tail = m;
  a->tail = &m->next;
  pthread_cond_signal(&a->cond);
  pthread_mutex_unlock(&a->lock);
#ifdef BUG
  if (type == MSG_STOP) free(m);
#endif
}
static void *actor_run(void *arg) {
  actor_t *a = arg;
  for (int running = 1; running;) {
    pthread_mutex_lock(&a->lock);
    while (a->head == NULL) pthread_cond_wait(&a->cond, &a->lock);
    msg_t *m = a->head;
    a->head = m->next;
    if (a->head == NULL) a->tail = &a->head;
    pthread_mutex_unlock(&a->lock);
    running = handlers[m->type](a, m);
    free(m);
  }
  return NULL;
}
int main(void) {
  actor_t *a = calloc(1, sizeof *a);
  if (!a) return 1;
  pthread_mutex_init(&a->lock, NULL);
  pthread_cond_init(&a->cond, NULL);
  a->tail = &a->head;
  pthread_create(&a->thread, NULL, actor_run, a);
  for (int32_t i = 1; i <= 2; i++) actor_send(a, MSG_ADD, &i, sizeof i);
  actor_send(a, MSG_STOP, NULL, 0);
  pthread_join(a->thread, NULL);
  assert(a->sum == 3);
  free(a);
  return 0;
}
