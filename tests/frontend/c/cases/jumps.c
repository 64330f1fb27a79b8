// Computed goto, variables that are cleaned up, and static objects that initialisers make.
// case 1: safe
// case 2: unsafe
// case 3: safe
// case 4: unsafe
// case 5: safe
// case 6: unsafe --property faults
// case 7: safe
// case 8: safe
// case 9: unsafe
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int order;
static void note(int *digit) { order = order * 10 + *digit; }
#define NOTED __attribute__((cleanup(note)))

#if CASE == 1 || CASE == 2 || CASE == 6
enum { PUSH, ADD, JUMP_IF_SMALL, HALT };
static int run(const unsigned char *code) {
  static const void *const table[] = {&&push, &&add, &&jump, &&halt};
  int stack[4], top = 0;
  const unsigned char *pc = code;
#define NEXT goto *table[*pc++]
  NEXT;
push:
  stack[top++] = *pc++;
  NEXT;
add:
  top--;
  stack[top - 1] += stack[top];
  NEXT;
jump:
  pc = stack[top - 1] < 5 ? code + *pc : pc + 1;
  NEXT;
halt:
  return stack[top - 1];
}
int main(void) {
  static const unsigned char code[] = {PUSH, 1, PUSH, 3, ADD, JUMP_IF_SMALL, 2, HALT};
#if CASE == 6
  void *nowhere = (void *)100;
  if (run(code) == 0) nowhere = &&here;
  goto *nowhere;
here:
#endif
  assert(run(code) == (CASE == 1 ? 7 : 4));
  return 0;
}

#elif CASE == 3 || CASE == 4
static int leaves(int how) {
  NOTED int outer = 1;
  for (int i = 0; i < 3; i++) {
    NOTED int inner = 2 + i;
    if (how == 0 && i == 1) continue;
    if (how == 1 && i == 1) break;
    if (how == 2 && i == 1) return outer * 100 + inner;
    if (how == 3 && i == 1) goto out;
    NOTED int innermost = 6 + i;
  }
  {
    NOTED int block = 9;
  }
out:
  return order;
}
int main(void) {
  order = 0;
  int result = leaves(0);
  assert(result == 623849 && order == 6238491);
  order = 0;
  result = leaves(1);
  assert(result == 6239 && order == 62391);
  order = 0;
  result = leaves(2);
  assert(result == 103 && order == 6231);
  order = 0;
  result = leaves(3);
  assert(result == 623 && order == (CASE == 3 ? 6231 : 623));
  order = 0;
  result = ({ NOTED int within = 4; within + order; });
  assert(result == 4 && order == 4);
  int rounds = 0;
again : {
  NOTED int here = 8;
  if (++rounds < 3) goto again;
}
  assert(order == 4888);
  return 0;
}

#elif CASE == 5
// The value that is returned is computed before the cleanup runs.
static int counter;
static void bump(int **p) { (**p)++; }
static int value(void) {
  __attribute__((cleanup(bump))) int *p = &counter;
  return counter;
}
int main(void) {
  assert(value() == 0 && counter == 1);
  return 0;
}

#elif CASE == 7
// Early returns under a lock that ends with its scope.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static void unlock(pthread_mutex_t **m) { pthread_mutex_unlock(*m); }
static int add(int n) {
  __attribute__((cleanup(unlock))) pthread_mutex_t *held = &lock;
  pthread_mutex_lock(held);
  if (n < 0) return -1;
  total += n;
  return 0;
}
static void *adder(void *arg) {
  add(-1);
  add((int)(size_t)arg);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, adder, (void *)1);
  pthread_create(&b, 0, adder, (void *)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(total == 3);
  return 0;
}

#elif CASE == 8 || CASE == 9
struct node { int value; const struct node *next; };
static const struct node *list = &(struct node){1, &(struct node){2, NULL}};
static int *numbers = (int[]){4, 5, 6};
static struct { int a, b; } pair = {7, 8};
static int *second = (int *)((char *)&pair + offsetof(__typeof__(pair), b));
int main(void) {
  assert(list->value == 1 && list->next->value == 2 && list->next->next == NULL);
  numbers[1]++;
  assert(numbers[0] + numbers[1] + numbers[2] == 16);
  assert(*second == (CASE == 8 ? 8 : 7));
  return 0;
}

#endif
