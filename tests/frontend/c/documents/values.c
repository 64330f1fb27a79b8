// What docs/c.md says of input, functions without a body, library functions, memory and values; sentences.txt names the cases.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_t start(void *(*work)(void *), void *a) {
  pthread_t t;
  pthread_create(&t, NULL, work, a);
  return t;
}

// case FLAGS -DN=3 -UM -Wall -O2 -g -fno-common -pthread -lm -std=gnu11: safe
#ifdef FLAGS
int main(void) {
  assert(N == 3);
#ifdef M
  assert(0);
#endif
  return 0;
}
#endif
// case WORD -m32: safe
// case WORD: unsafe
#ifdef WORD
int main(void) { assert(sizeof(long) == 4); return 0; }
#endif
// case ENTRY --entry other: unsafe
// case ENTRY: safe
#ifdef ENTRY
int other(int n, int *p) { assert(n != 5 || p != NULL); return 0; }
int main(void) { return 0; }
#endif
// case ENTRY_POINTER --entry other: unsafe
#ifdef ENTRY_POINTER
int other(int *p) { assert(p == NULL); return 0; }
int main(void) { return 0; }
#endif
// case OLD_MAIN: unsafe
#ifdef OLD_MAIN
int main(int count, char *words) { assert(count == 1); return 0; }
#endif
// case FAILING: safe
// case FAILING --failing-calls: unsafe
#ifdef FAILING
int main(void) { int *p = malloc(4); assert(p != NULL); free(p); return 0; }
#endif
// case FAILING_CREATE: safe
// case FAILING_CREATE --failing-calls: unsafe
#ifdef FAILING_CREATE
static void *work(void *a) { return a; }
int main(void) { pthread_t t; int r = pthread_create(&t, NULL, work, NULL); assert(r == 0); return 0; }
#endif

// case HAVOC: unsafe, unknown_function
// case HAVOC --undefined=pure: safe, unknown_function
// case HAVOC --undefined=refuse: unknown, unknown_function
#ifdef HAVOC
extern int unknown_function(int *);
int main(void) { unknown_function(&x); assert(x == 0); return 0; }
#endif
// case HAVOC_RESULT: unsafe
// case HAVOC_RESULT --undefined=pure: unsafe
#ifdef HAVOC_RESULT
extern int unknown_function(void);
int main(void) { assert(unknown_function() != 77); return 0; }
#endif
// case HAVOC_DEEP: unsafe
#ifdef HAVOC_DEEP
struct pair { int n; int *to; };
extern void unknown_function(struct pair *);
int main(void) { struct pair p = {1, &x}; unknown_function(&p); assert(x == 0); return 0; }
#endif
// case HAVOC_CONST: safe
#ifdef HAVOC_CONST
extern void unknown_function(const int *);
int main(void) { unknown_function(&x); assert(x == 0); return 0; }
#endif
// case HAVOC_FORMAT: safe
#ifdef HAVOC_FORMAT
extern void logs(const char *, ...) __attribute__((format(printf, 1, 2)));
int main(void) { char s[2] = "a"; logs("%s", s); assert(s[0] == 'a'); return 0; }
#endif
// case HAVOC_POINTER: unsafe
#ifdef HAVOC_POINTER
struct pair { int n; int *to; };
extern void unknown_function(struct pair *);
int main(void) { struct pair p = {1, &x}; unknown_function(&p); assert(p.to == &x); return 0; }
#endif
// case HAVOC_CALLBACK: unsafe
#ifdef HAVOC_CALLBACK
static void back(int n) { x++; }
extern void unknown_function(void (*)(int));
int main(void) { unknown_function(back); assert(x < 3); return 0; }
#endif
// case HAVOC_GLOBAL: safe
#ifdef HAVOC_GLOBAL
extern void unknown_function(void);
int main(void) { unknown_function(); assert(x == 0); return 0; }
#endif
// case UNKNOWN_OBJECT: unknown
#ifdef UNKNOWN_OBJECT
extern int *unknown_function(void);
int main(void) { int *p = unknown_function(); if (p) assert(*p == 0); return 0; }
#endif
// case UNKNOWN_KEPT: safe
#ifdef UNKNOWN_KEPT
extern int *unknown_function(void);
int main(void) { int *p = unknown_function(), *q = p; assert(p == q); free(q); return 0; }
#endif
// case NO_RETURN: safe
#ifdef NO_RETURN
extern _Noreturn void unknown_function(void);
int main(void) { unknown_function(); assert(0); return 0; }
#endif
// case OF_THREADS: unknown, pthread_unknown_np
#ifdef OF_THREADS
extern int pthread_unknown_np(pthread_t);
int main(void) { pthread_unknown_np(pthread_self()); assert(1); return 0; }
#endif
// case NO_FUNCTION --property faults: unsafe
#ifdef NO_FUNCTION
int main(void) { void *p = &x; ((void (*)(void))p)(); return 0; }
#endif
// case OTHER_TYPE: unsafe
#ifdef OTHER_TYPE
static void *work(void *a) { x = 1; return a; }
int main(void) { ((void (*)(int *))work)(&y); assert(x == 0); return 0; }
#endif

// case LOCKED_AGAIN: safe
// case LOCKED_AGAIN --property deadlock: unsafe
// case LOCKED_AGAIN --property locks: unsafe
#ifdef LOCKED_AGAIN
static void again(void) { pthread_mutex_lock(&m); }
static void *work(void *a) { pthread_mutex_lock(&m); again(); assert(0); return a; }
int main(void) { pthread_t t = start(work, NULL); pthread_join(t, NULL); return 0; }
#endif
// case LOCKED_AGAIN_HERE: unknown
#ifdef LOCKED_AGAIN_HERE
int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); assert(0); return 0; }
#endif
// case SIGNAL_ANY: unsafe
#ifdef SIGNAL_ANY
static atomic_int ready;
static void *work(void *a) {
  pthread_mutex_lock(&m);
  ready++;
  while (!x) pthread_cond_wait(&c, &m);
  x = 0;
  y = (int)(long)a;
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  start(work, (void *)1);
  start(work, (void *)2);
  pthread_mutex_lock(&m);
  if (ready == 2) { x = 1; pthread_cond_signal(&c); }
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  assert(y != 2);
  pthread_mutex_unlock(&m);
  return 0;
}
#endif
// case HANDLE_LATER --property races: unsafe, data race
#ifdef HANDLE_LATER
static pthread_t t;
static void *work(void *a) { return (void *)(long)pthread_equal(t, pthread_self()); }
int main(void) { pthread_create(&t, NULL, work, NULL); return 0; }
#endif
// case KERNEL --linux: safe
#ifdef KERNEL
static spinlock_t lock;
static atomic_t count;
static void *work(void *a) { spin_lock(&lock); x++; spin_unlock(&lock); atomic_inc(&count); return a; }
int main(void) {
  pthread_t t = start(work, NULL);
  spin_lock(&lock);
  x++;
  spin_unlock(&lock);
  pthread_join(t, NULL);
  assert(READ_ONCE(x) == 2 && atomic_read(&count) == 1);
  return 0;
}
#endif
// case NOT_AGAIN: unsafe
// case NOT_AGAIN --no-reuse: safe, freed memory is not handed out again
#ifdef NOT_AGAIN
int main(void) { int *p = malloc(4); long old = (long)p; free(p); int *q = malloc(4); assert((long)q != old); free(q); return 0; }
#endif

// case UNION: safe
#ifdef UNION
static union { int all; short halves[2]; unsigned char bytes[4]; } u;
int main(void) { u.all = 0x01020304; assert(u.halves[1] == 0x0102 && u.bytes[0] == 4); u.bytes[3] = 9; assert(u.all == 0x09020304); return 0; }
#endif
// case PARTS: safe
#ifdef PARTS
int main(void) {
  int n = 0x01020304;
  char *p = (char *)&n;
  char *buffer = malloc(8);
  *(int *)(buffer + 4) = n;
  short s;
  memcpy(&s, p + 1, 2);
  assert(p[3] == 1 && buffer[5] == 3 && s == 0x0203);
  free(buffer);
  return 0;
}
#endif
// case TAIL: safe
// case TAIL --property faults: safe
#ifdef TAIL
struct header { int n; char rest[]; };
int main(void) {
  struct header *h = malloc(sizeof *h + 3);
  h->n = 7;
  h->rest[2] = 5;
  assert(h->n == 7 && ((char *)(h + 1))[2] == 5);
  free(h);
  return 0;
}
#endif
// case TAIL_OVER --property faults: unsafe
#ifdef TAIL_OVER
struct header { int n; char rest[]; };
int main(void) { struct header *h = malloc(sizeof *h + 3); h->rest[3] = 5; free(h); return 0; }
#endif
// case FIELDS_AS_BYTES: unknown
#ifdef FIELDS_AS_BYTES
static struct { unsigned a : 3, b : 5; } f;
int main(void) { f.a = 1; assert(*(unsigned char *)&f != 0); return 0; }
#endif
// case NEVER_WRITTEN: unsafe
#ifdef NEVER_WRITTEN
int main(void) { int *p = malloc(8); assert(p[1] != 99); return 0; }
#endif
// case NEVER_WRITTEN_ONE: safe
#ifdef NEVER_WRITTEN_ONE
int main(void) { int *p = malloc(8); int a = p[1], b = p[1]; assert(a == b); free(p); return 0; }
#endif
// case ANY_NUMBER: unsafe
#ifdef ANY_NUMBER
int main(void) { int n = __VERIFIER_nondet_int(); assert(n != 123456789); return 0; }
#endif
// case ANY_NUMBER_ASSUMED: safe
#ifdef ANY_NUMBER_ASSUMED
int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 3 && n < 7); assert(n * n < 40); return 0; }
#endif
// case A_SAMPLE --engine explicit: unknown
// case A_SAMPLE --engine bmc: safe
#ifdef A_SAMPLE
int main(void) { unsigned n = __VERIFIER_nondet_int(); assert(((n ^ 77) & 1) == ((n + 1) & 1)); return 0; }
#endif
// case ANY_ARGUMENTS: unsafe
// case ANY_ARGUMENTS --args 3: safe
#ifdef ANY_ARGUMENTS
int main(int count, char **words) { assert(count < 4); return 0; }
#endif
// case ARGUMENT_TEXT: unsafe
// case ARGUMENT_TEXT --args 18: safe
// case ARGUMENT_TEXT --args 17: unsafe
#ifdef ARGUMENT_TEXT
int main(int count, char **words) { if (count == 2) assert(atoi(words[1]) != 17); return 0; }
#endif
// case AT_LEAST_ONE: safe
#ifdef AT_LEAST_ONE
int main(int count, char **words) { assert(count >= 1); return 0; }
#endif
// case KNOWN_TEXT: safe
#ifdef KNOWN_TEXT
int main(void) {
  char s[8];
  int n, k;
  assert(atoi("12") == 12 && strtol("0x10", NULL, 16) == 16 && sscanf("3 4", "%d %d", &n, &k) == 2 && n + k == 7);
  assert(snprintf(s, sizeof s, "%d-%s", 5, "ab") == 4 && strcmp(s, "5-ab") == 0);
  return 0;
}
#endif
// case FLOATS: safe
#ifdef FLOATS
static double d[2];
int main(void) { d[0] = 1.5; d[1] = d[0] * 2; printf("%f", d[1]); assert(sizeof d == 16); return 0; }
#endif
// case FLOAT_FAULT --property faults: unsafe
#ifdef FLOAT_FAULT
int main(void) { double *p = malloc(8); free(p); *p = 1; return 0; }
#endif
// case FLOAT_RACE --property races: unsafe, data race
#ifdef FLOAT_RACE
static double d;
static void *work(void *a) { d = 1; return a; }
int main(void) { start(work, NULL); d = 2; return 0; }
#endif
// case VARIABLE: safe
#ifdef VARIABLE
static int inner(int n, va_list l) { int s = 0; while (n--) s += va_arg(l, int); return s; }
static int outer(int n, ...) { va_list l; va_start(l, n); int s = inner(n, l); va_end(l); return s; }
int main(void) { assert(outer(3, 1, 2, 3) == 6); return 0; }
#endif
// case VARIABLE_MORE --property faults: unsafe
#ifdef VARIABLE_MORE
static int outer(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); va_end(l); return s; }
int main(void) { outer(3, 1, 2); return 0; }
#endif
// case ANY_FORMATTED: unsafe
#ifdef ANY_FORMATTED
static void put(char *to, int n, const char *format, ...) { va_list l; va_start(l, format); vsnprintf(to, n, format, l); va_end(l); }
int main(void) { char s[4]; put(s, 4, "%d", 7); assert(s[0] == '7'); return 0; }
#endif
// case CONSTRUCTOR: safe
#ifdef CONSTRUCTOR
__attribute__((constructor)) static void before(void) { x = 1; }
int main(void) { assert(x == 1); return 0; }
#endif
// case DESTRUCTOR: unsafe
#ifdef DESTRUCTOR
__attribute__((destructor)) static void after(void) { assert(x == 0); }
int main(void) { x = 1; return 0; }
#endif
// case AT_EXIT: unsafe
#ifdef AT_EXIT
static void after(void) { assert(x == 0); }
int main(void) { atexit(after); x = 1; exit(0); }
#endif
// case ASSEMBLY: safe
#ifdef ASSEMBLY
int main(void) {
  int a = 1, b = 2;
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(a), "+m"(b));
  assert(a == 2 && b == 3);
  __asm__ volatile("xchgl %0, %1" : "+r"(a), "+m"(b));
  assert(a == 3 && b == 2);
  return 0;
}
#endif
// case ASSEMBLY_ATOMIC: safe
#ifdef ASSEMBLY_ATOMIC
static void *work(void *a) { __asm__ volatile("lock; incl %0" : "+m"(x)); return a; }
int main(void) { pthread_t t = start(work, NULL); __asm__ volatile("lock; incl %0" : "+m"(x)); pthread_join(t, NULL); assert(x == 2); return 0; }
#endif
// case ASSEMBLY_NOT_ATOMIC: unsafe
#ifdef ASSEMBLY_NOT_ATOMIC
static void *work(void *a) { __asm__ volatile("incl %0" : "+m"(x)); return a; }
int main(void) { pthread_t t = start(work, NULL); __asm__ volatile("incl %0" : "+m"(x)); pthread_join(t, NULL); assert(x == 2); return 0; }
#endif
// case MANY_THREADS: safe
#ifdef MANY_THREADS
static pthread_t t[18];
static void *work(void *a) { return a; }
int main(void) {
  void *result;
  const int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= 18);
  for (long i = 0; i < n; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (long i = 0; i < n; i++) {
    pthread_join(t[i], &result);
    assert(result == (void *)i);
  }
  return 0;
}
#endif
// case EACH_ITS_OWN: safe
#ifdef EACH_ITS_OWN
static void add(int *p) { ++*p; }
static void *inner(void *a) { add(a); return a; }
static void *work(void *a) {
  int own = 0;
  pthread_t t = start(inner, &own);
  pthread_join(t, NULL);
  assert(own == 1);
  return a;
}
int main(void) { start(work, NULL); start(work, NULL); pthread_exit(NULL); }
#endif
// case BOUND_REACHED --engine explicit: unknown
#ifdef BOUND_REACHED
static atomic_int n;
static void *work(void *a) { n++; assert(n < 100); n--; return a; }
int main(void) { for (;;) start(work, NULL); }
#endif
// case NO_RESTRICTION: safe, SAFE for
#ifdef NO_RESTRICTION
static atomic_int n;
static void *work(void *a) { n++; return a; }
int main(void) { start(work, NULL); start(work, NULL); assert(n < 3); return 0; }
#endif
// case REFUSED_WHERE_REACHED: unknown, longjmp
#ifdef REFUSED_WHERE_REACHED
static jmp_buf j;
static int set(void) { return setjmp(j); }
int main(void) { if (set() == 0) longjmp(j, 1); assert(x == 0); return 0; }
#endif
// case NOT_REACHED: safe
#ifdef NOT_REACHED
static jmp_buf j;
static void other(void) { longjmp(j, 1); }
int main(void) { if (x) other(); assert(x == 0); return 0; }
#endif
// case FOUND_WITHOUT: unsafe
#ifdef FOUND_WITHOUT
static jmp_buf j;
int main(void) { if (__VERIFIER_nondet_int()) assert(x == 1); longjmp(j, 1); return 0; }
#endif
// case LARGE_ALLOCATION --heap-array 8: unknown, an allocation of more than 8 elements
#ifdef LARGE_ALLOCATION
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 20) return 0; int *p = malloc(n * sizeof *p); p[n - 1] = 1; assert(p[n - 1] == 1); return 0; }
#endif
// case MANY_OBJECTS: unknown, objects allocated here
#ifdef MANY_OBJECTS
struct node { struct node *next; };
int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 100; i++) {
    struct node *one = malloc(sizeof *one);
    one->next = head;
    head = one;
  }
  assert(head != NULL);
  return 0;
}
#endif
// case FLOAT_DEPENDS --args 1: safe
#ifdef FLOAT_DEPENDS
int main(int count, char **words) { double d = count; d = d / 3; assert(d < 1000); return 0; }
#endif

// case USED_AFTER_FREE: safe, neither used nor freed again
// case USED_AFTER_FREE --property faults: unsafe
#ifdef USED_AFTER_FREE
int main(void) { int *p = malloc(4); *p = 5; free(p); assert(*p == 5); return 0; }
#endif
