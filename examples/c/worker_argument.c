// Workers get their number as an argument and answer with a result.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

void *square(void *argument) {
  const long number = (long)argument;
  return (void *)(number * number);
}

int main(void) {
  pthread_t first, second;
  void *nine, *sixteen;
  pthread_create(&first, NULL, square, (void *)3);
  pthread_create(&second, NULL, square, (void *)4);
  pthread_join(first, &nine);
  pthread_join(second, &sixteen);
  assert((long)nine + (long)sixteen == 25);
  return 0;
}
