// What calls of the library do to threads, files and constants, beside what they are for.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int n;
// case JOIN_DETACHED: safe, SAFE up to undefined behaviour
// case JOIN_DETACHED --property faults: unsafe, has been detached
#ifdef JOIN_DETACHED
void *t(void *a) { return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_detach(p); int r = pthread_join(p, 0); assert(r); }
#endif
// case JOIN_TWICE --property faults: unsafe, has been joined
#ifdef JOIN_TWICE
void *t(void *a) { return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_join(p, 0); pthread_join(p, 0); }
#endif
// case JOIN_LOOP --property faults: safe
#ifdef JOIN_LOOP
void *t(void *a) { return 0; }
int main(void) { pthread_t p[3]; for (int i = 0; i < 3; i++) pthread_create(&p[i], 0, t, 0); for (int i = 0; i < 3; i++) pthread_join(p[i], 0); }
#endif
// case JOIN_LOOP_SAME --property faults: unsafe, has been joined
#ifdef JOIN_LOOP_SAME
void *t(void *a) { return 0; }
int main(void) { pthread_t p[2]; for (int i = 0; i < 2; i++) pthread_create(&p[i], 0, t, 0); for (int i = 0; i < 2; i++) pthread_join(p[0], 0); }
#endif
// case CREATED_DETACHED --property faults: unsafe, has been detached
#ifdef CREATED_DETACHED
void *t(void *a) { return 0; }
int main(void) { pthread_t p; pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED); pthread_create(&p, &a, t, 0); pthread_join(p, 0); }
#endif
// case CREATED_JOINABLE --property faults: safe
#ifdef CREATED_JOINABLE
void *t(void *a) { return 0; }
int main(void) { pthread_t p; pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE); pthread_create(&p, &a, t, 0); pthread_attr_destroy(&a); pthread_join(p, 0); }
#endif
// case DETACH_JOINED --property faults: unsafe, has been joined
#ifdef DETACH_JOINED
void *t(void *a) { return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_join(p, 0); pthread_detach(p); }
#endif
// case DETACH_OTHER --property faults: safe
#ifdef DETACH_OTHER
void *t(void *a) { return 0; }
int main(void) { pthread_t p, q; pthread_create(&p, 0, t, 0); pthread_create(&q, 0, t, 0); pthread_detach(q); pthread_join(p, 0); }
#endif
// case JOINED_AGAIN_MADE --property faults: safe
#ifdef JOINED_AGAIN_MADE
void *t(void *a) { return 0; }
int main(void) { pthread_t p; for (int i = 0; i < 2; i++) { pthread_create(&p, 0, t, 0); pthread_join(p, 0); } }
#endif
// case FILE_CLOSED --property faults: unsafe
#include <stdio.h>
#ifdef FILE_CLOSED
int main(void) { FILE *f = fopen("x", "w"); if (!f) return 1; fclose(f); fprintf(f, "a"); }
#endif
// case FILE_NULL --property faults: unsafe
#ifdef FILE_NULL
int main(void) { FILE *f = fopen("x", "w"); fputs("a", f); }
#endif
// case FILE_RIGHT --property faults: safe
#ifdef FILE_RIGHT
int main(void) { FILE *f = fopen("x", "w"); if (!f) return 1; fputs("a", f); fprintf(f, "%d", 3); fclose(f); fprintf(stderr, "done"); fflush(0); }
#endif
// case LINE_TOO_LONG --property faults: unsafe
#ifdef LINE_TOO_LONG
int main(void) { char b[10]; fgets(b, 100, stdin); }
#endif
// case LINE_FITS --property faults: safe
#ifdef LINE_FITS
int main(void) { char b[100]; if (fgets(b, sizeof b, stdin)) n = strlen(b); }
#endif
// case LOCAL_CONST --property faults: unsafe
#ifdef LOCAL_CONST
int main(void) { const int x = 1; *(int *)&x = 2; }
#endif
// case LOCAL_CONST_PART --property faults: unsafe
#ifdef LOCAL_CONST_PART
struct s { int a, b; };
int main(void) { const struct s x = {1, 2}; ((struct s *)&x)->b = 3; }
#endif
// case LOCAL_CONST_ELEMENT --property faults: unsafe
#ifdef LOCAL_CONST_ELEMENT
int main(void) { const int x[2] = {1, 2}; ((int *)x)[1] = 3; }
#endif
// case CONST_INCREMENT --property faults: unsafe
#ifdef CONST_INCREMENT
int main(void) { const int x = 1; (*(int *)&x)++; }
#endif
// case CONST_COPIED --property faults: unsafe
#ifdef CONST_COPIED
int main(void) { const int x = 1; int y = 2; memcpy((void *)&x, &y, 4); }
#endif
// case CONST_INITIALISED --property faults: safe
#ifdef CONST_INITIALISED
struct s { int a, b; };
int main(void) { for (int i = 0; i < 2; i++) { const int x = i; const struct s y = {x, 2}, z = y; const int a[2] = {x, z.b}; n += a[0]; } }
#endif
// case TIME_IN_NANOSECONDS --property all: safe
#ifdef TIME_IN_NANOSECONDS
#include <time.h>
long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
int main(void) { long begin = now(); time_t limit = time(0) + 5; long took = now() - begin; int r = (int)(random() + 1L > 0); n = took < 0 && limit < 3 && r; clock_t c = clock(); c = clock() - c; }
#endif
// case STRUCT_FOR_NUMBER: unsafe
// case STRUCT_FOR_NUMBER_AT_ONCE: unknown, with arguments of other types
// case STRUCT_FOR_NUMBER_ONLY: unknown, through a pointer of another type
#if defined(STRUCT_FOR_NUMBER) || defined(STRUCT_FOR_NUMBER_AT_ONCE) || defined(STRUCT_FOR_NUMBER_ONLY)
extern int __VERIFIER_nondet_int(void);
struct three { int a[3]; };
typedef void (*taker)(struct three);
static int taken;
static void by_value(struct three x) { taken = x.a[1]; }
static void by_number(int x) { taken = x + 100; }
static taker takers[] = {by_value, (taker)by_number};
int main(void) {
  struct three x = {{1, 2, 3}};
#ifdef STRUCT_FOR_NUMBER_AT_ONCE
  ((taker)by_number)(x);
#else
  const int i = __VERIFIER_nondet_int() != 0;
#ifdef STRUCT_FOR_NUMBER_ONLY
  if (i == 0) return 0;
#endif
  takers[i](x);
#endif
  assert(taken != 2);
}
#endif
// case ERRNO_OF_UNKNOWN: unsafe
// case ERRNO_OF_UNKNOWN --undefined pure: safe
// case ERRNO_UNTOUCHED: safe
#if defined(ERRNO_OF_UNKNOWN) || defined(ERRNO_UNTOUCHED)
#include <errno.h>
extern int try_it(void);
int main(void) {
  errno = 0;
#ifdef ERRNO_OF_UNKNOWN
  if (try_it() != 0) assert(errno != EEXIST);
#else
  const int before = errno;
  try_it();
  errno = before;
  assert(errno == 0);
#endif
}
#endif
// case CALLED_LATER: unknown, on_exit
#ifdef CALLED_LATER
int on_exit(void (*)(int, void *), void *);
static void last(int status, void *argument) { assert(status != 0 || argument != 0); }
int main(void) { on_exit(last, 0); }
#endif
