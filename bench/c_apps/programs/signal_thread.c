/* All signals are blocked, one thread takes them with sigwait and tells the others by a condition.
 * bug (deadlock): the flag is set without the lock, so that the wake-up can be lost. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static bool shutting_down;
static sigset_t wanted;

static void *signal_main(void *arg)
{
  int sig, rc;
  (void)arg;
  for (;;) {
    rc = sigwait(&wanted, &sig);
    if (rc != 0) {
      fprintf(stderr, "sigwait: %s\n", strerror(rc));
      exit(1);
    }
    switch (sig) {
    case SIGHUP:
      continue;
    case SIGINT:
    case SIGTERM:
#ifdef BUG
      shutting_down = true;
      pthread_cond_broadcast(&cond);
#else
      pthread_mutex_lock(&lock);
      shutting_down = true;
      pthread_cond_broadcast(&cond);
      pthread_mutex_unlock(&lock);
#endif
      return NULL;
    default:
      break;
    }
  }
}

static void *worker(void *arg)
{
  (void)arg;
  pthread_mutex_lock(&lock);
  while (!shutting_down)
    pthread_cond_wait(&cond, &lock);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void)
{
  pthread_t s, w;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGHUP);
  sigaddset(&wanted, SIGINT);
  sigaddset(&wanted, SIGTERM);
  if (pthread_sigmask(SIG_BLOCK, &wanted, NULL) != 0)
    return 1;
  pthread_create(&s, NULL, signal_main, NULL);
  pthread_create(&w, NULL, worker, NULL);
  kill(getpid(), SIGTERM);
  pthread_join(w, NULL);
  pthread_join(s, NULL);
  assert(shutting_down);
  return 0;
}
