// Misuse of locks.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t s;
struct timespec limit;

#define ALONE(BODY) \
  int main(void) { \
    BODY; \
    return 0; \
  }
#define TWO(THREAD, MAIN) \
  void *w(void *a) { \
    THREAD; \
    return a; \
  } \
  int main(void) { \
    pthread_t t; \
    MAIN; \
    pthread_create(&t, 0, w, 0); \
    pthread_join(t, 0); \
    return 0; \
  }

// case RIGHT --property locks: safe
#ifdef RIGHT
TWO(pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l);
    pthread_spin_lock(&s); pthread_spin_unlock(&s),
    pthread_spin_init(&s, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m))
#endif
// case AGAIN --property locks: unsafe, locked again
#ifdef AGAIN
ALONE(pthread_mutex_lock(&m); pthread_mutex_lock(&m))
#endif
// case TIMED_AGAIN --property locks: unsafe, locked again
#ifdef TIMED_AGAIN
ALONE(pthread_mutex_lock(&m); pthread_mutex_timedlock(&m, &limit))
#endif
// case FREE --property locks: unsafe, does not hold it
#ifdef FREE
ALONE(pthread_mutex_unlock(&m))
#endif
// case OTHERS --property locks: unsafe, does not hold it
#ifdef OTHERS
TWO(pthread_mutex_unlock(&m), pthread_mutex_lock(&m))
#endif
// case DESTROYED_HELD --property locks: unsafe, destroyed
#ifdef DESTROYED_HELD
ALONE(pthread_mutex_lock(&m); pthread_mutex_destroy(&m))
#endif
// case DESTROYED_USED --property locks: unsafe, nobody has initialised
#ifdef DESTROYED_USED
ALONE(pthread_mutex_destroy(&m); pthread_mutex_lock(&m))
#endif
// case DESTROYED_AND_MADE --property locks: safe
#ifdef DESTROYED_AND_MADE
ALONE(pthread_mutex_destroy(&m); pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m))
#endif
// case STATIC_NOT_MADE --property locks: unsafe, nobody has initialised
#ifdef STATIC_NOT_MADE
pthread_mutex_t n;
ALONE(pthread_mutex_lock(&n))
#endif
// case LOCAL_NOT_MADE --property locks: unsafe, nobody has initialised
#ifdef LOCAL_NOT_MADE
ALONE(pthread_mutex_t n; pthread_mutex_lock(&n))
#endif
// case HEAP_NOT_MADE --property locks: unsafe, nobody has initialised
#ifdef HEAP_NOT_MADE
ALONE(pthread_mutex_t *n = malloc(sizeof *n); pthread_mutex_lock(n))
#endif
// case HEAP_MADE --property locks: safe
#ifdef HEAP_MADE
ALONE(pthread_mutex_t *n = malloc(sizeof *n); pthread_mutex_init(n, 0); pthread_mutex_lock(n); pthread_mutex_unlock(n);
      pthread_mutex_destroy(n))
#endif
// case LOCAL_MADE --property locks: safe
#ifdef LOCAL_MADE
ALONE(pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&n); pthread_mutex_unlock(&n))
#endif
// case MEMBER_MADE --property locks: safe
#ifdef MEMBER_MADE
struct { int i; pthread_mutex_t n; } both = {1, PTHREAD_MUTEX_INITIALIZER};
ALONE(pthread_mutex_lock(&both.n); pthread_mutex_unlock(&both.n))
#endif
// case RECURSIVE --property locks: safe
#ifdef RECURSIVE
pthread_mutex_t n = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
ALONE(pthread_mutex_lock(&n); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&n))
#endif
// case CHECKING --property locks: safe
#ifdef CHECKING
pthread_mutex_t n = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
ALONE(pthread_mutex_unlock(&n); pthread_mutex_lock(&n); pthread_mutex_lock(&n); pthread_mutex_unlock(&n))
#endif

// case READ_OTHERS --property locks: unsafe, does not hold it
#ifdef READ_OTHERS
TWO(pthread_rwlock_unlock(&l), pthread_rwlock_rdlock(&l))
#endif
// case WRITE_OTHERS --property locks: unsafe, does not hold it
#ifdef WRITE_OTHERS
TWO(pthread_rwlock_unlock(&l), pthread_rwlock_wrlock(&l))
#endif
// case WRITE_TWICE --property locks: unsafe, for writing
#ifdef WRITE_TWICE
ALONE(pthread_rwlock_wrlock(&l); pthread_rwlock_wrlock(&l))
#endif
// case UPGRADE --property locks: unsafe, for writing
#ifdef UPGRADE
ALONE(pthread_rwlock_rdlock(&l); pthread_rwlock_wrlock(&l))
#endif
// case DOWNGRADE --property locks: unsafe, for writing
#ifdef DOWNGRADE
ALONE(pthread_rwlock_wrlock(&l); pthread_rwlock_rdlock(&l))
#endif
// case RW_FREE --property locks: unsafe, free
#ifdef RW_FREE
ALONE(pthread_rwlock_unlock(&l))
#endif
// case RW_DESTROYED --property locks: unsafe, destroyed
#ifdef RW_DESTROYED
ALONE(pthread_rwlock_rdlock(&l); pthread_rwlock_destroy(&l))
#endif
// case RW_NOT_MADE --property locks: unsafe, nobody has initialised
#ifdef RW_NOT_MADE
pthread_rwlock_t n;
ALONE(pthread_rwlock_rdlock(&n))
#endif

// case SPIN_AGAIN --property locks: unsafe, locked again
#ifdef SPIN_AGAIN
ALONE(pthread_spin_init(&s, 0); pthread_spin_lock(&s); pthread_spin_lock(&s))
#endif
// case SPIN_OTHERS --property locks: unsafe, does not hold it
#ifdef SPIN_OTHERS
TWO(pthread_spin_unlock(&s), pthread_spin_init(&s, 0); pthread_spin_lock(&s))
#endif
// case SPIN_DESTROYED --property locks: unsafe, destroyed
#ifdef SPIN_DESTROYED
ALONE(pthread_spin_init(&s, 0); pthread_spin_lock(&s); pthread_spin_destroy(&s))
#endif

// case C11_RIGHT --property locks: safe
#ifdef C11_RIGHT
mtx_t n;
ALONE(mtx_init(&n, mtx_plain); mtx_lock(&n); mtx_unlock(&n); mtx_destroy(&n))
#endif
// case C11_DESTROYED --property locks: unsafe, destroyed
#ifdef C11_DESTROYED
mtx_t n;
ALONE(mtx_init(&n, mtx_plain); mtx_lock(&n); mtx_destroy(&n))
#endif
// case C11_FREE --property locks: unsafe, does not hold it
#ifdef C11_FREE
mtx_t n;
ALONE(mtx_init(&n, mtx_plain); mtx_unlock(&n))
#endif
// case C11_AGAIN --property locks: unsafe, locked again
#ifdef C11_AGAIN
mtx_t n;
ALONE(mtx_init(&n, mtx_plain); mtx_lock(&n); mtx_lock(&n))
#endif
// case C11_NOT_MADE --property locks: unsafe, nobody has initialised
#ifdef C11_NOT_MADE
mtx_t n;
ALONE(mtx_lock(&n))
#endif

// case KERNEL_RIGHT --linux --property locks: safe
#ifdef KERNEL_RIGHT
DEFINE_MUTEX(k);
DEFINE_SPINLOCK(q);
ALONE(mutex_lock(&k); spin_lock(&q); spin_unlock(&q); mutex_unlock(&k); mutex_destroy(&k))
#endif
// case KERNEL_MUTEX --linux --property locks: unsafe, does not hold it
#ifdef KERNEL_MUTEX
DEFINE_MUTEX(k);
TWO(mutex_unlock(&k), mutex_lock(&k))
#endif
// case KERNEL_AGAIN --linux --property locks: unsafe, holds it
#ifdef KERNEL_AGAIN
DEFINE_SPINLOCK(q);
ALONE(spin_lock(&q); spin_lock(&q))
#endif
// case KERNEL_SPIN --linux --property locks: unsafe, does not hold it
#ifdef KERNEL_SPIN
DEFINE_SPINLOCK(q);
ALONE(spin_unlock(&q))
#endif
// case KERNEL_DESTROYED --linux --property locks: unsafe, destroyed
#ifdef KERNEL_DESTROYED
DEFINE_MUTEX(k);
ALONE(mutex_lock(&k); mutex_destroy(&k))
#endif
// case KERNEL_WRITE --linux --property locks: unsafe, holds it
#ifdef KERNEL_WRITE
DEFINE_RWLOCK(r);
ALONE(write_lock(&r); write_lock(&r))
#endif
// case MADE_HELD --property locks: unsafe, initialised
#ifdef MADE_HELD
ALONE(pthread_mutex_lock(&m); pthread_mutex_init(&m, 0))
#endif
// case MADE_HELD_BY_ANOTHER --property locks: unsafe, initialised
#ifdef MADE_HELD_BY_ANOTHER
TWO(pthread_mutex_init(&m, 0), pthread_mutex_lock(&m))
#endif
// case MADE_AGAIN --property locks: safe
#ifdef MADE_AGAIN
ALONE(pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_init(&m, 0))
#endif
// case HEAP_MADE_IN_A_LOOP --property locks: safe
#ifdef HEAP_MADE_IN_A_LOOP
struct item { int i; pthread_mutex_t n; };
ALONE(for (int i = 0; i < 2; i++) {
  struct item *n = malloc(sizeof *n);
  pthread_mutex_init(&n->n, 0);
  pthread_mutex_lock(&n->n);
  free(n);
})
#endif
// case LOCAL_MADE_IN_A_LOOP --property locks: safe
#ifdef LOCAL_MADE_IN_A_LOOP
ALONE(for (int i = 0; i < 2; i++) {
  pthread_mutex_t n;
  pthread_mutex_init(&n, 0);
  pthread_mutex_lock(&n);
})
#endif
// case RW_MADE_HELD --property locks: unsafe, initialised
#ifdef RW_MADE_HELD
ALONE(pthread_rwlock_rdlock(&l); pthread_rwlock_init(&l, 0))
#endif
// case C11_MADE_HELD --property locks: unsafe, initialised
#ifdef C11_MADE_HELD
mtx_t n;
ALONE(mtx_init(&n, mtx_plain); mtx_lock(&n); mtx_init(&n, mtx_plain))
#endif
