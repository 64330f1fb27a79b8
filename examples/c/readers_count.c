// Readers that count themselves under one mutex; the first locks the writers out, the last lets them in.
// expect: safe
// threads: 4
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
sem_t room;
int readers;
int writing;

void *reader(void *argument) {
  pthread_mutex_lock(&counting);
  readers++;
  if (readers == 1) sem_wait(&room);
  pthread_mutex_unlock(&counting);
  assert(!writing);
  pthread_mutex_lock(&counting);
  readers--;
  if (readers == 0) sem_post(&room);
  pthread_mutex_unlock(&counting);
  return argument;
}

void *writer(void *argument) {
  sem_wait(&room);
  writing = 1;
  writing = 0;
  sem_post(&room);
  return argument;
}

int main(void) {
  pthread_t first, second, third;
  sem_init(&room, 0, 1);
  pthread_create(&first, NULL, reader, NULL);
  pthread_create(&second, NULL, reader, NULL);
  pthread_create(&third, NULL, writer, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_join(third, NULL);
  return 0;
}
