/* Readers and writers with a light switch and a turnstile.
 * bug (assertions): the light switch counts without its mutex */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
typedef sem_t Semaphore;
static Semaphore *make_semaphore(int value) {
  Semaphore *sem = malloc(sizeof(Semaphore));
  if (sem == NULL || sem_init(sem, 0, value) != 0) {
    perror("make_semaphore");
    exit(-1);
  }
  return sem;
}
typedef struct {
  int counter;
  Semaphore *mutex;
} Lightswitch;
static Lightswitch *make_lightswitch(void) {
  Lightswitch *s = malloc(sizeof(Lightswitch));
  s->counter = 0;
  s->mutex = make_semaphore(1);
  return s;
}
static void lightswitch_lock(Lightswitch *s, Semaphore *sem) {
#ifndef BUG
  sem_wait(s->mutex);
#endif
  s->counter++;
  if (s->counter == 1) sem_wait(sem);
#ifndef BUG
  sem_post(s->mutex);
#endif
}
static void lightswitch_unlock(Lightswitch *s, Semaphore *sem) {
#ifndef BUG
  sem_wait(s->mutex);
#endif
  s->counter--;
  if (s->counter == 0) sem_post(sem);
#ifndef BUG
  sem_post(s->mutex);
#endif
}
static Lightswitch *readers;
static Semaphore *room_empty, *turnstile;
static volatile int in_room, writing;
static void *reader(void *arg) {
  sem_wait(turnstile);
  sem_post(turnstile);
  lightswitch_lock(readers, room_empty);
  assert(!writing);
  lightswitch_unlock(readers, room_empty);
  return arg;
}
static void *writer(void *arg) {
  sem_wait(turnstile);
  sem_wait(room_empty);
  writing = 1;
  in_room++;
  assert(in_room == 1);
  in_room--;
  writing = 0;
  sem_post(turnstile);
  sem_post(room_empty);
  return arg;
}
int main(void) {
  pthread_t t[4];
  readers = make_lightswitch();
  room_empty = make_semaphore(1);
  turnstile = make_semaphore(1);
  for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, i % 2 ? reader : writer, NULL);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  return 0;
}
