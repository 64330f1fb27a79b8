/* A daemon that signals stop and reload: the handlers set flags, the main loop looks at them between naps.
 * bug (deadlock): the handler takes the lock that the main loop holds while it sleeps. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 2

static volatile sig_atomic_t stop, reload;
static pthread_mutex_t stats_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  int rounds, reloads, signals;
} stats;

static void on_signal(int sig)
{
#ifdef BUG
  pthread_mutex_lock(&stats_lock);
  stats.signals++;
  pthread_mutex_unlock(&stats_lock);
#endif
  switch (sig) {
  case SIGHUP:
    reload = 1;
    break;
  default:
    stop = 1;
  }
}

static int install(int sig, void (*handler)(int))
{
  struct sigaction sa;
  memset(&sa, 0, sizeof(sa));
  sa.sa_handler = handler;
  sigemptyset(&sa.sa_mask);
  sa.sa_flags = SA_RESTART;
  return sigaction(sig, &sa, NULL);
}

static void *worker(void *arg)
{
  int *done = arg;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  while (!stop && *done < ROUNDS)
    (*done)++;
  return NULL;
}

int main(void)
{
  pthread_t t;
  int done = 0;

  if (install(SIGTERM, on_signal) == -1 || install(SIGHUP, on_signal) == -1) {
    fprintf(stderr, "sigaction: %s\n", strerror(errno));
    return EXIT_FAILURE;
  }
  if (signal(SIGPIPE, SIG_IGN) == SIG_ERR)
    return EXIT_FAILURE;
  if (pthread_create(&t, NULL, worker, &done) != 0)
    return EXIT_FAILURE;
  while (!stop && stats.rounds < ROUNDS) {
    pthread_mutex_lock(&stats_lock);
    stats.rounds++;
    if (reload) {
      reload = 0;
      stats.reloads++;
    }
    usleep(1000);
    pthread_mutex_unlock(&stats_lock);
  }
  stop = 1;
  pthread_join(t, NULL);
  assert(stats.reloads <= stats.rounds);
  assert(done <= ROUNDS);
  return EXIT_SUCCESS;
}
