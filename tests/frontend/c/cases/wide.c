// Integers of 128 bits.
// case 1: safe
// case 2: unsafe
// case 3: safe not native
// case 4: unsafe not native
// case 5: safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

typedef unsigned __int128 u128;
typedef __int128 s128;

#if CASE == 1 || CASE == 2
static const u128 known = ((u128)7 << 64) | 9;
static uint64_t high_half(uint64_t a, uint64_t b) { return (uint64_t)(((u128)a * b) >> 64); }
int main(void) {
  volatile uint64_t big = ~0ul;
  u128 x = big, y = known;
  assert(high_half(big, big) == big - 1);
  assert((uint64_t)(y >> 64) == 7 && (uint64_t)y == 9);
  x += 1;
  assert(x == (u128)1 << 64 && x > big && x - 1 == big && !(x < big) && x >= x && x <= x && x != y);
  assert((x | 5) % 10 == 1 && x / 3 == 6148914691236517205u && (x ^ x) == 0 && (~x & 1) == 1);
  s128 n = -5;
  n *= 3;
  assert(n == -15 && n / 2 == -7 && n % 4 == -3 && n >> 1 == -8 && n < 0 && -n == 15 && (long)n == -15 && (int)n++ == -15);
  n <<= 70;
  assert(n < 0 && n >> 70 == -14 && (n ? 1 : 2) == 1 && !!n == 1);
  assert((uint64_t)((x << 3) >> 64) == (CASE == 1 ? 8 : 0));
  return 0;
}

#elif CASE == 3 || CASE == 4
// A pointer and a count that are exchanged together.
struct node {
  struct node *next;
};
typedef union {
  struct {
    struct node *top;
    uint64_t count;
  };
  u128 whole;
} head_t;
static head_t head __attribute__((aligned(16)));
static struct node nodes[2];
static int uses[2];
static _Bool replace(head_t old, head_t new) { return __sync_bool_compare_and_swap(&head.whole, old.whole, new.whole); }
static void push(struct node *node) {
  head_t old, new;
  do {
    old.count = __atomic_load_n(&head.count, __ATOMIC_SEQ_CST);
    old.top = __atomic_load_n(&head.top, __ATOMIC_SEQ_CST);
    node->next = old.top;
    new.top = node;
    new.count = old.count + (CASE == 3);
  } while (!replace(old, new));
}
static struct node *pop(void) {
  head_t old, new;
  do {
    old.count = __atomic_load_n(&head.count, __ATOMIC_SEQ_CST);
    old.top = __atomic_load_n(&head.top, __ATOMIC_SEQ_CST);
    if (old.top == 0) return 0;
    new.top = old.top->next;
    new.count = old.count + (CASE == 3);
  } while (!replace(old, new));
  return old.top;
}
static void use(struct node *node) {
  if (node == 0) return;
  assert(__sync_fetch_and_add(&uses[node - nodes], 1) == 0);
}
static void done(struct node *node) {
  if (node == 0) return;
  __sync_fetch_and_sub(&uses[node - nodes], 1);
}
static void *one(void *unused) {
  struct node *a = pop();
  use(a);
  done(a);
  return unused;
}
static void *two(void *unused) {
  struct node *a = pop(), *b = pop();
  use(b);
  if (a != 0) push(a);
  struct node *c = pop();
  use(c);
  done(c);
  struct node *d = pop();
  use(d);
  return unused;
}
int main(void) {
  pthread_t t[2];
  push(&nodes[0]);
  push(&nodes[1]);
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}

#elif CASE == 5
struct counter {
  char tag;
  u128 value;
};
static struct counter counters[2] = {{1, 5}, {2, 6}};
static u128 next(struct counter *c) { return ++c->value; }
int main(void) {
  struct counter copy = counters[1];
  assert(sizeof(struct counter) == 32 && next(&counters[0]) == 6 && next(&copy) == 7 && counters[1].value-- == 6);
  assert(counters[1].value == 5 && copy.tag == 2);
  u128 sum = 0;
  for (int i = 0; i < 2; i++) sum += counters[i].value;
  assert(sum == 11);
  return 0;
}
#endif
