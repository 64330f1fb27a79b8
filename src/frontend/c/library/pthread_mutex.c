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
  (void)attributes;
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
  (void)attributes, (void)shared;
  return 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  __cohort_atomic_begin();
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
  if (mutex->owner != 0) __cohort_violation("lock", "a mutex that is held is destroyed");
#else
  (void)mutex;
#endif
  return 0;
}

#if COHORT_OWNERS

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  const int me = __cohort_self() + 1;
  __cohort_atomic_begin_when((mutex->owner == 0) | ((mutex->owner == me) & ((mutex->kind != COHORT_NORMAL) | COHORT_CHECK_LOCKS)));
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
  mutex->owner = 1;
  __cohort_atomic_end();
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  int result = 0;
  __cohort_atomic_begin();
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
  mutex->owner = 0;
  __cohort_atomic_end();
  return 0;
}

#endif

// Time is not modelled: a wait with a limit may give up whenever it cannot go on at once, and at no other time.
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *limit) {
  (void)limit;
  if (__cohort_nondet_bool()) {
    if (pthread_mutex_trylock(mutex) != 0) return COHORT_ETIMEDOUT;
    return 0;
  }
  return pthread_mutex_lock(mutex);
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  (void)shared;
  *lock = 0;
  return 0;
}
int pthread_spin_destroy(pthread_spinlock_t *lock) {
  (void)lock;
  return 0;
}
int pthread_spin_lock(pthread_spinlock_t *lock) {
  __cohort_atomic_begin_when(*lock == 0);
  *lock = 1;
  __cohort_atomic_end();
  return 0;
}
int pthread_spin_trylock(pthread_spinlock_t *lock) {
  int result = 0;
  __cohort_atomic_begin();
  if (*lock == 0) {
    *lock = 1;
  } else {
    result = COHORT_EBUSY;
  }
  __cohort_atomic_end();
  return result;
}
int pthread_spin_unlock(pthread_spinlock_t *lock) {
  __cohort_atomic_begin();
#if COHORT_CHECK_LOCKS
  if (*lock == 0) __cohort_violation("lock", "a spin lock that is free is unlocked");
#endif
  *lock = 0;
  __cohort_atomic_end();
  return 0;
}
