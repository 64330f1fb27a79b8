// Small programs written to get a wrong verdict: undefined behaviour where nobody seems to look, and corners of types and of the library.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

// What is stored outside of an object ends the execution, though nobody reads what is stored.
// case LOST_STORE --property faults: unsafe
// case LOST_STORE: safe, SAFE up to undefined behaviour at
#ifdef LOST_STORE
int main(void) {
  int log[4], i = __VERIFIER_nondet_int();
  if (i == 4) {
    log[i] = 1;
    assert(0);
  }
}
#endif
// case LOST_STORE_OF_MANY --property faults: unsafe
// case LOST_STORE_OF_MANY: safe, SAFE up to undefined behaviour at
#ifdef LOST_STORE_OF_MANY
struct entry { int when, what[2]; } entries[3];
int main(void) {
  for (int i = 0; i < 4; i++) entries[i].what[i & 1] = i;
  assert(0);
}
#endif
// case LOST_STORE_BEFORE --property faults: unsafe
// case LOST_STORE_BEFORE: safe, SAFE up to undefined behaviour at
#ifdef LOST_STORE_BEFORE
int unread[4];
int main(void) {
  int *p = unread + 1;
  for (int i = 0; i > -3; i--) p[i] = 1;
  assert(0);
}
#endif
// case KEPT_STORE --property faults: safe
// case KEPT_STORE: unsafe
#ifdef KEPT_STORE
int unread[4];
int main(void) {
  for (int i = 0; i < 4; i++) unread[i] = i;
  assert(0);
}
#endif
// case CONSTANT_STORE --property faults: unsafe
// case CONSTANT_STORE: safe, SAFE up to undefined behaviour at
#ifdef CONSTANT_STORE
static const int fixed = 3;
int main(void) {
  *(int *)&fixed = 4;
  assert(0);
}
#endif

// case BESIDE_UNWRITTEN --property faults: unsafe
// case BESIDE_UNWRITTEN: safe, SAFE up to undefined behaviour at
#ifdef BESIDE_UNWRITTEN
static int x = 5;
int main(void) {
  int *p = &x;
  assert(p[1] == 1);
}
#endif
// case BESIDE_UNWRITTEN_ARRAY --property faults: unsafe
// case BESIDE_UNWRITTEN_ARRAY: safe, SAFE up to undefined behaviour at
#ifdef BESIDE_UNWRITTEN_ARRAY
static const int table[2] = {1, 2};
int main(void) {
  const int *p = table;
  assert(p[-1] == 1);
}
#endif
// case BESIDE_WRITTEN_ONCE --property faults: unsafe
// case BESIDE_WRITTEN_ONCE: safe, SAFE up to undefined behaviour at
#ifdef BESIDE_WRITTEN_ONCE
int main(void) {
  int x = 5, *p = &x;
  p[1] = 7;
  assert(x == 7);
}
#endif
// case BESIDE_READ --property faults: unsafe
// case BESIDE_READ: safe, SAFE up to undefined behaviour at
#ifdef BESIDE_READ
int main(void) {
  int x = 5, *p = &x;
  int y = p[2];
  assert(y != y);
}
#endif

// A number of places that is too large is not cut to the type of what is shifted.
// case SHIFT_BY_MUCH --property faults: unsafe
// case SHIFT_BY_MUCH -DNARROW --property faults: unsafe
// case SHIFT_BY_MUCH -DRIGHT --property faults: unsafe
// case SHIFT_BY_MUCH -DASSIGN --property faults: unsafe
// case SHIFT_BY_MUCH: safe, SAFE up to undefined behaviour at
#ifdef SHIFT_BY_MUCH
int main(void) {
  long places = 1L << 32;
#ifdef NARROW
  unsigned char one = 1;
#else
  unsigned one = 1;
#endif
#ifdef ASSIGN
  one <<= places;
#elif defined RIGHT
  one = one >> places;
#else
  one = one << places;
#endif
  assert(one != 1);
}
#endif
// case SHIFT_BY_WIDE_NUMBER --property faults: safe
// case SHIFT_BY_WIDE_NUMBER: safe, SAFE for
#ifdef SHIFT_BY_WIDE_NUMBER
int main(void) {
  unsigned long places = 31;
  unsigned one = 1;
  assert(one << places == 0x80000000u && 0x80000000u >> places == 1);
}
#endif

// Neighbouring bit-fields are one memory location: to read one races with writing another.
// case NEIGHBOURS --property races: unsafe
// case NEIGHBOURS -DAPART --property races: safe
// case NEIGHBOURS -DINSIDE --property races: unsafe
#ifdef NEIGHBOURS
#ifdef INSIDE
struct { int before; struct bits { unsigned a : 3, b : 5; } in[2]; } s = {.in[1].b = 3};
#define A s.in[1].a
#define B s.in[1].b
#elif defined APART
struct { unsigned a : 3, : 0, b : 5; } s = {.b = 3};
#define A s.a
#define B s.b
#else
struct { unsigned a : 3, b : 5; } s = {.b = 3};
#define A s.a
#define B s.b
#endif
void *w(void *arg) {
  A = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  int seen = B;
  pthread_join(t, 0);
  return seen;
}
#endif

// Executions that end inside of a loop in which a thread waits.
// case WAITS_FOR_NOTHING --property faults: unsafe
// case WAITS_FOR_NOTHING --property deadlock: safe, SAFE up to undefined behaviour at
#ifdef WAITS_FOR_NOTHING
struct flag { int set; } *flag;
int main(void) {
  while (!flag->set);
}
#endif
// case WAITS_BESIDE --property faults: unsafe
// case WAITS_BESIDE --property deadlock: safe, SAFE up to undefined behaviour at
#ifdef WAITS_BESIDE
volatile int flags[2];
int main(void) {
  int i = 0;
  while (!flags[i]) i++;
}
#endif

// case WAITS_FOR_NO_LOCK --property faults: unsafe
// case WAITS_FOR_NO_LOCK --property deadlock: safe, SAFE up to undefined behaviour at
#ifdef WAITS_FOR_NO_LOCK
struct guarded { pthread_mutex_t m; } *guarded;
int main(void) {
  pthread_mutex_lock(&guarded->m);
}
#endif

// memcmp compares all bytes, whichever differ.
// case COMPARED_BEYOND --property faults: unsafe
// case COMPARED_BEYOND -DENOUGH --property faults: safe
#ifdef COMPARED_BEYOND
int main(void) {
  char a[4] = "abc", b[8] = "xbcdefg";
#ifdef ENOUGH
  return memcmp(a, b, 4) == 0;
#else
  return memcmp(a, b, 8) == 0;
#endif
}
#endif
// case OVERLAP --property faults: unsafe
// case OVERLAP -DAPART --property faults: safe
// case OVERLAP -DSAME --property faults: safe
#ifdef OVERLAP
int main(void) {
  char text[16] = "abcdefg";
  unsigned long size = __VERIFIER_nondet_int() ? 3 : 4;
#ifdef APART
  memcpy(text, text + 4, size);
#elif defined SAME
  memcpy(text, text, size);
#else
  memcpy(text, text + 3, size);
#endif
}
#endif
// case NUMBERS: safe, SAFE for
#ifdef NUMBERS
int main(void) {
  char *end;
  const char *text = "0x";
  assert(strtol(text, &end, 0) == 0 && end == text + 1);
  assert(strtol(text, &end, 16) == 0 && end == text + 1);
  text = " \t-0x1F!";
  assert(strtol(text, &end, 0) == -31 && *end == '!');
  assert(strtol(text, &end, 10) == 0 && *end == 'x');
  text = "+ 1";
  assert(strtol(text, &end, 10) == 0 && end == text);
  errno = 0;
  assert(strtol("9223372036854775808", &end, 10) == LONG_MAX && errno == ERANGE && *end == 0);
  errno = 0;
  assert(strtol("-9223372036854775808", &end, 10) == LONG_MIN && errno == 0);
  assert(strtoul("-1", 0, 10) == ULONG_MAX && errno == 0);
  assert(strtol("zz", 0, 36) == 35 * 36 + 35 && strtol("0779", &end, 0) == 63 && *end == '9');
  assert(strtol("12", 0, 1) == 0 && errno == EINVAL);
}
#endif
// case SIGNS: safe, SAFE for
#ifdef SIGNS
int main(void) {
  char text[16];
  assert(snprintf(text, sizeof text, "%+u|% x|%+d", 7u, 10u, 3) == 6 && strcmp(text, "7|a|+3") == 0);
  assert(snprintf(text, 3, "%d", 12345) == 5 && strcmp(text, "12") == 0);
  assert(snprintf(0, 0, "%s", "four") == 4);
}
#endif

// Padding goes along without anybody choosing it.
// case SORTED_RECORDS: safe, SAFE for
#ifdef SORTED_RECORDS
struct record { char key; int value; char tag; };
static int order(const void *a, const void *b) { return ((const struct record *)a)->value - ((const struct record *)b)->value; }
int main(void) {
  struct record r[4] = {{'a', 3, 1}, {'b', 1, 2}, {'c', 2, 3}, {'d', 0, 4}};
  qsort(r, 4, sizeof r[0], order);
  assert(r[0].key == 'd' && r[1].key == 'b' && r[2].key == 'c' && r[3].key == 'a' && r[3].tag == 1);
}
#endif
// case SWAPPED_RECORDS: safe, SAFE for
// case SWAPPED_RECORDS -DUNWRITTEN: unsafe
#ifdef SWAPPED_RECORDS
struct record { char key; long value; };
static void swap(void *a, void *b, size_t size) {
  for (char *p = a, *q = b; size > 0; size--) {
    char kept = *p;
    *p++ = *q;
    *q++ = kept;
  }
}
int main(void) {
  struct record a = {'a', 1}, b;
  b.value = 2;
#ifndef UNWRITTEN
  b.key = 'b';
#endif
  swap(&a, &b, sizeof a);
  assert(a.value == 2 && b.value == 1 && a.key == 'b' && b.key == 'a');
}
#endif

// case ENVIRONMENT: safe, SAFE for
// case ENVIRONMENT -DOTHER: unsafe
#ifdef ENVIRONMENT
int main(void) {
  char name[8] = "A";
  char *a = getenv(name);
  strcpy(name, "B");
  char *b = getenv(name);
#ifdef OTHER
  assert(!a || b);
#else
  assert(!a || a != b);
  assert(getenv("A") == a && getenv("B") == b && getenv("") == 0);
#endif
}
#endif

// Who goes over an object byte by byte gets to all of it, and no further.
// case WALKS -DBY_INDEX: safe, SAFE for
// case WALKS -DBY_SUM: safe, SAFE for
// case WALKS -DTO_THE_END: safe, SAFE for
// case WALKS -DBACK: safe, SAFE for
// case WALKS -DUP: safe, SAFE for
// case WALKS -DUP -DINTS: safe, SAFE for
// case WALKS -DBACK -DINTS: safe, SAFE for
// case WALKS -DUP -DINTS -DHEAP: safe, SAFE for
// case WALKS -DBY_SUM -DHEAP: safe, SAFE for
// case WALKS -DUP --property faults: safe
// case WALKS -DUP -DBEYOND --property faults: unsafe
// case WALKS -DBY_INDEX -DBEYOND --property faults: unsafe
// case WALKS -DBACK -DINTS -DBEYOND --property faults: unsafe
#ifdef WALKS
#ifdef INTS
struct record { int name[1], a; short b[2]; char c; };
#else
struct record { char name[4]; int a; short b[2]; char c; };
#endif
static void copy(void *to, const void *from, size_t size) {
  char *p = to;
  const char *q = from;
#ifdef BY_INDEX
  for (size_t i = 0; i < size; i++) p[i] = q[i];
#elif defined BY_SUM
  for (size_t i = 0; i < size; i++) *(p + i) = *(q + i);
#elif defined TO_THE_END
  const char *end = q + size;
  while (q != end) *p++ = *q++;
#elif defined BACK
  p += size;
  q += size;
  while (size--) *--p = *--q;
#else
  while (size--) *p++ = *q++;
#endif
}
int main(void) {
  struct record a = {{'a'}, 2, {3, 4}, 5};
#ifdef HEAP
  struct record *b = calloc(1, sizeof *b);
#else
  static struct record object, *b = &object;
#endif
#ifdef BEYOND
  copy(b, &a, sizeof a + 1);
#else
  copy(b, &a, sizeof a);
#endif
  assert(b->name[0] == 'a' && b->a == 2 && b->b[0] == 3 && b->b[1] == 4 && b->c == 5);
}
#endif

// The low bits of an address tell what alignment promises.
// case LOW_BITS: safe, SAFE for
// case LOW_BITS -DALLOCATED: safe, SAFE for
// case LOW_BITS -DBYTE: unknown, which is a multiple of 1
// case LOW_BITS -DPACKED: unknown, which is a multiple of 1
// case LOW_BITS -DMASK: unknown, which is a multiple of 4
#ifdef LOW_BITS
#ifdef BYTE
char object;
#elif defined PACKED
struct __attribute__((packed)) { char c; long l; } object;
#elif defined MASK
struct { int i; char c[3]; } object;
#else
struct { int i; long l; } object;
#endif
int main(void) {
#ifdef ALLOCATED
  uintptr_t at = (uintptr_t)malloc(3);
#else
  uintptr_t at = (uintptr_t)&object;
#endif
#ifdef MASK
  assert((at & 3) == 0 && (at & ~(uintptr_t)7) == at);
#else
  assert(at % 8 == 0);
#endif
}
#endif
// case TAG: safe, SAFE for
// case TAG --property faults: safe
#ifdef TAG
struct node { int v; } node = {4};
int main(void) {
  uintptr_t tagged = (uintptr_t)&node | 1;
  struct node *back = (struct node *)(tagged & ~(uintptr_t)1);
  assert((tagged & 1) && back == &node && back->v == 4);
}
#endif
// case ORDER: safe, assumed: the numbers of addresses are those of one layout
// case ORDER -DHASH: safe, assumed: the numbers of addresses are those of one layout
// case ORDER -DINSIDE: safe, SAFE for
#ifdef ORDER
int a[3], b[3];
int main(void) {
#ifdef HASH
  assert(((uintptr_t)a >> 4) % 7 < 7);
#elif defined INSIDE
  for (int *p = a; p < a + 3; p++) assert(p >= a);
#else
  assert((uintptr_t)a < (uintptr_t)b || (uintptr_t)b < (uintptr_t)a);
#endif
}
#endif
// case LEAVES_ARRAY --property faults: unsafe
#ifdef LEAVES_ARRAY
struct queue { int buffer[3], head; };
int main(void) {
  struct queue queue = {{0}, 7};
  int *p = queue.buffer;
  for (int i = 0; i < 4; i++) *p++ = i;
  return queue.head;
}
#endif
// case NO_SIZE: unsafe
// case NO_SIZE -DUSED --property faults: unsafe
// case NO_SIZE -DFREED --property faults: safe
#ifdef NO_SIZE
int main(void) {
  char *p = malloc(1);
  p = realloc(p, 0);
#ifdef USED
  p[0] = 1;
#elif defined FREED
  free(p);
#else
  assert(p);
#endif
}
#endif
// case TEXT_OVERLAP --property faults: unsafe, a copy of text that overlaps
// case TEXT_OVERLAP -DUP --property faults: unsafe, a copy of text that overlaps
// case TEXT_OVERLAP -DSAME --property faults: unsafe, a copy of text that overlaps
// case TEXT_OVERLAP -DAPPEND --property faults: unsafe, a copy of text that overlaps
// case TEXT_OVERLAP -DSHORT --property faults: safe
// case TEXT_OVERLAP -DBEHIND --property faults: safe
// case TEXT_OVERLAP -DEMPTY --property faults: safe
#ifdef TEXT_OVERLAP
int main(void) {
  char text[16] = "abc";
#ifdef UP
  strncpy(text + 1, text, 4);
#elif defined SAME
  strcpy(text, text);
#elif defined APPEND
  strcat(text, text);
#elif defined SHORT
  strcpy(text + 4, text);
  assert(strcmp(text + 4, "abc") == 0);
#elif defined EMPTY
  text[0] = 0;
  strncpy(text + 2, text, 4);
#elif defined BEHIND
  strncpy(text, text + 3, 3);
  assert(text[0] == 0);
#else
  strcpy(text, text + 1);
#endif
}
#endif

// case ADDRESS_NARROWED: unknown, a look at the low bits of the address of letters
// case ADDRESS_KEPT_NARROW: safe, the numbers of addresses are those of one layout
#if defined(ADDRESS_NARROWED) || defined(ADDRESS_KEPT_NARROW)
static char letters[3];
static unsigned kept;
int main(void) {
  kept = (unsigned)(unsigned long)&letters[0];
#ifdef ADDRESS_NARROWED
  unsigned low = (unsigned)(unsigned long)&letters[0];
  assert(low % 8 == 0);
#else
  assert(kept % 8 == 0);
#endif
  return 0;
}
#endif
