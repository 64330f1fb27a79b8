/* The number pi by throwing darts, with partial results for each thread.
 * bug (races): all threads add to one counter */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NUM_THREADS 3
#define handle_error_en(en, msg) do { errno = en; perror(msg); exit(EXIT_FAILURE); } while (0)
struct arg {
  unsigned int seed;
  long samples;
  long hits;
};
static long total_hits;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *throw(void *p) {
  struct arg *a = p;
  for (long i = 0; i < a->samples; i++) {
    double x = (double)rand_r(&a->seed) / RAND_MAX;
    double y = (double)rand_r(&a->seed) / RAND_MAX;
    if (x * x + y * y <= 1.0) {
      a->hits++;
#ifdef BUG
      total_hits++;
#endif
    }
  }
#ifndef BUG
  pthread_mutex_lock(&mutex);
  total_hits += a->hits;
  pthread_mutex_unlock(&mutex);
#endif
  pthread_exit(NULL);
}
int main(int argc, char **argv) {
  pthread_t threads[NUM_THREADS];
  struct arg args[NUM_THREADS];
  long samples = 2;
  int s;
  for (int i = 0; i < NUM_THREADS; i++) {
    args[i] = (struct arg){.seed = 42u + i, .samples = samples, .hits = 0};
    s = pthread_create(&threads[i], NULL, throw, &args[i]);
    if (s != 0) handle_error_en(s, "pthread_create");
  }
  for (int i = 0; i < NUM_THREADS; i++) {
    s = pthread_join(threads[i], NULL);
    if (s != 0) handle_error_en(s, "pthread_join");
  }
  double pi = 4.0 * total_hits / (samples * NUM_THREADS);
  printf("pi is about %.6f, off by %.6f\n", pi, fabs(M_PI - pi));
  return 0;
}
