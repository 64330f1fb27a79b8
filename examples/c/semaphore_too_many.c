// A semaphore as a lock that starts with room for two.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

sem_t room;
atomic_int inside;

void *worker(void *argument) {
  sem_wait(&room);
  inside++;
  assert(inside == 1);
  inside--;
  sem_post(&room);
  return argument;
}

int main(void) {
  pthread_t first, second;
  sem_init(&room, 0, 2);
  pthread_create(&first, NULL, worker, NULL);
  pthread_create(&second, NULL, worker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
