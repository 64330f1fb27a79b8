// More programs of all classes: what races, locks, faults, overflow and deadlocks are, and what they are not.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>
#include <signal.h>
#include <time.h>
#include <setjmp.h>
int g, h;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int __VERIFIER_nondet_int(void);
// case A1 --property faults: safe
// case A1 --property races: safe
#ifdef A1
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int main(void) { int x = 1, y = 2; for (int i = 0; i < 2; i++) swap(&x, &y); assert(x == 1); return x; }
#endif
// case A2 --property races: safe
#ifdef A2
void *t(void *a) { fprintf(stderr, "%d\n", 1); putchar('a'); puts("x"); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); }
#endif
// case A3 --property races: safe
#ifdef A3
void *t(void *a) { errno = 0; char b[4]; snprintf(b, 4, "%d", 1); int r = getchar(); return (void *)(long)r; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); }
#endif
// case A4 --property races: unsafe
#ifdef A4
char b[8];
void *t(void *a) { strtok(b, ","); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); b[7] = 0; b[0] = 1; pthread_join(p, 0); }
#endif
// case A5 --property races: unsafe
#ifdef A5
struct s { int a, b; } x, y;
void *t(void *a) { x = y; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); x.b = 1; pthread_join(p, 0); }
#endif
// case A6 --property races: safe
#ifdef A6
struct s { int a, b; } x;
void *t(void *a) { x.a = 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); x.b = 1; pthread_join(p, 0); }
#endif
// case A7 --property races: unsafe
#ifdef A7
union { int i; char c[4]; } x;
void *t(void *a) { x.i = 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); x.c[3] = 1; pthread_join(p, 0); }
#endif
// case A8 --property races: safe
#ifdef A8
union { int i; char c[4]; } x;
void *t(void *a) { x.c[0] = 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); x.c[3] = 1; pthread_join(p, 0); assert(x.c[0]); }
#endif
// case A9 --property races: unsafe
#ifdef A9
struct { unsigned a : 4, b : 4; } x;
void *t(void *a) { x.a = 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); x.b = 1; pthread_join(p, 0); }
#endif
// case B1 --property races: safe
#ifdef B1
struct { unsigned a : 4; unsigned : 0; unsigned b : 4; } x;
void *t(void *a) { x.a = 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); x.b = 1; pthread_join(p, 0); assert(x.a == 1 && x.b == 1); }
#endif
// case B2 --property races: unsafe
#ifdef B2
void *t(void *a) { pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); if (pthread_mutex_trylock(&m) == EBUSY) g++; else { g++; pthread_mutex_unlock(&m); } pthread_join(p, 0); }
#endif
// case B3 --property races: safe
#ifdef B3
sem_t s;
void *t(void *a) { g = 1; sem_post(&s); return 0; }
int main(void) { pthread_t p; sem_init(&s, 0, 0); pthread_create(&p, 0, t, 0); sem_wait(&s); g = 2; pthread_join(p, 0); }
#endif
// case B4 --property races: safe
#ifdef B4
pthread_barrier_t b;
void *t(void *a) { g = 1; pthread_barrier_wait(&b); return 0; }
int main(void) { pthread_t p; pthread_barrier_init(&b, 0, 2); pthread_create(&p, 0, t, 0); pthread_barrier_wait(&b); g = 2; pthread_join(p, 0); }
#endif
// case B5 --property races: unsafe
#ifdef B5
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *t(void *a) { pthread_rwlock_rdlock(&l); g++; pthread_rwlock_unlock(&l); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); }
#endif
// case B6 --property locks: unsafe
#ifdef B6
int main(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&m); }
#endif
// case B7 --property locks: unsafe
#ifdef B7
void *t(void *a) { pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p; pthread_mutex_lock(&m); pthread_create(&p, 0, t, 0); pthread_join(p, 0); }
#endif
// case B8 --property locks: unsafe
#ifdef B8
int main(void) { pthread_cond_wait(&c, &m); }
#endif
// case B9 --property locks: unsafe
#ifdef B9
void *t(void *a) { pthread_mutex_lock(&m); while (!g) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); pthread_mutex_destroy(&m); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_mutex_lock(&m); g = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_mutex_lock(&m); pthread_join(p, 0); }
#endif
// case C1 --property locks: safe
#ifdef C1
int main(void) { pthread_mutex_t n; pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&n, &a); assert(pthread_mutex_unlock(&n) == EPERM); pthread_mutex_lock(&n); assert(pthread_mutex_lock(&n) == EDEADLK); pthread_mutex_unlock(&n); pthread_mutex_destroy(&n); }
#endif
// case C2: unsafe
#ifdef C2
volatile sig_atomic_t s;
void hd(int x) { s = 1; }
int main(void) { signal(SIGINT, hd); sleep(1); assert(!s); }
#endif
// case C3: unsafe
#ifdef C3
jmp_buf b;
int main(void) { int v = setjmp(b); if (v == 0) longjmp(b, 0); assert(v != 1); }
#endif
// case C4: safe
#ifdef C4
jmp_buf b; void f(int n) { if (n == 0) longjmp(b, 7); f(n - 1); g = 1; }
int main(void) { switch (setjmp(b)) { case 0: f(3); case 7: break; default: assert(0); } assert(g == 0); }
#endif
// case C5: safe
#ifdef C5
int cmp(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }
int main(void) { char *w[3] = {"b", "c", "a"}; qsort(w, 3, sizeof *w, cmp); assert(w[0][0] == 'a' && w[2][0] == 'c'); }
#endif
// case C6 --property faults: unsafe
#ifdef C6
int main(void) { char *p = malloc(3); strcpy(p, "abc"); free(p); }
#endif
// case C7 --property faults: unsafe
#ifdef C7
int main(void) { char b[3]; sprintf(b, "%d", 123); }
#endif
// case C8 --property faults: safe
#ifdef C8
int main(void) { char b[3]; snprintf(b, sizeof b, "%d", 123); assert(b[2] == 0); }
#endif
// case C9 --property faults: unsafe
#ifdef C9
int main(void) { char b[4] = {'a', 'b', 'c', 'd'}; return strlen(b); }
#endif
// case D1 --property faults: unsafe
#ifdef D1
struct n { struct n *next; int v; };
int main(void) { struct n *a = malloc(sizeof *a); a->next = 0; struct n *b = a; free(a); while (b) b = b->next; }
#endif
// case D2 --property faults: unsafe
#ifdef D2
int a[2][3];
int main(void) { int i = 2; a[i][0] = 1; }
#endif
// case D3 --property faults: unsafe
#ifdef D3
int main(void) { int *p = 0; int x = 1 || *p; int y = 0 && *p; int z = 1 && *p; return x + y + z; }
#endif
// case D4 --property faults: safe
#ifdef D4
int main(void) { int *p = 0; int x = 1 || *p; int y = 0 && *p; size_t s = sizeof(*p); return x + y + s + (1 ? 0 : *p); }
#endif
// case D5 --property faults: unsafe
#ifdef D5
int main(void) { int x = 5, y = x - 5; return x % y; }
#endif
// case D6 --property overflow: unsafe
#ifdef D6
int main(void) { int x = __VERIFIER_nondet_int(); int y = x * 2; return y > 0; }
#endif
// case D7 --property overflow: safe
#ifdef D7
int main(void) { int x = __VERIFIER_nondet_int(); long y = (long)x * 2; unsigned z = (unsigned)x * 2u; return y > z; }
#endif
// case D8 --property overflow: unsafe
#ifdef D8
int main(void) { long x = LONG_MAX; int i = 1; return (x + i) != 0; }
#endif
// case D9 --property overflow: unsafe
#ifdef D9
int main(void) { int i = INT_MAX; i++; return 0; }
#endif
// case E1: safe
#ifdef E1
int main(void) { unsigned char b = 0xff; assert((b << 1) == 0x1fe); assert((signed char)0x80 == -128); assert((uint8_t)~b == 0); int x = -1; assert(x >> 31 == -1 && (unsigned)x >> 31 == 1); assert((int8_t)200 == -56); assert(1u - 2 > 0); assert((uint16_t)-1 == 65535); assert(5 / -2 == -2 && 5 % -2 == 1); assert((char)300 == 44); assert(!!8 == 1 && ~0 == -1); }
#endif
// case E2: safe
#ifdef E2
int main(void) { int i = 1; i = i++ + 0, assert(i == 1 || i == 2); int a[3] = {1, 2, 3}, *p = a; assert(*p++ == 1 && *p == 2 && *++p == 3 && p - a == 2 && p[-1] == 2 && 1[a] == 2); assert((p = a) == a && &a[3] - &a[0] == 3); char *s = "hey"; assert(*(s + 1) == 'e' && "abc"[1] == 'b'); }
#endif
// case E3: safe
#ifdef E3
struct s { char a; int b; char c; } __attribute__((packed));
struct t { char a; double d; char b; };
int main(void) { assert(sizeof(struct s) == 6 && offsetof(struct s, b) == 1); assert(sizeof(struct t) == 24 && _Alignof(struct t) == 8); struct s x = {1, 0x01020304, 2}; unsigned char *p = (unsigned char *)&x; assert(p[1] == 4 && p[5] == 2); }
#endif
// case E4: safe
#ifdef E4
int f(int n) { static int depth; return n == 0 ? depth : (depth++, f(n - 1)); }
int main(void) { assert(f(3) == 3 && f(2) == 5); }
#endif
// case E5: safe
#ifdef E5
typedef struct { int n; int (*f)(int); } O; int twice(int x) { return 2 * x; } int inc(int x) { return x + 1; }
int ap(O o[], int k, int x) { for (int i = 0; i < k; i++) x = o[i].f(x); return x; }
int main(void) { O o[2] = {{1, twice}, {2, inc}}; assert(ap(o, 2, 5) == 11); int (*q)(int) = o[0].f; o[0].f = o[1].f; o[1].f = q; assert(ap(o, 2, 5) == 12); }
#endif
// case E6: unsafe
#ifdef E6
atomic_int x, y; int r1, r2;
void *t(void *a) { x = 1; r1 = y; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); y = 1; r2 = x; pthread_join(p, 0); assert(!(r1 == 1 && r2 == 1)); }
#endif
// case E7: safe
#ifdef E7
atomic_int x, y; int r1, r2;
void *t(void *a) { x = 1; r1 = y; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); y = 1; r2 = x; pthread_join(p, 0); assert(r1 == 1 || r2 == 1); }
#endif
// case E8 --property deadlock: unsafe
#ifdef E8
void *t(void *a) { pthread_mutex_lock(&m); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_join(p, 0); pthread_mutex_lock(&m); }
#endif
// case E9 --property deadlock: unsafe
#ifdef E9
sem_t s;
int main(void) { sem_init(&s, 0, 1); sem_wait(&s); sem_wait(&s); }
#endif
// case F1 --property deadlock: unsafe
#ifdef F1
void *t(void *a) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_cond_signal(&c); pthread_join(p, 0); }
#endif
// case F2 --property deadlock: safe
#ifdef F2
void *t(void *a) { struct timespec ts = {0}; pthread_mutex_lock(&m); while (!g) pthread_cond_timedwait(&c, &m, &ts); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_mutex_lock(&m); g = 1; pthread_mutex_unlock(&m); pthread_join(p, 0); }
#endif
// case F3: safe
#ifdef F3
void *t(void *a) { int *p = a; *p += 1; return p; }
int main(void) { pthread_t p; int x = 1; void *r; pthread_create(&p, 0, t, &x); pthread_join(p, &r); assert(r == &x && x == 2); }
#endif
// case F4: unsafe
#ifdef F4
void *t(void *a) { g = *(int *)a; return 0; }
int main(void) { pthread_t p[2]; for (int i = 0; i < 2; i++) pthread_create(&p[i], 0, t, &i); pthread_join(p[0], 0); pthread_join(p[1], 0); assert(g != 2); }
#endif
// case F5: safe
#ifdef F5
void *t(void *a) { __sync_fetch_and_add(&g, (int)(long)a); return 0; }
int main(void) { pthread_t p[3]; for (long i = 0; i < 3; i++) pthread_create(&p[i], 0, t, (void *)i); for (int i = 0; i < 3; i++) pthread_join(p[i], 0); assert(g == 3); }
#endif
// case F6: unsafe
#ifdef F6
int main(void) { char *e = getenv("X"); assert(!e || e[0] != 'q'); }
#endif
// case F7: unsafe
#ifdef F7
int main(void) { assert(malloc(4) != malloc(4)); int *p = malloc(4); free(p); int *q = malloc(4); assert(p != q); }
#endif
// case F8: unsafe
#ifdef F8
int main(void) { assert(rand() != 3); }
#endif
// case F9: safe
#ifdef F9
int main(void) { int a[4]; memset(a, -1, sizeof a); assert(a[3] == -1); memset(a, 1, 4); assert(a[0] == 0x01010101); char s[5]; memcpy(s, "abcd", 5); assert(s[4] == 0 && !memcmp(s, "abcd", 5)); memmove(s + 1, s, 3); assert(s[3] == 'c'); long l = 0; memcpy(&l, &(int){5}, 4); assert(l == 5); }
#endif
