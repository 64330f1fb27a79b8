// A queue in a struct under a mutex; two threads put, main takes.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

enum { capacity = 2 };

struct queue {
  pthread_mutex_t lock;
  int items[capacity];
  int count;
};

struct queue queue = {PTHREAD_MUTEX_INITIALIZER, {0}, 0};

static void put(struct queue *target, int item) {
  pthread_mutex_lock(&target->lock);
  assert(target->count < capacity);
  target->items[target->count] = item;
  target->count++;
  pthread_mutex_unlock(&target->lock);
}

static int take(struct queue *source) {
  int item = 0;
  pthread_mutex_lock(&source->lock);
  if (source->count > 0) {
    source->count--;
    item = source->items[source->count];
  }
  pthread_mutex_unlock(&source->lock);
  return item;
}

void *worker(void *argument) {
  put(&queue, 7);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, worker, NULL);
  pthread_create(&second, NULL, worker, NULL);
  const int item = take(&queue);
  assert(item == 0 || item == 7);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(queue.count == (item == 0 ? 2 : 1));
  return 0;
}
