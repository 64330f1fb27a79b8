/* Stages that are connected by pipes: a source writes numbers, a filter squares them, a sink adds them up.
 * bug (deadlock): the filter does not close its output, so that the sink never sees the end. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NUMBERS 2

struct stage {
  int in, out;
};

static void die(const char *what)
{
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

static int read_full(int fd, void *buf, size_t n)
{
  size_t got = 0;
  while (got < n) {
    ssize_t r = read(fd, (char *)buf + got, n - got);
    if (r == 0)
      return got == 0 ? 0 : -1;
    if (r < 0) {
      if (errno == EINTR)
        continue;
      die("read");
    }
    got += (size_t)r;
  }
  return 1;
}

static void write_full(int fd, const void *buf, size_t n)
{
  size_t put = 0;
  while (put < n) {
    ssize_t w = write(fd, (const char *)buf + put, n - put);
    if (w < 0) {
      if (errno == EINTR)
        continue;
      die("write");
    }
    put += (size_t)w;
  }
}

static void *source(void *arg)
{
  struct stage *s = arg;
  for (uint8_t i = 1; i <= NUMBERS; i++)
    write_full(s->out, &i, sizeof i);
  close(s->out);
  return NULL;
}

static void *filter(void *arg)
{
  struct stage *s = arg;
  uint8_t v;
  while (read_full(s->in, &v, sizeof v) == 1) {
    v = (uint8_t)(v * v);
    write_full(s->out, &v, sizeof v);
  }
  close(s->in);
#ifndef BUG
  close(s->out);
#endif
  return NULL;
}

int main(void)
{
  int a[2], b[2];
  pthread_t t[2];
  unsigned sum = 0;
  uint8_t v;
  if (pipe(a) < 0 || pipe(b) < 0)
    die("pipe");
  struct stage src = { -1, a[1] }, flt = { a[0], b[1] };
  if ((errno = pthread_create(&t[0], NULL, source, &src)) != 0)
    die("pthread_create");
  if ((errno = pthread_create(&t[1], NULL, filter, &flt)) != 0)
    die("pthread_create");
  while (read_full(b[0], &v, sizeof v) == 1)
    sum += v;
  close(b[0]);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  assert(sum == 5);
  return 0;
}
