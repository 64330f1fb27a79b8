/* Producers and consumers as in courses: counts from the command line, semaphores, random items, a usage message.
 * bug (assertions): the buffer is protected by the counting semaphores only. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE 2
#define MAX_THREADS 2

typedef int buffer_item;

static buffer_item buffer[BUFFER_SIZE];
static int in, out, occupied;
static sem_t empty, full;
static pthread_mutex_t mutex;
static int nproducers = 2, nconsumers = 1;

static int insert_item(buffer_item item)
{
  sem_wait(&empty);
#ifndef BUG
  pthread_mutex_lock(&mutex);
#endif
  buffer[in] = item;
  in = (in + 1) % BUFFER_SIZE;
  occupied++;
#ifndef BUG
  pthread_mutex_unlock(&mutex);
#endif
  sem_post(&full);
  return 0;
}

static int remove_item(buffer_item *item)
{
  sem_wait(&full);
#ifndef BUG
  pthread_mutex_lock(&mutex);
#endif
  *item = buffer[out];
  buffer[out] = -1;
  out = (out + 1) % BUFFER_SIZE;
  occupied--;
#ifndef BUG
  pthread_mutex_unlock(&mutex);
#endif
  sem_post(&empty);
  return 0;
}

static void *producer(void *param)
{
  (void)param;
  buffer_item item = rand() % 100;
  usleep((useconds_t)(rand() % 10));
  if (insert_item(item))
    fprintf(stderr, "Error while inserting to buffer\n");
  else
    printf("producer produced %d\n", item);
  return NULL;
}

static void *consumer(void *param)
{
  buffer_item item = -1;
  (void)param;
  for (int i = 0; i < nproducers; i++) {
    if (remove_item(&item))
      fprintf(stderr, "Error while removing from buffer\n");
    assert(item >= 0 && item < 100);
  }
  return NULL;
}

int main(int argc, char *argv[])
{
  pthread_t p[MAX_THREADS], c;
  int i;

  if (argc > 2) {
    fprintf(stderr, "usage: %s [producers]\n", argv[0]);
    return -1;
  }
  if (argc == 2) {
    nproducers = atoi(argv[1]);
    if (nproducers < 1 || nproducers > MAX_THREADS) {
      fprintf(stderr, "%s: 1 to %d producers\n", argv[0], MAX_THREADS);
      return -1;
    }
  }
  pthread_mutex_init(&mutex, NULL);
  sem_init(&empty, 0, BUFFER_SIZE);
  sem_init(&full, 0, 0);
  for (i = 0; i < nproducers; i++)
    pthread_create(&p[i], NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  for (i = 0; i < nproducers; i++)
    pthread_join(p[i], NULL);
  pthread_join(c, NULL);
  assert(occupied == 0);
  (void)nconsumers;
  return 0;
}
