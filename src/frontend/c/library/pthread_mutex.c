// Mutexes and spin locks of POSIX.
//
// Who holds a mutex matters only for the recursive and the checking kind and for finding misuse; a program that uses
// none of these gets mutexes of one bit (COHORT_OWNERS is 0), which keeps threads interchangeable.
#include "cohort_intrinsics.h"
#include "types.h"

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  attributes->kind = COHORT_NORMAL;
  return 0;
}
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  attributes->kind = COHORT_NORMAL;
  return 0;
}
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind) {
  attributes->kind = kind;
  return 0;
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *kind) {
  *kind = attributes->kind;
  return 0;
}
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared) {
  (void)shared;
  attributes->kind = attributes->kind;
  return 0;
}

// What is there only where misuse of locks is looked for.
#if COHORT_CHECK_LOCKS
#define COHORT_MISUSE(condition) (condition)
#define COHORT_USE(lock, what) \
  if ((lock)->ready != 1) __cohort_violation("lock", what " that nobody has initialised is used")
#else
#define COHORT_MISUSE(condition) 0
#define COHORT_USE(lock, what) (void)(lock)
#endif

// Where races are looked for: to initialise a lock is to write all of it, which takes time, and to use it is to look at it.
#if COHORT_RACES
static const void *cohort_making;
static void cohort_make(const void *lock) {
  __cohort_atomic_begin_when((cohort_making == COHORT_NULL) | (cohort_making == lock));
  if (cohort_making == lock) __cohort_violation("race", "data race: two threads initialise a lock");
  cohort_making = lock;
  __cohort_atomic_end();
}
#define COHORT_MAKE(lock) cohort_make(lock)
#define COHORT_MADE cohort_making = COHORT_NULL
#define COHORT_LOOK(lock) \
  if (cohort_making == (const void *)(lock)) __cohort_violation("race", "data race: a lock is used while a thread initialises it")
#else
#define COHORT_MAKE(lock) (void)(lock)
#define COHORT_MADE (void)0
#define COHORT_LOOK(lock) (void)(lock)
#endif

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  COHORT_MAKE(mutex);
  __cohort_atomic_begin();
  COHORT_MADE;
#if COHORT_CHECK_LOCKS
  if (mutex->ready == 1 && mutex->owner != 0) __cohort_violation("lock", "a mutex that is held is initialised");
  mutex->ready = 1;
#endif
  mutex->owner = 0;
#if COHORT_OWNERS
  mutex->depth = 0;
  mutex->kind = COHORT_NORMAL;
  if (attributes != COHORT_NULL) mutex->kind = attributes->kind;
#else
  (void)attributes;
#endif
  __cohort_atomic_end();
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
#if COHORT_CHECK_LOCKS
  __cohort_atomic_begin();
  COHORT_USE(mutex, "a mutex");
  if (mutex->owner != 0) __cohort_violation("lock", "a mutex that is held is destroyed");
  mutex->ready = 0;
  __cohort_atomic_end();
#else
  (void)mutex;
#endif
  return 0;
}

#if COHORT_OWNERS

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  const int me = __cohort_self() + 1;
  __cohort_atomic_begin_when((mutex->owner == 0) | COHORT_MISUSE(mutex->ready != 1) |
                             ((mutex->owner == me) & ((mutex->kind != COHORT_NORMAL) | COHORT_CHECK_LOCKS)));
  COHORT_LOOK(mutex);
  COHORT_USE(mutex, "a mutex");
  if (mutex->owner == me) {
    if (mutex->kind == COHORT_ERRORCHECK) {
      __cohort_atomic_end();
      return COHORT_EDEADLK;
    }
    if (mutex->kind != COHORT_RECURSIVE) __cohort_violation("lock", "a mutex is locked again by the thread that holds it");
    mutex->depth = mutex->depth + 1;
  } else {
    mutex->owner = me;
  }
  __cohort_atomic_end();
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  const int me = __cohort_self() + 1;
  int result = 0;
  __cohort_atomic_begin();
  COHORT_LOOK(mutex);
  COHORT_USE(mutex, "a mutex");
  if (mutex->owner == 0) {
    mutex->owner = me;
  } else if (mutex->owner == me && mutex->kind == COHORT_RECURSIVE) {
    mutex->depth = mutex->depth + 1;
  } else {
    result = COHORT_EBUSY;
  }
  __cohort_atomic_end();
  return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  const int me = __cohort_self() + 1;
  __cohort_atomic_begin();
  COHORT_LOOK(mutex);
  COHORT_USE(mutex, "a mutex");
  if (mutex->owner != me) {
    if (mutex->kind != COHORT_NORMAL) {
      __cohort_atomic_end();
      return COHORT_EPERM;
    }
#if COHORT_CHECK_LOCKS
    __cohort_violation("lock", "a mutex is unlocked by a thread that does not hold it");
#endif
  }
  if (mutex->depth > 0) {
    mutex->depth = mutex->depth - 1;
  } else {
    mutex->owner = 0;
  }
  __cohort_atomic_end();
  return 0;
}

#else

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  __cohort_atomic_begin_when(mutex->owner == 0);
  COHORT_LOOK(mutex);
  mutex->owner = 1;
  __cohort_atomic_end();
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  int result = 0;
  __cohort_atomic_begin();
  COHORT_LOOK(mutex);
  if (mutex->owner == 0) {
    mutex->owner = 1;
  } else {
    result = COHORT_EBUSY;
  }
  __cohort_atomic_end();
  return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  __cohort_atomic_begin();
  COHORT_LOOK(mutex);
  mutex->owner = 0;
  __cohort_atomic_end();
  return 0;
}

#endif

// Time is not modelled: a wait with a limit gives up at any moment at which it cannot go on.  Whoever is slow to look has
// waited, so one look is all there is to it, and nobody waits for ever.
void cohort_plain_limit(const struct timespec *limit) {
  const long seconds = limit->tv_sec;
  const long part = limit->tv_nsec;
  (void)seconds, (void)part;
}
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *limit) {
  int result;
  cohort_plain_limit(limit);
#if COHORT_OWNERS
  // What one look would call busy has a name of its own.
  if (mutex->owner == __cohort_self() + 1 && mutex->kind != COHORT_RECURSIVE) {
    if (mutex->kind == COHORT_ERRORCHECK) return COHORT_EDEADLK;
#if COHORT_CHECK_LOCKS
    __cohort_violation("lock", "a mutex is locked again by the thread that holds it");
#endif
  }
#endif
  result = pthread_mutex_trylock(mutex);
  return result == COHORT_EBUSY ? COHORT_ETIMEDOUT : result;
}
int pthread_mutex_clocklock(pthread_mutex_t *mutex, int clock, const struct timespec *limit) {
  (void)clock;
  return pthread_mutex_timedlock(mutex, limit);
}

#if COHORT_CHECK_LOCKS
#define COHORT_SPINNER (__cohort_self() + 1)
#else
#define COHORT_SPINNER 1
#endif
int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  (void)shared;
  COHORT_MAKE((const void *)lock);
  __cohort_atomic_begin();
  COHORT_MADE;
  *lock = 0;
  __cohort_atomic_end();
  return 0;
}
int pthread_spin_destroy(pthread_spinlock_t *lock) {
#if COHORT_CHECK_LOCKS
  __cohort_atomic_begin();
  if (*lock != 0) __cohort_violation("lock", "a spin lock that is held is destroyed");
  __cohort_atomic_end();
#else
  (void)lock;
#endif
  return 0;
}
int pthread_spin_lock(pthread_spinlock_t *lock) {
  const int me = COHORT_SPINNER;
  __cohort_atomic_begin_when((*lock == 0) | COHORT_MISUSE(*lock == me));
  COHORT_LOOK(lock);
#if COHORT_CHECK_LOCKS
  if (*lock == me) __cohort_violation("lock", "a spin lock is locked again by the thread that holds it");
#endif
  *lock = me;
  __cohort_atomic_end();
  return 0;
}
int pthread_spin_trylock(pthread_spinlock_t *lock) {
  const int me = COHORT_SPINNER;
  int result = 0;
  __cohort_atomic_begin();
  if (*lock == 0) {
    *lock = me;
  } else {
    result = COHORT_EBUSY;
  }
  __cohort_atomic_end();
  return result;
}
int pthread_spin_unlock(pthread_spinlock_t *lock) {
  __cohort_atomic_begin();
#if COHORT_CHECK_LOCKS
  if (*lock != COHORT_SPINNER) __cohort_violation("lock", "a spin lock is unlocked by a thread that does not hold it");
#endif
  *lock = 0;
  __cohort_atomic_end();
  return 0;
}
