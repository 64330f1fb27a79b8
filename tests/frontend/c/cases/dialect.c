// The compilers' dialect: atomic operations on structs, checked arithmetic in 64 bits, sizes of objects, printed numbers.
// case 1: safe
// case 2: unsafe
// case 3: safe not native
// case 4: unsafe not native
// case 6: safe
// case 7: safe
// case 8: safe
// case 9: safe
// case 10: safe
// case 11: unsafe
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#if CASE == 9
#include <immintrin.h>
#endif
#if CASE == 10 || CASE == 11
#include <ctype.h>
#include <stdlib.h>
#include <sys/select.h>
#endif

#if CASE == 1 || CASE == 2
// A tagged pair that changes as a whole.
struct pair { uint32_t tag, index; };
static _Atomic struct pair head;
static void *worker(void *arg) {
  struct pair old = atomic_load(&head), wanted;
  do {
    wanted.tag = old.tag + 1;
    wanted.index = old.index + 2;
  } while (!atomic_compare_exchange_strong(&head, &old, wanted));
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  struct pair end = atomic_load(&head), other = {7, 8};
  assert(end.tag == 2 && end.index == (CASE == 1 ? 4 : 3));
  end = atomic_exchange(&head, other);
  assert(end.tag == 2 && atomic_load(&head).index == 8);
  assert(!atomic_compare_exchange_strong(&head, &end, other) && end.tag == 7);
  return 0;
}

#elif CASE == 3 || CASE == 4
// Generic forms on a struct of a pointer and a number.
struct node { int value; struct node *next; };
struct top { struct node *first; uintptr_t tag; };
static struct top head;
static struct node one = {1, 0}, two = {2, 0};
static void *push(void *arg) {
  struct node *n = arg;
  struct top old, wanted;
  __atomic_load(&head, &old, __ATOMIC_SEQ_CST);
#if CASE == 4
  n->next = old.first;
  wanted.first = n;
  wanted.tag = old.tag + 1;
  __atomic_store(&head, &wanted, __ATOMIC_SEQ_CST);
#else
  do {
    n->next = old.first;
    wanted.first = n;
    wanted.tag = old.tag + 1;
  } while (!__atomic_compare_exchange(&head, &old, &wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
#endif
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, push, &one);
  pthread_create(&b, 0, push, &two);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(head.tag == 2 && head.first->value + head.first->next->value == 3);
  return 0;
}

#elif CASE == 6
int main(void) {
  uint64_t u = UINT64_MAX, product;
  int64_t s = INT64_MAX, sum;
  uint32_t narrow;
  size_t total;
  assert(__builtin_add_overflow(u, 1ul, &product) && product == 0);
  assert(!__builtin_add_overflow(u - 1, 1ul, &product) && product == u);
  assert(__builtin_sub_overflow(1ul, 2ul, &product) && product == u);
  assert(__builtin_mul_overflow(u / 2, 3ul, &product) && !__builtin_mul_overflow(0ul, u, &product) && product == 0);
  assert(!__builtin_mul_overflow((size_t)12, sizeof(int), &total) && total == 48);
  assert(__builtin_add_overflow(s, (int64_t)1, &sum) && sum == INT64_MIN);
  assert(__builtin_sub_overflow(INT64_MIN, (int64_t)1, &sum) && sum == INT64_MAX);
  assert(!__builtin_sub_overflow((int64_t)-1, s, &sum) && sum == INT64_MIN);
  assert(__builtin_mul_overflow(0x10000u, 0x10000u, &narrow) && narrow == 0);
  assert(__builtin_sub_overflow(1u, 2u, &narrow) && narrow == UINT32_MAX);
  return 0;
}

#elif CASE == 7
// How large an object is cannot always be told.
static size_t room(char *p) { return __builtin_object_size(p, 0); }
int main(void) {
  char text[4];
  volatile int unknown = 3;
  char *p = unknown ? text : 0;
  assert(room(p) == (size_t)-1 && __builtin_object_size(p, 2) == 0);
  return 0;
}

#elif CASE == 8
// What is printed of a floating-point number has a length.
int main(void) {
  char text[16];
  double ratio = 0.5;
  int n = snprintf(text, sizeof text, "%.2f %d", ratio, 7);
  assert(n == 6 && strlen(text) == 6 && text[4] == ' ' && text[5] == '7');
  return 0;
}
#elif CASE == 9
// A flag is a lock, with the header for the instructions of the processor.
static struct { atomic_flag flag; int count; } lock = {ATOMIC_FLAG_INIT, 0};
static void *worker(void *arg) {
  while (atomic_flag_test_and_set_explicit(&lock.flag, memory_order_acquire)) _mm_pause();
  lock.count++;
  _mm_mfence();
  atomic_flag_clear_explicit(&lock.flag, memory_order_release);
  return arg;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(lock.count == 2 && !atomic_flag_test_and_set(&lock.flag));
  return 0;
}

#elif CASE == 10 || CASE == 11
// Headers may define functions of the library to be inlined, and checked ones.
static int sum;
static void *worker(void *arg) {
  char text[8], copy[8];
  snprintf(text, sizeof text, "%d", *(int *)arg);
  memcpy(copy, text, sizeof text);
  strcpy(text, copy);
  if (isdigit((unsigned char)text[0]) && tolower('A') == 'a' && toupper(text[0]) == text[0]) {
    __atomic_fetch_add(&sum, atoi(text), __ATOMIC_SEQ_CST);
  }
  return NULL;
}
int main(void) {
  pthread_t t[2];
  int given[2] = {10, 5};
  fd_set set;
  FD_ZERO(&set);
  FD_SET(70, &set);
  assert(FD_ISSET(70, &set) && !FD_ISSET(6, &set));
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, &given[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  printf("%d\n", sum);
  assert(sum == (CASE == 10 ? 15 : 16));
  return 0;
}
#endif
