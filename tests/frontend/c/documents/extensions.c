// What docs/c-library.md lists beside the C standard and no other test calls.  Natively nothing fails here.
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// case LINES: safe
#ifdef LINES
int main(void) {
  char *line = NULL;
  size_t size = 0;
  const long length = getdelim(&line, &size, ':', stdin);
  assert(length == -1 || (length > 0 && (size_t)length < size && line[length] == 0));
  free(line);
  return 0;
}
#endif

// case TEXTS: safe, any text
// case TEXTS_EMPTY: unsafe
#if defined(TEXTS) || defined(TEXTS_EMPTY)
static int print(char **to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vasprintf(to, format, arguments);
  va_end(arguments);
  return length;
}
int main(void) {
  char *one, *other;
  const int first = asprintf(&one, "%d", 7);
  const int second = print(&other, "%d", 8);
  if (first < 0 || second < 0) return 0;
  assert(one != other && one[first] == 0 && other[second] == 0);
#ifdef TEXTS_EMPTY
  assert(first == 0);
#endif
  free(one);
  free(other);
  return 0;
}
#endif

// case NUMBERS: safe
// case NUMBERS_RACE --property races: unsafe
#if defined(NUMBERS) || defined(NUMBERS_RACE)
char text[4] = "1.5";
void *writer(void *arg) {
#ifdef NUMBERS_RACE
  text[0] = '2';
#endif
  return arg;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  char *end;
  strtod(text, &end);
  assert(text <= end && end <= text + 3);
  atof(text);
  srandom(1);
  srand48(1);
  const long number = mrand48();
  assert(INT_MIN <= number && number <= INT_MAX);
  const unsigned any = arc4random();
  assert(any <= UINT_MAX);
  clock();
  pthread_join(thread, NULL);
  return 0;
}
#endif

// case OUTPUT: safe
#ifdef OUTPUT
static int show(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vprintf(format, arguments);
  va_end(arguments);
  return length;
}
int main(void) {
  assert(putc('a', stdout) == 'a' && fputc('b', stdout) == 'b');
  show("%d\n", 3);
  return 0;
}
#endif

// case SCHEDULING: safe
#ifdef SCHEDULING
static char stack[1 << 16] __attribute__((aligned(4096)));
int main(void) {
  struct sched_param parameters = {0};
  cpu_set_t set;
  memset(&set, 0xff, sizeof set);
  sched_setaffinity(0, sizeof set, &set);
  sched_setscheduler(0, SCHED_OTHER, &parameters);
  pthread_setschedprio(pthread_self(), 0);
  pthread_attr_t attributes;
  assert(pthread_attr_init(&attributes) == 0);
  assert(pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
  pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
  char name[16];
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strlen(name) < sizeof name);
  pthread_mutexattr_t ceiling;
  assert(pthread_mutexattr_init(&ceiling) == 0);
  pthread_mutexattr_setprioceiling(&ceiling, 1);
  return 0;
}
#endif
