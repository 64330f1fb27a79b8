/* Intrusive lists with container_of, and a free list of requests.
 * bug (assertions): a request stays on the list when it is handed out */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#define container_of(ptr, type, member) ({ const typeof(((type *)0)->member) *__mptr = (ptr); (type *)((char *)__mptr - offsetof(type, member)); })
struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
static inline void INIT_LIST_HEAD(struct list_head *list) { list->next = list; list->prev = list; }
static inline void __list_add(struct list_head *new, struct list_head *prev, struct list_head *next) {
  next->prev = new;
  new->next = next;
  new->prev = prev;
  prev->next = new;
}
static inline void list_add_tail(struct list_head *new, struct list_head *head) { __list_add(new, head->prev, head); }
static inline void list_del(struct list_head *entry) {
  entry->next->prev = entry->prev;
  entry->prev->next = entry->next;
  entry->next = (void *)0x00100100;
  entry->prev = (void *)0x00200200;
}
static inline int list_empty(const struct list_head *head) { return head->next == head; }
#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry(ptr, type, member) list_entry((ptr)->next, type, member)
#define list_for_each_entry(pos, head, member) for (pos = list_entry((head)->next, typeof(*pos), member); &pos->member != (head); pos = list_entry(pos->member.next, typeof(*pos), member))
#define list_for_each_entry_safe(pos, n, head, member) for (pos = list_entry((head)->next, typeof(*pos), member), n = list_entry(pos->member.next, typeof(*pos), member); &pos->member != (head); pos = n, n = list_entry(n->member.next, typeof(*n), member))
struct request {
  int id;
  bool busy;
  struct list_head list;
};
static LIST_HEAD(pending);
static LIST_HEAD(finished);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct request *request_new(int id) {
  struct request *r = malloc(sizeof(*r));
  if (!r) exit(1);
  r->id = id;
  r->busy = false;
  INIT_LIST_HEAD(&r->list);
  return r;
}
static void *worker(void *arg) {
  for (;;) {
    struct request *r;
    pthread_mutex_lock(&lock);
    if (list_empty(&pending)) {
      pthread_mutex_unlock(&lock);
      return arg;
    }
    r = list_first_entry(&pending, struct request, list);
#ifndef BUG
    list_del(&r->list);
#endif
    pthread_mutex_unlock(&lock);
    assert(!r->busy);
    r->busy = true;
    pthread_mutex_lock(&lock);
#ifdef BUG
    list_del(&r->list);
#endif
    list_add_tail(&r->list, &finished);
    r->busy = false;
    pthread_mutex_unlock(&lock);
  }
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 3; i++) list_add_tail(&request_new(i)->list, &pending);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  struct request *pos, *n;
  int count = 0;
  list_for_each_entry_safe(pos, n, &finished, list) {
    list_del(&pos->list);
    free(pos);
    count++;
  }
  assert(count == 3);
  return 0;
}
