/* Timers in a sorted list, a thread that sleeps until the first is due, cancellation by their owners.
 * bug (faults): a timer that was cancelled is freed while the thread runs its callback. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct timer {
  struct timer *next;
  uint64_t due_ns;
  void (*fn)(struct timer *);
  int fired;
};

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static struct timer *timers, *running;
static bool quit;
static int fired_total;

static uint64_t now_ns(void)
{
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void timer_insert(struct timer *t)
{
  struct timer **at = &timers;
  while (*at != NULL && (*at)->due_ns <= t->due_ns)
    at = &(*at)->next;
  t->next = *at;
  *at = t;
}

static bool timer_remove(struct timer *t)
{
  for (struct timer **at = &timers; *at != NULL; at = &(*at)->next)
    if (*at == t) {
      *at = t->next;
      return true;
    }
  return false;
}

static struct timer *timer_start(uint64_t delay_ns, void (*fn)(struct timer *))
{
  struct timer *t = calloc(1, sizeof *t);
  if (t == NULL)
    return NULL;
  t->due_ns = now_ns() + delay_ns;
  t->fn = fn;
  pthread_mutex_lock(&mu);
  timer_insert(t);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mu);
  return t;
}

static void timer_stop(struct timer *t)
{
  pthread_mutex_lock(&mu);
  timer_remove(t);
#ifndef BUG
  while (running == t)
    pthread_cond_wait(&done, &mu);
#endif
  pthread_mutex_unlock(&mu);
  free(t);
}

static void *timer_thread(void *arg)
{
  (void)arg;
  pthread_mutex_lock(&mu);
  while (!quit) {
    if (timers == NULL) {
      pthread_cond_wait(&changed, &mu);
      continue;
    }
    if (timers->due_ns > now_ns()) {
      struct timespec until = { .tv_sec = (time_t)(timers->due_ns / 1000000000u), .tv_nsec = (long)(timers->due_ns % 1000000000u) };
      int rc = pthread_cond_timedwait(&changed, &mu, &until);
      if (rc != 0 && rc != ETIMEDOUT)
        abort();
      continue;
    }
    struct timer *t = timers;
    timers = t->next;
    running = t;
    pthread_mutex_unlock(&mu);
    t->fn(t);
    pthread_mutex_lock(&mu);
    running = NULL;
    pthread_cond_broadcast(&done);
  }
  pthread_mutex_unlock(&mu);
  return NULL;
}

static void on_fire(struct timer *t)
{
  t->fired++;
  fired_total++;
}

int main(void)
{
  pthread_t th;
  if (pthread_create(&th, NULL, timer_thread, NULL) != 0) {
    perror("pthread_create");
    return 1;
  }
  struct timer *t = timer_start(1000000, on_fire);
  if (t == NULL)
    return 1;
  timer_stop(t);
  pthread_mutex_lock(&mu);
  quit = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mu);
  pthread_join(th, NULL);
  assert(fired_total <= 1);
  return 0;
}
