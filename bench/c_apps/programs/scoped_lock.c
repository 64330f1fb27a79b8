/* Locks that end with their scope (attribute cleanup), buffers that free themselves, early returns.
 * bug (deadlock): one path takes the second lock in the other order. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define _cleanup_(f) __attribute__((cleanup(f)))
#define SCOPED_LOCK(m) _cleanup_(unlockp) pthread_mutex_t *CONCAT(scoped_, __LINE__) = lockp(m)

static pthread_mutex_t *lockp(pthread_mutex_t *m)
{
  pthread_mutex_lock(m);
  return m;
}

static void unlockp(pthread_mutex_t **m)
{
  if (*m)
    pthread_mutex_unlock(*m);
}

static void freep(void *p)
{
  free(*(void **)p);
}

struct account {
  pthread_mutex_t lock;
  int balance;
  int history;
};

static struct account a = { PTHREAD_MUTEX_INITIALIZER, 10, 0 }, b = { PTHREAD_MUTEX_INITIALIZER, 10, 0 };

static int transfer(struct account *from, struct account *to, int amount)
{
#ifdef BUG
  struct account *first = from, *second = to;
#else
  struct account *first = from < to ? from : to, *second = from < to ? to : from;
#endif
  SCOPED_LOCK(&first->lock);
  if (amount <= 0)
    return -EINVAL;
  SCOPED_LOCK(&second->lock);
  if (from->balance < amount)
    return -ENOSPC;
  from->balance -= amount;
  to->balance += amount;
  for (int i = 0; i < 2; i++) {
    _cleanup_(freep) int *note = malloc(sizeof *note);
    if (note == NULL)
      return -ENOMEM;
    *note = amount;
    if (i == 1)
      break;
    to->history += *note;
  }
  return 0;
}

static void *forth(void *arg)
{
  (void)arg;
  int rc = transfer(&a, &b, 4);
  if (rc < 0)
    fprintf(stderr, "transfer: %s\n", strerror(-rc));
  return NULL;
}

static void *back(void *arg)
{
  (void)arg;
  transfer(&b, &a, 3);
  transfer(&b, &a, 0);
  return NULL;
}

int main(void)
{
  pthread_t t, u;
  pthread_create(&t, NULL, forth, NULL);
  pthread_create(&u, NULL, back, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(a.balance == 9 && b.balance == 11);
  assert(b.history == 4 && a.history == 3);
  return 0;
}
