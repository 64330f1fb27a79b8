// A few programs of each class of things that C and its libraries have.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdalign.h>
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
int g, h;
int __VERIFIER_nondet_int(void);
// case U1: safe
// case U1 --property faults: safe
#ifdef U1
union u { int i; unsigned char b[4]; short s[2]; };
int main(void) { union u x; x.i = 0x01020304; assert(x.b[0] == 4 && x.b[3] == 1); x.s[1] = 0x0a0b; assert(x.i == 0x0a0b0304); x.b[1] = 0; assert(x.i == 0x0a0b0004); }
#endif
// case U2: unknown
#ifdef U2
union u { float f; unsigned i; };
int main(void) { union u x; x.f = 1.0f; assert(x.i != 0x3f800000); }
#endif
// case BF2: unsafe
#ifdef BF2
struct s { int a : 1; };
int main(void) { struct s x; x.a = 1; assert(x.a == 1); }
#endif
// case BF3: unknown
#ifdef BF3
struct s { unsigned a : 4, : 0, b : 4; };
int main(void) { assert(sizeof(struct s) == 8); struct s x = {1, 2}; unsigned char *p = (unsigned char *)&x; assert(p[4] % 16 == 2); }
#endif
// case CO1: safe
#ifdef CO1
struct in { int x; }; struct out { char c; struct in i; int y; };
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
int main(void) { struct out o = {1, {2}, 3}; struct in *p = &o.i; container_of(p, struct out, i)->y = 9; assert(o.y == 9 && container_of(p, struct out, i)->c == 1); }
#endif
// case FX1 --property faults: safe
#ifdef FX1
struct s { int n; short d[]; };
int main(void) { struct s *p = malloc(sizeof *p + 3 * sizeof(short)); p->n = 3; for (int i = 0; i < p->n; i++) p->d[i] = i; assert(p->d[2] == 2); free(p); }
#endif
// case FX2 --property faults: unsafe
#ifdef FX2
struct s { int n; short d[]; };
int main(void) { struct s *p = malloc(sizeof *p + 3 * sizeof(short)); p->n = 3; for (int i = 0; i <= p->n; i++) p->d[i] = i; free(p); }
#endif
// case VA1: safe
#ifdef VA1
int sum(int n, ...) { va_list l, m; int s = 0; va_start(l, n); va_copy(m, l); for (int i = 0; i < n; i++) s += va_arg(l, int); for (int i = 0; i < n; i++) s += va_arg(m, int); va_end(l); va_end(m); return s; }
int main(void) { assert(sum(3, 1, 2, 3) == 12); assert(sum(1, (char)-1) == -2); assert(sum(0) == 0); }
#endif
// case VA2: safe
#ifdef VA2
double pick(int n, ...) { va_list l; va_start(l, n); long a = va_arg(l, long); char *b = va_arg(l, char *); double c = va_arg(l, double); va_end(l); return a + b[1] + c; }
int main(void) { assert(pick(0, 2l, "ab", 0.5f) == 2 + 'b' + 0.5); }
#endif
// case AT1: safe
#ifdef AT1
_Atomic char c; _Atomic short s; _Atomic long long l; _Atomic _Bool b;
void *t(void *a) { c++; s += 2; l -= 3; b ^= 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); assert(c == 2 && s == 4 && l == -6 && !b); }
#endif
// case AT2: unsafe
#ifdef AT2
_Atomic int x;
void *t(void *a) { x = x + 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); assert(x == 2); }
#endif
// case AT3: safe
#ifdef AT3
atomic_uchar c = 255;
int main(void) { assert(atomic_fetch_add(&c, 1) == 255 && c == 0); assert(atomic_fetch_sub(&c, 1) == 0 && c == 255); assert((c += 2) == 1); unsigned char e = 0; assert(!atomic_compare_exchange_strong(&c, &e, 5) && e == 1); }
#endif
// case AT4: safe
#ifdef AT4
int *_Atomic p; int a[3];
int main(void) { p = a; assert(atomic_fetch_add(&p, 1) == a && p == a + 1); assert(__atomic_fetch_add(&g, 3, 0) == 0); assert(__sync_nand_and_fetch(&g, 1) == -2); assert(__atomic_exchange_n(&g, 7, 5) == -2); }
#endif
// case CV1: unsafe
#ifdef CV1
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *t(void *a) { pthread_mutex_lock(&m); if (!g) pthread_cond_wait(&c, &m); assert(g); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_mutex_lock(&m); g = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_join(p, 0); }
#endif
// case CV2 --property deadlock: unsafe
#ifdef CV2
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *t(void *a) { pthread_mutex_lock(&m); while (g == 0) pthread_cond_wait(&c, &m); g--; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p, q; pthread_create(&p, 0, t, 0); pthread_create(&q, 0, t, 0); pthread_mutex_lock(&m); g = 2; pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_join(p, 0); pthread_join(q, 0); }
#endif
// case CV3 --property deadlock: safe
#ifdef CV3
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *t(void *a) { pthread_mutex_lock(&m); while (g == 0) pthread_cond_wait(&c, &m); g--; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p, q; pthread_create(&p, 0, t, 0); pthread_create(&q, 0, t, 0); pthread_mutex_lock(&m); g = 2; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); pthread_join(p, 0); pthread_join(q, 0); }
#endif
// case RW1: safe
#ifdef RW1
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *r(void *a) { pthread_rwlock_rdlock(&l); assert(g == h); pthread_rwlock_unlock(&l); return 0; }
void *w(void *a) { pthread_rwlock_wrlock(&l); g++; h++; pthread_rwlock_unlock(&l); return 0; }
int main(void) { pthread_t p, q; pthread_create(&p, 0, r, 0); pthread_create(&q, 0, w, 0); w(0); pthread_join(p, 0); pthread_join(q, 0); assert(g == 2); }
#endif
// case RW2: unsafe
#ifdef RW2
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *w(void *a) { pthread_rwlock_rdlock(&l); int t = g; g = t + 1; pthread_rwlock_unlock(&l); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, w, 0); w(0); pthread_join(p, 0); assert(g == 2); }
#endif
// case RW3 --property deadlock: unsafe
#ifdef RW3
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void) { pthread_rwlock_rdlock(&l); pthread_rwlock_wrlock(&l); }
#endif
// case BA1: safe
#ifdef BA1
pthread_barrier_t b;
void *t(void *a) { __sync_fetch_and_add(&g, 1); pthread_barrier_wait(&b); assert(g == 3); return 0; }
int main(void) { pthread_t p, q; pthread_barrier_init(&b, 0, 3); pthread_create(&p, 0, t, 0); pthread_create(&q, 0, t, 0); t(0); pthread_join(p, 0); pthread_join(q, 0); }
#endif
// case BA2: safe
#ifdef BA2
pthread_barrier_t b; atomic_int serial;
void *t(void *a) { if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) serial++; if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) serial++; return 0; }
int main(void) { pthread_t p; pthread_barrier_init(&b, 0, 2); pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); assert(serial == 2); }
#endif
// case BA3 --property deadlock: unsafe
#ifdef BA3
pthread_barrier_t b;
void *t(void *a) { pthread_barrier_wait(&b); return 0; }
int main(void) { pthread_t p; pthread_barrier_init(&b, 0, 3); pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); }
#endif
// case SE1: safe
#ifdef SE1
sem_t s;
void *t(void *a) { g = 1; sem_post(&s); return 0; }
int main(void) { pthread_t p; sem_init(&s, 0, 0); pthread_create(&p, 0, t, 0); sem_wait(&s); assert(g == 1); int v; sem_getvalue(&s, &v); assert(v == 0); assert(sem_trywait(&s) == -1 && errno == EAGAIN); pthread_join(p, 0); }
#endif
// case SE2: unsafe
#ifdef SE2
sem_t s;
void *t(void *a) { sem_wait(&s); int x = g; g = x + 1; sem_post(&s); return 0; }
int main(void) { pthread_t p; sem_init(&s, 0, 2); pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); assert(g == 2); }
#endif
// case ON1: safe
#ifdef ON1
pthread_once_t o = PTHREAD_ONCE_INIT; void init(void) { g++; }
void *t(void *a) { pthread_once(&o, init); assert(g == 1); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); }
#endif
// case TL1: safe
#ifdef TL1
_Thread_local int x = 5; __thread int y;
void *t(void *a) { assert(x == 5 && y == 0); x = 6; y = 1; return 0; }
int main(void) { pthread_t p; x = 7; y = 2; pthread_create(&p, 0, t, 0); pthread_join(p, 0); assert(x == 7 && y == 2); }
#endif
// case TL2: unsafe
#ifdef TL2
static _Thread_local int x; int *p;
void *t(void *a) { *p = 3; return 0; }
int main(void) { pthread_t q; p = &x; pthread_create(&q, 0, t, 0); pthread_join(q, 0); assert(x == 0); }
#endif
// case KE1: safe
#ifdef KE1
pthread_key_t k; void d(void *p) { g += *(int *)p; free(p); }
void *t(void *a) { int *p = malloc(4); *p = 3; pthread_setspecific(k, p); assert(pthread_getspecific(k) == p); return 0; }
int main(void) { pthread_t p; pthread_key_create(&k, d); assert(!pthread_getspecific(k)); pthread_create(&p, 0, t, 0); pthread_join(p, 0); assert(g == 3); }
#endif
// case KE2: unsafe
#ifdef KE2
pthread_key_t k; void d(void *p) { g = 1; }
void *t(void *a) { pthread_setspecific(k, &g); return 0; }
int main(void) { pthread_t p; pthread_key_create(&k, d); pthread_create(&p, 0, t, 0); pthread_join(p, 0); assert(g == 0); }
#endif
// case CA1: safe
#ifdef CA1
void c(void *a) { g = 1; }
void *t(void *a) { pthread_cleanup_push(c, 0); for (;;) pause(); pthread_cleanup_pop(0); return 0; }
int main(void) { pthread_t p; void *r; pthread_create(&p, 0, t, 0); pthread_cancel(p); pthread_join(p, &r); assert(r == PTHREAD_CANCELED); }
#endif
// case CA2: unsafe
#ifdef CA2
void *t(void *a) { sleep(1); g = 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_cancel(p); pthread_join(p, 0); assert(g == 0); }
#endif
// case CA3: unsafe
#ifdef CA3
void *t(void *a) { sleep(1); g = 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_cancel(p); pthread_join(p, 0); assert(g == 1); }
#endif
// case SI1: unsafe
#ifdef SI1
void hnd(int s) { g = s; }
int main(void) { signal(SIGUSR1, hnd); raise(SIGUSR1); assert(g != SIGUSR1); }
#endif
// case SI2: safe
#ifdef SI2
void hnd(int s) { g++; }
int main(void) { sigset_t s, o; signal(SIGUSR1, hnd); sigemptyset(&s); sigaddset(&s, SIGUSR1); sigprocmask(SIG_BLOCK, &s, &o); raise(SIGUSR1); raise(SIGUSR1); assert(g == 0); sigprocmask(SIG_SETMASK, &o, 0); assert(g == 1); }
#endif
// case DL1 --property deadlock: unsafe
#ifdef DL1
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *t(void *x) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0; }
void *u(void *x) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }
int main(void) { pthread_t p, q; pthread_create(&p, 0, t, 0); pthread_create(&q, 0, u, 0); for (;;) g++; }
#endif
// case DL2 --property deadlock: unsafe
#ifdef DL2
volatile int flag;
int main(void) { while (!flag); }
#endif
// case DL3 --property deadlock: safe
#ifdef DL3
atomic_int flag;
void *t(void *x) { flag = 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); while (!flag) sched_yield(); pthread_join(p, 0); }
#endif
// case DL4 --property deadlock: unsafe
#ifdef DL4
atomic_flag f = ATOMIC_FLAG_INIT;
void *t(void *x) { while (atomic_flag_test_and_set(&f)); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); }
#endif
// case DL5 --property deadlock: unsafe
#ifdef DL5
void *t(void *x) { pthread_join(*(pthread_t *)x, 0); return 0; }
int main(void) { pthread_t p, me = pthread_self(); pthread_create(&p, 0, t, &me); pthread_join(p, 0); }
#endif
// case TW1: unsafe
#ifdef TW1
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; struct timespec ts;
int main(void) { pthread_mutex_lock(&m); assert(pthread_cond_timedwait(&c, &m, &ts) == 0); }
#endif
// case TW2: safe
#ifdef TW2
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; struct timespec ts;
int main(void) { assert(pthread_mutex_timedlock(&m, &ts) == 0); assert(pthread_mutex_trylock(&m) == EBUSY); assert(pthread_mutex_timedlock(&m, &ts) == ETIMEDOUT); }
#endif
// case ST1 --interleave=statement: unsafe
#ifdef ST1
void *t(void *a) { int x = g; g = x + 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); assert(g == 2); }
#endif
// case ST2 --interleave=statement: safe
// case ST2: unsafe
#ifdef ST2
void *t(void *a) { g++; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); assert(g == 2); }
#endif
// case ST3 --interleave=statement: unsafe
#ifdef ST3
void *t(void *a) { if (g == 0) g = 1; else h = 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); assert(h); }
#endif
// case SL1: safe
#ifdef SL1
int main(void) { char *e; assert(strtol(" -12x", &e, 10) == -12 && *e == 'x'); assert(strtol("0x1F", 0, 0) == 31); assert(strtol("017", 0, 0) == 15); assert(strtol("zz", &e, 36) == 35 * 36 + 35); assert(strtoul("-1", 0, 10) == ULONG_MAX); errno = 0; assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE); char *q = "abc"; assert(strtol(q, &e, 10) == 0 && e == q); assert(atoi("+7 ") == 7); }
#endif
// case SS1: safe
#ifdef SS1
int main(void) { int a = 0, b = 0; char w[8], c; assert(sscanf("12 ab 7", "%d %7s %d", &a, w, &b) == 3 && a == 12 && b == 7 && !strcmp(w, "ab")); assert(sscanf("x1", "%d", &a) == 0); assert(sscanf("", "%d", &a) == EOF); assert(sscanf("5,6", "%d,%d", &a, &b) == 2 && b == 6); assert(sscanf("q", "%c", &c) == 1 && c == 'q'); assert(sscanf("1f", "%x", (unsigned *)&a) == 1 && a == 31); }
#endif
// case SP1: safe
#ifdef SP1
int main(void) { char b[8]; assert(snprintf(b, sizeof b, "%d-%s", 12345, "abc") == 9 && !strcmp(b, "12345-a")); assert(snprintf(0, 0, "%05d", 42) == 5); assert(sprintf(b, "%-3d|%3d", 1, 2) == 7 && !strcmp(b, "1  |  2")); sprintf(b, "%#x %c", 255, 'z'); assert(!strcmp(b, "0xff z")); sprintf(b, "%.2s%%", "abc"); assert(!strcmp(b, "ab%")); sprintf(b, "%hhd", 300); assert(!strcmp(b, "44")); sprintf(b, "%+d% d", 1, 2); assert(!strcmp(b, "+1 2")); }
#endif
// case STR1: safe
#ifdef STR1
int main(void) { char b[16] = "ab"; strcat(b, "cd"); assert(strlen(b) == 4 && strcmp(b, "abcd") == 0 && strncmp(b, "abX", 2) == 0); assert(strchr(b, 'c') == b + 2 && strchr(b, 0) == b + 4 && strrchr("aba", 'a')[1] == 0); assert(strstr(b, "bc") == b + 1 && !strstr(b, "x")); strncpy(b, "xyz", 2); assert(b[1] == 'y' && b[2] == 'c'); memmove(b + 1, b, 3); assert(!strcmp(b, "xxyc")); assert(strspn("aab", "a") == 2 && strcspn("aab", "b") == 2); assert(strcmp("a", "b") < 0 && strcmp("\xff", "a") > 0); assert(memcmp("\x80", "\x01", 1) > 0); }
#endif
// case QS1: safe
#ifdef QS1
int cmp(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
int main(void) { int a[4] = {3, -1, 2, 0}, k = 2; qsort(a, 4, sizeof *a, cmp); assert(a[0] == -1 && a[3] == 3); int *p = bsearch(&k, a, 4, sizeof *a, cmp); assert(p == a + 2); k = 9; assert(!bsearch(&k, a, 4, sizeof *a, cmp)); }
#endif
// case RE1: safe
// case RE1 --property faults: safe
#ifdef RE1
int main(void) { int *p = malloc(8); p[0] = 1; p[1] = 2; p = realloc(p, 16); assert(p[0] == 1 && p[1] == 2); p[3] = 4; p = realloc(p, 4); assert(*p == 1); free(p); }
#endif
// case RE2 --property faults: unsafe
#ifdef RE2
int main(void) { int *p = malloc(8), *q = realloc(p, 16); *p = 1; free(q); }
#endif
// case AL1: safe
#ifdef AL1
int main(void) { int n = 3; int *a = __builtin_alloca(n * sizeof(int)); for (int i = 0; i < n; i++) a[i] = i; assert(a[2] == 2); }
#endif
// case VL1 --property faults: unsafe
#ifdef VL1
int main(void) { int n = 3; int a[n]; a[0] = 0; a[n] = 1; }
#endif
// case VL2: safe
#ifdef VL2
int f(int n, int a[n]) { return a[n - 1]; }
int main(void) { int n = 2; int a[n]; assert(sizeof a == 8); a[0] = 1; a[1] = 5; n = 7; assert(sizeof a == 8 && f(2, a) == 5); }
#endif
// case CL1: safe
#ifdef CL1
struct s { int a, b[2]; };
int f(struct s x) { x.b[1]++; return x.b[1]; }
int main(void) { assert(f((struct s){.b = {1, 2}}) == 3); struct s *p = &(struct s){.a = 4}; assert(p->a == 4 && p->b[1] == 0); int *q = (int[3]){[1] = 6}; assert(q[0] == 0 && q[1] == 6); }
#endif
// case SW1: safe
#ifdef SW1
int main(void) { int n = 7, k = (n + 3) / 4, c = 0; switch (n % 4) { case 0: do { c++; case 3: c++; case 2: c++; case 1: c++; } while (--k > 0); } assert(c == 7); switch (-1) { case -1: c = 1; break; default: c = 2; } assert(c == 1); switch (5) { case 1 ... 4: c = 3; break; case 5 ... 9: c = 4; } assert(c == 4); }
#endif
// case GO1: safe
#ifdef GO1
int main(void) { int i = 0; goto in; for (i = 10; i < 12; i++) { in: g++; } assert(i == 12 || g == 12); assert(g == 12); }
#endif
// case CM1: safe
#ifdef CM1
int f(int x) { g = g * 10 + x; return x; }
int main(void) { int x = (f(1), f(2)); assert(x == 2 && g == 12); g = 0; assert((f(0) && f(1)) == 0 && g == 0); g = 0; assert((f(3) || f(4)) && g == 3); g = 0; f(1) ? f(2) : f(3); assert(g == 12); int a[3] = {0}, i = 0; a[i++] += 5; assert(i == 1 && a[0] == 5); }
#endif
// case PR1: safe
#ifdef PR1
int main(void) { unsigned char c = 200, d = 100; assert(c + d == 300); assert((unsigned char)(c + d) == 44); char s = -1; assert((unsigned)s == UINT_MAX); assert(-1 > 0u); assert(!(-1l > 0u)); short x = 32767; x++; assert(x == -32768); assert((1 << 4 >> 2) == 4); assert(-7 / 2 == -3 && -7 % 2 == -1); assert(-8 >> 1 == -4); assert(~0u >> 31 == 1); assert(sizeof('a') == 4 && sizeof(1 ? 'a' : 1l) == 8); unsigned u = 1; assert((u - 2 > 0)); long long q = INT_MAX; q++; assert(q == 2147483648ll); assert((_Bool)256 == 1 && (_Bool)0.5 == 1); assert((int)3.9 == 3 && (int)-3.9 == -3); }
#endif
// case SH1 --property faults: unsafe
#ifdef SH1
int main(void) { int s = 32; return 1 << s; }
#endif
// case SH2 --property faults: safe
#ifdef SH2
int main(void) { int s = 31; return (1u << s) != 0; }
#endif
// case OV1 --property overflow: unsafe
#ifdef OV1
int main(void) { int x = INT_MIN; return -x != 0; }
#endif
// case OV2 --property overflow: unsafe
#ifdef OV2
int main(void) { return abs(INT_MIN); }
#endif
// case OV3 --property overflow: unsafe
#ifdef OV3
int main(void) { int x = INT_MIN, y = -1; return x / y; }
#endif
// case OV4 --property overflow: safe
#ifdef OV4
int main(void) { unsigned x = UINT_MAX; x++; short s = 32767; s += 1; unsigned char c = 255; c++; return x + s + c; }
#endif
// case OV5 --property overflow: unsafe
#ifdef OV5
int main(void) { unsigned short a = 65535; return a * a; }
#endif
// case EN1: safe
#ifdef EN1
enum e { A = -1, B, C = 1000000 }; enum u { X = 0xffffffffu }; enum __attribute__((packed)) p { P };
int main(void) { assert(sizeof(enum e) == 4 && sizeof(enum p) == 1); enum e x = A; assert(x < 0); enum u y = X; assert(y > 0 && (long)y == 4294967295l); }
#endif
// case SA1: safe
#ifdef SA1
struct s { char c[3]; int n; struct { int z; } in; };
struct s mk(int n) { struct s x = {"ab", n, {n + 1}}; return x; }
int main(void) { struct s a = mk(4), b; b = a; b.c[0] = 'z'; assert(a.c[0] == 'a' && b.in.z == 5); assert(mk(6).in.z == 7); struct s arr[2] = {a, b}; arr[1] = arr[0]; assert(arr[1].c[0] == 'a'); assert(sizeof(struct s) == 12); }
#endif
// case FP1: safe
#ifdef FP1
int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; }
typedef int (*op)(int, int); op table[] = {add, sub}; op get(int i) { return table[i]; }
int main(void) { assert(get(0)(3, 4) == 7 && (*get(1))(3, 4) == -1 && (**table)(1, 1) == 2); op f = &add; assert(f == add && f != sub); }
#endif
// case RC1: safe
#ifdef RC1
int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
int even(int n); int odd(int n) { return n == 0 ? 0 : even(n - 1); } int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int main(void) { assert(fact(5) == 120 && even(4) && odd(3)); }
#endif
// case SC1: safe
#ifdef SC1
int next(void) { static int n = 3; static struct { int a; } s = {4}; return n++ + s.a++; }
int main(void) { assert(next() == 7 && next() == 9); }
#endif
// case CO2 --property faults: unsafe
#ifdef CO2
static const int c = 3;
int main(void) { *(int *)&c = 4; }
#endif
// case GE1: safe
#ifdef GE1
#define T(x) _Generic((x), int: 1, unsigned: 2, long: 3, char: 4, double: 5, char *: 6, const int *: 7, default: 9)
int main(void) { char c = 0; const int *p = 0; assert(T(1) == 1 && T(1u) == 2 && T(c) == 4 && T(c + c) == 1 && T(1.0) == 5 && T("a") == 6 && T(p) == 7 && T(1.0f) == 9 && T('a') == 1); }
#endif
// case C11: safe
#ifdef C11
mtx_t m; cnd_t c; once_flag o = ONCE_FLAG_INIT; tss_t k; void i(void) { h++; }
int t(void *a) { call_once(&o, i); mtx_lock(&m); g = 1; cnd_signal(&c); mtx_unlock(&m); tss_set(k, &g); return 42; }
int main(void) { thrd_t p; int r; mtx_init(&m, mtx_plain); cnd_init(&c); tss_create(&k, 0); assert(thrd_create(&p, t, 0) == thrd_success); mtx_lock(&m); while (!g) cnd_wait(&c, &m); mtx_unlock(&m); thrd_join(p, &r); assert(r == 42 && h == 1 && !tss_get(k)); assert(mtx_trylock(&m) == thrd_success && mtx_trylock(&m) == thrd_busy); }
#endif
// case AR1 --args 12: unsafe
#ifdef AR1
int main(int argc, char **argv) { assert(argc != 2 || argv[1][1] != 50); assert(0); }
#endif
// case AR2: unsafe
#ifdef AR2
int main(int argc, char **argv) { assert(argc < 3); }
#endif
// case AR3: safe
#ifdef AR3
int main(int argc, char **argv) { assert(argc >= 1 && argv[argc] == 0 && (argc < 2 || argv[0] != argv[1])); }
#endif

// Headers in a buffer of bytes: the way back from what follows one stays in the buffer, wherever the header is.
// case HEADERS --property faults: safe
// case HEADERS: safe
// case HEADERS_BEFORE --property faults: unsafe, outside of its object
#if defined(HEADERS) || defined(HEADERS_BEFORE)
struct header { struct header *next; unsigned magic; };
struct { _Alignas(16) unsigned char memory[96]; struct header *free; } slab;
int main(void) {
  for (int i = 0; i < 2; i++) {
    struct header *one = (struct header *)(slab.memory + i * 48);
    one->magic = 7;
    slab.free = one;
  }
  void *payload = slab.free + 1;
#ifdef HEADERS_BEFORE
  const int back = 5;
#else
  const int back = 1;
#endif
  struct header *header = (struct header *)payload - back;
  assert(header->magic == 7);
  return 0;
}
#endif
