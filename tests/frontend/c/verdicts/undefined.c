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
