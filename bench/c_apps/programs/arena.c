/* An arena that cuts aligned pieces from one block with an atomic position, and objects of several types in it.
 * bug (assertions): the position is advanced by a load and a store, so that two threads get the same piece. */
#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ARENA_SIZE 64
#define ALIGN_UP(n, a) (((n) + (a)-1) & ~((size_t)(a)-1))

typedef struct arena {
  unsigned char *base;
  size_t size;
  atomic_size_t used;
} arena_t;

struct point {
  int x, y;
};

struct name {
  char text[6];
  uint16_t length;
};

static arena_t arena;

static int arena_init(arena_t *a, size_t size)
{
  a->base = malloc(size);
  if (a->base == NULL)
    return -1;
  a->size = size;
  atomic_init(&a->used, 0);
  return 0;
}

static void *arena_alloc(arena_t *a, size_t n, size_t align)
{
#ifdef BUG
  size_t old = atomic_load(&a->used);
  size_t start = ALIGN_UP(old, align);
  if (start + n > a->size)
    return NULL;
  atomic_store(&a->used, start + n);
#else
  size_t old = atomic_load(&a->used), start;
  do {
    start = ALIGN_UP(old, align);
    if (start + n > a->size)
      return NULL;
  } while (!atomic_compare_exchange_weak(&a->used, &old, start + n));
#endif
  return a->base + start;
}

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type), alignof(type)))

static void *points(void *arg)
{
  (void)arg;
  struct point *p = arena_new(&arena, struct point);
  if (p == NULL)
    return NULL;
  p->x = 3;
  p->y = 4;
  assert(p->x * p->x + p->y * p->y == 25);
  return p;
}

static void *names(void *arg)
{
  (void)arg;
  struct name *n = arena_new(&arena, struct name);
  if (n == NULL)
    return NULL;
  n->text[0] = 'a';
  n->text[1] = '\0';
  n->length = 1;
  assert(n->text[0] == 'a' && n->length == 1);
  return n;
}

int main(void)
{
  pthread_t a, b;
  void *p, *n;
  if (arena_init(&arena, ARENA_SIZE) < 0) {
    perror("arena");
    return 1;
  }
  pthread_create(&a, NULL, points, NULL);
  pthread_create(&b, NULL, names, NULL);
  pthread_join(a, &p);
  pthread_join(b, &n);
  assert(p != n);
  free(arena.base);
  return 0;
}
