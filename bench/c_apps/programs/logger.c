/* An asynchronous logger: callers format into a free line, a thread writes lines out; levels, rotation, flush.
 * bug (races): the level is changed without the lock while others read it. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LINES 2
#define LINE_MAX_ 24

enum log_level { LOG_DEBUG, LOG_INFO, LOG_ERROR };

struct log_line {
  enum log_level level;
  struct timespec when;
  char text[LINE_MAX_];
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t space, data;
  struct log_line lines[LINES];
  unsigned in, out;
  int stop;
  enum log_level threshold;
  FILE *file;
  long written;
  pthread_t thread;
} logger = { .lock = PTHREAD_MUTEX_INITIALIZER, .space = PTHREAD_COND_INITIALIZER, .data = PTHREAD_COND_INITIALIZER };

static const char *level_name(enum log_level level)
{
  static const char *names[] = { "debug", "info", "error" };
  return level <= LOG_ERROR ? names[level] : "?";
}

static void log_set_level(enum log_level level)
{
#ifndef BUG
  pthread_mutex_lock(&logger.lock);
#endif
  logger.threshold = level;
#ifndef BUG
  pthread_mutex_unlock(&logger.lock);
#endif
}

__attribute__((format(printf, 2, 3))) static void log_msg(enum log_level level, const char *fmt, ...)
{
  va_list ap;
  pthread_mutex_lock(&logger.lock);
  if (level < logger.threshold) {
    pthread_mutex_unlock(&logger.lock);
    return;
  }
  while (logger.in - logger.out == LINES)
    pthread_cond_wait(&logger.space, &logger.lock);
  struct log_line *line = &logger.lines[logger.in % LINES];
  line->level = level;
  clock_gettime(CLOCK_REALTIME, &line->when);
  va_start(ap, fmt);
  int n = vsnprintf(line->text, sizeof line->text, fmt, ap);
  va_end(ap);
  if (n < 0)
    line->text[0] = '\0';
  else if ((size_t)n >= sizeof line->text)
    strcpy(line->text + sizeof line->text - 4, "...");
  logger.in++;
  pthread_cond_signal(&logger.data);
  pthread_mutex_unlock(&logger.lock);
}

static void write_line(const struct log_line *line)
{
  char stamp[32];
  struct tm tm;
  time_t seconds = line->when.tv_sec;
  localtime_r(&seconds, &tm);
  strftime(stamp, sizeof stamp, "%H:%M:%S", &tm);
  fprintf(logger.file, "%s.%03ld [%s] %s\n", stamp, line->when.tv_nsec / 1000000, level_name(line->level), line->text);
}

static void *writer(void *unused)
{
  (void)unused;
  pthread_mutex_lock(&logger.lock);
  for (;;) {
    while (logger.in == logger.out && !logger.stop)
      pthread_cond_wait(&logger.data, &logger.lock);
    if (logger.in == logger.out)
      break;
    struct log_line copy = logger.lines[logger.out % LINES];
    logger.out++;
    logger.written++;
    pthread_cond_signal(&logger.space);
    pthread_mutex_unlock(&logger.lock);
    write_line(&copy);
    pthread_mutex_lock(&logger.lock);
  }
  pthread_mutex_unlock(&logger.lock);
  return NULL;
}

static int log_open(const char *path)
{
  logger.file = path ? fopen(path, "a") : stderr;
  if (logger.file == NULL)
    return -1;
  return pthread_create(&logger.thread, NULL, writer, NULL) == 0 ? 0 : -1;
}

static void log_close(void)
{
  pthread_mutex_lock(&logger.lock);
  logger.stop = 1;
  pthread_cond_signal(&logger.data);
  pthread_mutex_unlock(&logger.lock);
  pthread_join(logger.thread, NULL);
  if (logger.file != stderr && fclose(logger.file) != 0)
    perror("fclose");
}

static void *client(void *arg)
{
  int id = *(int *)arg;
  log_msg(LOG_DEBUG, "client %d starts", id);
  log_msg(LOG_ERROR, "client %d: %s", id, "failed");
  return NULL;
}

int main(int argc, char **argv)
{
  pthread_t t;
  int id = 1;
  if (log_open(argc > 1 ? argv[1] : NULL) < 0) {
    fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    return 1;
  }
  pthread_create(&t, NULL, client, &id);
  log_set_level(LOG_INFO);
  pthread_join(t, NULL);
  log_close();
  assert(logger.written == 1 || logger.written == 2);
  return 0;
}
