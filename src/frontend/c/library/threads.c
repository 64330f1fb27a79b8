// threads.h of C11.  The results are those of the GNU C library.
#include "cohort_intrinsics.h"
#include "types.h"

enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
enum { COHORT_MTX_RECURSIVE_BIT = 1 };

int thrd_create(thrd_t *thread, int (*start)(void *), void *argument) {
#if COHORT_FAILING
  if (__cohort_nondet_bool()) return thrd_nomem;
#endif
  *thread = (thrd_t)__cohort_spawn((void *(*)(void *))start, argument);
  return thrd_success;
}
int thrd_join(thrd_t thread, int *result) {
  COHORT_CLAIM(thread, COHORT_JOINED);
  __cohort_atomic_begin_when(__cohort_finished((int)thread));
  __cohort_atomic_end();
  if (result != COHORT_NULL) cohort_plain_store(result, (int)(long)__cohort_result((int)thread));
  return thrd_success;
}
void thrd_exit(int result) { __cohort_exit_thread((void *)(long)result); }
int thrd_detach(thrd_t thread) { return pthread_detach(thread) == 0 ? thrd_success : thrd_error; }
thrd_t thrd_current(void) { return (thrd_t)__cohort_self(); }
int thrd_equal(thrd_t left, thrd_t right) { return left == right; }
void thrd_yield(void) {}
int thrd_sleep(const struct timespec *duration, struct timespec *remaining) {
  (void)duration, (void)remaining;
  return 0;
}

int mtx_init(mtx_t *mutex, int kind) {
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
  mutex->kind = kind & COHORT_MTX_RECURSIVE_BIT;
#else
  (void)kind;
#endif
  __cohort_atomic_end();
  return thrd_success;
}
void mtx_destroy(mtx_t *mutex) {
#if COHORT_CHECK_LOCKS
  __cohort_atomic_begin();
  COHORT_USE(mutex, "a mutex");
  if (mutex->owner != 0) __cohort_violation("lock", "a mutex that is held is destroyed");
  mutex->ready = 0;
  __cohort_atomic_end();
#else
  (void)mutex;
#endif
}

#if COHORT_OWNERS

int mtx_lock(mtx_t *mutex) {
  const int me = __cohort_self() + 1;
  __cohort_atomic_begin_when((mutex->owner == 0) | COHORT_MISUSE(mutex->ready != 1) |
                             ((mutex->owner == me) & ((mutex->kind != COHORT_NORMAL) | COHORT_CHECK_LOCKS)));
  COHORT_LOOK(mutex);
  COHORT_USE(mutex, "a mutex");
  if (mutex->owner == me) {
    if (mutex->kind == COHORT_NORMAL) __cohort_violation("lock", "a mutex is locked again by the thread that holds it");
    mutex->depth = mutex->depth + 1;
  } else {
    mutex->owner = me;
  }
  __cohort_atomic_end();
  return thrd_success;
}
int mtx_trylock(mtx_t *mutex) {
  const int me = __cohort_self() + 1;
  int result = thrd_success;
  __cohort_atomic_begin();
  COHORT_LOOK(mutex);
  COHORT_USE(mutex, "a mutex");
  if (mutex->owner == 0) {
    mutex->owner = me;
  } else if (mutex->owner == me && mutex->kind == COHORT_RECURSIVE) {
    mutex->depth = mutex->depth + 1;
  } else {
    result = thrd_busy;
  }
  __cohort_atomic_end();
  return result;
}
int mtx_unlock(mtx_t *mutex) {
  __cohort_atomic_begin();
#if COHORT_CHECK_LOCKS
  COHORT_USE(mutex, "a mutex");
  if (mutex->owner != __cohort_self() + 1) {
    __cohort_violation("lock", "a mutex is unlocked by a thread that does not hold it");
  }
#endif
  if (mutex->depth > 0) {
    mutex->depth = mutex->depth - 1;
  } else {
    mutex->owner = 0;
  }
  __cohort_atomic_end();
  return thrd_success;
}

#else

int mtx_lock(mtx_t *mutex) {
  __cohort_atomic_begin_when(mutex->owner == 0);
  COHORT_LOOK(mutex);
  mutex->owner = 1;
  __cohort_atomic_end();
  return thrd_success;
}
int mtx_trylock(mtx_t *mutex) {
  int result = thrd_success;
  __cohort_atomic_begin();
  COHORT_LOOK(mutex);
  if (mutex->owner == 0) {
    mutex->owner = 1;
  } else {
    result = thrd_busy;
  }
  __cohort_atomic_end();
  return result;
}
int mtx_unlock(mtx_t *mutex) {
  __cohort_atomic_begin();
  mutex->owner = 0;
  __cohort_atomic_end();
  return thrd_success;
}

#endif

int mtx_timedlock(mtx_t *mutex, const struct timespec *limit) {
  cohort_plain_limit(limit);
#if COHORT_CHECK_LOCKS
  if (mutex->owner == __cohort_self() + 1 && mutex->kind != COHORT_RECURSIVE) {
    __cohort_violation("lock", "a mutex is locked again by the thread that holds it");
  }
#endif
  return mtx_trylock(mutex) == thrd_success ? thrd_success : thrd_timedout;
}

int cnd_init(cnd_t *condition) {
  __cohort_atomic_begin();
  condition->waiting = 0;
  condition->signals = 0;
  __cohort_atomic_end();
  return thrd_success;
}
void cnd_destroy(cnd_t *condition) { (void)condition; }

int cnd_wait(cnd_t *condition, mtx_t *mutex) {
  COHORT_NAME_MYSELF;
  __cohort_atomic_begin_when(condition->signals == 0);
  condition->waiting = condition->waiting + 1;
  mtx_unlock(mutex);
  __cohort_atomic_end();
  COHORT_WAKE(condition->signals);
  if (condition->signals > 0) condition->signals = condition->signals - 1;
  condition->waiting = condition->waiting - 1;
  __cohort_atomic_end();
  const int result = mtx_lock(mutex);
  cohort_cancellation_point();
  return result;
}
int cnd_signal(cnd_t *condition) {
  __cohort_atomic_begin();
  if (condition->signals < condition->waiting) condition->signals = condition->signals + 1;
  __cohort_atomic_end();
  return thrd_success;
}
int cnd_broadcast(cnd_t *condition) {
  __cohort_atomic_begin();
  condition->signals = condition->waiting;
  __cohort_atomic_end();
  return thrd_success;
}
int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *limit) {
  int result = thrd_success;
  cohort_plain_limit(limit);
  __cohort_atomic_begin_when(condition->signals == 0);
  condition->waiting = condition->waiting + 1;
  mtx_unlock(mutex);
  __cohort_atomic_end();
  __cohort_atomic_begin();
  if (condition->signals == 0 || (condition->signals < condition->waiting && __cohort_nondet_bool())) {
    result = COHORT_SPURIOUS && __cohort_nondet_bool() ? thrd_success : thrd_timedout;
  } else {
    condition->signals = condition->signals - 1;
  }
  condition->waiting = condition->waiting - 1;
  __cohort_atomic_end();
  mtx_lock(mutex);
  return result;
}

void call_once(once_flag *flag, void (*routine)(void)) {
  __cohort_atomic_begin_when(flag->state != 1);
  if (flag->state == 0) {
    flag->state = 1;
    __cohort_atomic_end();
    routine();
    __cohort_atomic_begin();
    flag->state = 2;
  }
  __cohort_atomic_end();
}
