/* Objects with atomic reference counts, weak references that may fail to become strong, destructors by type.
 * bug (faults): a weak reference becomes strong by a plain increment. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct object;

typedef struct object_class {
  const char *name;
  size_t size;
  void (*finalize)(struct object *);
} object_class;

struct object {
  const object_class *class;
  atomic_uint strong;
  atomic_uint weak; /* all strong ones together are one weak one */
};

struct buffer {
  struct object base;
  int *data;
  size_t length;
};

static void buffer_finalize(struct object *o)
{
  struct buffer *b = (struct buffer *)o;
  free(b->data);
  b->data = NULL;
}

static const object_class buffer_class = { "buffer", sizeof(struct buffer), buffer_finalize };

static void *object_new(const object_class *class)
{
  struct object *o = calloc(1, class->size);
  if (o == NULL)
    abort();
  o->class = class;
  atomic_init(&o->strong, 1);
  atomic_init(&o->weak, 1);
  return o;
}

static void weak_put(struct object *o)
{
  if (atomic_fetch_sub_explicit(&o->weak, 1, memory_order_acq_rel) == 1)
    free(o);
}

static void object_put(struct object *o)
{
  if (atomic_fetch_sub_explicit(&o->strong, 1, memory_order_acq_rel) == 1) {
    o->class->finalize(o);
    weak_put(o);
  }
}

static bool weak_lock(struct object *o)
{
#ifdef BUG
  if (atomic_load(&o->strong) == 0)
    return false;
  atomic_fetch_add(&o->strong, 1);
  return true;
#else
  unsigned n = atomic_load(&o->strong);
  while (n != 0)
    if (atomic_compare_exchange_weak(&o->strong, &n, n + 1))
      return true;
  return false;
#endif
}

static void *observer(void *arg)
{
  struct object *weak = arg;
  if (weak_lock(weak)) {
    struct buffer *b = (struct buffer *)weak;
    assert(b->data[0] == 42);
    object_put(weak);
  }
  weak_put(weak);
  return NULL;
}

int main(void)
{
  pthread_t t;
  struct buffer *b = object_new(&buffer_class);
  b->length = 4;
  b->data = malloc(b->length * sizeof(int));
  if (b->data == NULL)
    return 1;
  b->data[0] = 42;
  atomic_fetch_add(&b->base.weak, 1);
  pthread_create(&t, NULL, observer, b);
  object_put(&b->base);
  pthread_join(t, NULL);
  return 0;
}
