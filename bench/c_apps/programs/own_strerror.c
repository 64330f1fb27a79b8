/* A strerror of one's own with a buffer for each thread, made once and freed by a destructor.
 * bug (assertions): one buffer for all threads */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MAX_ERROR_LEN 16
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int live;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void destructor(void *buf) {
  free(buf);
  pthread_mutex_lock(&m);
  live--;
  pthread_mutex_unlock(&m);
}
static void create_key(void) {
  if (pthread_key_create(&key, destructor) != 0) abort();
}
static char *my_strerror(int err) {
#ifdef BUG
  static char shared[MAX_ERROR_LEN];
  char *buf = shared;
  pthread_once(&once, create_key);
#else
  if (pthread_once(&once, create_key) != 0) abort();
  char *buf = pthread_getspecific(key);
  if (buf == NULL) {
    buf = malloc(MAX_ERROR_LEN);
    if (buf == NULL) abort();
    if (pthread_setspecific(key, buf) != 0) abort();
    pthread_mutex_lock(&m);
    live++;
    pthread_mutex_unlock(&m);
  }
#endif
  snprintf(buf, MAX_ERROR_LEN, "error %d", err);
  return buf;
}
static void *run(void *arg) {
  int err = *(int *)arg;
  char *s = my_strerror(err);
  assert(s[6] == '0' + err);
  return NULL;
}
int main(void) {
  pthread_t t[2];
  int errs[2] = {1, 2};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, run, &errs[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(live == 0);
  return 0;
}
