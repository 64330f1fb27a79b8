/* Channels as in Go: unbuffered, send meets receive; select over two of them by trying.
 * bug (deadlock): the sender leaves without waking the next sender that waits for the slot. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct chan {
  pthread_mutex_t m;
  pthread_cond_t r_cond; /* a value is there */
  pthread_cond_t w_cond; /* the slot is free, or the value was taken */
  void *slot;
  bool full;
  bool taken;
  bool closed;
} chan_t;

static chan_t *chan_init(void)
{
  chan_t *c = malloc(sizeof(chan_t));
  if (!c) {
    perror("malloc");
    exit(1);
  }
  c->slot = NULL;
  c->full = c->taken = c->closed = false;
  if (pthread_mutex_init(&c->m, NULL) || pthread_cond_init(&c->r_cond, NULL) || pthread_cond_init(&c->w_cond, NULL)) {
    free(c);
    exit(1);
  }
  return c;
}

static void chan_dispose(chan_t *c)
{
  pthread_mutex_destroy(&c->m);
  pthread_cond_destroy(&c->r_cond);
  pthread_cond_destroy(&c->w_cond);
  free(c);
}

static int chan_send(chan_t *c, void *data)
{
  pthread_mutex_lock(&c->m);
  while (c->full && !c->closed)
    pthread_cond_wait(&c->w_cond, &c->m);
  if (c->closed) {
    pthread_mutex_unlock(&c->m);
    return -1;
  }
  c->slot = data;
  c->full = true;
  c->taken = false;
  pthread_cond_signal(&c->r_cond);
  while (!c->taken)
    pthread_cond_wait(&c->w_cond, &c->m);
  c->taken = false;
  c->full = false;
#ifndef BUG
  pthread_cond_broadcast(&c->w_cond);
#endif
  pthread_mutex_unlock(&c->m);
  return 0;
}

static int chan_recv(chan_t *c, void **data)
{
  pthread_mutex_lock(&c->m);
  while (!(c->full && !c->taken) && !c->closed)
    pthread_cond_wait(&c->r_cond, &c->m);
  if (!(c->full && !c->taken)) {
    pthread_mutex_unlock(&c->m);
    return -1;
  }
  *data = c->slot;
  c->taken = true;
  pthread_cond_broadcast(&c->w_cond);
  pthread_mutex_unlock(&c->m);
  return 0;
}

static int counters[2];
static chan_t *messages;

static void *ping(void *arg)
{
  int *counter = arg;
  (*counter)++;
  if (chan_send(messages, counter) != 0)
    fputs("closed\n", stderr);
  return NULL;
}

int main(void)
{
  pthread_t th[2];
  int seen = 0;
  messages = chan_init();
  for (int i = 0; i < 2; i++)
    pthread_create(&th[i], NULL, ping, &counters[i]);
  for (int i = 0; i < 2; i++) {
    void *msg;
    if (chan_recv(messages, &msg) == 0) {
      assert(*(int *)msg == 1);
      seen++;
    }
  }
  for (int i = 0; i < 2; i++)
    pthread_join(th[i], NULL);
  assert(seen == 2);
  chan_dispose(messages);
  return 0;
}
