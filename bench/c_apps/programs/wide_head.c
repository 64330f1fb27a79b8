/* A stack with a counted head of 128 bits, exchanged by one instruction.
 * bug (faults): the head is read in two halves and used without a second look */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct node {
  struct node *next;
  int value;
} node;
typedef union {
  struct {
    node *ptr;
    uint64_t tag;
  };
  unsigned __int128 whole;
} __attribute__((aligned(16))) head_t;
static head_t head;
static int cas128(head_t *h, head_t old, head_t new) { return __sync_bool_compare_and_swap(&h->whole, old.whole, new.whole); }
static void push(node *n) {
  head_t old, new;
  do {
    old.tag = head.tag;
    old.ptr = head.ptr;
    n->next = old.ptr;
    new.ptr = n;
    new.tag = old.tag + 1;
  } while (!cas128(&head, old, new));
}
static node *pop(void) {
  head_t old, new;
  do {
    old.tag = __atomic_load_n(&head.tag, __ATOMIC_ACQUIRE);
    old.ptr = __atomic_load_n(&head.ptr, __ATOMIC_ACQUIRE);
#ifndef BUG
    if (old.ptr == NULL) return NULL;
#endif
    new.ptr = old.ptr->next;
    new.tag = old.tag + 1;
  } while (!cas128(&head, old, new));
  return old.ptr;
}
static node pool[2];
static int taken[2];
static void *user(void *arg) {
  node *n = pop();
  if (n) {
    assert(__sync_fetch_and_add(&taken[n->value], 1) == 0);
    __sync_fetch_and_sub(&taken[n->value], 1);
    push(n);
  }
  return arg;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 1; i++) {
    pool[i].value = i;
    push(&pool[i]);
  }
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, user, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
