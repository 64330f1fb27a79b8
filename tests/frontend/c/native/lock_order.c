// Two threads under a mutex note who comes first.
// impossible: order[0] == order[1]
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int order[2];
int next;

static void enter(int me) {
  pthread_mutex_lock(&lock);
  order[next] = me;
  next++;
  pthread_mutex_unlock(&lock);
}

void *one(void *argument) {
  enter(1);
  return argument;
}

void *two(void *argument) {
  enter(2);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, one, NULL);
  pthread_create(&second, NULL, two, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
#ifdef OUTCOME
  assert(!(OUTCOME));
#else
  printf("order[0] == %d && order[1] == %d\n", order[0], order[1]);
#endif
  return 0;
}
