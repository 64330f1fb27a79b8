// The types of the thread libraries as the models see them.  The front end replaces the types of the system's headers by
// these, found by the name of the typedef, so that programs and models agree.  All zero is what a static initialiser of
// the normal kind means.
#pragma once

enum { COHORT_EPERM = 1, COHORT_ENOENT = 2, COHORT_EAGAIN = 11, COHORT_ENOMEM = 12, COHORT_EBUSY = 16, COHORT_EEXIST = 17, COHORT_EINVAL = 22,
       COHORT_EDEADLK = 35, COHORT_EOVERFLOW = 75, COHORT_ETIMEDOUT = 110 };
enum { COHORT_NORMAL = 0, COHORT_RECURSIVE = 1, COHORT_ERRORCHECK = 2 };

typedef unsigned long pthread_t;
typedef struct cohort_pthread_attr_t { int detached; } pthread_attr_t;

// `owner` is one more than the number of the thread that holds the mutex, 0 when it is free.  Where nothing asks for
// owners, it is 1 when the mutex is held.  Where misuse is looked for, `ready` is 1 for a lock that has been initialised.
typedef struct cohort_pthread_mutex_t { int kind; int owner; int depth; int ready; } pthread_mutex_t;
typedef struct cohort_pthread_mutexattr_t { int kind; } pthread_mutexattr_t;

// `waiting` threads sleep, of which `signals` have been woken and have not noticed yet.
typedef struct cohort_pthread_cond_t { int waiting; int signals; } pthread_cond_t;
typedef struct cohort_pthread_condattr_t { int unused; } pthread_condattr_t;

// `writer` as the owner of a mutex.  Where misuse is looked for, `holds` counts for each of 16 threads, in four bits, how
// often it holds the lock for reading.
typedef struct cohort_pthread_rwlock_t { int readers; int writer; unsigned long holds; int ready; } pthread_rwlock_t;
typedef struct cohort_pthread_rwlockattr_t { int unused; } pthread_rwlockattr_t;

// `arrived` threads wait for the others; `leaving` may go on and have not yet done so.
typedef struct cohort_pthread_barrier_t { unsigned count; unsigned arrived; unsigned leaving; } pthread_barrier_t;
typedef struct cohort_pthread_barrierattr_t { int unused; } pthread_barrierattr_t;

typedef volatile int pthread_spinlock_t;
typedef int pthread_once_t;
typedef unsigned pthread_key_t;

typedef struct cohort_sem_t { unsigned value; } sem_t;

typedef unsigned long thrd_t;
typedef struct cohort_mtx_t { int kind; int owner; int depth; int ready; } mtx_t;
typedef struct cohort_cnd_t { int waiting; int signals; } cnd_t;
typedef struct cohort_once_flag { int state; } once_flag;
typedef unsigned tss_t;

struct timespec { long tv_sec; long tv_nsec; };

// Accesses to what belongs to the program, which race like its own; lowering knows them by the beginning of their names.
void cohort_plain_limit(const struct timespec *limit);
void cohort_plain_store(int *to, int value);
// Where a thread that has been cancelled ends.  Who waits there asks in the condition of the wait whether it must, and names
// itself before.
void cohort_cancellation_point(void);
#if COHORT_CANCELS
enum { COHORT_CANCELLABLE = 32 };
extern _Bool cohort_cancelled[COHORT_CANCELLABLE];
extern _Thread_local int cohort_cancel_disabled;
int cohort_number(void);
#define COHORT_NAME_MYSELF const int cohort_me = cohort_number()
#define COHORT_MUST_END (cohort_cancelled[cohort_me] & (cohort_cancel_disabled == 0))
#define COHORT_OR_MUST_END | COHORT_MUST_END
#else
#define COHORT_NAME_MYSELF
#define COHORT_OR_MUST_END
#endif
// Reads the program's memory for nothing but that; where all scalars are known, lowering reads them one by one.
void cohort_read_memory(const void *from, unsigned long size);
void cohort_read_text(const char *text);
// New threads inherit the signals that their creator has blocked.
void cohort_note_mask(void);
