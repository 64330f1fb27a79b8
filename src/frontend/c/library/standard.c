// What programs use of the rest of the standard library: ending the process, memory, random numbers, time, output.
//
// Time does not pass: whatever sleeps may go on at once, and is overtaken by others in other interleavings.  Output is
// not modelled, and neither are its failures.
#include "cohort_intrinsics.h"
#include "types.h"

void exit(int status) {
  (void)status;
  __cohort_end_process();
}
void _exit(int status) {
  (void)status;
  __cohort_end_process();
}
void _Exit(int status) {
  (void)status;
  __cohort_end_process();
}
void quick_exit(int status) {
  (void)status;
  __cohort_end_process();
}
void abort(void) { __cohort_end_process(); }
int atexit(void (*function)(void)) {
  (void)function;
  __cohort_unsupported("atexit: functions that run at the end of the process are not modelled");
  return 0;
}

void *malloc(unsigned long size) { return __cohort_allocate(size); }
void *calloc(unsigned long count, unsigned long size) { return __cohort_allocate_zero(count * size); }
void free(void *pointer) {
  __cohort_note("freed memory is not handed out again");
  __cohort_free(pointer);
}
void *realloc(void *pointer, unsigned long size) {
  (void)pointer, (void)size;
  __cohort_unsupported("realloc: objects that change their size are not modelled");
  return COHORT_NULL;
}

int rand(void) {
  int value = __cohort_nondet_int();
  __cohort_assume(value >= 0);
  return value;
}
int rand_r(unsigned *seed) {
  (void)seed;
  return rand();
}
long random(void) {
  long value = __cohort_nondet_long();
  __cohort_assume(value >= 0);
  return value;
}
void srand(unsigned seed) { (void)seed; }
void srandom(unsigned seed) { (void)seed; }
long time(long *result) {
  long value = __cohort_nondet_long();
  if (result != COHORT_NULL) *result = value;
  return value;
}
long clock(void) { return __cohort_nondet_long(); }

int sched_yield(void) { return 0; }
unsigned sleep(unsigned seconds) {
  (void)seconds;
  return 0;
}
int usleep(unsigned microseconds) {
  (void)microseconds;
  return 0;
}
int nanosleep(const struct timespec *duration, struct timespec *remaining) {
  (void)duration, (void)remaining;
  return 0;
}

int printf(const char *format, ...) {
  (void)format;
  return __cohort_nondet_int();
}
int fprintf(void *stream, const char *format, ...) {
  (void)stream, (void)format;
  return __cohort_nondet_int();
}
int vprintf(const char *format, void *arguments) {
  (void)format, (void)arguments;
  return __cohort_nondet_int();
}
int vfprintf(void *stream, const char *format, void *arguments) {
  (void)stream, (void)format, (void)arguments;
  return __cohort_nondet_int();
}
// The front end takes these apart by the directives of their formats (text.c).
int sprintf(char *to, const char *format, ...) {
  (void)to, (void)format;
  __cohort_unsupported("text written by a format that is not a short literal");
  return 0;
}
int snprintf(char *to, unsigned long size, const char *format, ...) {
  (void)to, (void)size, (void)format;
  __cohort_unsupported("text written by a format that is not a short literal");
  return 0;
}
int puts(const char *text) {
  (void)text;
  return 0;
}
int putchar(int character) { return character; }
int fputs(const char *text, void *stream) {
  (void)text, (void)stream;
  return 0;
}
int fputc(int character, void *stream) {
  (void)stream;
  return character;
}
int fflush(void *stream) {
  (void)stream;
  return 0;
}
void perror(const char *text) { (void)text; }
void setbuf(void *stream, char *buffer) { (void)stream, (void)buffer; }

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
