// What a reader of a counterexample of a C program gets to see.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

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
  EXPECT_THAT(text, HasSubstr("creates T1 running worker"));
  EXPECT_THAT(text, HasSubstr("locks pool.m\n"));
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
  EXPECT_THAT(text, HasSubstr("reads counter = 1, violates the property"));
  EXPECT_LE(lines_of(text), 20U) << text;
}

TEST_F(Story, ARaceIsCalledByItsName) {
  const std::string text = told(counter, {"--property", "races"});
  EXPECT_THAT(text, HasSubstr("UNSAFE with 3 threads: data race on counter at "));
  EXPECT_THAT(text, HasSubstr("both are about to access counter"));
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
  EXPECT_THAT(text, HasSubstr("thread  waits for                    at                              holds\n"
                              "T0      b (T1 holds b since a.c:4)   a.c:12: pthread_mutex_lock(&b)  a since a.c:11\n"));
  EXPECT_THAT(text, HasSubstr("T1      a (T0 holds a since a.c:11)  a.c:5: pthread_mutex_lock(&a)   b since a.c:4\n"));
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
  EXPECT_THAT(text, HasSubstr("reads s.state = 2, violates the property"));
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

}  // namespace
}  // namespace cohort::test
