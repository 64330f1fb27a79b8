// A counter and a flag in two halves of one word: who changes a half leaves the other one alone, and the whole word can be
// read at once.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

union word {
  uint32_t whole;
  struct {
    uint16_t count, flag;
  } part;
};

volatile union word shared;

void *count(void *argument) {
  for (int i = 0; i < 2; i++) shared.part.count++;
  return argument;
}

void *raise_flag(void *argument) {
  shared.part.flag = 1;
  return argument;
}

int main(void) {
  pthread_t counter, raiser;
  pthread_create(&counter, NULL, count, NULL);
  pthread_create(&raiser, NULL, raise_flag, NULL);
  pthread_join(counter, NULL);
  pthread_join(raiser, NULL);
  assert(shared.whole == 0x10002);
  return 0;
}
