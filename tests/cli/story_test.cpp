// What a reader of a counterexample of a C program gets to see.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* pool = R"(#include <pthread.h>
struct job { int id; struct job *next; };
struct pool { pthread_mutex_t m; pthread_cond_t c; struct job *head; int done; }
    pool = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };
struct job jobs[2];
static void submit(struct job *j) {
  pthread_mutex_lock(&pool.m);
  j->next = pool.head;
  pool.head = j;
  pthread_cond_signal(&pool.c);
  pthread_mutex_unlock(&pool.m);
}
void *worker(void *arg) {
  pthread_mutex_lock(&pool.m);
  while (pool.head == 0) pthread_cond_wait(&pool.c, &pool.m);
  struct job *j = pool.head;
  pool.head = j->next;
  pool.done++;
  pthread_mutex_unlock(&pool.m);
  return arg;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
  submit(&jobs[1]);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
)";

constexpr const char* counter = R"(#include <assert.h>
#include <pthread.h>
int counter;
void *worker(void *arg) { counter++; return arg; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  return 0;
}
)";

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class Story : public ::testing::Test {
 protected:
  std::string told(const char* program, std::vector<std::string> options) {
    options.insert(options.begin(), {"verify", scratch_.write("a.c", program)});
    return run_program(options).out;
  }

  Scratch scratch_;
};

TEST_F(Story, ADeadlockOfAPoolIsReadAtOnce) {
  const std::string text = told(pool, {"--property", "deadlock"});
  EXPECT_LE(lines_of(text), 40U) << text;
  EXPECT_THAT(text, HasSubstr("creates T1, T2 running worker"));
  EXPECT_THAT(text, HasSubstr("locks pool.m"));
  EXPECT_THAT(text, HasSubstr("pool.head = &jobs[1]"));
  EXPECT_THAT(text, HasSubstr("signals pool.c"));
  EXPECT_THAT(text, HasSubstr("waits for pool.c, gives pool.m back"));
  for (const char* internal : {"atomic section", "owner", " value ", "written", "finished", "$"}) {
    EXPECT_THAT(text, Not(HasSubstr(internal)));
  }
}

TEST_F(Story, EveryStepIsThereForThoseWhoAsk) {
  const std::string text = told(pool, {"--property", "deadlock", "--trace", "full"});
  EXPECT_THAT(text, HasSubstr("enters atomic section"));
  EXPECT_GT(lines_of(text), lines_of(told(pool, {"--property", "deadlock"})));
}

TEST_F(Story, ALostUpdateShowsWhatWasRead) {
  const std::string text = told(counter, {});
  EXPECT_THAT(text, HasSubstr("reads counter = 0"));
  EXPECT_THAT(text, HasSubstr("reads counter = 1, fails"));
  EXPECT_LE(lines_of(text), 20U) << text;
}

TEST_F(Story, ARaceIsCalledByItsName) {
  const std::string text = told(counter, {"--property", "races"});
  EXPECT_THAT(text, HasSubstr("UNSAFE with 3 threads: data race on counter at "));
  EXPECT_THAT(text, HasSubstr("why: both are about to access counter, and nothing orders them\n"));
}

TEST_F(Story, WhoHoldsALockIsNamed) {
  const std::string text = told(R"(#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  return 0;
}
)",
                                {"--property", "deadlock"});
  EXPECT_THAT(text,
              HasSubstr("thread  waits for                     at                              holds\n"
                        "T0      b (T1 holds it since a.c:4)   a.c:12: pthread_mutex_lock(&b)  a since a.c:11\n"));
  EXPECT_THAT(text, HasSubstr("T1      a (T0 holds it since a.c:11)  a.c:5: pthread_mutex_lock(&a)   b since a.c:4\n"));
  EXPECT_THAT(text, HasSubstr("\nwhy: T0 waits for b, which T1 holds; T1 waits for a, which T0 holds\n"));
}

constexpr const char* stack = R"(#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
struct stack { int top; int state; _Bool busy; char tag; } s;
static void set(struct stack *t, int now) {
  t->state = now;
}
static void push(struct stack *t) {
  t->top++;
  t->busy = true;
  set(t, 2);
}
void *worker(void *arg) {
  struct stack *mine = arg;
  mine->tag = 'w';
  push(mine);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, &s);
  pthread_join(t, 0);
  assert(s.state == 0);
  return 0;
}
)";

TEST_F(Story, CallsAreNested) {
  const std::string text = told(stack, {});
  EXPECT_THAT(text, HasSubstr("creates T1 running worker(&s)"));
  EXPECT_THAT(text, HasSubstr("  push(mine) "));
  EXPECT_THAT(text, HasSubstr("    t->top++ "));
  EXPECT_THAT(text, HasSubstr("    set(t, 2) "));
  EXPECT_THAT(text, HasSubstr("      t->state = now "));
}

TEST_F(Story, ValuesHaveTheirNames) {
  const std::string text = told(stack, {});
  EXPECT_THAT(text, HasSubstr("s.state = 2"));
  EXPECT_THAT(text, HasSubstr("s.busy = true"));
  EXPECT_THAT(text, HasSubstr("s.tag = 'w'"));
  EXPECT_THAT(text, HasSubstr("reads s.state = 2, fails"));
}

TEST_F(Story, ThreadsHaveColumnsForThoseWhoAsk) {
  const std::string text = told(counter, {"--trace", "columns"});
  EXPECT_THAT(text, testing::ContainsRegex("\n +T0 +T1 +T2\n"));
  EXPECT_THAT(text, Not(HasSubstr("switch to")));
}

TEST_F(Story, ARaceSaysWhichCallsLedThere) {
  const std::string text = told(R"(#include <pthread.h>
int x;
static void add(void) { x++; }
static void work(void) {
  add();
}
void *worker(void *arg) {
  work();
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  x = 1;
  return 0;
}
)",
                                {"--property", "races"});
  EXPECT_THAT(text, HasSubstr("T0 is at a.c:14: x = 1\n"));
  EXPECT_THAT(text, HasSubstr("T1 is at a.c:3: x++; in add, called at a.c:5 in work, called at a.c:8\n"));
}

TEST_F(Story, APageThatCannotBeWrittenIsRefusedBeforeAnyWork) {
  const std::string file = scratch_.write("a.c", counter);
  const Outcome outcome = run_program({"verify", file, "--report", scratch_.path("none/a.html")});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Story, AnAccessToFreedMemoryIsNoAssertion) {
  const std::string text = told(R"(#include <stdlib.h>
int main(void) { int *p = malloc(sizeof *p); if (!p) return 1; free(p); *p = 1; return 0; }
)",
                                {"--property", "faults"});
  EXPECT_THAT(text, HasSubstr(": an access to an object that has been freed at "));
  EXPECT_THAT(text, Not(HasSubstr("assertion")));
  EXPECT_THAT(text, HasSubstr(" was freed by T0 at a.c:2: free(p)\n"));
}

// A thread pool that is stopped with a signal instead of a broadcast, as one writes it the first time.
constexpr const char* ring = R"(#include <pthread.h>
#include <stdlib.h>
enum { WORKERS = 3, CAP = 4 };
typedef struct task { void (*fn)(int); int arg; } task_t;
typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t not_empty, not_full;
  task_t ring[CAP];
  int head, tail, count, stop;
  pthread_t workers[WORKERS];
} pool_t;
static pool_t pool;
static int done;
static void push(pool_t *p, task_t t) {
  pthread_mutex_lock(&p->lock);
  while (p->count == CAP) pthread_cond_wait(&p->not_full, &p->lock);
  p->ring[p->tail] = t;
  p->tail = (p->tail + 1) % CAP;
  p->count++;
  pthread_cond_signal(&p->not_empty);
  pthread_mutex_unlock(&p->lock);
}
static void *worker(void *arg) {
  pool_t *p = arg;
  for (;;) {
    pthread_mutex_lock(&p->lock);
    while (p->count == 0 && !p->stop) pthread_cond_wait(&p->not_empty, &p->lock);
    if (p->count == 0 && p->stop) { pthread_mutex_unlock(&p->lock); break; }
    task_t t = p->ring[p->head];
    p->head = (p->head + 1) % CAP;
    p->count--;
    pthread_cond_signal(&p->not_full);
    pthread_mutex_unlock(&p->lock);
    t.fn(t.arg);
  }
  return NULL;
}
static void work(int n) { __sync_fetch_and_add(&done, n); }
int main(void) {
  pthread_mutex_init(&pool.lock, NULL);
  pthread_cond_init(&pool.not_empty, NULL);
  pthread_cond_init(&pool.not_full, NULL);
  for (int i = 0; i < WORKERS; i++) pthread_create(&pool.workers[i], NULL, worker, &pool);
  for (int i = 0; i < 2; i++) push(&pool, (task_t){work, i + 1});
  pthread_mutex_lock(&pool.lock);
  pool.stop = 1;
  pthread_cond_signal(&pool.not_empty);
  pthread_mutex_unlock(&pool.lock);
  for (int i = 0; i < WORKERS; i++) pthread_join(pool.workers[i], NULL);
  return 0;
}
)";

TEST_F(Story, APoolOfThreeIsReadOnOnePage) {
  const std::string text = told(ring, {"--property", "deadlock", "--time-limit", "60"});
  EXPECT_LT(lines_of(text), 40U) << text;
  EXPECT_THAT(text, HasSubstr("creates T1, T2, T3 running worker(&pool)"));
  EXPECT_THAT(text, HasSubstr("locks pool.lock until line 33"));
  // Calls that nobody came into, and the second round of a loop, take a line each.
  EXPECT_THAT(text,
              HasSubstr("calls push: pool.ring[0].fn = work, pool.ring[0].arg = 1, pool.tail = 1, pool.count = 1\n"));
  EXPECT_THAT(text, HasSubstr("calls push: pool.ring[1].fn = work"));
  EXPECT_THAT(text, ContainsRegex("as in lines [0-9]+ to [0-9]+: t.fn = work, t.arg = 2, "));
  EXPECT_THAT(text, Not(HasSubstr("for which nobody waits")));
  EXPECT_THAT(text, HasSubstr("while (p->count == 0 && !p->stop)"));
  EXPECT_THAT(text, HasSubstr("wait for pool.not_empty, and nobody is left to wake them; T0 waits for the end of T"));
  for (const char* internal : {"$", "#", "literal@", "i++", "p->lock "}) EXPECT_THAT(text, Not(HasSubstr(internal)));
}

TEST_F(Story, AWaitGivesTheLockBackAndTakesItAgain) {
  // T0 has waited for a condition through a pointer; what it holds then is the lock, and never the condition.
  const std::string text = told(R"(#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t lock; pthread_cond_t idle; int busy; };
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
  struct box *b = arg;
  pthread_mutex_lock(&other);
  pthread_mutex_lock(&b->lock);
  b->busy = 0;
  pthread_cond_signal(&b->idle);
  pthread_mutex_unlock(&b->lock);
  pthread_mutex_lock(&b->lock);
  pthread_mutex_unlock(&b->lock);
  pthread_mutex_unlock(&other);
  return 0;
}
int main(void) {
  struct box *b = malloc(sizeof *b);
  pthread_t t;
  if (!b) return 1;
  pthread_mutex_init(&b->lock, 0);
  pthread_cond_init(&b->idle, 0);
  b->busy = 1;
  pthread_mutex_lock(&b->lock);
  pthread_create(&t, 0, work, b);
  while (b->busy) pthread_cond_wait(&b->idle, &b->lock);
  pthread_mutex_lock(&other);
  return 0;
}
)",
                                {"--property", "deadlock"});
  EXPECT_THAT(text, Not(HasSubstr("idle since")));
  EXPECT_THAT(text, ContainsRegex("box1(\\[0\\])?.lock since a.c:26"));
}

TEST_F(Story, SaysWhichObjectIsFreed) {
  const std::string text = told(R"(#include <pthread.h>
#include <stdlib.h>
struct buffer { int *data; };
static struct buffer *shared;
static void *reader(void *arg) { return arg && *shared->data ? arg : 0; }
int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  if (!shared) return 1;
  shared->data = malloc(sizeof(int));
  if (!shared->data) return 1;
  *shared->data = 1;
  pthread_create(&t, 0, reader, shared);
  free(shared->data);
  pthread_join(t, 0);
  return 0;
}
)",
                                {"--property", "faults"});
  EXPECT_THAT(text, HasSubstr("frees heap"));
  EXPECT_THAT(text, Not(HasSubstr("frees buffer")));
}

TEST_F(Story, SaysWhoWakesOfItself) {
  const std::string text = told(R"(#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
static void *waiter(void *arg) {
  pthread_mutex_lock(&m);
  if (!ready) pthread_cond_wait(&c, &m);
  assert(ready);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
)",
                                {});
  EXPECT_THAT(text, HasSubstr("waits for c and wakes up without a signal\n"));
  EXPECT_THAT(text, Not(HasSubstr("atomic section")));
}

TEST_F(Story, SaysWhatAConditionLeadsTo) {
  const std::string text = told(R"(#include <assert.h>
#include <pthread.h>
int x;
static void *worker(void *arg) { x = 2; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  if (x >= 2) assert(0);
  pthread_join(t, 0);
  return 0;
}
)",
                                {});
  EXPECT_THAT(text, ContainsRegex("why: T0 at a.c:8: .*assert\\(0\\)"));
}

TEST_F(Story, LocksAreCalledByWhatTheyAre) {
  const std::string text = told(R"(#include <pthread.h>
typedef struct { int balance; pthread_mutex_t lock; } account;
account acc[2] = {{100, PTHREAD_MUTEX_INITIALIZER}, {50, PTHREAD_MUTEX_INITIALIZER}};
void transfer(account *from, account *to, int amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}
void *a(void *x) { transfer(&acc[0], &acc[1], 10); return x; }
void *b(void *x) { transfer(&acc[1], &acc[0], 20); return x; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
)",
                                {"--property", "deadlock"});
  EXPECT_THAT(text, HasSubstr("locks acc[0].lock\n"));
  EXPECT_THAT(text, HasSubstr("locks acc[1].lock\n"));
  EXPECT_THAT(text, HasSubstr("T1      acc[1].lock (T2 holds it since a.c:5)"));
  EXPECT_THAT(text, HasSubstr("T2      acc[0].lock (T1 holds it since a.c:5)"));
  EXPECT_THAT(text,
              HasSubstr("\nwhy: T1 waits for acc[1].lock, which T2 holds; T2 waits for acc[0].lock, which T1 holds\n"));
}

TEST_F(Story, EnumerationsTextsAndNumbersLookAsTheyWereWritten) {
  const std::string text = told(R"(#include <assert.h>
#include <stdint.h>
enum kind { NONE, TEXT = 5, QUIT = 9 };
struct message { enum kind kind; char text[4]; uint8_t size; } box;
typedef enum { RED, GREEN } light;
light lights[2];
int main(void) {
  box = (struct message){TEXT, "hi", 65};
  lights[1] = GREEN;
  box.kind = QUIT;
  assert(box.kind == NONE);
  return 0;
}
)",
                                {});
  EXPECT_THAT(text, HasSubstr("box.kind = QUIT"));
  EXPECT_THAT(text, Not(HasSubstr("box.kind = 9")));
  EXPECT_THAT(text, HasSubstr("why: T0 at a.c:11: assert(box.kind == NONE) fails, with box.kind = QUIT\n"));
}

TEST_F(Story, ObjectsOfTheHeapAreCalledByTheirType) {
  const std::string text = told(R"(#include <pthread.h>
#include <stdlib.h>
struct session { int id; int refs; };
static struct session *current;
static void put(struct session *s) {
  if (--s->refs == 0) free(s);
}
static void *reader(void *arg) {
  current->refs++;
  return arg;
}
int main(void) {
  pthread_t t;
  current = malloc(sizeof *current);
  if (!current) return 1;
  current->refs = 1;
  pthread_create(&t, NULL, reader, NULL);
  put(current);
  pthread_join(t, NULL);
  return 0;
}
)",
                                {"--property", "faults"});
  EXPECT_THAT(text, HasSubstr("frees session1"));
  EXPECT_THAT(text, HasSubstr("session1 was freed by T0 at a.c:6: free(s); in put, called at a.c:18\n"));
  EXPECT_THAT(text,
              testing::ContainsRegex("why: T1 at a.c:9: current->refs.+: an access to an object that has been freed"));
  EXPECT_THAT(text, Not(HasSubstr("object1")));
}

TEST_F(Story, ASignalThatNobodyHearsIsTold) {
  const std::string text = told(R"(#include <pthread.h>
#include <stdbool.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *consumer(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, consumer, 0);
  pthread_cond_signal(&c);
  pthread_join(t, 0);
  return 0;
}
)",
                                {"--property", "deadlock"});
  EXPECT_THAT(text, HasSubstr("signals c, for which nobody waits\n"));
  EXPECT_THAT(text, HasSubstr("\nwhy: T1 waits for c, and nobody is left to wake it; T0 waits for the end of T1\n"));
}

TEST_F(Story, AViolationSaysWhatItIs) {
  const std::string text = told(R"(#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) { pthread_mutex_unlock(&m); return 0; }
)",
                                {"--property", "locks"});
  EXPECT_THAT(text, HasSubstr(" a mutex is unlocked by a thread that does not hold it\n"));
  EXPECT_THAT(text, Not(HasSubstr("unlocks m")));
  EXPECT_THAT(text, Not(HasSubstr("atomic section")));
}

TEST_F(Story, WhatAPointerMetIsSaid) {
  EXPECT_THAT(
      told("int x, *p = &x; int f(void);\nint main(void) { if (f()) p = 0; return *p; }\n", {"--property", "faults"}),
      HasSubstr(": an access through NULL at "));
  EXPECT_THAT(told("int a[2]; int *p = a; int main(void) { p = p + 3; return *p; }\n", {"--property", "faults"}),
              HasSubstr(": an access outside of its object at "));
}

}  // namespace
}  // namespace cohort::test
