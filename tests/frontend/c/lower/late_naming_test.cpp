// Threads without names: late naming gives the verdicts of threads that are told apart, with fewer states, and keeps
// away from programs where names are looked at.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "frontend/c/c.hpp"

namespace cohort::frontend::c {
namespace {

using result::Verdict;

const std::string header = R"(
typedef unsigned long pthread_t;
typedef struct { int x; } pthread_attr_t;
typedef struct { int x; } pthread_mutex_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_detach(pthread_t);
int pthread_tryjoin_np(pthread_t, void **);
pthread_t pthread_self(void);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void *malloc(unsigned long);
void assert(int);
)";

struct Outcome {
  Verdict verdict = Verdict::Unknown;
  std::uint64_t states = 0;
};

Outcome explore(const std::string& source, const Options& options, std::uint32_t bound = 5) {
  const auto file = std::make_shared<const SourceFile>("test.c", header + source);
  const model::Program program = load({file}, options);
  Env env;
  const engine::Engine* explicit_engine = engine::find_engine("explicit");
  const result::Result result = explicit_engine->check(env, {program, bound, {}});
  return {result.verdict, std::get<std::uint64_t>(*env.statistics.find("states"))};
}

// The verdict with late naming, which must be the one without it.
Verdict verdict(const std::string& source, Options options = {}, std::uint32_t bound = 5) {
  const Outcome late = explore(source, options, bound);
  options.late_naming = false;
  const Outcome early = explore(source, options, bound);
  EXPECT_EQ(late.verdict, early.verdict) << source;
  return late.verdict;
}

// How many times more states there are when threads are told apart.
double gain(const std::string& source, std::uint32_t bound = 5) {
  const Outcome late = explore(source, {}, bound);
  const Outcome early = explore(source, {.late_naming = false}, bound);
  EXPECT_EQ(late.verdict, early.verdict) << source;
  return static_cast<double>(early.states) / static_cast<double>(late.states);
}

const std::string count = R"(
int c; pthread_mutex_t m;
void *work(void *p) { LOCK c++; UNLOCK c = c; return 0; }
)";
const std::string locked = "#define LOCK pthread_mutex_lock(&m);\n#define UNLOCK pthread_mutex_unlock(&m);\n";
const std::string unlocked = "#define LOCK\n#define UNLOCK\n";

TEST(LateNaming, JoinedThreadsAreCountedTogether) {
  const std::string loop = count + R"(
int main() {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(c <= 3);
})";
  EXPECT_GT(gain(locked + loop), 2);
  EXPECT_EQ(verdict(locked + loop), Verdict::Safe);
  const std::string places = count + R"(
int main() {
  pthread_t a, b, c1;
  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0); pthread_create(&c1, 0, work, 0);
  pthread_join(c1, 0); pthread_join(a, 0); pthread_join(b, 0);
  assert(c == 3);
})";
  EXPECT_GT(gain(unlocked + places), 1);
  EXPECT_EQ(verdict(unlocked + places), Verdict::Unsafe);
}

TEST(LateNaming, HandlesOnTheHeapAndArgumentsThatStayTheSame) {
  const std::string source = count + R"(
int main() {
  pthread_t *t = malloc(3 * sizeof *t);
  int *shared = malloc(sizeof *shared);
  for (int i = 0; i < 3; i++) pthread_create(t + i, 0, work, shared);
  for (int i = 2; i >= 0; i--) pthread_join(t[i], 0);
  assert(c <= 3);
})";
  EXPECT_GT(gain(unlocked + source), 2);
  EXPECT_EQ(verdict(unlocked + source), Verdict::Safe);
}

// An index that the routine does not look at is none.
TEST(LateNaming, UnusedArgumentsDoNotTellThreadsApart) {
  const std::string source = R"(
int c; void *work(void *p) { c++; c++; return p; }
int main() {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(c >= 2);
})";
  EXPECT_GT(gain(source), 2);
  EXPECT_EQ(verdict(source), Verdict::Safe);
}

// Joining all but one leaves one that may still run, whichever that is.
TEST(LateNaming, AForgottenJoinIsSeen) {
  const std::string body = R"(
int c; pthread_mutex_t m;
void *work(void *p) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); return 0; }
int main() {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = FIRST; i < 3; i++) pthread_join(t[i], 0);
  assert(c == 3);
})";
  EXPECT_EQ(verdict("#define FIRST 0\n" + body), Verdict::Safe);
  EXPECT_EQ(verdict("#define FIRST 1\n" + body), Verdict::Unsafe);
}

// A second wait for the same handle does not take a second thread.
TEST(LateNaming, JoiningTwiceIsNotJoiningTwo) {
  const std::string body = R"(
int c; pthread_mutex_t m;
void *work(void *p) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); return 0; }
int main() {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  pthread_join(t[0], 0); pthread_join(t[SECOND], 0);
  assert(c == 2);
})";
  EXPECT_EQ(verdict("#define SECOND 1\n" + body), Verdict::Safe);
  EXPECT_EQ(verdict("#define SECOND 0\n" + body), Verdict::Unsafe);
  EXPECT_EQ(verdict("#define SECOND 0\n" + body, {.properties = {"deadlock"}}), Verdict::Safe);
}

// The thread created after the flag is not the one that raised it.
TEST(LateNaming, ALookBetweenCreationsTellsThreadsApart) {
  const std::string source = R"(
int flag, late;
void *work(void *p) { flag = 1; if (late) late = 2; return 0; }
int main() {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) {
    pthread_create(&t[i], 0, work, 0);
    if (i == 0) { while (!flag); late = 1; }
  }
  pthread_join(t[1], 0);
  assert(late == 2);
})";
  EXPECT_EQ(verdict(source), Verdict::Safe);
}

TEST(LateNaming, RoundsAreGroupsOfTheirOwn) {
  const std::string source = R"(
int c; pthread_mutex_t m;
void *work(void *p) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); return 0; }
int main() {
  pthread_t t[2], last;
  pthread_create(&t[0], 0, work, 0); pthread_create(&t[1], 0, work, 0);
  pthread_join(t[0], 0);
  int before = c;
  pthread_create(&last, 0, work, 0);
  pthread_join(last, 0);
  assert(c > before);
})";
  EXPECT_EQ(verdict(source), Verdict::Safe);
  const std::string loop = R"(
int c; pthread_mutex_t m;
void *work(void *p) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); return 0; }
int main() {
  pthread_t t[2];
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = ROUND; i < 2; i++) pthread_join(t[i], 0);
    assert(c >= 2 * (round + 1));
  }
})";
  EXPECT_EQ(verdict("#define ROUND 0\n" + loop), Verdict::Safe);
  EXPECT_EQ(verdict("#define ROUND round\n" + loop, {}, 6), Verdict::Unsafe);
}

TEST(LateNaming, NamesThatAreLookedAtStay) {
  const std::string self = R"(
pthread_t who; int c;
void *work(void *p) { who = pthread_self(); return 0; }
int main() {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  pthread_join(t[0], 0); pthread_join(t[1], 0);
  assert(who == t[0] || who == t[1]);
})";
  EXPECT_EQ(verdict(self), Verdict::Safe);
  const std::string tried = R"(
int c; pthread_mutex_t m;
void *work(void *p) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); return 0; }
int main() {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  if (pthread_tryjoin_np(t[0], 0) == 0 && pthread_tryjoin_np(t[0], 0) == 0) assert(c == 2);
})";
  EXPECT_EQ(verdict(tried), Verdict::Unsafe);
  const std::string results = R"(
int c;
void *work(void *p) { int x; __atomic_fetch_add(&c, 1, 5); x = c; return (void *)(long)x; }
int main() {
  pthread_t t[2]; void *a, *b;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  pthread_join(t[0], &a); pthread_join(t[1], &b);
  assert(a == (void *)2 || b == (void *)2);
})";
  EXPECT_EQ(verdict(results), Verdict::Safe);
}

// Another thread that waits for the handles can tell which were there when.
const std::string tickets = R"(
int c; pthread_mutex_t m;
void *work(void *p) { pthread_mutex_lock(&m); long x = c; c = c + 1; pthread_mutex_unlock(&m); LEAVE }
)";
const std::string returning = "#define LEAVE return (void *)x;\n";
const std::string exiting = "void pthread_exit(void *);\n#define LEAVE pthread_exit((void *)x); return 0;\n";

TEST(LateNaming, ReturnedValuesAreReadFromWhomTheWaitTakes) {
  const std::string sum = tickets + R"(
int main() {
  pthread_t t[4]; long sum = 0; void *r;
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 4; i++) { pthread_join(t[i], &r); sum += (long)r; }
  assert(sum == 6);
})";
  EXPECT_GT(gain(returning + sum), 2);
  EXPECT_GT(gain(exiting + sum), 2);
  EXPECT_EQ(verdict(returning + sum), Verdict::Safe);
  const auto order = [](const std::string& claim) {
    return returning + tickets + R"(
int main() {
  pthread_t t[2]; void *r, *s;
  pthread_create(&t[0], 0, work, 0);
  pthread_create(&t[1], 0, work, 0);
  pthread_join(t[1], &s);
  pthread_join(t[0], &r);
  assert()" +
           claim + ");\n}";
  };
  EXPECT_EQ(verdict(order("r != s")), Verdict::Safe);
  EXPECT_EQ(verdict(order("r < s")), Verdict::Unsafe);
  EXPECT_EQ(verdict(order("s < r")), Verdict::Unsafe);
}

TEST(LateNaming, ReturnedValuesOfSeveralGroups) {
  EXPECT_EQ(verdict(returning + tickets + R"(
void *other(void *p) { return (void *)7; }
int main() {
  pthread_t t[2], u[2], v[2]; void *r; long sum = 0;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_create(&u[i], 0, other, 0);
  for (int i = 0; i < 2; i++) { pthread_join(u[i], &r); assert((long)r == 7); }
  pthread_join(t[1], 0);
  for (int i = 0; i < 2; i++) pthread_create(&v[i], 0, work, 0);
  for (int i = 0; i < 2; i++) { pthread_join(v[i], &r); sum += (long)r; }
  pthread_join(t[0], &r);
  assert(sum + (long)r >= 3);
})",
                    {}, 7),
            Verdict::Safe);
}

// Three threads draw tickets; OWN is thread i's element, GIVEN what it is created with.
std::string columns(const std::string& form, const std::string& step, const std::string& before,
                    const std::string& after, const std::string& looks) {
  const bool by_pointer = form == "pointer";
  return R"(
struct slot { int start, out; } s[4], *other; int c; pthread_mutex_t m; pthread_t t[3];
void *work(void *p) {
)" + std::string(by_pointer ? "struct slot *own = p;" : "long own = (long)p;") +
         "\n#define OWN " + (by_pointer ? "(*own)" : "s[own]") + R"(
  pthread_mutex_lock(&m); int x = c; c = c + 1; pthread_mutex_unlock(&m);
  )" + step +
         "\nreturn 0; }\n" + "int main() { int z = 0;\nfor (int i = 0; i < 3; i++) { " + before +
         "pthread_create(&t[i], 0, work, " + (by_pointer ? "&s[i]" : "(void *)(long)i") + "); " + after + " }\n" +
         looks + "\n}";
}

const std::string join_and_add = "for (int i = 0; i < 3; i++) { pthread_join(t[i], 0); z += s[i].out; }\n";

TEST(LateNaming, ElementsOfTheirOwnDoNotTellThreadsApart) {
  for (const char* form : {"pointer", "index"}) {
    const std::string sum = columns(form, "OWN.out = x;", "", "", join_and_add + "assert(z == 3);");
    EXPECT_GT(gain(sum), 1.3) << form;
    EXPECT_EQ(verdict(sum), Verdict::Safe);
    EXPECT_EQ(verdict(sum, {.properties = {"races"}}), Verdict::Safe);
    EXPECT_EQ(verdict(sum, {.properties = {"faults"}}), Verdict::Safe);
    const std::string marks =
        columns(form, "OWN.out += OWN.start;", "s[i].start = 1; ", "", join_and_add + "assert(z == 3);");
    EXPECT_GT(gain(marks), 1.5) << form;
    EXPECT_EQ(verdict(marks), Verdict::Safe);
    const std::string wrong =
        columns(form, "OWN.out += OWN.start;", "s[i].start = 1; ", "", join_and_add + "assert(z != 3);");
    EXPECT_EQ(verdict(wrong), Verdict::Unsafe);
    // Whose element has which ticket is open.
    for (const char* claim : {"s[0].out < s[1].out", "s[1].out < s[0].out", "s[2].out != 1"}) {
      const std::string order = columns(form, "OWN.out = x;", "", "", join_and_add + "assert(" + claim + ");");
      EXPECT_EQ(verdict(order), Verdict::Unsafe) << claim;
    }
    EXPECT_EQ(verdict(columns(form, "OWN.out = x;", "", "", join_and_add + "assert(s[0].out != s[1].out);")),
              Verdict::Safe);
  }
}

// Each of these is no column, and would get a wrong verdict if it were taken for one.
TEST(LateNaming, ElementsThatOthersGetAtStayWhereTheyAre) {
  const auto check = [](const std::string& step, const std::string& looks, Verdict expected) {
    const std::string source = columns("pointer", step, "", "", looks);
    const Outcome late = explore(source, {});
    EXPECT_EQ(late.verdict, expected) << source;
    EXPECT_EQ(explore(source, {.late_naming = false}).verdict, expected) << source;
  };
  check("OWN.out = x; s[1].out = 7;", join_and_add + "assert(s[1].out != 7);", Verdict::Unsafe);
  check("if (own[1].out == 0) OWN.out = 1; if (own != s) own[-1].start = 1;", join_and_add + "assert(s[0].start == 0);",
        Verdict::Unsafe);
  check("other = own; OWN.out = 0; other->out = 1;", join_and_add + "assert(z == 3);", Verdict::Unsafe);
  check("if (own == s) OWN.out = 5; else OWN.out = 1;", join_and_add + "assert(s[0].out == 5 && s[1].out == 1);",
        Verdict::Safe);
}

// What lies at a[0][i] is not in the i-th row.
TEST(LateNaming, IndicesInsideOfElementsAreNotTheirNumbers) {
  for (const char* place : {"rows[0][own]", "slots[0].of[own]", "((int *)pairs)[own]"}) {
    const std::string source = R"(
typedef int row[4]; row rows[4]; struct slot { row of; } slots[4]; struct pair { int low, high; } pairs[4];
pthread_t t[2];
void *work(void *p) { long own = (long)p; PLACE = 1; return 0; }
#define own 1
int main() {
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)(long)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(CLAIM);
})";
    const auto with = [&](const std::string& claim) {
      return "#define PLACE " + std::string(place) + "\n#define CLAIM " + claim + source;
    };
    EXPECT_EQ(verdict(with("PLACE == 1")), Verdict::Safe);
    EXPECT_EQ(verdict(with("PLACE == 0")), Verdict::Unsafe);
    EXPECT_EQ(verdict(with("PLACE == 1"), {.properties = {"assertions", "faults"}}), Verdict::Safe);
  }
}

// What the creator does with elements of threads that live is watched: the search that finds it says so.
TEST(LateNaming, LooksAtElementsOfThreadsThatLiveAreCuts) {
  const auto cut = [](const std::string& before, const std::string& after, const std::string& looks, Verdict named) {
    const std::string source = columns("index", "OWN.out += 1 + OWN.start;", before, after, looks);
    EXPECT_EQ(explore(source, {}).verdict, Verdict::Unsafe) << source;
    EXPECT_EQ(explore(source, {.late_naming = false}).verdict, named) << source;
  };
  cut("", "", "z = s[0].out; assert(z <= 1);" + join_and_add + "assert(z <= 4);", Verdict::Safe);
  cut("", "s[i].out = 0;", join_and_add + "assert(z <= 3);", Verdict::Safe);
  cut("", "", "pthread_join(t[1], 0); s[0].start = 0; assert(s[1].out == 1);", Verdict::Safe);
  cut("if (i == 1) s[i].start = 1; ", "", join_and_add + "assert(z == 4 && s[1].out == 2);", Verdict::Safe);
}

TEST(LateNaming, ThreadsThatOneJoinsTwiceAreTold) {
  // The search that names them late says so; `cohort verify` looks again.
  const std::string twice = returning + tickets + R"(
int main() {
  pthread_t t[2]; void *r, *s;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  pthread_join(t[0], &r);
  pthread_join(t[0], &s);
  assert(r == s);
})";
  EXPECT_EQ(explore(twice, {}).verdict, Verdict::Unsafe);  // a cut
  EXPECT_EQ(explore(twice, {.late_naming = false}).verdict, Verdict::Safe);
}

TEST(LateNaming, ResultsAreTakenByNamesWhereThreadsCannotMeet) {
  const std::string others = returning + tickets + R"(
pthread_t t[2]; int ready;
void *wait(void *p) { void *r; while (!ready); pthread_join(t[0], &r); assert((long)r <= 1); return 0; }
int main() {
  pthread_t w;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  ready = 1;
  pthread_create(&w, 0, wait, 0);
  pthread_join(t[1], 0);
})";
  EXPECT_EQ(verdict(others), Verdict::Safe);
  const std::string in_section = returning + tickets + R"(
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
int main() {
  pthread_t t[2]; void *r; int seen = 0;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  while (c < 2);
  __VERIFIER_atomic_begin(); pthread_join(t[0], &r); seen = 1; __VERIFIER_atomic_end();
  assert(!seen);
})";
  EXPECT_EQ(verdict(in_section), Verdict::Unsafe);
}

TEST(LateNaming, HandlesThatOthersReadStay) {
  const std::string source = R"(
pthread_t t[2]; int ready, c, seen;
void *work(void *p) { c++; return 0; }
void *wait(void *p) { while (ready < 1); pthread_join(t[0], 0); seen = c; return 0; }
int main() {
  pthread_t w;
  pthread_create(&w, 0, wait, 0);
  for (int i = 0; i < 2; i++) { pthread_create(&t[i], 0, work, 0); ready++; }
  pthread_join(w, 0);
  assert(seen >= 1);
})";
  EXPECT_EQ(verdict(source), Verdict::Safe);
}

TEST(LateNaming, DetachedThreadsAreNeverNamed) {
  const std::string source = R"(
int c; pthread_mutex_t m;
void *work(void *p) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); return 0; }
int main() {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  pthread_detach(t[1]);
  pthread_join(t[0], 0); pthread_join(t[2], 0);
  assert(c >= 2);
  assert(c == 2 || c == 3);
})";
  EXPECT_EQ(verdict(source), Verdict::Safe);
}

// There are as many handles as the program has room for.
TEST(LateNaming, ManyThreadsAreFollowed) {
  const std::string source = R"(
int x; pthread_t t[20];
void *work(void *a) { __atomic_store_n(&x, 1, 5); return 0; }
int main() {
  for (int i = 0; i < 20; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 20; i++) pthread_join(t[i], 0);
  assert(x == 1);
})";
  EXPECT_EQ(explore(source, {}, 21).verdict, Verdict::Safe);
}

// An array of handles whose size is known at run time only needs no elements if nobody waits for the threads.
TEST(LateNaming, HandlesThatNobodyReadsNeedNoRoom) {
  const std::string source = R"(
int inside, nondet_int(void); void free(void *); pthread_mutex_t m;
void *work(void *p) { LOCK inside++; assert(inside == 1); inside--; UNLOCK return 0; }
int main() {
  int n = nondet_int(), sum = 0;
  if (n < 9 || n > 10) return 0;
  pthread_t *t = malloc(n * sizeof *t);
  for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  free(t);
  CHECK
})";
  EXPECT_EQ(explore("#define CHECK\n" + locked + source, {}, 3).verdict, Verdict::Safe);
  EXPECT_EQ(explore("#define CHECK\n" + unlocked + source, {}, 3).verdict, Verdict::Unsafe);
  EXPECT_EQ(explore("#define CHECK assert(inside == 0);\n" + locked + source, {}, 3).verdict, Verdict::Safe)
      << "handles that are waited for in the order of the elements need no room either";
  // To the engine, what is not modelled is one more place to reach.
  EXPECT_NE(explore("#define CHECK assert(inside == 0);\n" + locked + source, {.late_naming = false}, 3).verdict,
            Verdict::Safe)
      << "the program is one for which that matters";
  EXPECT_NE(explore("#define CHECK\n" + locked + source, {.properties = {"faults"}}, 3).verdict, Verdict::Safe)
      << "stores are looked at where faults are";
}

// How a program stores handles and waits for them: `count` of `n` threads have ended when all were waited for.
std::string row(const std::string& create, const std::string& wait) {
  return R"(
int count, nondet_int(void); pthread_t other; pthread_t t[4];
struct worker { int number; pthread_t handle; } workers[4];
void *work(void *p) { __atomic_fetch_add(&count, 1, 5); return 0; }
void *idle(void *p) { return 0; }
int main() {
  int i, j = 0, n = 1;
  pthread_t handle, *at = t;
  if (nondet_int()) n++;
  if (nondet_int()) n++;
)" + create +
         wait + R"(
  assert(count == n);
})";
}

// Are threads counted instead of told apart, without a bit for each that says whether it was waited for?
bool is_row(const std::string& source) {
  const auto file = std::make_shared<const SourceFile>("test.c", header + source);
  const model::Program program = load({file}, Options{});
  const auto says = [](const model::Variable& variable) { return variable.name.starts_with("joined"); };
  return std::none_of(program.shared.begin(), program.shared.end(), says) &&
         std::none_of(program.templates.begin(), program.templates.end(),
                      [&](const model::Template& of) { return std::any_of(of.locals.begin(), of.locals.end(), says); });
}

TEST(LateNaming, HandlesThatAreWaitedForInOrderAreCounted) {
  const std::string create = "for (i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);\n";
  const std::string wait = "for (i = 0; i < n; i++) pthread_join(t[i], 0);\n";
  const std::pair<std::string, std::string> rows[] = {
      {create, wait},
      {"i = 0; while (i < n) { if (pthread_create(t + i, 0, work, 0)) return 1; ++i; }", wait},
      {"while (j < n) pthread_create(&t[j++], 0, work, 0); j = 0;", "do pthread_join(t[j++], 0); while (j < n);"},
      {"for (i = 0; i < n; i++) { pthread_create(&handle, 0, work, 0); t[i] = handle; }", wait},
      {"for (i = 0; i < n; i++) pthread_create(&workers[i].handle, 0, work, 0);",
       "for (i = 0; i < n; i++) { workers[i].number = i; pthread_join(workers[i].handle, 0); }"},
      {"for (i = 0; i < n; i++) pthread_create(at++, 0, work, 0); at = t;",
       "for (i = 1; i <= n; i++) pthread_join(t[i - 1], 0);"},
      {create, "for (i = 0; i < n; i++) { handle = t[i]; pthread_join(handle, 0); }"}};
  for (const auto& [creation, waits] : rows) {
    EXPECT_EQ(verdict(row(creation, waits), {}, 4), Verdict::Safe) << creation << waits;
    EXPECT_TRUE(is_row(row(creation, waits))) << creation << waits;
  }
  EXPECT_EQ(verdict(row(create, "for (i = 0; i < n - 1; i++) pthread_join(t[i], 0);\n"), {}, 4), Verdict::Unsafe);
  EXPECT_EQ(verdict(row(create, "for (i = 0; i < n; i += 2) pthread_join(t[i], 0);\n"), {}, 4), Verdict::Unsafe);
}

// Each of them would be wrong if the waits were counted.
TEST(LateNaming, HandlesThatAreNoRowAreFollowed) {
  const std::string create = "for (i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);\n";
  const std::string wait = "for (i = 0; i < n; i++) pthread_join(t[i], 0);\n";
  const auto unsafe = [](const std::string& creation, const std::string& waits) {
    EXPECT_EQ(verdict(row(creation, waits), {}, 4), Verdict::Unsafe) << creation << waits;
    EXPECT_FALSE(is_row(row(creation, waits))) << creation << waits;
  };
  unsafe(create, "for (i = 0; i < n; i++) pthread_join(t[0], 0);\n");
  unsafe(create, "for (i = 0; i < n; i++) { handle = t[i]; pthread_join(t[0], 0); }");
  unsafe(create + "t[0] = t[1];", "if (n < 3) " + wait);
  unsafe("for (i = 0; i < n; i++) { pthread_create(&t[0], 0, work, 0); t[i] = t[0]; }",
         "pthread_join(t[0], 0);" + wait);
  EXPECT_EQ(verdict(row(create, "for (i = n - 1; i >= 0; i--) pthread_join(t[i], 0);\n"), {}, 4), Verdict::Safe)
      << "from the last to the first";
  // What may be a handle of the row or another's, and creations that are left out where a pointer is taken for no NULL.
  unsafe("pthread_create(&other, 0, idle, 0);" + create,
         "int k = nondet_int(); for (i = 0; i < n - 1; i++) pthread_join(t[i], 0);"
         "if (k) handle = t[i]; else handle = other; pthread_join(handle, 0); assert(!k); pthread_join(t[i], 0);");
  unsafe("at = nondet_int() ? t : 0; " + create,
         "if (!at) { pthread_create(&other, 0, work, 0); pthread_join(other, 0); j = 1; }" + wait + "assert(!j);");
  // To the engine, what is not modelled is one more place to reach; the answer is given with names then.
  EXPECT_NE(explore(row(create, "for (i = 0; i <= n; i++) pthread_join(t[i], 0);\n"), {}, 4).verdict, Verdict::Safe)
      << "nothing is known of a wait for what was never created";
}

TEST(LateNaming, TwoRoutinesAndAThreadWithANumber) {
  const std::string source = R"(
int c, d; pthread_mutex_t m;
void *first(void *p) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); return 0; }
void *second(void *p) { pthread_mutex_lock(&m); d += (int)(long)p; pthread_mutex_unlock(&m); return 0; }
int main() {
  pthread_t a[2], b[2];
  for (int i = 0; i < 2; i++) {
    pthread_create(&a[i], 0, first, 0);
    pthread_create(&b[i], 0, second, (void *)(long)(i + 1));
  }
  pthread_join(b[WHICH], 0);
  assert(d >= 2);
  for (int i = 0; i < 2; i++) pthread_join(a[i], 0);
  assert(c == 2);
})";
  EXPECT_EQ(verdict("#define WHICH 1\n" + source), Verdict::Safe);
  EXPECT_EQ(verdict("#define WHICH 0\n" + source), Verdict::Unsafe);
}

}  // namespace
}  // namespace cohort::frontend::c
