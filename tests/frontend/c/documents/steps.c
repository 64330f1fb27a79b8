// What docs/c.md says of steps, properties and ends, sentence by sentence; sentences.txt names the cases.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

extern void reach_error(void);
extern void __VERIFIER_error(void);
extern void __VERIFIER_assert(int);
extern void __VERIFIER_assume(int);
extern void __CPROVER_assert(int, const char *);
static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t start(void *(*work)(void *)) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  return t;
}

// case THREADS_OF_POSIX: unsafe
#ifdef THREADS_OF_POSIX
static void *work(void *a) { x = 1; return a; }
int main(void) { start(work); assert(x == 0); return 0; }
#endif

// case THREADS_OF_C11: unsafe
#ifdef THREADS_OF_C11
static int work(void *a) { x = 1; return 0; }
int main(void) { thrd_t t; thrd_create(&t, work, NULL); assert(x == 0); return 0; }
#endif

// case THREADS_OF_LABELS: unsafe
#ifdef THREADS_OF_LABELS
int main(void) { __CPROVER_ASYNC_1: x = 1; assert(x == 0); return 0; }
#endif

// case CONSISTENT: safe
#ifdef CONSISTENT
static atomic_int a, b, r, q;
static void *work(void *p) { atomic_store_explicit(&a, 1, memory_order_relaxed); r = atomic_load_explicit(&b, memory_order_relaxed); return p; }
int main(void) {
  pthread_t t = start(work);
  atomic_store_explicit(&b, 1, memory_order_relaxed);
  q = atomic_load_explicit(&a, memory_order_relaxed);
  pthread_join(t, NULL);
  assert(r || q);
  return 0;
}
#endif

// case CONSISTENT_SAID: safe, sequentially consistent
#ifdef CONSISTENT_SAID
static atomic_int a;
int main(void) { atomic_store_explicit(&a, 1, memory_order_relaxed); assert(a == 1); return 0; }
#endif

// case ACCESSES: unsafe
// case ACCESSES --interleave=statement: safe
#ifdef ACCESSES
static void *work(void *a) { x = x + 1; return a; }
int main(void) { pthread_t t = start(work); x = x + 1; pthread_join(t, NULL); assert(x == 2); return 0; }
#endif

// case LEFT_TO_RIGHT: safe
#ifdef LEFT_TO_RIGHT
static int next(void) { return ++x; }
int main(void) { assert(next() - next() == -1); assert(next() * 10 + next() == 34); return 0; }
#endif

// case CALLED_PLACE_FIRST: safe
#ifdef CALLED_PLACE_FIRST
static int a[2], i;
static int *place(void) { i = 1; return &a[i]; }
static int value(void) { return i; }
int main(void) { *place() = value(); assert(a[1] == 1); return 0; }
#endif

// case TWO_STATEMENTS --interleave=statement: unsafe
#ifdef TWO_STATEMENTS
static void *work(void *a) { int t = x; x = t + 1; return a; }
int main(void) { pthread_t t = start(work); x++; pthread_join(t, NULL); assert(x == 2); return 0; }
#endif

// case CALL_INSIDE --interleave=statement: unsafe
#ifdef CALL_INSIDE
static int more(int n) { return n + 1; }
static void *work(void *a) { x = more(x); return a; }
int main(void) { pthread_t t = start(work); x++; pthread_join(t, NULL); assert(x == 2); return 0; }
#endif

// case ARGUMENTS: safe
#ifdef ARGUMENTS
int main(void) { printf("%d %d", x = x * 2 + 1, x = x * 2); assert(x == 2); return 0; }
#endif

// case DISCARDED --property races: unsafe, data race
#ifdef DISCARDED
static void *work(void *a) { x; return a; }
int main(void) { start(work); x = 1; return 0; }
#endif

// case DISCARDED_VOID --property races: unsafe, data race
#ifdef DISCARDED_VOID
static void *work(void *a) { (void)x; return a; }
int main(void) { start(work); x = 1; return 0; }
#endif

// case DISCARDED_COMMA --property races: unsafe, data race
#ifdef DISCARDED_COMMA
static void *work(void *a) { y = (x, 3); return a; }
int main(void) { start(work); x = 1; return 0; }
#endif

// case ATOMIC_STEP: safe
#ifdef ATOMIC_STEP
static atomic_int a;
static int b;
static void *work(void *p) { a++; a += 2; __atomic_add_fetch(&b, 1, __ATOMIC_SEQ_CST); return p; }
int main(void) {
  pthread_t t = start(work);
  a++, a -= 1, __sync_fetch_and_add(&b, 1);
  pthread_join(t, NULL);
  assert(a == 3 && b == 2);
  return 0;
}
#endif

// case RECURSION: safe
// case RECURSION --recursion 3: unknown
#ifdef RECURSION
static int down(int n) { return n == 0 ? 0 : down(n - 1) + 1; }
int main(void) { assert(down(6) == 6); return 0; }
#endif

// case TOO_DEEP --recursion 8: unknown, a recursion of down
#ifdef TOO_DEEP
static int down(int n) { return n == 0 ? 0 : down(n - 1) + 1; }
int main(void) { assert(down(9) == 9); return 0; }
#endif

// case ATOMIC_FUNCTION: unsafe
#ifdef ATOMIC_FUNCTION
static void __VERIFIER_atomic_set(int n) { x = n; }
static void *work(void *a) { __VERIFIER_atomic_set(x + 1); return a; }
int main(void) { pthread_t t = start(work); __VERIFIER_atomic_set(x + 1); pthread_join(t, NULL); assert(x == 2); return 0; }
#endif

// case ATOMIC_FUNCTION_INSIDE: safe
#ifdef ATOMIC_FUNCTION_INSIDE
static void __VERIFIER_atomic_more(int n) { x = x + n; }
static void *work(void *a) { __VERIFIER_atomic_more(1); return a; }
int main(void) { pthread_t t = start(work); __VERIFIER_atomic_more(1); pthread_join(t, NULL); assert(x == 2); return 0; }
#endif

// case MAIN_RETURNS: safe
#ifdef MAIN_RETURNS
static void *work(void *a) { while (!y); assert(0); return a; }
int main(void) { start(work); return 0; }
#endif

// case SOMEBODY_EXITS: safe
#ifdef SOMEBODY_EXITS
static void *work(void *a) { exit(0); return a; }
int main(void) { pthread_t t = start(work); pthread_join(t, NULL); assert(0); }
#endif

// case SOMEBODY_ABORTS: safe
// case SOMEBODY_ABORTS --property abort: unsafe
// case SOMEBODY_ABORTS --property all: safe
#ifdef SOMEBODY_ABORTS
static void *work(void *a) { abort(); return a; }
int main(void) { pthread_t t = start(work); pthread_join(t, NULL); assert(0); }
#endif

// case TRAP --property abort: unsafe
#ifdef TRAP
int main(void) { __builtin_trap(); }
#endif

// case ENDS_ALONE: unsafe
#ifdef ENDS_ALONE
static void *work(void *a) { assert(0); return a; }
int main(void) { start(work); pthread_exit(NULL); }
#endif

// case SEVERAL --property races,faults: unsafe, data race
// case SEVERAL --property faults: safe
// case SEVERAL --property all: unsafe, data race
// case SEVERAL: safe
#ifdef SEVERAL
static void *work(void *a) { x = 1; return a; }
int main(void) { start(work); x = 2; assert(x > 0); return 0; }
#endif

// case LABEL --error-label BAD: unsafe
// case LABEL --error-label WORSE: safe
// case LABEL: safe
#ifdef LABEL
static void inner(int n) {
  if (n == 3) {
  BAD:
    x = 1;
  }
  if (n == 4) {
  WORSE:
    x = 2;
  }
}
int main(void) { inner(3); return 0; }
#endif

// case ASSERTS_1: unsafe
#ifdef ASSERTS_1
int main(void) { __VERIFIER_assert(x == 1); return 0; }
#endif
// case ASSERTS_2: unsafe
#ifdef ASSERTS_2
int main(void) { __CPROVER_assert(x == 1, "text"); return 0; }
#endif
// case ASSERTS_3: unsafe
#ifdef ASSERTS_3
int main(void) { reach_error(); return 0; }
#endif
// case ASSERTS_4: unsafe
#ifdef ASSERTS_4
int main(void) { __VERIFIER_error(); return 0; }
#endif
// case OWN_DEFINITION: unsafe
#ifdef OWN_DEFINITION
void reach_error(void) { exit(0); }
int main(void) { reach_error(); return 0; }
#endif
// case OWN_VERIFIER_ERROR: unsafe
#ifdef OWN_VERIFIER_ERROR
void __VERIFIER_error(void) {}
int main(void) { __VERIFIER_error(); return 0; }
#endif

// case STACK_AFTER_END --property faults: unsafe, a local that lives no more
#ifdef STACK_AFTER_END
static int *leak(int first) { int n = 1, k = 2; return first ? &n : &k; }
int main(int count, char **words) { return *leak(count > 1); }
#endif

// case GIVES_UP --property deadlock: safe
#ifdef GIVES_UP
static void *work(void *a) { __VERIFIER_assume(0); return a; }
int main(void) { pthread_t t = start(work); pthread_join(t, NULL); return 0; }
#endif

// case BEYOND_THE_BOUND --property deadlock --threads 2: safe
// case BEYOND_THE_BOUND --threads 2: unsafe
#ifdef BEYOND_THE_BOUND
static void *work(void *a) { while (!y) sched_yield(); return a; }
static void *sets(void *a) { y = 1; return a; }
int main(void) { pthread_t t = start(work); pthread_t u = start(sets); assert(y == 1 || x == 1); pthread_join(t, NULL); pthread_join(u, NULL); return 0; }
#endif

// case PROCESS_ENDS --property deadlock: safe
#ifdef PROCESS_ENDS
static void *work(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return a; }
int main(void) { start(work); return 0; }
#endif

// case NAMES_THE_WAITING --property deadlock: unsafe, waits
#ifdef NAMES_THE_WAITING
static void *work(void *a) { pthread_mutex_lock(&m); return a; }
int main(void) { pthread_t t = start(work); pthread_join(t, NULL); pthread_mutex_lock(&m); return 0; }
#endif

// case OVERFLOW_SHIFT --property overflow: unsafe
#ifdef OVERFLOW_SHIFT
int main(void) { int n = 1 << 30; n = n << 1; return n != 0; }
#endif
// case OVERFLOW_QUOTIENT --property overflow: unsafe
#ifdef OVERFLOW_QUOTIENT
int main(void) { int n = -2147483647 - 1, k = -1; n = n / k; return 0; }
#endif
// case FAULT_SHIFT --property faults: unsafe
#ifdef FAULT_SHIFT
int main(void) { unsigned n = 1, k = 32; n = n << k; return 0; }
#endif
// case FAULT_CONST --property faults: unsafe
#ifdef FAULT_CONST
static const int fixed = 1;
int main(void) { *(int *)&fixed = 2; return 0; }
#endif
// case FAULT_LITERAL --property faults: unsafe
#ifdef FAULT_LITERAL
int main(void) { char *s = "a"; *s = 'b'; return 0; }
#endif
// case FAULT_CALL --property faults: unsafe
#ifdef FAULT_CALL
int main(void) { void (*f)(void) = NULL; f(); return 0; }
#endif
// case FAULT_TEXT --property faults: unsafe
#ifdef FAULT_TEXT
int main(void) { char s[2] = {'a', 'b'}; puts(s); return 0; }
#endif
// case FAULT_FORMAT --property faults: unsafe
#ifdef FAULT_FORMAT
int main(void) { char s[2] = {'a', 'b'}; printf("%s", s); return 0; }
#endif
// case RACE_FIELDS --property races: unsafe, data race
#ifdef RACE_FIELDS
static struct { unsigned a : 3, b : 3; } f;
static void *work(void *p) { f.a = 1; return p; }
int main(void) { start(work); f.b = 1; return 0; }
#endif
