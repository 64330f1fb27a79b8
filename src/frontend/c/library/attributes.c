// What programs ask of threads, locks and their attributes that no thread's steps depend on: any answers that are possible.
#include "cohort_intrinsics.h"
#include "types.h"

void cohort_plain_any(unsigned char *to, unsigned long count);
static void cohort_plain_store_size(unsigned long *to) { *to = (unsigned long)__cohort_nondet_long(); }
static void cohort_plain_store_pointer(void **to) { *to = COHORT_NULL; }
static int cohort_answer(int *to, int least, int most) {
  const int value = __cohort_nondet_int();
  __cohort_assume(value >= least);
  __cohort_assume(value <= most);
  cohort_plain_store(to, value);
  return 0;
}
enum { COHORT_LAST_POLICY = 2, COHORT_LAST_PRIORITY = 99 };

int pthread_attr_getguardsize(const pthread_attr_t *attributes, unsigned long *size) {
  (void)attributes;
  cohort_plain_store_size(size);
  return 0;
}
int pthread_attr_getstack(const pthread_attr_t *attributes, void **stack, unsigned long *size) {
  (void)attributes;
  __cohort_note("where the stack of a thread lies is not known: NULL");
  cohort_plain_store_pointer(stack);
  cohort_plain_store_size(size);
  return 0;
}
int pthread_attr_getscope(const pthread_attr_t *attributes, int *scope) {
  (void)attributes;
  return cohort_answer(scope, 0, 0);
}
int pthread_attr_getschedpolicy(const pthread_attr_t *attributes, int *policy) {
  (void)attributes;
  return cohort_answer(policy, 0, COHORT_LAST_POLICY);
}
int pthread_attr_getinheritsched(const pthread_attr_t *attributes, int *inherit) {
  (void)attributes;
  return cohort_answer(inherit, 0, 1);
}
int pthread_attr_getschedparam(const pthread_attr_t *attributes, int *priority) {
  (void)attributes;
  return cohort_answer(priority, 0, COHORT_LAST_PRIORITY);
}
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
  (void)thread;
  return cohort_answer(&attributes->detached, 0, 1);
}
int pthread_getschedparam(pthread_t thread, int *policy, int *priority) {
  (void)thread;
  cohort_answer(policy, 0, COHORT_LAST_POLICY);
  return cohort_answer(priority, 0, COHORT_LAST_PRIORITY);
}
int pthread_getaffinity_np(pthread_t thread, unsigned long size, void *set) {
  (void)thread;
  cohort_plain_any(set, size);
  return 0;
}
int sched_getaffinity(int process, unsigned long size, void *set) {
  (void)process;
  cohort_plain_any(set, size);
  return 0;
}
int __sched_cpucount(unsigned long size, const void *set) {
  const int count = __cohort_nondet_int();
  (void)set;
  __cohort_assume(count >= 0);
  __cohort_assume((unsigned long)count <= 8 * size);
  return count;
}
int pthread_getcpuclockid(pthread_t thread, int *clock) {
  (void)thread;
  cohort_plain_store(clock, __cohort_nondet_int());
  return 0;
}
int pthread_getconcurrency(void) { return 0; }

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared) {
  (void)attributes;
  return cohort_answer(shared, 0, 1);
}
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attributes, int *protocol) {
  (void)attributes;
  return cohort_answer(protocol, 0, 2);
}
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attributes, int *ceiling) {
  (void)attributes;
  return cohort_answer(ceiling, 0, COHORT_LAST_PRIORITY);
}
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robust) {
  (void)attributes;
  return cohort_answer(robust, 0, 0);
}
int pthread_mutex_consistent(pthread_mutex_t *mutex) {
  (void)mutex;
  return COHORT_EINVAL;
}
int pthread_condattr_getclock(const pthread_condattr_t *attributes, int *clock) {
  (void)attributes;
  return cohort_answer(clock, 0, 1);
}
int pthread_condattr_getpshared(const pthread_condattr_t *attributes, int *shared) {
  (void)attributes;
  return cohort_answer(shared, 0, 1);
}
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attributes, int *shared) {
  (void)attributes;
  return cohort_answer(shared, 0, 1);
}
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attributes, int *kind) {
  (void)attributes;
  return cohort_answer(kind, 0, 2);
}
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attributes, int *shared) {
  (void)attributes;
  return cohort_answer(shared, 0, 1);
}
