/* The three-state mutex and a semaphore over futexes, called through syscall.
 * bug (deadlock): the unlocker does not wake anybody, since the sleeper forgot to mark the lock as contended. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct {
  _Atomic uint32_t word; /* 0 free, 1 held, 2 held and somebody may sleep */
} fmutex_t;

static long futex(_Atomic uint32_t *addr, int op, uint32_t val)
{
  return syscall(SYS_futex, addr, op, val, NULL, NULL, 0);
}

static void fmutex_lock(fmutex_t *m)
{
  uint32_t c = 0;
  if (atomic_compare_exchange_strong(&m->word, &c, 1))
    return;
#ifdef BUG
  do {
    if (c != 0)
      futex(&m->word, FUTEX_WAIT_PRIVATE, c);
    c = 0;
  } while (!atomic_compare_exchange_strong(&m->word, &c, 1));
#else
  if (c != 2)
    c = atomic_exchange(&m->word, 2);
  while (c != 0) {
    if (futex(&m->word, FUTEX_WAIT_PRIVATE, 2) == -1 && errno != EAGAIN && errno != EINTR)
      perror("futex");
    c = atomic_exchange(&m->word, 2);
  }
#endif
}

static void fmutex_unlock(fmutex_t *m)
{
  if (atomic_fetch_sub(&m->word, 1) != 1) {
    atomic_store(&m->word, 0);
    futex(&m->word, FUTEX_WAKE_PRIVATE, 1);
  }
}

static fmutex_t lock;
static int counter;

static void *worker(void *arg)
{
  (void)arg;
  for (int i = 0; i < 2; i++) {
    fmutex_lock(&lock);
    counter++;
    fmutex_unlock(&lock);
  }
  return NULL;
}

int main(void)
{
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(counter == 4);
  return 0;
}
