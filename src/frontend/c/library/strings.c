// Strings, and memory as bytes.
//
// Copies of objects whose type shows in the call never come here: the front end makes assignments of them.
#include "cohort_intrinsics.h"

// In words as long as there are any: who stores a part of a number that was never written must choose the rest of it.
void *memset(void *to, int value, unsigned long size) {
  char *bytes = to;
  const unsigned long word = (unsigned char)value * 0x0101010101010101ul;
  unsigned long i = 0;
  for (; i + 8 <= size; i += 8) *(unsigned long *)(bytes + i) = word;
  for (; i + 4 <= size; i += 4) *(unsigned *)(bytes + i) = (unsigned)word;
  for (; i < size; i++) bytes[i] = (char)value;
  return to;
}
static void *cohort_copy(void *to, const void *from, unsigned long size) {
  char *bytes = to;
  const char *source = from;
  for (unsigned long i = 0; i < size; i++) bytes[i] = source[i];
  return to;
}
// Nobody knows what comes of objects that overlap; the same object twice is fine everywhere.
void *memcpy(void *to, const void *from, unsigned long size) {
  const unsigned long first = (unsigned long)to;
  const unsigned long second = (unsigned long)from;
  if (first != second && (first < second ? second - first : first - second) < size) {
    __cohort_violation("fault", "memcpy of objects that overlap");
  }
  return cohort_copy(to, from, size);
}
void cohort_read_memory(const void *from, unsigned long size) {
  const char *bytes = from;
  for (unsigned long i = 0; i < size; i++) {
    const char seen = bytes[i];
    (void)seen;
  }
}
void *memmove(void *to, const void *from, unsigned long size) {
  char *bytes = to;
  const char *source = from;
  if (bytes <= source) return cohort_copy(to, from, size);
  for (unsigned long i = size; i > 0; i--) bytes[i - 1] = source[i - 1];
  return to;
}
// All bytes are compared, also those behind the first that differs: who looks for faults or races sees that they are read.
int memcmp(const void *left, const void *right, unsigned long size) {
  const unsigned char *a = left;
  const unsigned char *b = right;
  for (unsigned long i = 0; i < size; i++) {
    const int difference = a[i] - b[i];
    if (difference == 0) continue;
#if COHORT_READS
    cohort_read_memory(a + i + 1, size - i - 1);
    cohort_read_memory(b + i + 1, size - i - 1);
#endif
    return difference;
  }
  return 0;
}

unsigned long strlen(const char *text) {
  unsigned long length = 0;
  while (text[length] != 0) length++;
  return length;
}
int strncmp(const char *left, const char *right, unsigned long size) {
  for (unsigned long i = 0; i < size; i++) {
    const int a = (unsigned char)left[i];
    const int b = (unsigned char)right[i];
    if (a != b) return a - b;
    if (a == 0) return 0;
  }
  return 0;
}
int strcmp(const char *left, const char *right) { return strncmp(left, right, ~0ul); }
// Of texts it shows while they are copied whether they overlap: one comes to where the other begins.
#if COHORT_FAULTS
static void cohort_not_there(const char *one, const char *other, unsigned long i) {
  if ((unsigned long)one + i == (unsigned long)other) __cohort_violation("fault", "a copy of text that overlaps");
}
static void cohort_apart(const char *to, const char *from, unsigned long i) {
  cohort_not_there(to, from, i);
  cohort_not_there(from, to, i);
}
#define COHORT_NOT_THERE(one, other, i) cohort_not_there(one, other, i)
#define COHORT_APART(to, from, i) cohort_apart(to, from, i)
#else
#define COHORT_NOT_THERE(one, other, i)
#define COHORT_APART(to, from, i)
#endif
char *strncpy(char *to, const char *from, unsigned long size) {
  unsigned long i = 0;
  for (; i < size && from[i] != 0; i++) {
    COHORT_APART(to, from, i);
    to[i] = from[i];
  }
  if (i < size) {
    COHORT_APART(to, from, i);
  }
  for (; i < size; i++) {
    COHORT_NOT_THERE(to, from, i);
    to[i] = 0;
  }
  return to;
}
char *strcpy(char *to, const char *from) {
  unsigned long i = 0;
  for (; from[i] != 0; i++) {
    COHORT_APART(to, from, i);
    to[i] = from[i];
  }
  COHORT_APART(to, from, i);
  to[i] = 0;
  return to;
}
char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}
char *strncat(char *to, const char *from, unsigned long size) {
  char *end = to + strlen(to);
  unsigned long i = 0;
  for (; i < size && from[i] != 0; i++) end[i] = from[i];
  end[i] = 0;
  return to;
}
char *strchr(const char *text, int character) {
  for (; *text != (char)character; text++) {
    if (*text == 0) return COHORT_NULL;
  }
  return (char *)text;
}
char *strrchr(const char *text, int character) {
  char *last = COHORT_NULL;
  for (;; text++) {
    if (*text == (char)character) last = (char *)text;
    if (*text == 0) return last;
  }
}
char *strerror(int error) {
  static char text[] = "error";
  (void)error;
  return text;
}

// Built-in functions that count bits.
int cohort_builtin_popcountll(unsigned long long value) {
  int count = 0;
  for (; value != 0; value &= value - 1) count++;
  return count;
}
int cohort_builtin_popcountl(unsigned long value) { return cohort_builtin_popcountll(value); }
int cohort_builtin_popcount(unsigned value) { return cohort_builtin_popcountll(value); }
int cohort_builtin_parity(unsigned value) { return cohort_builtin_popcountll(value) & 1; }
int cohort_builtin_ctzll(unsigned long long value) {
  int count = 0;
  for (; (value & 1) == 0; value >>= 1) count++;
  return count;
}
int cohort_builtin_ctzl(unsigned long value) { return cohort_builtin_ctzll(value); }
int cohort_builtin_ctz(unsigned value) { return cohort_builtin_ctzll(value); }
int cohort_builtin_clzll(unsigned long long value) {
  int count = 64;
  for (; value != 0; value >>= 1) count--;
  return count;
}
int cohort_builtin_clzl(unsigned long value) {
  return cohort_builtin_clzll(value) - (64 - 8 * (int)sizeof value);
}
int cohort_builtin_clz(unsigned value) { return cohort_builtin_clzll(value) - 32; }
int cohort_builtin_ffsll(long long value) { return value == 0 ? 0 : cohort_builtin_ctzll(value) + 1; }
int cohort_builtin_ffsl(long value) { return cohort_builtin_ffsll(value); }
int cohort_builtin_ffs(int value) { return cohort_builtin_ffsll(value); }
unsigned short cohort_builtin_bswap16(unsigned short value) { return value << 8 | value >> 8; }
unsigned cohort_builtin_bswap32(unsigned value) {
  return value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
}
