/* Readers and writers with semaphores, writers first; tables of strings as the shared data.
 * bug (assertions): the first reader does not close the door to writers. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NREADERS 2
#define NWRITERS 1

typedef struct {
  sem_t room_empty;
  sem_t mutex;
  int readers;
} rwsem_t;

static rwsem_t sem;
static char table[2][8] = { "one", "one" };

static void sem_check(int rc, const char *what)
{
  if (rc == -1) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
  }
}

static void rw_init(rwsem_t *s)
{
  sem_check(sem_init(&s->room_empty, 0, 1), "sem_init");
  sem_check(sem_init(&s->mutex, 0, 1), "sem_init");
  s->readers = 0;
}

static void rw_read_begin(rwsem_t *s)
{
  while (sem_wait(&s->mutex) == -1 && errno == EINTR)
    continue;
  s->readers++;
#ifdef BUG
  if (s->readers == 2)
#else
  if (s->readers == 1)
#endif
    sem_wait(&s->room_empty);
  sem_post(&s->mutex);
}

static void rw_read_end(rwsem_t *s)
{
  sem_wait(&s->mutex);
#ifdef BUG
  if (--s->readers == 1)
#else
  if (--s->readers == 0)
#endif
    sem_post(&s->room_empty);
  sem_post(&s->mutex);
}

static void *reader(void *arg)
{
  (void)arg;
  rw_read_begin(&sem);
  assert(strcmp(table[0], table[1]) == 0);
  rw_read_end(&sem);
  return NULL;
}

static void *writer(void *arg)
{
  const char *word = arg;
  sem_wait(&sem.room_empty);
  strcpy(table[0], word);
  strcpy(table[1], word);
  sem_post(&sem.room_empty);
  return NULL;
}

int main(void)
{
  pthread_t r[NREADERS], w[NWRITERS];
  rw_init(&sem);
  for (int i = 0; i < NWRITERS; i++)
    pthread_create(&w[i], NULL, writer, "two");
  for (int i = 0; i < NREADERS; i++)
    pthread_create(&r[i], NULL, reader, NULL);
  for (int i = 0; i < NREADERS; i++)
    pthread_join(r[i], NULL);
  for (int i = 0; i < NWRITERS; i++)
    pthread_join(w[i], NULL);
  sem_destroy(&sem.mutex);
  sem_destroy(&sem.room_empty);
  return 0;
}
