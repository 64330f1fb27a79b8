// main adds the part of a thread before it has joined it.
// expect: unsafe
// threads: 3
// native: compiles
#include <assert.h>
#include <pthread.h>

enum { count = 2, size = 2 * count };

struct part {
  int first, end, sum;
} parts[count];
int data[size];

void *worker(void *argument) {
  struct part *own = argument;
  for (int i = own->first; i < own->end; i++) own->sum += data[i];
  return NULL;
}

int main(void) {
  pthread_t threads[count];
  for (int i = 0; i < size; i++) data[i] = i;
  for (int i = 0; i < count; i++) {
    parts[i].first = 2 * i;
    parts[i].end = 2 * i + 2;
    pthread_create(&threads[i], NULL, worker, &parts[i]);
  }
  int sum = 0;
  for (int i = 0; i < count; i++) {
    if (i > 0) pthread_join(threads[i], NULL);
    sum += parts[i].sum;
  }
  assert(sum == size * (size - 1) / 2);
  return 0;
}
