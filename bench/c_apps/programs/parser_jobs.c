/* Lines of commands are parsed into jobs (strtok_r, strtol with its end, a table of verbs) that a worker executes.
 * bug (faults): the argument of a verb without one is used. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
  const struct verb *verb;
  long argument;
  bool has_argument;
};

struct verb {
  const char *name;
  bool wants_argument;
  void (*execute)(const struct job *);
};

static long accumulator;
static int quits;

static void do_add(const struct job *job) { accumulator += job->argument; }
static void do_double(const struct job *job) { (void)job; accumulator *= 2; }
static void do_quit(const struct job *job) { (void)job; quits++; }

static const struct verb verbs[] = {
  { "add", true, do_add },
  { "double", false, do_double },
  { "quit", false, do_quit },
  { NULL, false, NULL },
};

static const struct verb *find_verb(const char *name)
{
  for (const struct verb *v = verbs; v->name != NULL; v++)
    if (strcmp(v->name, name) == 0)
      return v;
  return NULL;
}

static int parse_long(const char *text, long *value)
{
  char *end;
  errno = 0;
  *value = strtol(text, &end, 0);
  if (end == text || *end != '\0')
    return -EINVAL;
  return errno == ERANGE ? -ERANGE : 0;
}

static int parse_line(char *line, struct job *job)
{
  char *save = NULL;
  char *word = strtok_r(line, " \t\n", &save);
  if (word == NULL || *word == '#')
    return 0;
  for (char *p = word; *p; p++)
    *p = (char)tolower((unsigned char)*p);
  job->verb = find_verb(word);
  if (job->verb == NULL)
    return -ENOENT;
  word = strtok_r(NULL, " \t\n", &save);
#ifndef BUG
  job->has_argument = word != NULL;
  if (job->verb->wants_argument != job->has_argument)
    return -EINVAL;
  if (word == NULL)
    return 1;
#endif
  int rc = parse_long(word, &job->argument);
  return rc < 0 ? rc : 1;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static struct job queue[4];
static unsigned head, tail;

static void *executor(void *arg)
{
  (void)arg;
  for (;;) {
    pthread_mutex_lock(&lock);
    while (head == tail)
      pthread_cond_wait(&cond, &lock);
    struct job job = queue[head++ % 4];
    pthread_mutex_unlock(&lock);
    job.verb->execute(&job);
    if (quits)
      return NULL;
  }
}

int main(void)
{
  static char script[][12] = { "Add 5", "# note", "double", "quit" };
  pthread_t t;
  pthread_create(&t, NULL, executor, NULL);
  for (size_t i = 0; i < sizeof script / sizeof script[0]; i++) {
    struct job job = { 0 };
    int rc = parse_line(script[i], &job);
    if (rc < 0)
      fprintf(stderr, "line %zu: %s\n", i + 1, strerror(-rc));
    if (rc <= 0)
      continue;
    pthread_mutex_lock(&lock);
    queue[tail++ % 4] = job;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
  }
  pthread_join(t, NULL);
  assert(accumulator == 10 && quits == 1);
  return 0;
}
