// Executions that end in undefined behaviour nobody asked for, and programs with nothing to check.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int *p;
int zero;

// case NULL_POINTER: safe, SAFE up to undefined behaviour at
// case NULL_POINTER --property faults: unsafe
// case NULL_POINTER --property all: unsafe
// case NULL_POINTER -q: safe, undefined.c:16
#ifdef NULL_POINTER
int main(void) {
  *p = 1;
  assert(0);
}
#endif
// case OUTSIDE: safe, SAFE up to undefined behaviour at
#ifdef OUTSIDE
int main(void) {
  char *q = malloc(4);
  q[4] = 0;
  assert(0);
}
#endif
// case DIVISION: safe, SAFE up to undefined behaviour at
#ifdef DIVISION
int main(void) {
  assert(1 / zero);
}
#endif
// case NONE: safe, SAFE for
#ifdef NONE
int main(void) {
  p = &zero;
  if (p) *p = 1;
  assert(zero == 1);
}
#endif
// case ONE_WAY: unsafe
#ifdef ONE_WAY
extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int()) *p = 1;
  assert(0);
}
#endif
// case IN_A_THREAD: safe, SAFE up to undefined behaviour at
#ifdef IN_A_THREAD
void *w(void *a) {
  *p = 1;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  assert(0);
}
#endif
// case NULL_HANDLE: unsafe
#ifdef NULL_HANDLE
void *w(void *a) { return a; }
int main(void) {
  pthread_create(0, 0, w, 0);
  assert(0);
}
#endif
// case SOMETHING: safe, SAFE for 1 thread

#ifdef SOMETHING
int main(void) {
  assert(1);
  return 0;
}
#endif
// case NO_BYTES --property faults: unsafe
// case NO_BYTES: safe, SAFE up to undefined behaviour at
#ifdef NO_BYTES
int main(void) {
  char *q = malloc(zero);
  char *r = malloc(0);
  if (q == NULL || q == r) return 0;
  *r = 1;
  assert(0);
}
#endif
// case NO_BYTES_UNTOUCHED --property faults: safe
#ifdef NO_BYTES_UNTOUCHED
int main(void) {
  for (int i = 0; i < 3; i++) free(malloc(0));
  char *r = malloc(0);
  memset(r, 0, 0);
  free(r);
}
#endif
// case ERROR_OF_FREED --property faults: unsafe
#ifdef ERROR_OF_FREED
void perror(const char *);
int main(void) {
  char *r = malloc(2);
  r[0] = 0;
  free(r);
  perror(r);
}
#endif
// case ERROR_OF_NOTHING --property faults: safe
#ifdef ERROR_OF_NOTHING
void perror(const char *);
int main(void) { perror(NULL); }
#endif
// case COUNT_INTO_NULL --property faults: unsafe
#ifdef COUNT_INTO_NULL
int printf(const char *, ...);
int main(void) { printf("%d%n", 1, p); }
#endif
// case COUNTED: unsafe
#ifdef COUNTED
int printf(const char *, ...);
int main(void) {
  int n = 7;
  printf("abc%n", &n);
  assert(n == 7);
}
#endif
// case DISABLED -DNDEBUG: safe, there is nothing to check
#ifdef DISABLED
int main(void) { assert(0); }
#endif
