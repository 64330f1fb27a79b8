/* A clock page under a sequence lock, read without locks; times of day in struct timespec with carries.
 * bug (assertions): the reader does not notice a write that began before it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define NSEC_PER_SEC 1000000000L

struct seqlock {
  atomic_uint sequence;
};

static struct {
  struct seqlock lock;
  _Atomic long sec, nsec;
} page = { .nsec = NSEC_PER_SEC - 1 };

static unsigned read_begin(struct seqlock *l)
{
  unsigned seq;
#ifdef BUG
  seq = atomic_load_explicit(&l->sequence, memory_order_acquire);
#else
  while ((seq = atomic_load_explicit(&l->sequence, memory_order_acquire)) & 1)
    ;
#endif
  return seq;
}

static int read_retry(struct seqlock *l, unsigned seq)
{
  atomic_thread_fence(memory_order_acquire);
  return atomic_load_explicit(&l->sequence, memory_order_relaxed) != seq;
}

static void advance(long ns)
{
  atomic_fetch_add(&page.lock.sequence, 1);
  long nsec = page.nsec + ns;
  if (nsec >= NSEC_PER_SEC) {
    page.sec = page.sec + 1;
    nsec -= NSEC_PER_SEC;
  }
  page.nsec = nsec;
  atomic_fetch_add(&page.lock.sequence, 1);
}

static struct timespec now(void)
{
  struct timespec ts;
  unsigned seq;
  do {
    seq = read_begin(&page.lock);
    ts.tv_sec = page.sec;
    ts.tv_nsec = page.nsec;
  } while (read_retry(&page.lock, seq));
  return ts;
}

static long difference(struct timespec a, struct timespec b)
{
  return (b.tv_sec - a.tv_sec) * NSEC_PER_SEC + (b.tv_nsec - a.tv_nsec);
}

static void *updater(void *arg)
{
  (void)arg;
  advance(1);
  advance(5);
  return NULL;
}

static void *reader(void *arg)
{
  struct timespec a = now(), b = now();
  (void)arg;
  assert(difference(a, b) >= 0);
  assert(difference(a, b) <= 6);
  return NULL;
}

int main(void)
{
  pthread_t u, r;
  pthread_create(&u, NULL, updater, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_join(u, NULL);
  pthread_join(r, NULL);
  struct timespec end = now();
  printf("%ld.%09ld\n", (long)end.tv_sec, end.tv_nsec);
  return 0;
}
