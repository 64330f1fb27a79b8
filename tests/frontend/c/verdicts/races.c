// Races: what the program does, what library functions do to its memory, and what is none.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, *p;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *a);

// Main runs BEFORE, then beside the thread BESIDE, and AFTER it.
#define PROGRAM(THREAD, BEFORE, BESIDE, AFTER) \
  void *w(void *a) { \
    THREAD; \
    return a; \
  } \
  int main(void) { \
    pthread_t t; \
    BEFORE; \
    pthread_create(&t, 0, w, 0); \
    BESIDE; \
    pthread_join(t, 0); \
    AFTER; \
    return 0; \
  }

// case FREE_READ --property races: unsafe, data race
#ifdef FREE_READ
PROGRAM(int v = *p, p = malloc(4); *p = 1, free(p), (void)0)
#endif
// case FREE_UNTOUCHED --property races: unsafe, data race
#ifdef FREE_UNTOUCHED
PROGRAM(*p = 2, p = malloc(4), free(p), (void)0)
#endif
// case FREE_AFTER --property races: safe
#ifdef FREE_AFTER
PROGRAM(*p = 2, p = malloc(4); *p = 1, (void)0, free(p))
#endif
// case FREE_TWICE --property races: unsafe, data race
#ifdef FREE_TWICE
PROGRAM(free(p), p = malloc(4); *p = 1, free(p), (void)0)
#endif
// case FREE_LOCKED --property races: safe
#ifdef FREE_LOCKED
PROGRAM(pthread_mutex_lock(&m); if (p) *p = 3; pthread_mutex_unlock(&m), p = malloc(4); *p = 1,
        pthread_mutex_lock(&m); free(p); p = 0; pthread_mutex_unlock(&m), (void)0)
#endif
// case FREE_FIELD --property races: unsafe, data race
#ifdef FREE_FIELD
struct node { int a, b; } *n;
PROGRAM(n->b = 2, n = malloc(sizeof *n); n->a = 1, free(n), (void)0)
#endif
// case FREE_ATOMIC --property races: unsafe, data race
#ifdef FREE_ATOMIC
atomic_int *q;
PROGRAM((*q)++, q = malloc(sizeof *q); *q = 1, free(q), (void)0)
#endif
// case FREE_MUTEX --property races: unsafe, data race
#ifdef FREE_MUTEX
pthread_mutex_t *q;
PROGRAM(pthread_mutex_lock(q); pthread_mutex_unlock(q), q = malloc(sizeof *q); pthread_mutex_init(q, 0), free(q), (void)0)
#endif

// case SECTION_PLAIN --property races: unsafe, data race
#ifdef SECTION_PLAIN
PROGRAM(__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(), (void)0, x = 5, (void)0)
#endif
// case SECTION_READ --property races: unsafe, data race
#ifdef SECTION_READ
PROGRAM(__VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end(), (void)0, int v = x, (void)0)
#endif
// case SECTIONS --property races: safe
#ifdef SECTIONS
PROGRAM(__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(), x = 3,
        __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(), x = 4)
#endif
// case SECTION_BRANCH --property races: unsafe, data race
#ifdef SECTION_BRANCH
PROGRAM(__VERIFIER_atomic_begin(); if (p) *p = 1; __VERIFIER_atomic_end(), p = &x, x = 2, (void)0)
#endif
// case ATOMIC_PLAIN --property races: unsafe, data race
#ifdef ATOMIC_PLAIN
PROGRAM(__atomic_fetch_add(&x, 1, 5), (void)0, x = 2, (void)0)
#endif
// case ATOMIC_LOAD_PLAIN_READ --property races: safe
#ifdef ATOMIC_LOAD_PLAIN_READ
PROGRAM(int v = __atomic_load_n(&x, 5), x = 1, int u = x, (void)0)
#endif
// case ATOMIC_THROUGH_SHARED_POINTER --property races: unsafe, data race
#ifdef ATOMIC_THROUGH_SHARED_POINTER
PROGRAM(__atomic_store_n(p, 1, 5), p = &x, x = 2, (void)0)
#endif

// case HANDLE --property races: unsafe, data race
#ifdef HANDLE
pthread_t g;
void *w(void *a) {
  pthread_t own = g;
  return (void *)own;
}
int main(void) {
  pthread_create(&g, 0, w, 0);
  pthread_join(g, 0);
}
#endif
// case HANDLE_EARLIER --property races: safe
#ifdef HANDLE_EARLIER
pthread_t g, h;
void *v(void *a) { return a; }
void *w(void *a) {
  pthread_join(g, 0);
  return a;
}
int main(void) {
  pthread_create(&g, 0, v, 0);
  pthread_create(&h, 0, w, 0);
  pthread_join(h, 0);
}
#endif
// case RESULT --property races: unsafe, data race
#ifdef RESULT
void *r;
void *v(void *a) { return a; }
void *w(void *a) {
  r = a;
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, v, 0);
  pthread_create(&u, 0, w, 0);
  pthread_join(t, &r);
  pthread_join(u, 0);
}
#endif
// case CLOCK --property races: unsafe, data race
#ifdef CLOCK
struct timespec now;
PROGRAM(clock_gettime(CLOCK_REALTIME, &now), (void)0, long v = now.tv_sec, (void)0)
#endif
// case TIME --property races: unsafe, data race
#ifdef TIME
time_t now;
PROGRAM(time(&now), (void)0, now = 1, (void)0)
#endif
// case TEXT --property races: unsafe, data race
#ifdef TEXT
char text[4];
PROGRAM(snprintf(text, 4, "a"), (void)0, char v = text[0], (void)0)
#endif
// case COPY --property races: unsafe, data race
#ifdef COPY
char from[4] = "abc", to[4];
PROGRAM(memcpy(to, from, 4), (void)0, to[2] = 'x', (void)0)
#endif
// case LIMIT --property races: unsafe, data race
#ifdef LIMIT
struct timespec limit;
PROGRAM(pthread_mutex_timedlock(&m, &limit), (void)0, limit.tv_sec = 1, (void)0)
#endif
// case SEMAPHORE_VALUE --property races: unsafe, data race
#ifdef SEMAPHORE_VALUE
sem_t s;
PROGRAM(sem_getvalue(&s, &x), sem_init(&s, 0, 1), x = 1, (void)0)
#endif
// case SEMAPHORE --property races: safe
#ifdef SEMAPHORE
sem_t s;
PROGRAM(x = 1; sem_post(&s), sem_init(&s, 0, 0), sem_wait(&s); x = 2, (void)0)
#endif

// case BYTES_APART --property races: safe
#ifdef BYTES_APART
union { int all; char bytes[4]; } u;
PROGRAM(u.bytes[0] = 1, u.all = 0, u.bytes[1] = 2, u.all = 3)
#endif
// case BYTES_SAME --property races: unsafe, data race
#ifdef BYTES_SAME
union { int all; char bytes[4]; } u;
PROGRAM(u.bytes[1] = 1, (void)0, u.bytes[1] = 2, (void)0)
#endif
// case BYTES_ALL --property races: unsafe, data race
#ifdef BYTES_ALL
union { int all; char bytes[4]; } u;
PROGRAM(u.bytes[3] = 1, (void)0, u.all = 2, (void)0)
#endif
// case FIELDS_APART --property races: safe
#ifdef FIELDS_APART
struct { char a, b; } u;
PROGRAM(u.a = 1, (void)0, u.b = 2, u.a = u.b)
#endif

// case VOLATILE --property races: unsafe, none with --volatile=atomic
// case VOLATILE --property races --volatile=atomic: safe
// case VOLATILE --property races --volatile=plain: unsafe
#ifdef VOLATILE
volatile int flag;
PROGRAM(while (!flag), (void)0, flag = 1, (void)0)
#endif
// case VOLATILE_AND_PLAIN --property races --volatile=atomic: unsafe, data race
#ifdef VOLATILE_AND_PLAIN
PROGRAM(*(volatile int *)&x = 1, (void)0, x = 2, (void)0)
#endif
// case ONCE --linux --property races: safe
#ifdef ONCE
PROGRAM(WRITE_ONCE(x, 1), (void)0, int v = READ_ONCE(x), (void)0)
#endif
// case ONCE_AND_PLAIN --linux --property races: unsafe, data race
#ifdef ONCE_AND_PLAIN
PROGRAM(WRITE_ONCE(x, 1), (void)0, x = 2, (void)0)
#endif
// case KERNEL_ATOMIC --linux --property races: safe
#ifdef KERNEL_ATOMIC
atomic_t n;
PROGRAM(atomic_inc(&n), atomic_set(&n, 1), atomic_read(&n), (void)0)
#endif
// case KERNEL_LOCK --linux --property races: safe
#ifdef KERNEL_LOCK
DEFINE_SPINLOCK(s);
PROGRAM(spin_lock(&s); x++; spin_unlock(&s), spin_lock_init(&s), spin_lock(&s); x++; spin_unlock(&s), (void)0)
#endif
// case STATEMENT --property races --interleave=statement: unsafe, data race
#ifdef STATEMENT
PROGRAM(x = 1, (void)0, x = 2, (void)0)
#endif
// case VOLATILE_CAST --property races --volatile=atomic: safe
// case VOLATILE_CAST --property races: unsafe, none with --volatile=atomic
#ifdef VOLATILE_CAST
PROGRAM(*(volatile int *)&x = 1, (void)0, int v = *(const volatile int *)&x, (void)0)
#endif
// case VOLATILE_MEMBER --property races --volatile=atomic: safe
#ifdef VOLATILE_MEMBER
volatile struct { int a[2]; struct { int b; } in; } v;
PROGRAM(v.in.b = 1, (void)0, int n = v.in.b, (void)0)
#endif
// case FIRST_VALUE --property races: unsafe, data race
#ifdef FIRST_VALUE
atomic_int n;
PROGRAM(atomic_init(&n, 1), (void)0, n = 2, (void)0)
#endif
// case FIRST_VALUE_BEFORE --property races: safe
#ifdef FIRST_VALUE_BEFORE
atomic_int n;
PROGRAM(n++, atomic_init(&n, 1), n++, (void)0)
#endif
// case ATOMIC_FILLED --property races: unsafe, data race
#ifdef ATOMIC_FILLED
atomic_int n;
PROGRAM(memset((void *)&n, 0, sizeof n), (void)0, n = 2, (void)0)
#endif
// case ATOMIC_COPIED --property races: unsafe, data race
#ifdef ATOMIC_COPIED
struct { int plain; atomic_int n; } s, r;
PROGRAM(r = s, (void)0, s.n = 2, (void)0)
#endif
// case ATOMIC_AS_PLAIN --property races: unsafe, data race
#ifdef ATOMIC_AS_PLAIN
atomic_int n;
PROGRAM(*(int *)&n = 1, (void)0, n = 2, (void)0)
#endif
// case COUNT_PRINTED --property races: unsafe, data race
#ifdef COUNT_PRINTED
PROGRAM(printf("a%n", &x), (void)0, x = 2, (void)0)
#endif
// case ERROR_PRINTED --property races: unsafe, data race
#ifdef ERROR_PRINTED
char text[2] = "a";
PROGRAM(perror(text), (void)0, text[0] = 'b', (void)0)
#endif
// case SEED --property races: unsafe, data race
#ifdef SEED
unsigned seed;
PROGRAM(rand_r(&seed), (void)0, rand_r(&seed), (void)0)
#endif
// To initialise a lock is to write it.
// case MADE_TWICE --property races: unsafe, two threads initialise a lock
#ifdef MADE_TWICE
pthread_mutex_t n;
PROGRAM(pthread_mutex_init(&n, 0), (void)0, pthread_mutex_init(&n, 0), (void)0)
#endif
// case MADE_WHILE_USED --property races: unsafe, a lock is used while a thread initialises it
#ifdef MADE_WHILE_USED
pthread_mutex_t n;
PROGRAM(pthread_mutex_lock(&n); pthread_mutex_unlock(&n), (void)0, pthread_mutex_init(&n, 0), (void)0)
#endif
// case MADE_BEFORE --property races: safe
#ifdef MADE_BEFORE
pthread_mutex_t *n;
PROGRAM(pthread_mutex_lock(n); x++; pthread_mutex_unlock(n), n = malloc(sizeof *n); pthread_mutex_init(n, 0),
        pthread_mutex_lock(n); x++; pthread_mutex_unlock(n), pthread_mutex_init(n, 0))
#endif
// case MADE_APART --property races: safe
#ifdef MADE_APART
pthread_mutex_t n, o;
PROGRAM(pthread_mutex_init(&n, 0); pthread_mutex_lock(&n); pthread_mutex_unlock(&n), (void)0,
        pthread_mutex_init(&o, 0); pthread_mutex_lock(&o); pthread_mutex_unlock(&o), (void)0)
#endif
// case MADE_UNDER_ANOTHER --property races: safe
#ifdef MADE_UNDER_ANOTHER
pthread_mutex_t n;
int made;
void make(void) {
  pthread_mutex_lock(&m);
  if (!made) pthread_mutex_init(&n, 0);
  made = 1;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&n);
  x++;
  pthread_mutex_unlock(&n);
}
PROGRAM(make(), (void)0, make(), (void)0)
#endif
// case RW_MADE_WHILE_USED --property races: unsafe, a lock is used while a thread initialises it
#ifdef RW_MADE_WHILE_USED
pthread_rwlock_t n;
PROGRAM(pthread_rwlock_rdlock(&n), (void)0, pthread_rwlock_init(&n, 0), (void)0)
#endif
// case C11_MADE_TWICE --property races: unsafe, two threads initialise a lock
#ifdef C11_MADE_TWICE
#include <threads.h>
mtx_t n;
PROGRAM(mtx_init(&n, mtx_plain), (void)0, mtx_init(&n, mtx_plain), (void)0)
#endif

// What the library reads and writes of the program's memory.
// case FILE_READ --property races: unsafe, data race
#ifdef FILE_READ
char text[4];
PROGRAM(fread(text, 1, 3, stdin), (void)0, text[0] = 'x', (void)0)
#endif
// case LINE_READ --property races: unsafe, data race
#ifdef LINE_READ
char text[4];
PROGRAM(fgets(text, 1, stdin), (void)0, text[0] = 'x', (void)0)
#endif
// case SORTED --property races: unsafe, data race
#ifdef SORTED
int v[2] = {2, 1};
int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
PROGRAM(qsort(v, 2, sizeof *v, order), (void)0, v[1] = 5, (void)0)
#endif
// case KEY_MADE --property races: unsafe, data race
#ifdef KEY_MADE
pthread_key_t key;
PROGRAM(pthread_key_create(&key, 0), (void)0, pthread_key_t k = key, (void)0)
#endif
// case KIND_SET --property races: unsafe, data race
#ifdef KIND_SET
pthread_mutexattr_t kind;
PROGRAM(pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE), pthread_mutexattr_init(&kind),
        pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK), (void)0)
#endif
// case NUMBER_READ --property races: unsafe, data race
#ifdef NUMBER_READ
char *end;
PROGRAM(strtol("12x", &end, 10), (void)0, end = 0, (void)0)
#endif
// case ALIGNED --property races: unsafe, data race
#ifdef ALIGNED
void *memory;
PROGRAM(posix_memalign(&memory, 16, 16), (void)0, memory = 0, (void)0)
#endif
// case SIGNAL_SET --property races: unsafe, data race
#ifdef SIGNAL_SET
#include <signal.h>
sigset_t set;
PROGRAM(sigaddset(&set, SIGUSR1), sigemptyset(&set), sigaddset(&set, SIGUSR2), (void)0)
#endif
// case COUNTED --property races: safe
#ifdef COUNTED
sem_t s;
PROGRAM(int v; sem_getvalue(&s, &v); sem_post(&s), sem_init(&s, 0, 1), int u; sem_getvalue(&s, &u); sem_wait(&s), (void)0)
#endif
