/* An event loop that other threads wake through a pipe, with callbacks in a doubly linked list of handlers.
 * bug (races): a callback is added without the lock. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

struct list_head {
  struct list_head *next, *prev;
};

static void list_init(struct list_head *h) { h->next = h->prev = h; }
static int list_empty(const struct list_head *h) { return h->next == h; }
static void list_add_tail(struct list_head *n, struct list_head *h)
{
  n->prev = h->prev;
  n->next = h;
  h->prev->next = n;
  h->prev = n;
}
static void list_del(struct list_head *n)
{
  n->prev->next = n->next;
  n->next->prev = n->prev;
  n->next = n->prev = NULL;
}

struct callback {
  void (*fn)(struct callback *);
  struct list_head link;
};

struct loop {
  int wake[2];
  pthread_mutex_t lock;
  struct list_head queue;
  int stop;
};

struct add_request {
  int amount;
  struct callback cb;
};

static struct loop loop;
static int total;

static int loop_init(struct loop *l)
{
  if (pipe(l->wake) != 0)
    return -errno;
  if (fcntl(l->wake[0], F_SETFL, O_NONBLOCK) == -1) {
    close(l->wake[0]);
    close(l->wake[1]);
    return -errno;
  }
  pthread_mutex_init(&l->lock, NULL);
  list_init(&l->queue);
  return 0;
}

static void loop_post(struct loop *l, struct callback *cb)
{
  ssize_t n;
#ifndef BUG
  pthread_mutex_lock(&l->lock);
#endif
  list_add_tail(&cb->link, &l->queue);
#ifndef BUG
  pthread_mutex_unlock(&l->lock);
#endif
  do
    n = write(l->wake[1], "x", 1);
  while (n == -1 && errno == EINTR);
}

static void loop_run(struct loop *l)
{
  while (!l->stop) {
    struct pollfd pfd = { .fd = l->wake[0], .events = POLLIN };
    char buffer[4];
    if (poll(&pfd, 1, -1) < 0 && errno != EINTR) {
      perror("poll");
      exit(1);
    }
    if (pfd.revents & POLLIN)
      while (read(l->wake[0], buffer, sizeof buffer) > 0)
        ;
    pthread_mutex_lock(&l->lock);
    while (!list_empty(&l->queue)) {
      struct callback *cb = container_of(l->queue.next, struct callback, link);
      list_del(&cb->link);
      pthread_mutex_unlock(&l->lock);
      cb->fn(cb);
      pthread_mutex_lock(&l->lock);
    }
    pthread_mutex_unlock(&l->lock);
  }
}

static void do_add(struct callback *cb)
{
  struct add_request *r = container_of(cb, struct add_request, cb);
  total += r->amount;
  if (total >= 3)
    loop.stop = 1;
}

static void *client(void *arg)
{
  loop_post(&loop, &((struct add_request *)arg)->cb);
  return NULL;
}

int main(void)
{
  static struct add_request requests[2] = { { 1, { do_add, { NULL, NULL } } }, { 2, { do_add, { NULL, NULL } } } };
  pthread_t t[2];
  int err = loop_init(&loop);
  if (err) {
    fprintf(stderr, "loop_init: %s\n", strerror(-err));
    return 1;
  }
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, client, &requests[i]);
  loop_run(&loop);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(total == 3);
  close(loop.wake[0]);
  close(loop.wake[1]);
  return 0;
}
