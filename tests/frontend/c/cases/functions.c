// Functions that nobody defines, and calls through pointers.
// case 1: unsafe not native
// case 2: safe --undefined=pure not native
// case 3: unknown --undefined=refuse not native
// case 4: safe not native
// case 5: safe not native
// case 6: unsafe not native
// case 7: safe not native
// case 8: unsafe not native
// case 9: unsafe not native
// case 10: safe not native
// case 11: unknown not native
// case 12: safe not native
// case 13: unsafe --property faults not native
// case 14: safe --property faults not native
// case 15: unsafe --property faults not native
// case 16: safe not native
// case 17: unsafe not native
// case 18: safe not native
// case 19: unsafe not native
// case 20: unsafe not native
// case 21: safe not native
// case 22: unsafe not native
// case 23: safe not native
// case 24: unknown not native
// case 25: unsafe not native
// case 26: safe not native
// case 27: unsafe not native
// case 28: safe not native
// case 29: unsafe not native
// case 30: unsafe --interleave=statement not native
// case 31: safe not native
// case 32: unsafe not native
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};
struct box {
  pthread_mutex_t lock;
  int content;
  char text[4];
};

int number(void);
void change(int *);
void look(const int *);
void fill(char *, unsigned long);
void walk(struct node *);
void walk_all(struct node **);
void use(struct box *);
struct node *find(struct node *);
void *any(void);
void make(struct node **);
void each(void (*)(int), int);
void each_of(void (*)(void *), void *);
void stop(void) __attribute__((noreturn));
struct node whole(void);
int say(const char *, ...) __attribute__((format(printf, 1, 2)));
int wrong(const char *, ...);

int global;
int called;
struct box shared = {PTHREAD_MUTEX_INITIALIZER, 1, "abc"};

void note(int argument) { called = argument; }
void set(void *argument) { *(int *)argument = 7; }
int twice(int argument) { return 2 * argument; }
void *sees_change(void *argument) {
  (void)argument;
  int first = shared.content;
  int second = shared.content;
  assert(first == 1 || first == second);
  return NULL;
}

int main(void) {
  struct node last = {2, NULL};
  struct node first = {1, &last};
  int local = 3;
  (void)first;
  (void)local;
#if CASE == 1  // what is written
  change(&local);
  assert(local == 3);
#elif CASE == 2
  change(&local);
  assert(local == 3);
#elif CASE == 3
  change(&local);
  assert(local == 3);
#elif CASE == 4  // a constant, and what is not given
  look(&local);
  fill(NULL, 4);
  assert(local == 3 && global == 0);
#elif CASE == 5  // the value is any one, but one
  change(&local);
  int copy = local;
  int other = copy;
  assert(copy == local && other == local);
#elif CASE == 6
  char text[4] = "abc";
  fill(text, 2);
  assert(text[3] == 0);
#elif CASE == 7  // the result is of its type
  int n = number();
  assert(n <= 5 || n > 5);
#elif CASE == 8
  int n = number();
  assert(n != 77);
#elif CASE == 9  // what pointers lead to
  walk(&first);
  assert(last.value == 2);
#elif CASE == 10  // the way there may have been another
  first.next = NULL;
  walk(&first);
  assert(last.value == 2);
#elif CASE == 11  // a pointer that is not known
  walk(&first);
  if (first.next) assert(first.next->value != 5 || first.next == &last);
#elif CASE == 12  // locks stay as they are
  use(&shared);
  pthread_mutex_lock(&shared.lock);
  pthread_mutex_unlock(&shared.lock);
#elif CASE == 13  // calls through wild pointers
  int (*f)(int) = (int (*)(int))&global;
  f(1);
#elif CASE == 14
  int (*f)(int) = twice;
  if (number()) f = twice;
  f(1);
#elif CASE == 15
  int (*f)(int) = number() ? twice : NULL;
  f(1);
#elif CASE == 16  // what is given may come back
  struct node *p = find(&first);
  assert(p == NULL || p == &first || p != &last);
#elif CASE == 17
  struct node *p = find(&first);
  assert(p != &first);
#elif CASE == 18  // what is not known can be kept, compared and given back
  void *p = any();
  if (p) free(p);
#elif CASE == 19
  void *p = any();
  void *q = any();
  assert(p == q);
#elif CASE == 20
  void *p = any();
  void *q = any();
  if (p && q) assert(p != q);
#elif CASE == 21  // functions that are given
  each(note, 3);
  assert(called <= 5 || called > 5);
#elif CASE == 22
  each(note, 3);
  assert(called == 0);
#elif CASE == 23
  each_of(set, &local);
  stop();
  assert(0);
#elif CASE == 24
  struct node *p = &first;
  make(&p);
  if (p) p->value = 1;
#elif CASE == 25  // a struct as result
  struct node n = whole();
  assert(n.value == 0);
#elif CASE == 26  // what is printed is only read
  say("%d %p", local, (void *)&local);
  assert(local == 3);
#elif CASE == 27
  wrong("%d %p", local, (void *)&local);
  assert(local == 3);
#elif CASE == 28  // arguments are evaluated
  look(&local + (global = 1) - 1);
  assert(global == 1);
#elif CASE == 31  // pointers in an allocation of any size lead on
  struct node **list = malloc((number() & 3) * sizeof *list + sizeof *list);
  list[0] = &first;
  assert(first.value == 1);
#elif CASE == 32
  struct node **list = malloc((number() & 3) * sizeof *list + sizeof *list);
  list[0] = &first;
  walk_all(list);
  assert(first.value == 1);
#elif CASE == 29 || CASE == 30  // other threads see changes
  pthread_t t;
  pthread_create(&t, NULL, sees_change, NULL);
  use(&shared);
#endif
  return 0;
}
