/* Statistics of samples in floating point, summed by threads, with percentiles of a sorted copy.
 * bug (races): the samples are merged without the lock. */
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 4
#define THREADS 2

struct summary {
  double sum, min, max;
  unsigned long count;
};

static double samples[SAMPLES] = { 4.0, 1.5, 2.5, 8.0 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct summary total = { 0.0, HUGE_VAL, -HUGE_VAL, 0 };

static void summary_add(struct summary *s, double x)
{
  s->sum += x;
  if (x < s->min)
    s->min = x;
  if (x > s->max)
    s->max = x;
  s->count++;
}

static void summary_merge(struct summary *into, const struct summary *from)
{
  into->sum += from->sum;
  if (from->min < into->min)
    into->min = from->min;
  if (from->max > into->max)
    into->max = from->max;
  into->count += from->count;
}

static void *worker(void *arg)
{
  size_t id = (size_t)arg;
  struct summary mine = { 0.0, HUGE_VAL, -HUGE_VAL, 0 };
  for (size_t i = id; i < SAMPLES; i += THREADS)
    summary_add(&mine, samples[i]);
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  summary_merge(&total, &mine);
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
  return NULL;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void)
{
  pthread_t t[THREADS];
  double sorted[SAMPLES];
  for (size_t i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (size_t i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  memcpy(sorted, samples, sizeof sorted);
  qsort(sorted, SAMPLES, sizeof *sorted, compare);
  double mean = total.sum / (double)total.count;
  assert(total.count == SAMPLES);
  assert(mean >= 3.9 && mean <= 4.1);
  printf("n %lu mean %.2f min %.1f max %.1f median %.2f\n", total.count, mean, total.min, total.max,
         (sorted[1] + sorted[2]) / 2);
  return 0;
}
