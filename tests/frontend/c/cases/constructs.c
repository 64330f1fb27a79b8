// Variable arguments, floating-point numbers, functions around main, hints.
// case 1: safe
// case 2: unsafe
// case 3: safe
// case 4: unsafe
// case 5: unsafe --property faults
// case 6: safe
// case 7: unsafe
// case 8: safe
// case 9: safe
// case 10: safe
// case 11: unknown
// case 12: unknown
// case 13: unsafe
// case 14: safe
// case 15: unsafe
// case 16: safe
// case 17: unsafe
// case 18: unsafe --property races
// case 19: safe
// case 20: unsafe
// case 21: unsafe --property abort
// case 22: safe
// case 23: unsafe --error-label BAD
// case 24: safe --error-label BAD
// case 25: unsafe --failing-calls
// case 26: safe --entry other
// case 27: unsafe --entry other
// case 28: safe
// case 29: unknown --entry pointed
// case 30: safe
// case 31: safe
// case 33: safe
// case 34: safe
// case 35: safe
// case 36: unsafe
// case 37: unknown
// case 38: safe --property races
// case 32: safe --args "'a b' c"
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sum(int count, ...) {
  va_list list;
  int result = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) result += va_arg(list, int);
  va_end(list);
  return result;
}
static int inner(va_list list) { return va_arg(list, int); }
static int outer(int first, ...) {
  va_list list, copy;
  va_start(list, first);
  va_copy(copy, list);
  int result = inner(list);
  result = 10 * result + va_arg(copy, int);
  va_end(copy);
  va_end(list);
  return result;
}
static const char *texts(char kind, ...) {
  va_list list;
  va_start(list, kind);
  long number = va_arg(list, long);
  const char *text = va_arg(list, const char *);
  va_end(list);
  return number == 7 ? text : "";
}
static void die(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  exit(0);
}

double total;
double samples[4] = {1, 2, 3, 4};
struct mixed {
  int count;
  double value;
  float small;
};
union bits {
  double number;
  long word;
};
int order;
#if CASE >= 15 && CASE <= 17
__attribute__((constructor)) static void before(void) { order = order * 10 + 1; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 2; }
#endif
#if CASE == 17
__attribute__((destructor)) static void after(void) { assert(order == 0); }
#endif
static void handler(void) { assert(order == 5); }

static int word;
static inline int exchange(int *to, int value) {
  __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(*to) : : "memory");
  return value;
}
static inline int fetch_add(int *to, int value) {
  __asm__ __volatile__("lock; xaddl %0, %1" : "=r"(value), "=m"(*to) : "0"(value), "m"(*to) : "memory", "cc");
  return value;
}
static inline int compare_exchange(int *to, int expected, int desired) {
  int before;
  __asm__ __volatile__("lock\n\tcmpxchgl %2, %1" : "=a"(before), "+m"(*to) : "r"(desired), "0"(expected) : "memory");
  return before;
}
static inline int decrement_is_zero(int *to) {
  unsigned char zero;
  __asm__ __volatile__("lock; decl %[to]; sete %b1" : [to] "+m"(*to), "=q"(zero) : : "cc", "memory");
  return zero;
}
static inline int set_bit(int *to, int bit) {
  int before;
  __asm__ __volatile__("lock; btsl %2, %1; sbbl %0, %0" : "=r"(before), "+m"(*to) : "r"(bit) : "memory");
  return before;
}
void *locked(void *argument) {
  (void)argument;
  while (exchange(&word, 1)) __asm__ __volatile__("pause" ::: "memory");
  order++;
  exchange(&word, 0);
  return NULL;
}
void *counted(void *argument) {
  (void)argument;
  __asm__ __volatile__("lock; incl %0" : "+m"(word));
  return NULL;
}
void *add(void *argument) {
  (void)argument;
  total += samples[1] * 2.5;
  return NULL;
}
int other(int number) {
  assert(CASE == 26 || number != 5);
  return number;
}
int pointed(int *number) {
  if (number) assert(*number != 3);
  return 0;
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
#if CASE == 1
  assert(sum(3, 1, 2, 3) == 6 && sum(0) == 0 && sum(1, 7) + sum(2, 1, 1) == 9);
#elif CASE == 2
  assert(sum(3, 1, 2, 3) != 6);
#elif CASE == 3
  assert(outer(0, 4, 9) == 44);
  assert(strcmp(texts('x', 7L, "abc"), "abc") == 0);
#elif CASE == 4
  assert(outer(0, 4, 9) == 49);
#elif CASE == 5
  sum(2, 1);
#elif CASE == 6
  die("%d\n", 3);
  assert(0);
#elif CASE == 7
  if (sum(1, 1)) assert(sum(1, 2) == 1);
  die("%d\n", 3);
#elif CASE == 8
  struct mixed m = {3, 1.5, 2}, n;
  n = m;
  m.value = m.value * samples[2] + n.small / 3;
  m.small += 1;
  m.small++;
  printf("%f %f\n", m.value, -total);
  assert(n.count == 3 && m.count == 3);
#elif CASE == 9
  if (samples[1] > 1.5) assert(order == 0);
#elif CASE == 10
  int whole = (int)samples[1];
  assert(whole == 2);
#elif CASE == 11
  union bits b;
  b.number = samples[1];
  assert(b.word != 0);
#elif CASE == 12
  long word;
  memcpy(&word, &samples[0], sizeof word);
  assert(word != 0);
#elif CASE == 13
  struct mixed m = {3, 1.5, 2};
  m.value = 2 * m.value;
  assert(m.count == 4);
#elif CASE == 14
  assert((int)2.5 == 2 && 1.5 < 2.0);
#elif CASE == 15
  assert(order == 0);
#elif CASE == 16
  assert(order == 21);
#elif CASE == 17
  order = 3;
#elif CASE == 18
  pthread_t t;
  pthread_create(&t, NULL, add, NULL);
  total += 1;
  pthread_join(t, NULL);
#elif CASE == 19
  atexit(handler);
  order = 5;
#elif CASE == 20
  atexit(handler);
  order = 4;
  exit(0);
#elif CASE == 21
  if (order == 0) abort();
#elif CASE == 22
  for (int i = 0; i < 2; i++) {
    __builtin_ia32_pause();
    __builtin_prefetch(&order);
    order++;
  }
  assert(order == 2);
#elif CASE == 23
  if (sum(1, 1) == 1) goto BAD;
  return 0;
BAD:
  order = 1;
#elif CASE == 24
  if (sum(1, 1) == 2) goto BAD;
  return 0;
BAD:
  order = 1;
#elif CASE == 25
  assert(malloc(4) != NULL);
#elif CASE == 28
  char line[8] = "a1 B\n";
  int letters = 0;
  for (int i = 0; line[i]; i++) letters += isalpha((unsigned char)line[i]) ? 1 : 0;
  assert(letters == 2);
#elif CASE == 30
  char *copy = strdup("abc");
  assert(strcmp(copy, "abc") == 0);
  free(copy);
#elif CASE == 31
  char line[8] = "a=b";
  char *rest;
  assert(*strtok_r(line, "=", &rest) == 'a' && *rest == 'b');
#elif CASE == 33
  assert(exchange(&word, 5) == 0 && exchange(&word, 6) == 5 && word == 6);
  assert(fetch_add(&word, 3) == 6 && word == 9);
  assert(compare_exchange(&word, 9, 1) == 9 && word == 1);
  assert(compare_exchange(&word, 9, 2) == 1 && word == 1);
  assert(!decrement_is_zero(&word) == 0 && word == 0);
  assert(set_bit(&word, 2) == 0 && word == 4 && set_bit(&word, 2) != 0 && word == 4);
  __asm__ __volatile__("addl $2, %0" : "+m"(word) : : "memory");
  assert(word == 6);
#elif CASE == 34 || CASE == 38
  pthread_t t;
  pthread_create(&t, NULL, locked, NULL);
  locked(NULL);
  pthread_join(t, NULL);
  assert(order == 2);
#elif CASE == 35
  pthread_t t;
  pthread_create(&t, NULL, counted, NULL);
  counted(NULL);
  pthread_join(t, NULL);
  assert(word == 2);
#elif CASE == 36
  assert(fetch_add(&word, 3) == 3);
#elif CASE == 37
  __asm__ __volatile__("cpuid" : : : "eax", "ebx", "ecx", "edx");
#elif CASE == 32
  assert(argc == 3 && strcmp(argv[1], "a b") == 0 && *argv[2] == 'c');
#endif
  return 0;
}
