/* The sleeping barber with semaphores.
 * bug (assertions): a customer looks at the free chairs without the mutex */
#define _REENTRANT
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#define MAX_CUSTOMERS 25
void *customer(void *num);
void *barber(void *);
void randwait(int secs);
sem_t waitingRoom;
sem_t barberChair;
sem_t barberPillow;
sem_t seatBelt;
pthread_mutex_t seats = PTHREAD_MUTEX_INITIALIZER;
int freeSeats;
volatile int allDone = 0;
int main(int argc, char *argv[]) {
  pthread_t btid;
  pthread_t tid[MAX_CUSTOMERS];
  int i, numCustomers = 3, numChairs = 1;
  int Number[MAX_CUSTOMERS];
  srand48(time(NULL));
  if (numCustomers > MAX_CUSTOMERS) {
    printf("The maximum number of customers is %d.\n", MAX_CUSTOMERS);
    exit(-1);
  }
  for (i = 0; i < MAX_CUSTOMERS; i++) Number[i] = i;
  freeSeats = numChairs;
  sem_init(&waitingRoom, 0, numChairs);
  sem_init(&barberChair, 0, 1);
  sem_init(&barberPillow, 0, 0);
  sem_init(&seatBelt, 0, 0);
  pthread_create(&btid, NULL, barber, NULL);
  for (i = 0; i < numCustomers; i++) pthread_create(&tid[i], NULL, customer, (void *)&Number[i]);
  for (i = 0; i < numCustomers; i++) pthread_join(tid[i], NULL);
  allDone = 1;
  sem_post(&barberPillow);
  pthread_join(btid, NULL);
  return 0;
}
void *customer(void *number) {
  int num = *(int *)number;
  printf("Customer %d leaving for barber shop.\n", num);
  randwait(5);
#ifndef BUG
  pthread_mutex_lock(&seats);
#endif
  if (freeSeats == 0) {
#ifndef BUG
    pthread_mutex_unlock(&seats);
#endif
    printf("Customer %d finds no chair.\n", num);
    return NULL;
  }
  freeSeats--;
  assert(freeSeats >= 0);
#ifndef BUG
  pthread_mutex_unlock(&seats);
#endif
  sem_wait(&waitingRoom);
  printf("Customer %d entering waiting room.\n", num);
  sem_wait(&barberChair);
  sem_post(&waitingRoom);
  pthread_mutex_lock(&seats);
  freeSeats++;
  pthread_mutex_unlock(&seats);
  printf("Customer %d waking the barber.\n", num);
  sem_post(&barberPillow);
  sem_wait(&seatBelt);
  sem_post(&barberChair);
  printf("Customer %d leaving barber shop.\n", num);
  return NULL;
}
void *barber(void *junk) {
  while (!allDone) {
    printf("The barber is sleeping\n");
    sem_wait(&barberPillow);
    if (!allDone) {
      printf("The barber is cutting hair\n");
      randwait(3);
      printf("The barber has finished cutting hair.\n");
      sem_post(&seatBelt);
    } else {
      printf("The barber is going home for the day.\n");
    }
  }
  return NULL;
}
void randwait(int secs) {
  int len;
  len = (int)((drand48() * secs) + 1);
  sleep(len);
}
