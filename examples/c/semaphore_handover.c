// Two threads that take turns by two semaphores.
// expect: safe
// threads: 2
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t ping, pong;
int ball;

void *partner(void *argument) {
  for (int round = 0; round < 2; round++) {
    sem_wait(&ping);
    assert(ball == 1);
    ball = 0;
    sem_post(&pong);
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, 0);
  pthread_create(&thread, NULL, partner, NULL);
  for (int round = 0; round < 2; round++) {
    ball = 1;
    sem_post(&ping);
    sem_wait(&pong);
    assert(ball == 0);
  }
  pthread_join(thread, NULL);
  return 0;
}
