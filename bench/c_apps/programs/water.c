/* Building water: two atoms of hydrogen and one of oxygen meet at a barrier.
 * bug (assertions): oxygen takes one atom of hydrogen only */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t mutex;
static sem_t hydro_queue, oxy_queue;
static pthread_barrier_t barrier;
static int oxygen, hydrogen;
static int bonded_h, bonded_o;
static pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER;
static void bond(int is_oxygen) {
  pthread_mutex_lock(&count);
  if (is_oxygen) bonded_o++; else bonded_h++;
  pthread_mutex_unlock(&count);
}
static void *oxy(void *arg) {
  pthread_mutex_lock(&mutex);
  oxygen += 1;
#ifdef BUG
  if (hydrogen >= 1) {
    sem_post(&hydro_queue);
    hydrogen -= 1;
#else
  if (hydrogen >= 2) {
    sem_post(&hydro_queue);
    sem_post(&hydro_queue);
    hydrogen -= 2;
#endif
    sem_post(&oxy_queue);
    oxygen -= 1;
  }
  pthread_mutex_unlock(&mutex);
  sem_wait(&oxy_queue);
  bond(1);
  pthread_barrier_wait(&barrier);
  assert(bonded_h >= 2 * bonded_o);
  return NULL;
}
static void *hydro(void *arg) {
  pthread_mutex_lock(&mutex);
  hydrogen += 1;
  if (hydrogen >= 2 && oxygen >= 1) {
    sem_post(&hydro_queue);
    sem_post(&hydro_queue);
    hydrogen -= 2;
    sem_post(&oxy_queue);
    oxygen -= 1;
  }
  pthread_mutex_unlock(&mutex);
  sem_wait(&hydro_queue);
  bond(0);
  pthread_barrier_wait(&barrier);
  return NULL;
}
int main(int argc, char *argv[]) {
  pthread_t t[3];
  if (pthread_mutex_init(&mutex, NULL) || sem_init(&hydro_queue, 0, 0) || sem_init(&oxy_queue, 0, 0)) {
    perror("init");
    return EXIT_FAILURE;
  }
#ifdef BUG
  pthread_barrier_init(&barrier, NULL, 2);
#else
  pthread_barrier_init(&barrier, NULL, 3);
#endif
  pthread_create(&t[0], NULL, hydro, NULL);
  pthread_create(&t[1], NULL, oxy, NULL);
  pthread_create(&t[2], NULL, hydro, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
