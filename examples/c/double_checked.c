// Double-checked locking with an atomic pointer, published when the object is complete.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct settings {
  int width;
  int height;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct settings storage;
_Atomic(struct settings *) instance;

static struct settings *get(void) {
  struct settings *found = atomic_load(&instance);
  if (found == NULL) {
    pthread_mutex_lock(&lock);
    found = atomic_load(&instance);
    if (found == NULL) {
      storage.width = 4;
      storage.height = 3;
      found = &storage;
      atomic_store(&instance, found);
    }
    pthread_mutex_unlock(&lock);
  }
  return found;
}

void *worker(void *argument) {
  struct settings *settings = get();
  assert(settings->width * settings->height == 12);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, worker, NULL);
  pthread_create(&second, NULL, worker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
