// The names of the Linux kernel that models of kernel code use, included before the program with --linux.  Interrupts are
// threads of the program's own; memory is sequentially consistent, so barriers have nothing to do.
#pragma once

void __cohort_atomic_begin(void);
void __cohort_atomic_end(void);
void __cohort_atomic_begin_when(int condition);
void *__cohort_allocate(unsigned long size);
void *__cohort_allocate_zero(unsigned long size);
void __cohort_free(void *pointer);

#define READ_ONCE(object) __atomic_load_n(&(object), __ATOMIC_SEQ_CST)
#define WRITE_ONCE(object, value) __atomic_store_n(&(object), (value), __ATOMIC_SEQ_CST)
#define ACCESS_ONCE(object) (*(volatile __typeof__(object) *)&(object))
#define smp_load_acquire(pointer) READ_ONCE(*(pointer))
#define smp_store_release(pointer, value) WRITE_ONCE(*(pointer), value)
#define barrier() ((void)0)
#define smp_mb() ((void)0)
#define smp_rmb() ((void)0)
#define smp_wmb() ((void)0)
#define cpu_relax() ((void)0)
#define likely(condition) (condition)
#define unlikely(condition) (condition)

typedef struct { int owner; } spinlock_t;
typedef struct { int readers; int writer; } rwlock_t;
struct mutex { int owner; };
typedef struct { int counter; } atomic_t;

#define DEFINE_SPINLOCK(name) spinlock_t name = {0}
#define DEFINE_MUTEX(name) struct mutex name = {0}
#define DEFINE_RWLOCK(name) rwlock_t name = {0, 0}
#define ATOMIC_INIT(value) {(value)}

// Who holds a lock matters only where misuse is looked for.
#if COHORT_CHECK_LOCKS
int __cohort_self(void);
void __cohort_violation(const char *kind, const char *text);
#define COHORT_LINUX_SELF (__cohort_self() + 1)
#define COHORT_LINUX_HELD(owner, me) ((owner) == (me))
#define COHORT_LINUX_CHECK(condition, text) if (!(condition)) __cohort_violation("lock", text)
#else
#define COHORT_LINUX_SELF 1
#define COHORT_LINUX_HELD(owner, me) 0
#define COHORT_LINUX_CHECK(condition, text) ((void)0)
#endif

static inline void cohort_linux_lock(int *owner) {
  const int me = COHORT_LINUX_SELF;
  __cohort_atomic_begin_when((*owner == 0) | COHORT_LINUX_HELD(*owner, me));
  COHORT_LINUX_CHECK(*owner != me, "a lock is taken again by the thread that holds it");
  *owner = me;
  __cohort_atomic_end();
}
static inline int cohort_linux_trylock(int *owner) {
  const int me = COHORT_LINUX_SELF;
  int taken = 0;
  __cohort_atomic_begin();
  if (*owner == 0) {
    *owner = me;
    taken = 1;
  }
  __cohort_atomic_end();
  return taken;
}
static inline void cohort_linux_unlock(int *owner) {
  __cohort_atomic_begin();
  COHORT_LINUX_CHECK(*owner == COHORT_LINUX_SELF, "a lock is released by a thread that does not hold it");
  *owner = 0;
  __cohort_atomic_end();
}
static inline void cohort_linux_init(int *owner) {
  __cohort_atomic_begin();
  *owner = 0;
  __cohort_atomic_end();
}

static inline void spin_lock_init(spinlock_t *lock) { cohort_linux_init(&lock->owner); }
static inline void spin_lock(spinlock_t *lock) { cohort_linux_lock(&lock->owner); }
static inline int spin_trylock(spinlock_t *lock) { return cohort_linux_trylock(&lock->owner); }
static inline void spin_unlock(spinlock_t *lock) { cohort_linux_unlock(&lock->owner); }
#define spin_lock_irq(lock) spin_lock(lock)
#define spin_unlock_irq(lock) spin_unlock(lock)
#define spin_lock_bh(lock) spin_lock(lock)
#define spin_unlock_bh(lock) spin_unlock(lock)
#define spin_lock_irqsave(lock, flags) ((void)((flags) = 0), spin_lock(lock))
#define spin_unlock_irqrestore(lock, flags) ((void)(flags), spin_unlock(lock))

static inline void mutex_init(struct mutex *lock) { cohort_linux_init(&lock->owner); }
static inline void mutex_lock(struct mutex *lock) { cohort_linux_lock(&lock->owner); }
static inline int mutex_lock_interruptible(struct mutex *lock) {
  cohort_linux_lock(&lock->owner);
  return 0;
}
static inline int mutex_trylock(struct mutex *lock) { return cohort_linux_trylock(&lock->owner); }
static inline void mutex_unlock(struct mutex *lock) { cohort_linux_unlock(&lock->owner); }
static inline void mutex_destroy(struct mutex *lock) {
  __cohort_atomic_begin();
  COHORT_LINUX_CHECK(lock->owner == 0, "a mutex that is held is destroyed");
  (void)lock;
  __cohort_atomic_end();
}

static inline void read_lock(rwlock_t *lock) {
  __cohort_atomic_begin_when(lock->writer == 0);
  lock->readers = lock->readers + 1;
  __cohort_atomic_end();
}
static inline void read_unlock(rwlock_t *lock) {
  __cohort_atomic_begin();
  COHORT_LINUX_CHECK(lock->readers > 0, "a lock is released by a thread that does not hold it");
  lock->readers = lock->readers - 1;
  __cohort_atomic_end();
}
static inline void write_lock(rwlock_t *lock) {
  const int me = COHORT_LINUX_SELF;
  __cohort_atomic_begin_when(((lock->writer == 0) & (lock->readers == 0)) | COHORT_LINUX_HELD(lock->writer, me));
  COHORT_LINUX_CHECK(lock->writer != me, "a lock is taken again by the thread that holds it");
  lock->writer = me;
  __cohort_atomic_end();
}
static inline void write_unlock(rwlock_t *lock) {
  __cohort_atomic_begin();
  COHORT_LINUX_CHECK(lock->writer == COHORT_LINUX_SELF, "a lock is released by a thread that does not hold it");
  lock->writer = 0;
  __cohort_atomic_end();
}

static inline int atomic_read(const atomic_t *object) { return READ_ONCE(object->counter); }
static inline void atomic_set(atomic_t *object, int value) { WRITE_ONCE(object->counter, value); }
static inline int atomic_add_return(int value, atomic_t *object) {
  int result;
  __cohort_atomic_begin();
  result = object->counter + value;
  object->counter = result;
  __cohort_atomic_end();
  return result;
}
static inline int atomic_sub_return(int value, atomic_t *object) { return atomic_add_return(-value, object); }
static inline void atomic_add(int value, atomic_t *object) { (void)atomic_add_return(value, object); }
static inline void atomic_sub(int value, atomic_t *object) { (void)atomic_add_return(-value, object); }
static inline void atomic_inc(atomic_t *object) { (void)atomic_add_return(1, object); }
static inline void atomic_dec(atomic_t *object) { (void)atomic_add_return(-1, object); }
static inline int atomic_inc_return(atomic_t *object) { return atomic_add_return(1, object); }
static inline int atomic_dec_return(atomic_t *object) { return atomic_add_return(-1, object); }
static inline int atomic_dec_and_test(atomic_t *object) { return atomic_add_return(-1, object) == 0; }
static inline int atomic_inc_and_test(atomic_t *object) { return atomic_add_return(1, object) == 0; }
static inline int atomic_cmpxchg(atomic_t *object, int expected, int value) {
  int old;
  __cohort_atomic_begin();
  old = object->counter;
  if (old == expected) object->counter = value;
  __cohort_atomic_end();
  return old;
}
static inline int atomic_xchg(atomic_t *object, int value) {
  int old;
  __cohort_atomic_begin();
  old = object->counter;
  object->counter = value;
  __cohort_atomic_end();
  return old;
}

#define GFP_KERNEL 0
#define GFP_ATOMIC 1
static inline void *kmalloc(unsigned long size, int flags) {
  (void)flags;
  return __cohort_allocate(size);
}
static inline void *kzalloc(unsigned long size, int flags) {
  (void)flags;
  return __cohort_allocate_zero(size);
}
static inline void kfree(void *pointer) { __cohort_free(pointer); }
