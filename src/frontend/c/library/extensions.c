// What POSIX, BSD and GNU have beside the C standard: text without case, memory by other names, lines, random numbers, and what
// only concerns how threads are scheduled.
#include "cohort_intrinsics.h"
#include "types.h"

int tolower(int character);
void *malloc(unsigned long size);
void *memset(void *to, int value, unsigned long size);
void *memcpy(void *to, const void *from, unsigned long size);
void *memmove(void *to, const void *from, unsigned long size);
void free(void *pointer);
char *strchr(const char *text, int character);
int strcmp(const char *left, const char *right);
int memcmp(const void *left, const void *right, unsigned long size);
unsigned long strnlen(const char *text, unsigned long most);
char *strrchr(const char *text, int character);
unsigned long strlen(const char *text);
void cohort_plain_any(unsigned char *to, unsigned long count);
unsigned long strcspn(const char *text, const char *unwanted);

int strncasecmp(const char *left, const char *right, unsigned long size) {
  for (unsigned long i = 0; i < size; i++) {
    const int a = tolower((unsigned char)left[i]);
    const int b = tolower((unsigned char)right[i]);
    if (a != b) return a - b;
    if (a == 0) return 0;
  }
  return 0;
}
int strcasecmp(const char *left, const char *right) { return strncasecmp(left, right, ~0ul); }
char *strsep(char **rest, const char *separators) {
  char *const text = *rest;
  if (text == COHORT_NULL) return COHORT_NULL;
  char *const end = text + strcspn(text, separators);
  if (*end == 0) {
    *rest = COHORT_NULL;
  } else {
    *end = 0;
    *rest = end + 1;
  }
  return text;
}
char *stpcpy(char *to, const char *from) {
  while (*from != 0) *to++ = *from++;
  *to = 0;
  return to;
}
char *index(const char *text, int character) { return strchr(text, character); }
char *rindex(const char *text, int character) { return strrchr(text, character); }
void bzero(void *to, unsigned long size) { memset(to, 0, size); }
void explicit_bzero(void *to, unsigned long size) { memset(to, 0, size); }
void bcopy(const void *from, void *to, unsigned long size) { memmove(to, from, size); }
void *mempcpy(void *to, const void *from, unsigned long size) { return (char *)memcpy(to, from, size) + size; }
void *memrchr(const void *memory, int character, unsigned long size) {
  const unsigned char *bytes = memory;
  for (unsigned long i = size; i > 0; i--) {
    if (bytes[i - 1] == (unsigned char)character) return (void *)(bytes + i - 1);
  }
  return COHORT_NULL;
}
int ffsll(long long value) {
  for (int i = 0; i < 64; i++) {
    if ((unsigned long long)value >> i & 1) return i + 1;
  }
  return 0;
}
int ffsl(long value) { return ffsll(value); }
int ffs(int value) { return ffsll((unsigned)value); }
long long llabs(long long value) { return value < 0 ? -value : value; }

// Lines and texts that nobody knows are short.
enum { COHORT_LINE = 8 };
static int cohort_any_line(char *to, int least) {
  const int length = __cohort_nondet_int();
  __cohort_assume(length >= least);
  __cohort_assume(length < COHORT_LINE);
  for (int i = 0; i < length; i++) {
    char any;
    to[i] = any;
  }
  to[length] = 0;
  return length;
}
// The same where there is room for 8 and nobody asks for the length; a text that is one is not empty.
void cohort_any_text(char *to, int may_be_empty) {
  for (int i = 0; i < COHORT_LINE - 1; i++) {
    char any;
    if (i == 0 && !may_be_empty) __cohort_assume(any != 0);
    to[i] = any;
  }
  to[COHORT_LINE - 1] = 0;
}
long getdelim(char **line, unsigned long *size, int delimiter, void *stream) {
  (void)stream, (void)delimiter;
  __cohort_note("getline reads at most 7 characters");
  if (*line == COHORT_NULL || *size < COHORT_LINE) {
    free(*line);
    *line = malloc(COHORT_LINE);
    *size = COHORT_LINE;
  }
  if (__cohort_nondet_bool()) return -1;
  return cohort_any_line(*line, 1);
}
long getline(char **line, unsigned long *size, void *stream) { return getdelim(line, size, '\n', stream); }
int vasprintf(char **to, const char *format, __builtin_va_list arguments) {
  (void)format, (void)arguments;
  __cohort_note("asprintf writes any text of at most 7 characters");
  *to = malloc(COHORT_LINE);
  if (*to == COHORT_NULL) return -1;
  return cohort_any_line(*to, 0);
}
int asprintf(char **to, const char *format, ...) {
  __builtin_va_list none;
  return vasprintf(to, format, none);
}
int putc(int character, void *stream) {
  (void)stream;
  return (unsigned char)character;
}

// Text and memory by other names.
char *strchrnul(const char *text, int character) {
  while (*text != 0 && *text != (char)character) text++;
  return (char *)text;
}
void *rawmemchr(const void *memory, int character) {
  const unsigned char *bytes = memory;
  while (*bytes != (unsigned char)character) bytes++;
  return (void *)bytes;
}
char *strcasestr(const char *text, const char *wanted) {
  const unsigned long length = strlen(wanted);
  for (;; text++) {
    if (strncasecmp(text, wanted, length) == 0) return (char *)text;
    if (*text == 0) return COHORT_NULL;
  }
}
void *memmem(const void *memory, unsigned long size, const void *wanted, unsigned long length) {
  const char *bytes = memory;
  for (unsigned long i = 0; i + length <= size; i++) {
    if (memcmp(bytes + i, wanted, length) == 0) return (void *)(bytes + i);
  }
  return COHORT_NULL;
}
unsigned long strlcpy(char *to, const char *from, unsigned long size) {
  const unsigned long length = strlen(from);
  for (unsigned long i = 0; i + 1 < size && i < length; i++) to[i] = from[i];
  if (size > 0) to[length < size ? length : size - 1] = 0;
  return length;
}
unsigned long strlcat(char *to, const char *from, unsigned long size) {
  const unsigned long length = strnlen(to, size);
  return length + strlcpy(to + length, from, size - length);
}
char *stpncpy(char *to, const char *from, unsigned long size) {
  unsigned long i = 0;
  for (; i < size && from[i] != 0; i++) to[i] = from[i];
  char *end = to + i;
  for (; i < size; i++) to[i] = 0;
  return end;
}
void *memccpy(void *to, const void *from, int character, unsigned long size) {
  const unsigned char *source = from;
  unsigned char *bytes = to;
  for (unsigned long i = 0; i < size; i++) {
    bytes[i] = source[i];
    if (bytes[i] == (unsigned char)character) return bytes + i + 1;
  }
  return COHORT_NULL;
}
int strcoll(const char *left, const char *right) { return strcmp(left, right); }
char *basename(const char *name) {
  char *slash = strrchr(name, '/');
  return slash == COHORT_NULL ? (char *)name : slash + 1;
}
int isascii(int character) { return (character & ~0x7f) == 0; }
int toascii(int character) { return character & 0x7f; }

double strtod(const char *text, char **end) {
  double any;
  const unsigned long length = strlen(text);
  if (end == COHORT_NULL) return any;
  const unsigned long read = (unsigned long)__cohort_nondet_long();
  __cohort_assume(read <= length);
  *end = (char *)text + read;
  return any;
}
float strtof(const char *text, char **end) { return (float)strtod(text, end); }
double atof(const char *text) { return strtod(text, COHORT_NULL); }
long lrand48(void) {
  const int value = __cohort_nondet_int();
  __cohort_assume(value >= 0);
  return value;
}
long mrand48(void) { return __cohort_nondet_int(); }
void srand48(long seed) { (void)seed; }
unsigned arc4random_uniform(unsigned limit) {
  const unsigned value = __cohort_nondet_uint();
  __cohort_assume(limit == 0 ? value == 0 : value < limit);
  return value;
}
long getrandom(void *to, unsigned long size, unsigned flags) {
  (void)flags;
  __cohort_note("random bytes are always there");
  cohort_plain_any(to, size);
  return (long)size;
}
int getentropy(void *to, unsigned long size) {
  __cohort_note("random bytes are always there");
  cohort_plain_any(to, size);
  return 0;
}
void arc4random_buf(void *to, unsigned long size) { cohort_plain_any(to, size); }
unsigned arc4random(void) { return __cohort_nondet_uint(); }

// Which thread runs next is never known here, whatever the program asks for.
int getpagesize(void) { return 4096; }
int sched_getcpu(void) {
  const int processor = __cohort_nondet_int();
  __cohort_assume(processor >= 0);
  return processor;
}
int sched_get_priority_max(int policy) { return policy == 0 ? 0 : 99; }
int sched_get_priority_min(int policy) { return policy == 0 ? 0 : 1; }
int sched_setaffinity(int process, unsigned long size, const void *set) {
  (void)process, (void)size, (void)set;
  return 0;
}
int sched_setscheduler(int process, int policy, const void *parameters) {
  (void)process, (void)policy, (void)parameters;
  return 0;
}
int pthread_setschedprio(pthread_t thread, int priority) {
  (void)thread, (void)priority;
  return 0;
}
int pthread_attr_setguardsize(pthread_attr_t *attributes, unsigned long size) {
  (void)attributes, (void)size;
  return 0;
}
int pthread_attr_setstack(pthread_attr_t *attributes, void *stack, unsigned long size) {
  (void)attributes, (void)stack, (void)size;
  return 0;
}
int pthread_attr_setaffinity_np(pthread_attr_t *attributes, unsigned long size, const void *set) {
  (void)attributes, (void)size, (void)set;
  return 0;
}
int pthread_getname_np(pthread_t thread, char *name, unsigned long size) {
  (void)thread;
  if (size < 16) return 34;
  __cohort_note("the name of a thread is any text of at most 7 characters");
  cohort_any_text(name, 1);
  return 0;
}
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) {
  (void)attributes, (void)protocol;
  return 0;
}
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling) {
  (void)attributes, (void)ceiling;
  return 0;
}
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust) {
  (void)attributes;
  if (robust != 0) __cohort_unsupported("mutexes that notice the end of their owner");
  return 0;
}
int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared) {
  (void)attributes, (void)shared;
  return 0;
}
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared) {
  (void)attributes, (void)shared;
  return 0;
}
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind) {
  (void)attributes, (void)kind;
  return 0;
}
int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared) {
  (void)attributes, (void)shared;
  return 0;
}
