/* Errors by setjmp and longjmp in each worker.
 * bug (assertions): the lock is not freed on the way of the error, and the sum goes wrong */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
  jmp_buf env;
  int code;
} try_t;
#define TRY(t) if (((t).code = setjmp((t).env)) == 0)
#define CATCH(t) else
#define THROW(t, c) longjmp((t)->env, (c))
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, errors;
static void parse(try_t *t, int n) {
  if (n % 2 == 1) THROW(t, n);
  pthread_mutex_lock(&lock);
  sum += n;
  pthread_mutex_unlock(&lock);
}
static void *worker(void *arg) {
  try_t t;
  volatile int n = *(int *)arg;
  TRY(t) {
    parse(&t, n);
  } CATCH(t) {
    pthread_mutex_lock(&lock);
    errors += t.code;
    pthread_mutex_unlock(&lock);
#ifdef BUG
    sum += 1;
#endif
  }
  return NULL;
}
int main(void) {
  pthread_t th[3];
  int args[3] = {2, 3, 4};
  for (int i = 0; i < 3; i++) pthread_create(&th[i], NULL, worker, &args[i]);
  for (int i = 0; i < 3; i++) pthread_join(th[i], NULL);
  assert(sum == 6 && errors == 3);
  return 0;
}
