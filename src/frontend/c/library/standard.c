// What programs use of the rest of the standard library: ending the process, memory, random numbers, time, output.
//
// Output is not modelled, and neither are its failures.
#include "cohort_intrinsics.h"
#include "types.h"

unsigned long strlen(const char *text);
unsigned long strnlen(const char *text, unsigned long most);
void *memcpy(void *to, const void *from, unsigned long size);
void cohort_read_text_up_to(const char *text, int most);

void exit(int status) {
  (void)status;
  __cohort_exit();
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
void abort(void) {
#if COHORT_ABORTS
  __cohort_violation("abort", "abort is called");
#endif
  __cohort_end_process();
}
// What atexit is given, in order; the last runs first.
enum { COHORT_EXIT_HANDLERS = 8 };
static void (*cohort_exit_handlers[COHORT_EXIT_HANDLERS])(void);
static int cohort_exit_count;
int atexit(void (*function)(void)) {
  __cohort_atomic_begin();
  if (cohort_exit_count >= COHORT_EXIT_HANDLERS) __cohort_unsupported("more than 8 functions for atexit");
  cohort_exit_handlers[cohort_exit_count++] = function;
  __cohort_atomic_end();
  return 0;
}
void cohort_run_handlers(void) {
  while (cohort_exit_count > 0) cohort_exit_handlers[--cohort_exit_count]();
}

// Only who asks for another size needs to know the size that there was.
#if COHORT_SIZES
enum { COHORT_BLOCKS = 16 };
static const void *cohort_blocks[COHORT_BLOCKS];
static unsigned long cohort_block_sizes[COHORT_BLOCKS];
static int cohort_block_of(const void *block) {
  int i = 0;
  while (i < COHORT_BLOCKS && cohort_blocks[i] != block) i++;
  return i;
}
#endif
static void *cohort_new_block(void *block, unsigned long size) {
#if COHORT_SIZES
  __cohort_atomic_begin();
  const int i = cohort_block_of(COHORT_NULL);
  if (i == COHORT_BLOCKS) __cohort_unsupported("more than 16 allocated objects at a time in a program that calls realloc");
  cohort_blocks[i] = block;
  cohort_block_sizes[i] = size;
  __cohort_atomic_end();
#else
  (void)size;
#endif
  return block;
}
void *malloc(unsigned long size) {
#if COHORT_FAILING
  if (__cohort_nondet_bool()) return COHORT_NULL;
#endif
  return cohort_new_block(__cohort_allocate(size), size);
}
void *calloc(unsigned long count, unsigned long size) {
#if COHORT_FAILING
  if (__cohort_nondet_bool()) return COHORT_NULL;
#endif
  if (size != 0 && count > ~0ul / size) return COHORT_NULL;
  return cohort_new_block(__cohort_allocate_zero(count * size), count * size);
}
void free(void *pointer) {
#if !COHORT_FAULTS
  __cohort_note("what is freed is neither used nor freed again; --property faults looks for that");
#endif
#if COHORT_REUSE
  __cohort_note("freed memory comes back as an object of the same type with what was in it, or not at all");
#else
  __cohort_note("freed memory is not handed out again");
#endif
#if COHORT_SIZES
  __cohort_atomic_begin();
  const int i = pointer == COHORT_NULL ? COHORT_BLOCKS : cohort_block_of(pointer);
  if (i < COHORT_BLOCKS) cohort_blocks[i] = COHORT_NULL;
  __cohort_atomic_end();
#endif
  __cohort_free(pointer);
}
void *aligned_alloc(unsigned long alignment, unsigned long size) {
  (void)alignment;
  return malloc(size);
}
void *memalign(unsigned long alignment, unsigned long size) {
  (void)alignment;
  return malloc(size);
}
void *valloc(unsigned long size) { return malloc(size); }
void *pvalloc(unsigned long size) { return malloc((size + 4095) / 4096 * 4096); }
int posix_memalign(void **result, unsigned long alignment, unsigned long size) {
  (void)alignment;
#if COHORT_FAILING
  if (__cohort_nondet_bool()) return COHORT_ENOMEM;
#endif
  *result = cohort_new_block(__cohort_allocate(size), size);
  return 0;
}
char *strdup(const char *text) {
  const unsigned long size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy == COHORT_NULL) return COHORT_NULL;
  memcpy(copy, text, size);
  return copy;
}
char *strndup(const char *text, unsigned long most) {
  const unsigned long length = strnlen(text, most);
  char *copy = malloc(length + 1);
  if (copy == COHORT_NULL) return COHORT_NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}
void *realloc(void *pointer, unsigned long size) {
  if (pointer == COHORT_NULL) return malloc(size);
#if COHORT_SIZES
  const int i = cohort_block_of(pointer);
  if (i == COHORT_BLOCKS) __cohort_violation("fault", "realloc of something that was not allocated, or is freed");
  const unsigned long before = cohort_block_sizes[i];
  if (size == 0) {
    // As glibc has it, or an object without bytes.
    if (__cohort_nondet_bool()) {
      free(pointer);
      return COHORT_NULL;
    }
  }
#if COHORT_FAILING
  if (__cohort_nondet_bool()) return COHORT_NULL;
#endif
  // Copied byte by byte: a scalar that has no value yet would get one with its first byte.
  __cohort_note("what realloc adds to an object is 0");
  char *to = cohort_new_block(__cohort_allocate_zero(size), size);
  memcpy(to, pointer, before < size ? before : size);
  free(pointer);
  return to;
#else
  __cohort_unsupported("realloc through a pointer to the function");
  return COHORT_NULL;
#endif
}
void *reallocarray(void *pointer, unsigned long count, unsigned long size) {
  if (size != 0 && count > 0xfffffffffffffffful / size) return COHORT_NULL;
  return realloc(pointer, count * size);
}

int rand(void) {
  int value = __cohort_nondet_int();
  __cohort_assume(value >= 0);
  return value;
}
static void cohort_plain_stir(unsigned *seed) { *seed += (unsigned)__cohort_nondet_int(); }
int rand_r(unsigned *seed) {
  cohort_plain_stir(seed);
  return rand();
}
long random(void) {
  return rand();
}
void srand(unsigned seed) { (void)seed; }
void srandom(unsigned seed) { (void)seed; }
// Seconds since 1970: those of every date up to 2242, so that they can be told in nanoseconds.
long cohort_seconds(void) {
  long value = __cohort_nondet_long();
  __cohort_assume(value >= 0);
  __cohort_assume((long long)value < 1LL << 33);
  return value;
}
long time(long *result) {
  long value = cohort_seconds();
  if (result != COHORT_NULL) *result = value;
  return value;
}
long clock(void) { return cohort_seconds(); }

int sched_yield(void) { return 0; }

int printf(const char *format, ...) {
  (void)format;
  return __cohort_nondet_int();
}
int fprintf(void *stream, const char *format, ...) {
  (void)format;
  cohort_use_file(stream);
  return __cohort_nondet_int();
}
// Reads what a format asks for of the arguments behind it.
static void cohort_read_arguments(const char *format, __builtin_va_list arguments) {
#if COHORT_READS
  for (; *format != 0; format++) {
    int is_long = 0, most = -1;
    if (*format != '%') continue;
    for (format++; *format != 0; format++) {
      if (*format == 'l' || *format == 'z' || *format == 'j' || *format == 't') {
        is_long = 1;
      } else if (*format == '*') {
        most = __builtin_va_arg(arguments, int);
      } else if (*format == '.') {
        most = 0;
      } else if (*format >= '0' && *format <= '9') {
        most = most < 0 ? -1 : 10 * most + (*format - '0');
      } else if (*format != '-' && *format != '+' && *format != ' ' && *format != '#' && *format != 'h') {
        break;
      }
    }
    if (*format == 's') {
      cohort_read_text_up_to(__builtin_va_arg(arguments, const char *), most);
    } else if (*format == 'd' || *format == 'i' || *format == 'u' || *format == 'x' || *format == 'X' || *format == 'o' || *format == 'c') {
      if (is_long) {
        __builtin_va_arg(arguments, long);
      } else {
        __builtin_va_arg(arguments, int);
      }
    } else if (*format == 'p') {
      __builtin_va_arg(arguments, void *);
    } else if (*format == 0) {
      return;
    } else if (*format != '%') {
      __cohort_note("what follows a floating-point number or %n in the arguments of vprintf and its kind is not read");
      return;
    }
  }
#else
  (void)format, (void)arguments;
#endif
}
int vprintf(const char *format, __builtin_va_list arguments) {
  cohort_read_arguments(format, arguments);
  return __cohort_nondet_int();
}
int vfprintf(void *stream, const char *format, __builtin_va_list arguments) {
  cohort_use_file(stream);
  cohort_read_arguments(format, arguments);
  return __cohort_nondet_int();
}
// Any text of this size: characters that nobody has written.
int vsnprintf(char *to, unsigned long size, const char *format, __builtin_va_list arguments) {
  const int length = __cohort_nondet_int();
  cohort_read_arguments(format, arguments);
  __cohort_note("vsnprintf writes any text that fits");
  for (unsigned long i = 0; i + 1 < size; i++) {
    char any;
    to[i] = any;
  }
  if (size > 0) to[size - 1] = 0;
  return length;
}
int vsprintf(char *to, const char *format, __builtin_va_list arguments) {
  (void)to, (void)format, (void)arguments;
  __cohort_unsupported("vsprintf: text of any length");
  return 0;
}
// The front end takes these apart by the directives of their formats, where they are literals (text.c).
int sprintf(char *to, const char *format, ...) {
  (void)to, (void)format;
  __cohort_unsupported("text written by a format that is not a short literal");
  return 0;
}
int snprintf(char *to, unsigned long size, const char *format, ...) {
  __builtin_va_list arguments;
  __builtin_va_start(arguments, format);
  const int length = vsnprintf(to, size, format, arguments);
  __builtin_va_end(arguments);
  return length;
}
int puts(const char *text) {
  (void)text;
  return 0;
}
int putchar(int character) { return (unsigned char)character; }
int fputs(const char *text, void *stream) {
  (void)text;
  cohort_use_file(stream);
  return 0;
}
int fputc(int character, void *stream) {
  cohort_use_file(stream);
  return (unsigned char)character;
}
int fflush(void *stream) {
  if (stream != COHORT_NULL) cohort_use_file(stream);
  return 0;
}
int putc_unlocked(int character, void *stream) { return fputc(character, stream); }
int fputc_unlocked(int character, void *stream) { return fputc(character, stream); }
int putchar_unlocked(int character) { return putchar(character); }
int fputs_unlocked(const char *text, void *stream) { return fputs(text, stream); }
int fflush_unlocked(void *stream) { return fflush(stream); }
void perror(const char *text) { (void)text; }
void setbuf(void *stream, char *buffer) { (void)stream, (void)buffer; }

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
