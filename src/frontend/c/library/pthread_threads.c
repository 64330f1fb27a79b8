// Threads of POSIX: creation, joining, thread-specific data, once.
#include "cohort_intrinsics.h"
#include "types.h"

// What is stored for the program is stored by plain writes, which race like its own.
static void cohort_plain_store_handle(pthread_t *to, pthread_t handle) { *to = handle; }
static void cohort_plain_store_result(void **to, void *result) { *to = result; }

// A thread is joined once, or detached.  Only who joins what may be gone, or looks at what a detachment says, asks for more.
enum { COHORT_HANDLES = 32 };
enum { COHORT_JOINABLE, COHORT_DETACHED, COHORT_JOINED };
static unsigned char cohort_fates[COHORT_HANDLES];
#if COHORT_JOINS
void cohort_claim_thread(pthread_t thread, int fate) {
  __cohort_atomic_begin();
  if (thread == 0) __cohort_violation("fault", "a thread is waited for that there never was");
  if (thread >= COHORT_HANDLES) __cohort_unsupported("the detachment of more than 32 threads, or waiting for more");
  if (cohort_fates[thread] == COHORT_DETACHED) __cohort_violation("fault", "a thread is joined that has been detached");
  if (cohort_fates[thread] == COHORT_JOINED) __cohort_violation("fault", "a thread is joined or detached that has been joined");
  cohort_fates[thread] = (unsigned char)fate;
  __cohort_atomic_end();
}
#define COHORT_CLAIM(thread, fate) cohort_claim_thread(thread, fate)
#else
#define COHORT_CLAIM(thread, fate) (void)(thread)
#endif

// Common platforms take NULL for somebody who does not want the handle.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
#if COHORT_FAILING
  if (__cohort_nondet_bool()) return COHORT_EAGAIN;
#endif
  cohort_note_mask();
  const pthread_t handle = (pthread_t)__cohort_spawn(start, argument);
#if COHORT_JOINS
  if (attributes != COHORT_NULL && attributes->detached) cohort_claim_thread(handle, COHORT_DETACHED);
#else
  (void)attributes;
#endif
  if (thread != COHORT_NULL) cohort_plain_store_handle(thread, handle);
  return 0;
}

#if COHORT_CANCELS
static void cohort_wait_for_end(int thread);
#endif
int pthread_join(pthread_t thread, void **result) {
  COHORT_CLAIM(thread, COHORT_JOINED);
#if COHORT_CANCELS
  cohort_wait_for_end((int)thread);
#else
  __cohort_atomic_begin_when(__cohort_finished((int)thread));
  __cohort_atomic_end();
#endif
  if (result != COHORT_NULL) cohort_plain_store_result(result, __cohort_result((int)thread));
  return 0;
}

int pthread_tryjoin_np(pthread_t thread, void **result) {
  if (!__cohort_finished((int)thread)) return COHORT_EBUSY;
  COHORT_CLAIM(thread, COHORT_JOINED);
  if (result != COHORT_NULL) cohort_plain_store_result(result, __cohort_result((int)thread));
  return 0;
}

// Time is not modelled: a wait with a limit gives up at any moment at which it cannot go on.
int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *limit) {
  cohort_plain_limit(limit);
  return pthread_tryjoin_np(thread, result) == 0 ? 0 : COHORT_ETIMEDOUT;
}
int pthread_clockjoin_np(pthread_t thread, void **result, int clock, const struct timespec *limit) {
  (void)clock;
  return pthread_timedjoin_np(thread, result, limit);
}

// What pthread_cleanup_push and pthread_cleanup_pop are made of.  A thread that ends goes back to where it registered its
// handlers, to the last one first; the code there calls the handler and then __pthread_unwind_next.
enum { COHORT_CLEANUPS = 4 };
static _Thread_local int cohort_handlers;
static _Thread_local void *cohort_cleanups[COHORT_CLEANUPS];
static _Thread_local void *cohort_end_result;
void __pthread_register_cancel(void *buffer) {
  if (cohort_handlers >= COHORT_CLEANUPS) __cohort_unsupported("more than 4 calls of pthread_cleanup_push at a time");
  cohort_cleanups[cohort_handlers] = buffer;
  cohort_handlers = cohort_handlers + 1;
}
void __pthread_unregister_cancel(void *buffer) {
  (void)buffer;
  cohort_handlers = cohort_handlers - 1;
}
static void cohort_unwind(void) {
  if (cohort_handlers > 0) {
    cohort_handlers = cohort_handlers - 1;
    __cohort_longjmp(cohort_cleanups[cohort_handlers], 1);
  }
  __cohort_exit_thread(cohort_end_result);
}
void __pthread_unwind_next(void *buffer) {
  (void)buffer;
  cohort_unwind();
}
void pthread_exit(void *result) {
  if (cohort_handlers == 0) __cohort_exit_thread(result);
  cohort_end_result = result;
  cohort_unwind();
}

// Cancellation takes effect where a thread waits, sleeps or asks (pthread_testcancel), unless it has switched that off.
#if COHORT_CANCELS
_Bool cohort_cancelled[COHORT_CANCELLABLE];
_Thread_local int cohort_cancel_disabled;
int cohort_number(void) {
  const int me = __cohort_self();
  if (me >= COHORT_CANCELLABLE) __cohort_unsupported("the cancellation of more than 32 threads");
  return me;
}
void cohort_cancellation_point(void) {
  COHORT_NAME_MYSELF;
  if (!COHORT_MUST_END) return;
  cohort_cancel_disabled = 1;
  cohort_end_result = (void *)-1;
  cohort_unwind();
}
int pthread_cancel(pthread_t thread) {
  if (thread >= COHORT_CANCELLABLE) __cohort_unsupported("the cancellation of more than 32 threads");
  __cohort_note("a thread that is cancelled ends where it sleeps, waits for a condition, a semaphore, a thread or input, or calls pthread_testcancel");
  cohort_cancelled[thread] = 1;
  return 0;
}
int pthread_setcancelstate(int state, int *old_state) {
  if (old_state != COHORT_NULL) cohort_plain_store(old_state, cohort_cancel_disabled);
  cohort_cancel_disabled = state;
  return 0;
}
int pthread_setcanceltype(int type, int *old_type) {
  if (type != 0) __cohort_unsupported("cancellation at any moment (PTHREAD_CANCEL_ASYNCHRONOUS)");
  if (old_type != COHORT_NULL) cohort_plain_store(old_type, 0);
  return 0;
}
void pthread_testcancel(void) { cohort_cancellation_point(); }
static void cohort_wait_for_end(int thread) {
  COHORT_NAME_MYSELF;
  __cohort_atomic_begin_when(__cohort_finished(thread) COHORT_OR_MUST_END);
  __cohort_atomic_end();
  cohort_cancellation_point();
}
#else
void cohort_cancellation_point(void) {}
// Nothing is cancelled, so these have nothing to change.
int pthread_setcancelstate(int state, int *old_state) {
  (void)state;
  if (old_state != COHORT_NULL) *old_state = 0;
  return 0;
}
int pthread_setcanceltype(int type, int *old_type) {
  (void)type;
  if (old_type != COHORT_NULL) *old_type = 0;
  return 0;
}
void pthread_testcancel(void) {}
#endif
int pthread_detach(pthread_t thread) {
  int result = 0;
  __cohort_atomic_begin();
  if (thread >= COHORT_HANDLES) __cohort_unsupported("the detachment of more than 32 threads");
  if (cohort_fates[thread] == COHORT_JOINED) __cohort_violation("fault", "a thread is detached that has been joined");
  if (cohort_fates[thread] == COHORT_DETACHED) result = COHORT_EINVAL;
  cohort_fates[thread] = COHORT_DETACHED;
  __cohort_atomic_end();
  return result;
}
pthread_t pthread_self(void) { return (pthread_t)__cohort_self(); }
int pthread_equal(pthread_t left, pthread_t right) { return left == right; }
int pthread_yield(void) { return 0; }

// Attributes of threads do not change what a program can do under any scheduler.
int pthread_attr_init(pthread_attr_t *attributes) {
  attributes->detached = 0;
  return 0;
}
int pthread_attr_destroy(pthread_attr_t *attributes) {
  attributes->detached = 0;
  return 0;
}
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
  if (state != 0 && state != 1) return COHORT_EINVAL;
  attributes->detached = state;
  return 0;
}
// What does not matter is written all the same.
static int cohort_change(pthread_attr_t *attributes) {
  attributes->detached = attributes->detached;
  return 0;
}
int pthread_attr_setscope(pthread_attr_t *attributes, int scope) {
  (void)scope;
  return cohort_change(attributes);
}
int pthread_attr_setstacksize(pthread_attr_t *attributes, unsigned long size) {
  (void)size;
  return cohort_change(attributes);
}
int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state) {
  *state = attributes->detached;
  return 0;
}
int pthread_attr_getstacksize(const pthread_attr_t *attributes, unsigned long *size) {
  (void)attributes;
  *size = (unsigned long)__cohort_nondet_long();
  return 0;
}
int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy) {
  (void)policy;
  return cohort_change(attributes);
}
int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit) {
  (void)inherit;
  return cohort_change(attributes);
}
int pthread_attr_setschedparam(pthread_attr_t *attributes, const void *parameters) {
  (void)parameters;
  return cohort_change(attributes);
}
int pthread_setschedparam(pthread_t thread, int policy, const void *parameters) {
  (void)thread, (void)policy, (void)parameters;
  return 0;
}
int pthread_setname_np(pthread_t thread, const char *name) {
  (void)thread, (void)name;
  return 0;
}
int pthread_setaffinity_np(pthread_t thread, unsigned long size, const void *processors) {
  (void)thread, (void)size, (void)processors;
  return 0;
}
int pthread_setconcurrency(int level) {
  (void)level;
  return 0;
}

// Nothing forks, so what would run then does not.
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  (void)prepare, (void)parent, (void)child;
  return 0;
}

// 0: not begun, 1: some thread runs the routine, 2: done.
int pthread_once(pthread_once_t *once, void (*routine)(void)) {
  __cohort_atomic_begin_when(*once != 1);
  if (*once == 0) {
    *once = 1;
    __cohort_atomic_end();
    routine();
    __cohort_atomic_begin();
    *once = 2;
  }
  __cohort_atomic_end();
  return 0;
}

enum { COHORT_KEYS = 8 };
static unsigned cohort_keys;
static void (*cohort_destructors[COHORT_KEYS])(void *);
static _Thread_local void *cohort_values[COHORT_KEYS];

static unsigned cohort_new_key(void (*destructor)(void *)) {
  unsigned key;
  __cohort_atomic_begin();
  key = cohort_keys;
  if (key >= COHORT_KEYS) __cohort_unsupported("more than 8 keys of thread-specific data");
  cohort_destructors[key] = destructor;
  cohort_keys = key + 1;
  __cohort_atomic_end();
  return key;
}

// Runs at the end of each thread, where there are destructors.  POSIX leaves their order open.
void cohort_destroy_values(void) {
  for (unsigned key = 0; key < cohort_keys; key++) {
    void *value = cohort_values[key];
    void (*destructor)(void *) = cohort_destructors[key];
    if (value == COHORT_NULL || destructor == COHORT_NULL) continue;
    cohort_values[key] = COHORT_NULL;
    destructor(value);
    if (cohort_values[key] != COHORT_NULL) __cohort_unsupported("a destructor that sets its value again");
  }
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  *key = cohort_new_key(destructor);
  return 0;
}
int pthread_key_delete(pthread_key_t key) {
  cohort_destructors[key] = COHORT_NULL;
  return 0;
}
void *pthread_getspecific(pthread_key_t key) { return cohort_values[key]; }
int pthread_setspecific(pthread_key_t key, const void *value) {
  cohort_values[key] = (void *)value;
  return 0;
}

int tss_create(tss_t *key, void (*destructor)(void *)) {
  *key = cohort_new_key(destructor);
  return 0;
}
void tss_delete(tss_t key) { cohort_destructors[key] = COHORT_NULL; }
void *tss_get(tss_t key) { return cohort_values[key]; }
int tss_set(tss_t key, void *value) {
  cohort_values[key] = value;
  return 0;
}
