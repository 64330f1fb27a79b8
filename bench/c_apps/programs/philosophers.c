/* Dining philosophers as in textbooks: the number from the command line, random thinking, ordered forks.
 * bug (deadlock): everybody takes the left fork first. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define MAX 3
#define MEALS 1

typedef struct {
  int id;
  int meals;
  pthread_mutex_t *left, *right;
} philosopher_t;

static pthread_mutex_t forks[MAX];
static philosopher_t philosophers[MAX];
static int n = MAX;

static void think(philosopher_t *p)
{
  printf("%d thinks\n", p->id);
  usleep((useconds_t)(rand() % 1000));
}

static void *dine(void *arg)
{
  philosopher_t *p = (philosopher_t *)arg;
  while (p->meals < MEALS) {
    think(p);
    pthread_mutex_t *first = p->left, *second = p->right;
#ifndef BUG
    if (p->id == n - 1) {
      first = p->right;
      second = p->left;
    }
#endif
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    p->meals++;
    printf("%d eats\n", p->id);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
  }
  return NULL;
}

int main(int argc, char *argv[])
{
  pthread_t threads[MAX];
  int i;

  if (argc > 1) {
    n = atoi(argv[1]);
    if (n < 2 || n > MAX) {
      fprintf(stderr, "usage: %s [2..%d]\n", argv[0], MAX);
      exit(EXIT_FAILURE);
    }
  }
  srand((unsigned int)time(NULL));
  for (i = 0; i < n; i++)
    pthread_mutex_init(&forks[i], NULL);
  for (i = 0; i < n; i++) {
    philosophers[i].id = i;
    philosophers[i].left = &forks[i];
    philosophers[i].right = &forks[(i + 1) % n];
    if (pthread_create(&threads[i], NULL, dine, &philosophers[i]) != 0) {
      perror("pthread_create");
      exit(EXIT_FAILURE);
    }
  }
  for (i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  for (i = 0; i < n; i++)
    assert(philosophers[i].meals == MEALS);
  return EXIT_SUCCESS;
}
