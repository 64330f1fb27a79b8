/* Test-and-set, ticket and reader-writer spin locks over x86 assembly, as in kernels and allocators.
 * bug (assertions): the reader-writer lock lets a writer in while a reader is there. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define barrier() __asm__ __volatile__("" ::: "memory")
#define cpu_relax() __asm__ __volatile__("pause" ::: "memory")
#define CACHELINE 64
#define __cacheline_aligned __attribute__((aligned(CACHELINE)))

static inline uint32_t xchg_32(volatile uint32_t *ptr, uint32_t x)
{
  __asm__ __volatile__("xchgl %0,%1" : "=r"(x), "+m"(*ptr) : "0"(x) : "memory");
  return x;
}

static inline uint16_t xadd_16(volatile uint16_t *ptr, uint16_t x)
{
  __asm__ __volatile__("lock; xaddw %0,%1" : "+r"(x), "+m"(*ptr) : : "memory");
  return x;
}

static inline uint32_t cmpxchg_32(volatile uint32_t *ptr, uint32_t old, uint32_t new)
{
  uint32_t prev;
  __asm__ __volatile__("lock; cmpxchgl %2,%1" : "=a"(prev), "+m"(*ptr) : "r"(new), "0"(old) : "memory");
  return prev;
}

typedef struct { volatile uint32_t held; } tas_t;
typedef struct { volatile uint16_t next, owner; } ticket_t;
typedef struct { volatile uint32_t state; } rw_t; /* the writer has the top bit, readers count below */

#define RW_WRITER 0x80000000u

static void tas_lock(tas_t *l)
{
  while (xchg_32(&l->held, 1))
    while (l->held)
      cpu_relax();
}

static void tas_unlock(tas_t *l)
{
  barrier();
  l->held = 0;
}

static void ticket_lock(ticket_t *l)
{
  uint16_t me = xadd_16(&l->next, 1);
  while (l->owner != me)
    cpu_relax();
  barrier();
}

static void ticket_unlock(ticket_t *l)
{
  barrier();
  l->owner++;
}

static void rw_read_lock(rw_t *l)
{
  for (;;) {
    uint32_t s = l->state;
    if (likely(!(s & RW_WRITER)) && cmpxchg_32(&l->state, s, s + 1) == s)
      return;
    cpu_relax();
  }
}

static void rw_read_unlock(rw_t *l)
{
  __asm__ __volatile__("lock; decl %0" : "+m"(l->state) : : "memory");
}

static void rw_write_lock(rw_t *l)
{
  for (;;) {
#ifdef BUG
    uint32_t s = l->state & ~RW_WRITER;
    if (cmpxchg_32(&l->state, s, s | RW_WRITER) == s)
#else
    if (cmpxchg_32(&l->state, 0, RW_WRITER) == 0)
#endif
      return;
    cpu_relax();
  }
}

static void rw_write_unlock(rw_t *l)
{
  __asm__ __volatile__("lock; andl %1,%0" : "+m"(l->state) : "ir"(0x7fffffff) : "memory");
}

static struct {
  tas_t tas __cacheline_aligned;
  ticket_t ticket __cacheline_aligned;
  rw_t rw __cacheline_aligned;
  int a, b, x, y;
} shared;

static void *worker(void *arg)
{
  (void)arg;
  tas_lock(&shared.tas);
  shared.a++;
  tas_unlock(&shared.tas);
  ticket_lock(&shared.ticket);
  shared.b++;
  ticket_unlock(&shared.ticket);
  rw_write_lock(&shared.rw);
  shared.x++;
  shared.y++;
  rw_write_unlock(&shared.rw);
  return NULL;
}

static void *reader(void *arg)
{
  (void)arg;
  rw_read_lock(&shared.rw);
  assert(shared.x == shared.y);
  rw_read_unlock(&shared.rw);
  return NULL;
}

int main(void)
{
  pthread_t w[2], r;
  for (int i = 0; i < 2; i++)
    if (unlikely(pthread_create(&w[i], NULL, worker, NULL)))
      abort();
  if (unlikely(pthread_create(&r, NULL, reader, NULL)))
    abort();
  for (int i = 0; i < 2; i++)
    pthread_join(w[i], NULL);
  pthread_join(r, NULL);
  assert(shared.a == 2 && shared.b == 2);
  printf("%d %d\n", shared.x, shared.y);
  return 0;
}
