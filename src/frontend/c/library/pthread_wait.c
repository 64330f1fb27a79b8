// Condition variables, read-write locks, barriers and semaphores of POSIX.
//
// A signal wakes a thread that sleeps at that moment, not one that comes later: whoever wants to sleep waits until the
// threads that were woken have noticed.  That they notice is a step nobody else can observe, so that no behaviour is lost
// by letting it happen first.
#include "cohort_intrinsics.h"
#include "types.h"

int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int *__errno_location(void);
int strcmp(const char *left, const char *right);

int pthread_condattr_init(pthread_condattr_t *attributes) {
  attributes->unused = 0;
  return 0;
}
int pthread_condattr_destroy(pthread_condattr_t *attributes) {
  attributes->unused = 0;
  return 0;
}
int pthread_condattr_setclock(pthread_condattr_t *attributes, int clock) {
  (void)clock;
  attributes->unused = 0;
  return 0;
}
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  (void)attributes;
  __cohort_atomic_begin();
  condition->waiting = 0;
  condition->signals = 0;
  __cohort_atomic_end();
  return 0;
}
int pthread_cond_destroy(pthread_cond_t *condition) {
  (void)condition;
  return 0;
}

#if COHORT_SPURIOUS
#define COHORT_WAKE(signals) \
  __cohort_note("condition variables may wake a thread without a signal"); \
  __cohort_atomic_begin_when_or_by_chance(((signals) > 0) COHORT_OR_MUST_END)
#else
#define COHORT_WAKE(signals) \
  __cohort_note("condition variables wake nobody without a signal; --spurious-wakeups=yes lets them"); \
  __cohort_atomic_begin_when(((signals) > 0) COHORT_OR_MUST_END)
#endif

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  COHORT_NAME_MYSELF;
  __cohort_atomic_begin_when(condition->signals == 0);
  condition->waiting = condition->waiting + 1;
  pthread_mutex_unlock(mutex);
  __cohort_atomic_end();
  COHORT_WAKE(condition->signals);
#if COHORT_CANCELS
  // Who is cancelled leaves the signal to others.
  const int ends = COHORT_MUST_END;
  if (condition->signals > 0 && !ends) condition->signals = condition->signals - 1;
  condition->waiting = condition->waiting - 1;
  if (condition->signals > condition->waiting) condition->signals = condition->waiting;
  __cohort_atomic_end();
  pthread_mutex_lock(mutex);
  if (ends) cohort_cancellation_point();
  return 0;
#else
  if (condition->signals > 0) condition->signals = condition->signals - 1;
  condition->waiting = condition->waiting - 1;
  __cohort_atomic_end();
  return pthread_mutex_lock(mutex);
#endif
}
int pthread_cond_signal(pthread_cond_t *condition) {
  __cohort_atomic_begin();
  if (condition->signals < condition->waiting) condition->signals = condition->signals + 1;
  __cohort_atomic_end();
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t *condition) {
  __cohort_atomic_begin();
  condition->signals = condition->waiting;
  __cohort_atomic_end();
  return 0;
}
// Gives up at any moment, unless it is the one to be woken.
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *limit) {
  int result = 0;
  cohort_plain_limit(limit);
  cohort_cancellation_point();
  __cohort_atomic_begin_when(condition->signals == 0);
  condition->waiting = condition->waiting + 1;
  pthread_mutex_unlock(mutex);
  __cohort_atomic_end();
  __cohort_atomic_begin();
  if (condition->signals == 0 || (condition->signals < condition->waiting && __cohort_nondet_bool())) {
    // Or for no reason.
    result = COHORT_SPURIOUS && __cohort_nondet_bool() ? 0 : COHORT_ETIMEDOUT;
  } else {
    condition->signals = condition->signals - 1;
  }
  condition->waiting = condition->waiting - 1;
  __cohort_atomic_end();
  pthread_mutex_lock(mutex);
  return result;
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, int clock, const struct timespec *limit) {
  (void)clock;
  return pthread_cond_timedwait(condition, mutex, limit);
}

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) {
  attributes->unused = 0;
  return 0;
}
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) {
  attributes->unused = 0;
  return 0;
}
#if COHORT_CHECK_LOCKS
#define COHORT_WRITER (__cohort_self() + 1)
static unsigned long cohort_reader(void) {
  const int me = __cohort_self();
  if (me >= 16) __cohort_unsupported("misuse of read-write locks by more than 16 threads");
  return 1ul << 4 * me;
}
#define COHORT_READER cohort_reader()
#else
#define COHORT_WRITER 1
#define COHORT_READER 0ul
#endif

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
  (void)attributes;
  COHORT_MAKE(lock);
  __cohort_atomic_begin();
  COHORT_MADE;
#if COHORT_CHECK_LOCKS
  if (lock->ready == 1 && (lock->writer != 0 || lock->readers != 0)) {
    __cohort_violation("lock", "a read-write lock that is held is initialised");
  }
  lock->ready = 1;
  lock->holds = 0;
#endif
  lock->readers = 0;
  lock->writer = 0;
  __cohort_atomic_end();
  return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
#if COHORT_CHECK_LOCKS
  __cohort_atomic_begin();
  COHORT_USE(lock, "a read-write lock");
  if (lock->writer != 0 || lock->readers != 0) __cohort_violation("lock", "a read-write lock that is held is destroyed");
  lock->ready = 0;
  __cohort_atomic_end();
#else
  (void)lock;
#endif
  return 0;
}
int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  const int me = COHORT_WRITER;
  const unsigned long mine = COHORT_READER;
  __cohort_atomic_begin_when((lock->writer == 0) | COHORT_MISUSE((lock->writer == me) | (lock->ready != 1)));
  COHORT_LOOK(lock);
#if COHORT_CHECK_LOCKS
  COHORT_USE(lock, "a read-write lock");
  if (lock->writer == me) __cohort_violation("lock", "a read-write lock is locked again by the thread that holds it for writing");
  lock->holds = lock->holds + mine;
#else
  (void)me, (void)mine;
#endif
  lock->readers = lock->readers + 1;
  __cohort_atomic_end();
  return 0;
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  const unsigned long mine = COHORT_READER;
  int result = 0;
  __cohort_atomic_begin();
  COHORT_LOOK(lock);
  COHORT_USE(lock, "a read-write lock");
  if (lock->writer == 0) {
    lock->readers = lock->readers + 1;
#if COHORT_CHECK_LOCKS
    lock->holds = lock->holds + mine;
#else
    (void)mine;
#endif
  } else {
    result = COHORT_EBUSY;
  }
  __cohort_atomic_end();
  return result;
}
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  const int me = COHORT_WRITER;
  const unsigned long mine = COHORT_READER;
  __cohort_atomic_begin_when(((lock->writer == 0) & (lock->readers == 0)) |
                             COHORT_MISUSE((lock->writer == me) | (lock->ready != 1) | ((lock->holds & 15 * mine) != 0)));
  COHORT_LOOK(lock);
#if COHORT_CHECK_LOCKS
  COHORT_USE(lock, "a read-write lock");
  if (lock->writer == me || (lock->holds & 15 * mine) != 0) {
    __cohort_violation("lock", "a read-write lock is locked for writing by a thread that holds it");
  }
#else
  (void)mine;
#endif
  lock->writer = me;
  __cohort_atomic_end();
  return 0;
}
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  const int me = COHORT_WRITER;
  int result = 0;
  __cohort_atomic_begin();
  COHORT_LOOK(lock);
  COHORT_USE(lock, "a read-write lock");
  if (lock->writer == 0 && lock->readers == 0) {
    lock->writer = me;
  } else {
    result = COHORT_EBUSY;
  }
  __cohort_atomic_end();
  return result;
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *limit) {
  cohort_plain_limit(limit);
#if COHORT_CHECK_LOCKS
  if (lock->writer == COHORT_WRITER) __cohort_violation("lock", "a read-write lock is locked again by the thread that holds it for writing");
#endif
  return pthread_rwlock_tryrdlock(lock) == 0 ? 0 : COHORT_ETIMEDOUT;
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *limit) {
  cohort_plain_limit(limit);
#if COHORT_CHECK_LOCKS
  if (lock->writer == COHORT_WRITER || (lock->holds & 15 * COHORT_READER) != 0) {
    __cohort_violation("lock", "a read-write lock is locked for writing by a thread that holds it");
  }
#endif
  return pthread_rwlock_trywrlock(lock) == 0 ? 0 : COHORT_ETIMEDOUT;
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, int clock, const struct timespec *limit) {
  (void)clock;
  return pthread_rwlock_timedrdlock(lock, limit);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, int clock, const struct timespec *limit) {
  (void)clock;
  return pthread_rwlock_timedwrlock(lock, limit);
}
int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  const unsigned long mine = COHORT_READER;
  __cohort_atomic_begin();
  COHORT_LOOK(lock);
  COHORT_USE(lock, "a read-write lock");
  if (lock->writer != 0) {
#if COHORT_CHECK_LOCKS
    if (lock->writer != COHORT_WRITER) __cohort_violation("lock", "a read-write lock is unlocked by a thread that does not hold it");
#endif
    lock->writer = 0;
  } else if (lock->readers > 0) {
#if COHORT_CHECK_LOCKS
    if ((lock->holds & 15 * mine) == 0) __cohort_violation("lock", "a read-write lock is unlocked by a thread that does not hold it");
    lock->holds = lock->holds - mine;
#else
    (void)mine;
#endif
    lock->readers = lock->readers - 1;
  } else {
#if COHORT_CHECK_LOCKS
    __cohort_violation("lock", "a read-write lock that is free is unlocked");
#endif
  }
  __cohort_atomic_end();
  return 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attributes) {
  attributes->unused = 0;
  return 0;
}
int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes) {
  attributes->unused = 0;
  return 0;
}
int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
  (void)attributes;
  if (count == 0) return COHORT_EINVAL;
  __cohort_atomic_begin();
  barrier->count = count;
  barrier->arrived = 0;
  barrier->leaving = 0;
  __cohort_atomic_end();
  return 0;
}
int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  (void)barrier;
  return 0;
}
// The last to arrive gets PTHREAD_BARRIER_SERIAL_THREAD.
int pthread_barrier_wait(pthread_barrier_t *barrier) {
  __cohort_atomic_begin_when(barrier->leaving == 0);
  barrier->arrived = barrier->arrived + 1;
  if (barrier->arrived == barrier->count) {
    barrier->arrived = 0;
    barrier->leaving = barrier->count - 1;
    __cohort_atomic_end();
    return -1;
  }
  __cohort_atomic_end();
  __cohort_atomic_begin_when(barrier->leaving > 0);
  barrier->leaving = barrier->leaving - 1;
  __cohort_atomic_end();
  return 0;
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
  (void)shared;
  __cohort_atomic_begin();
  semaphore->value = value;
  __cohort_atomic_end();
  return 0;
}
int sem_destroy(sem_t *semaphore) {
  (void)semaphore;
  return 0;
}
int sem_wait(sem_t *semaphore) {
  COHORT_NAME_MYSELF;
  __cohort_atomic_begin_when((semaphore->value > 0) COHORT_OR_MUST_END);
#if COHORT_CANCELS
  const int ends = COHORT_MUST_END;
  if (!ends) semaphore->value = semaphore->value - 1;
  __cohort_atomic_end();
  if (ends) cohort_cancellation_point();
#else
  semaphore->value = semaphore->value - 1;
  __cohort_atomic_end();
#endif
  return 0;
}
int sem_trywait(sem_t *semaphore) {
  int result = 0;
  __cohort_atomic_begin();
  if (semaphore->value > 0) {
    semaphore->value = semaphore->value - 1;
  } else {
    result = -1;
  }
  __cohort_atomic_end();
  if (result != 0) *__errno_location() = COHORT_EAGAIN;
  return result;
}
int sem_timedwait(sem_t *semaphore, const struct timespec *limit) {
  cohort_plain_limit(limit);
  if (sem_trywait(semaphore) == 0) return 0;
  *__errno_location() = COHORT_ETIMEDOUT;
  return -1;
}
int sem_clockwait(sem_t *semaphore, int clock, const struct timespec *limit) {
  (void)clock;
  return sem_timedwait(semaphore, limit);
}
int sem_post(sem_t *semaphore) {
  __cohort_atomic_begin();
  semaphore->value = semaphore->value + 1;
  __cohort_atomic_end();
  return 0;
}
// Semaphores with names: the same for the same name, until that is taken away.  None is there at the start.
enum { COHORT_SEMAPHORES = 4, COHORT_O_CREAT = 0100, COHORT_O_EXCL = 0200 };
static sem_t cohort_semaphores[COHORT_SEMAPHORES];
static const char *cohort_semaphore_names[COHORT_SEMAPHORES];
static int cohort_semaphore_count;
static int cohort_find_semaphore(const char *name) {
  int i = 0;
  for (; i < cohort_semaphore_count; i++) {
    if (cohort_semaphore_names[i] != COHORT_NULL && strcmp(cohort_semaphore_names[i], name) == 0) break;
  }
  return i;
}
sem_t *sem_open(const char *name, int flags, unsigned mode, unsigned value) {
  int error = 0;
  (void)mode;
  __cohort_note("no semaphore with a name is there when the program starts");
  __cohort_atomic_begin();
  const int i = cohort_find_semaphore(name);
  if (i < cohort_semaphore_count) {
    if ((flags & COHORT_O_CREAT) && (flags & COHORT_O_EXCL)) error = COHORT_EEXIST;
  } else if (!(flags & COHORT_O_CREAT)) {
    error = COHORT_ENOENT;
  } else {
    if (i == COHORT_SEMAPHORES) __cohort_unsupported("more than 4 semaphores with names");
    cohort_semaphore_names[i] = name;
    cohort_semaphores[i].value = value;
    cohort_semaphore_count = i + 1;
  }
  __cohort_atomic_end();
  if (error != 0) {
    *__errno_location() = error;
    return COHORT_NULL;
  }
  return &cohort_semaphores[i];
}
int sem_close(sem_t *semaphore) {
  (void)semaphore;
  return 0;
}
int sem_unlink(const char *name) {
  __cohort_atomic_begin();
  const int i = cohort_find_semaphore(name);
  const int found = i < cohort_semaphore_count;
  if (found) cohort_semaphore_names[i] = COHORT_NULL;
  __cohort_atomic_end();
  if (found) return 0;
  *__errno_location() = COHORT_ENOENT;
  return -1;
}
void cohort_plain_store(int *to, int value) { *to = value; }
int sem_getvalue(sem_t *semaphore, int *value) {
  int current;
  __cohort_atomic_begin();
  current = (int)semaphore->value;
  __cohort_atomic_end();
  cohort_plain_store(value, current);
  return 0;
}
