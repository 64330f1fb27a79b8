/* A worker that is cancelled while it waits, with a cleanup handler that frees its lock.
 * bug (deadlock): the handler is not registered */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t mtx = PTHREAD_MUTEX_INITIALIZER;
static int glob = 0;
static void errExitEN(int en, const char *msg) {
  errno = en;
  perror(msg);
  exit(EXIT_FAILURE);
}
static void cleanupHandler(void *arg) {
  printf("cleanup: freeing block at %p\n", arg);
  free(arg);
  printf("cleanup: unlocking mutex\n");
  int s = pthread_mutex_unlock(&mtx);
  if (s != 0) errExitEN(s, "pthread_mutex_unlock");
}
static void *threadFunc(void *arg) {
  int s;
  void *buf = malloc(0x10);
  printf("thread: allocated memory at %p\n", buf);
  s = pthread_mutex_lock(&mtx);
  if (s != 0) errExitEN(s, "pthread_mutex_lock");
#ifdef BUG
  while (glob == 0) {
    s = pthread_cond_wait(&cond, &mtx);
    if (s != 0) errExitEN(s, "pthread_cond_wait");
  }
  cleanupHandler(buf);
#else
  pthread_cleanup_push(cleanupHandler, buf);
  while (glob == 0) {
    s = pthread_cond_wait(&cond, &mtx);
    if (s != 0) errExitEN(s, "pthread_cond_wait");
  }
  printf("thread: condition wait loop completed\n");
  pthread_cleanup_pop(1);
#endif
  return NULL;
}
int main(int argc, char *argv[]) {
  pthread_t thr;
  void *res;
  int s;
  s = pthread_create(&thr, NULL, threadFunc, NULL);
  if (s != 0) errExitEN(s, "pthread_create");
  sleep(2);
  if (argc == 1) {
    printf("main: about to cancel thread\n");
    s = pthread_cancel(thr);
    if (s != 0) errExitEN(s, "pthread_cancel");
  } else {
    printf("main: about to signal condition variable\n");
    s = pthread_mutex_lock(&mtx);
    glob = 1;
    s = pthread_mutex_unlock(&mtx);
    s = pthread_cond_signal(&cond);
    if (s != 0) errExitEN(s, "pthread_cond_signal");
  }
  s = pthread_join(thr, &res);
  if (s != 0) errExitEN(s, "pthread_join");
  if (res == PTHREAD_CANCELED)
    printf("main: thread was canceled\n");
  else
    printf("main: thread terminated normally\n");
  pthread_mutex_lock(&mtx);
  glob = 2;
  pthread_mutex_unlock(&mtx);
  exit(EXIT_SUCCESS);
}
