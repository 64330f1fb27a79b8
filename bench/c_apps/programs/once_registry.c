/* A registry of plugins that is made once, with a table of operations, thread-specific data and a destructor.
 * bug (assertions): double-checked initialisation without the lock. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plugin_ops {
  const char *name;
  int (*open)(void *ctx);
  int (*process)(void *ctx, int value);
  void (*close)(void *ctx);
} plugin_ops;

struct counter_ctx {
  int opened, processed, closed;
};

static int counter_open(void *p) { struct counter_ctx *c = p; c->opened++; return 0; }
static int counter_process(void *p, int value) { struct counter_ctx *c = p; c->processed++; return value + 1; }
static void counter_close(void *p) { struct counter_ctx *c = p; c->closed++; }

static const plugin_ops counter_plugin = { "counter", counter_open, counter_process, counter_close };

#define MAX_PLUGINS 2
static const plugin_ops *registry[MAX_PLUGINS];
static int nplugins;
static pthread_key_t ctx_key;
static int destroyed;
static pthread_mutex_t destroyed_lock = PTHREAD_MUTEX_INITIALIZER;

static void ctx_free(void *p)
{
  counter_plugin.close(p);
  free(p);
  pthread_mutex_lock(&destroyed_lock);
  destroyed++;
  pthread_mutex_unlock(&destroyed_lock);
}

static void registry_init(void)
{
  if (pthread_key_create(&ctx_key, ctx_free) != 0)
    abort();
  registry[nplugins++] = &counter_plugin;
}

static const plugin_ops *registry_find(const char *name)
{
#ifdef BUG
  static int done;
  if (!done) {
    registry_init();
    done = 1;
  }
#else
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, registry_init);
#endif
  assert(nplugins == 1);
  for (int i = 0; i < nplugins; i++)
    if (strcmp(registry[i]->name, name) == 0)
      return registry[i];
  return NULL;
}

static void *worker(void *arg)
{
  const plugin_ops *ops = registry_find("counter");
  struct counter_ctx *ctx;
  if (ops == NULL)
    return NULL;
  ctx = pthread_getspecific(ctx_key);
  if (ctx == NULL) {
    ctx = calloc(1, sizeof *ctx);
    if (ctx == NULL || pthread_setspecific(ctx_key, ctx) != 0)
      abort();
  }
  if (ops->open(ctx) != 0)
    return NULL;
  int value = ops->process(ctx, *(int *)arg);
  assert(value == *(int *)arg + 1 && ctx->processed == 1);
  return NULL;
}

int main(void)
{
  static int inputs[2] = { 10, 20 };
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, &inputs[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
#ifndef BUG
  assert(destroyed == 2);
#endif
  return 0;
}
