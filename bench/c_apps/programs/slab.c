/* A slab allocator over one buffer with headers in front of blocks, under a spin lock.
 * bug (assertions): the lock is freed before the free list is updated */
#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ALIGN_UP(n, a) (((n) + (a)-1) & ~((a)-1))
#define BLOCK 24
#define COUNT 3
struct header {
  struct header *next;
  uint32_t magic;
};
#define MAGIC 0xfeedbeefu
struct slab {
  alignas(16) unsigned char memory[COUNT * ALIGN_UP(sizeof(struct header) + BLOCK, 16)];
  struct header *free;
  atomic_flag lock;
};
static struct slab slab = {.lock = ATOMIC_FLAG_INIT};
static void lock(atomic_flag *f) {
  while (atomic_flag_test_and_set_explicit(f, memory_order_acquire))
    ;
}
static void unlock(atomic_flag *f) { atomic_flag_clear_explicit(f, memory_order_release); }
static void slab_init(struct slab *s) {
  const size_t stride = ALIGN_UP(sizeof(struct header) + BLOCK, 16);
  for (size_t i = 0; i < COUNT; i++) {
    struct header *h = (struct header *)(s->memory + i * stride);
    h->magic = MAGIC;
    h->next = s->free;
    s->free = h;
  }
}
static void *slab_alloc(struct slab *s) {
  lock(&s->lock);
  struct header *h = s->free;
#ifdef BUG
  unlock(&s->lock);
  if (h) s->free = h->next;
#else
  if (h) s->free = h->next;
  unlock(&s->lock);
#endif
  return h ? (void *)(h + 1) : NULL;
}
static void slab_free(struct slab *s, void *p) {
  struct header *h = (struct header *)p - 1;
  assert(h->magic == MAGIC);
  lock(&s->lock);
  h->next = s->free;
  s->free = h;
  unlock(&s->lock);
}
static void *user(void *arg) {
  int id = *(int *)arg;
  int *p = slab_alloc(&slab);
  if (p == NULL) return NULL;
  *p = id;
  assert(*p == id);
  slab_free(&slab, p);
  return NULL;
}
int main(void) {
  pthread_t t[2];
  int ids[2] = {1, 2};
  slab_init(&slab);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, user, &ids[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
