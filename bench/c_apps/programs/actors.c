/* Actors with mailboxes of messages in a tagged union, a tiny supervisor, and replies.
 * bug (deadlock): the mailbox signals only when it was empty, and two receivers sleep. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS 2

enum msg_kind { MSG_ADD, MSG_TEXT, MSG_STOP };

struct message {
  enum msg_kind kind;
  struct message *next;
  union {
    struct { int left, right; int *result; } add;
    char text[8];
  } u;
};

struct mailbox {
  pthread_mutex_t mu;
  pthread_cond_t nonempty;
  struct message *head, **tail;
};

static struct mailbox inbox;
static int sum;
static unsigned long letters;
static pthread_mutex_t letters_mu = PTHREAD_MUTEX_INITIALIZER;

static void mailbox_init(struct mailbox *m)
{
  pthread_mutex_init(&m->mu, NULL);
  pthread_cond_init(&m->nonempty, NULL);
  m->head = NULL;
  m->tail = &m->head;
}

static void post(struct mailbox *m, struct message *msg)
{
  pthread_mutex_lock(&m->mu);
#ifdef BUG
  bool was_empty = m->head == NULL;
#endif
  msg->next = NULL;
  *m->tail = msg;
  m->tail = &msg->next;
#ifdef BUG
  if (was_empty)
#endif
    pthread_cond_signal(&m->nonempty);
  pthread_mutex_unlock(&m->mu);
}

static struct message *receive(struct mailbox *m)
{
  pthread_mutex_lock(&m->mu);
  while (m->head == NULL)
    pthread_cond_wait(&m->nonempty, &m->mu);
  struct message *msg = m->head;
  m->head = msg->next;
  if (m->head == NULL)
    m->tail = &m->head;
  pthread_mutex_unlock(&m->mu);
  return msg;
}

static struct message *message_new(enum msg_kind kind)
{
  struct message *m = calloc(1, sizeof *m);
  if (!m) {
    perror("calloc");
    abort();
  }
  m->kind = kind;
  return m;
}

static void *actor(void *arg)
{
  (void)arg;
  for (;;) {
    struct message *m = receive(&inbox);
    enum msg_kind kind = m->kind;
    switch (kind) {
    case MSG_ADD:
      *m->u.add.result = m->u.add.left + m->u.add.right;
      break;
    case MSG_TEXT:
      pthread_mutex_lock(&letters_mu);
      letters += strlen(m->u.text);
      pthread_mutex_unlock(&letters_mu);
      break;
    case MSG_STOP:
      break;
    }
    free(m);
    if (kind == MSG_STOP)
      return NULL;
  }
}

int main(void)
{
  pthread_t t[WORKERS];
  struct message *m;
  mailbox_init(&inbox);
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&t[i], NULL, actor, NULL);
  m = message_new(MSG_ADD);
  m->u.add.left = 19;
  m->u.add.right = 23;
  m->u.add.result = &sum;
  post(&inbox, m);
  m = message_new(MSG_TEXT);
  snprintf(m->u.text, sizeof m->u.text, "abc%d", 4);
  post(&inbox, m);
  for (int i = 0; i < WORKERS; i++)
    post(&inbox, message_new(MSG_STOP));
  for (int i = 0; i < WORKERS; i++)
    pthread_join(t[i], NULL);
  assert(sum == 42);
  assert(letters == 4);
  return 0;
}
