/* Read-copy-update with counters for each reader and a grace period.
 * bug (faults): the old version is freed without a grace period */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#define READERS 2
#define barrier() __asm__ __volatile__("" : : : "memory")
#define ACCESS_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define rcu_dereference(p) __atomic_load_n(&(p), __ATOMIC_CONSUME)
#define rcu_assign_pointer(p, v) __atomic_store_n(&(p), (v), __ATOMIC_RELEASE)
struct config {
  int a, b;
};
static struct config *current;
static struct {
  _Alignas(64) atomic_uint ctr;
} reader[READERS];
static void rcu_read_lock(int id) { atomic_fetch_add(&reader[id].ctr, 1); }
static void rcu_read_unlock(int id) { atomic_fetch_add(&reader[id].ctr, 1); }
static void synchronize_rcu(void) {
  for (int i = 0; i < READERS; i++) {
    unsigned seen = atomic_load(&reader[i].ctr);
    if (!(seen & 1)) continue;
    while (atomic_load(&reader[i].ctr) == seen) sched_yield();
  }
}
static void *read_side(void *arg) {
  int id = (int)(long)arg;
  for (int i = 0; i < 2; i++) {
    rcu_read_lock(id);
    struct config *c = rcu_dereference(current);
    assert(c->a == c->b);
    rcu_read_unlock(id);
  }
  return NULL;
}
static void update(int value) {
  struct config *new = malloc(sizeof(*new)), *old = current;
  if (!new) return;
  new->a = new->b = value;
  rcu_assign_pointer(current, new);
#ifndef BUG
  synchronize_rcu();
#endif
  free(old);
}
int main(void) {
  pthread_t t[READERS];
  current = calloc(1, sizeof *current);
  for (long i = 0; i < READERS; i++) pthread_create(&t[i], NULL, read_side, (void *)i);
  update(1);
  update(2);
  for (int i = 0; i < READERS; i++) pthread_join(t[i], NULL);
  free(current);
  return 0;
}
