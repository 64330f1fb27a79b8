// Who freed what another one uses, and by which calls.
// ask: --property faults
// has: n->value = v                     node1.value = 7
// has: frees node1
// has: node1 was freed by T2 at
// has: in drop, called at
// has: why: T1 at
// has: an access to an object that has been freed, with n = &node1
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct node { int value; struct node *next; };
struct list { struct node *head; pthread_mutex_t lock; } list = { 0, PTHREAD_MUTEX_INITIALIZER };
static void push(struct list *l, int v) {
  struct node *n = malloc(sizeof *n);
  if (!n) return;
  n->value = v;
  pthread_mutex_lock(&l->lock);
  n->next = l->head;
  l->head = n;
  pthread_mutex_unlock(&l->lock);
}
static struct node *peek(struct list *l) {
  pthread_mutex_lock(&l->lock);
  struct node *n = l->head;
  pthread_mutex_unlock(&l->lock);
  return n;
}
static void drop(struct list *l) {
  pthread_mutex_lock(&l->lock);
  struct node *n = l->head;
  if (n) l->head = n->next;
  pthread_mutex_unlock(&l->lock);
  free(n);
}
void *reader(void *arg) {
  struct node *n = peek(&list);
  if (n) assert(n->value == 7);
  return 0;
}
void *dropper(void *arg) { drop(&list); return 0; }
int main(void) {
  pthread_t a, b;
  push(&list, 7);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, dropper, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
