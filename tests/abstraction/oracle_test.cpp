// Images of single steps, compared with what the SymmPA paper says of them and with what can be worked out by hand.
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abstraction/oracle.hpp"
#include "frontend/scpl/scpl.hpp"
#include "support/diagnostics.hpp"

namespace cohort::abstraction {
namespace {

using model::ExprId;
using model::Op;
using model::Type;
using model::VarId;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// A program, its commands in the order of the text, and predicates over its variables.
struct Scene {
  explicit Scene(const std::string& text)
      : commands(frontend::scpl::load(test::text_file("t.scpl", text))),
        live(model::LiveLocals(commands.program())),
        predicates(commands, live) {}

  ExprId shared(std::size_t i) { return commands.exprs().shared(VarId(i), commands.program().shared[i].type); }
  ExprId local(std::size_t i) {
    return commands.exprs().local(VarId(i), commands.program().templates[0].locals[i].type);
  }
  ExprId number(model::Value value, ExprId like) {
    return commands.exprs().constant(value, commands.program().exprs[like].type);
  }
  ExprId equal(ExprId left, ExprId right) { return commands.exprs().binary(Op::Eq, left, right, Type::boolean()); }
  ExprId at_most(ExprId left, ExprId right) { return commands.exprs().binary(Op::Le, left, right, Type::boolean()); }
  void track(ExprId expr) { ASSERT_TRUE(predicates.add(expr, model::TemplateId{0})); }

  Oracle& oracle() {
    if (!oracle_) oracle_ = std::make_unique<Oracle>(env, commands, predicates);
    return *oracle_;
  }
  ThreadState thread(std::uint32_t command, const Bits& bits) {
    return oracle().states().thread(commands.all()[command].from, bits);
  }
  SharedState state(const Bits& bits) { return oracle().states().shared(bits); }

  // "shared thread" of each successor, in order.
  std::vector<std::string> post(std::uint32_t command, const Bits& s, const Bits& a) {
    std::vector<std::string> texts;
    for (const Successor& one : oracle().post(command, state(s), thread(command, a))) {
      texts.push_back(oracle().states().bits(one.shared) + " " + oracle().states().bits(one.self));
    }
    EXPECT_FALSE(oracle().stopped());
    return texts;
  }
  // What another thread at `place` may be after the only successor.
  std::vector<std::string> passive(std::uint32_t command, const Bits& s, const Bits& a, std::uint32_t place,
                                   const Bits& p) {
    EXPECT_EQ(oracle().post(command, state(s), thread(command, a)).size(), 1U);
    std::vector<std::string> texts;
    for (const ThreadState other : oracle().passive(command, state(s), thread(command, a), 0, thread(place, p))) {
      texts.push_back(oracle().states().bits(other));
    }
    EXPECT_FALSE(oracle().stopped());
    return texts;
  }

  Env env;
  model::Commands commands;
  model::LiveLocals live;
  Predicates predicates;

 private:
  std::unique_ptr<Oracle> oracle_;
};

// The example of section 2 of the paper: s = l with the predicate s == l.  Of a passive thread p and the active a:
// a.b' holds; if both agreed with s they agree with it still, if one of them did they do not.
TEST(Oracle, TheBroadcastOfThePaper) {
  Scene scene("shared s = 0; local l = 0; 0: s = l; 1: assume s == l; 2: goto 0;");
  scene.track(scene.equal(scene.shared(0), scene.local(0)));
  EXPECT_EQ(scene.predicates[0].scope, Predicate::Scope::Mixed);
  EXPECT_THAT(scene.post(0, "", "0"), ElementsAre(" 1"));
  EXPECT_THAT(scene.post(0, "", "1"), ElementsAre(" 1"));
  EXPECT_THAT(scene.passive(0, "", "1", 0, "1"), ElementsAre("1"));
  EXPECT_THAT(scene.passive(0, "", "1", 0, "0"), ElementsAre("0"));
  EXPECT_THAT(scene.passive(0, "", "0", 0, "1"), ElementsAre("0"));
  EXPECT_THAT(scene.passive(0, "", "0", 0, "0"), UnorderedElementsAre("0", "1"));
}

// The other example: l = s with s == l and l == 4.  What the passive thread knows of s sharpens what the active one
// becomes, as a pair that is impossible.
TEST(Oracle, APassiveThreadKnowsMore) {
  Scene scene(
      "shared s = 0; local l = 0; 0: l = s; 1: assume l == s && l == 4; 2: goto 0, 3; 3: s = *; 4: assume l == s && l "
      "== 4;");
  scene.track(scene.equal(scene.shared(0), scene.local(0)));
  scene.track(scene.equal(scene.local(0), scene.number(4, scene.local(0))));
  EXPECT_THAT(scene.post(0, "", "--"), UnorderedElementsAre(" 10", " 11"));
  scene.oracle().reset(true);
  const auto successors = scene.oracle().post(0, scene.state(""), scene.thread(0, "--"));
  ASSERT_EQ(successors.size(), 2U);
  const ThreadState four = scene.thread(1, "11");
  std::vector<std::string> possible;
  for (std::uint32_t i = 0; i < successors.size(); ++i) {
    if (scene.oracle().passive(0, scene.state(""), scene.thread(0, "--"), i, four).empty()) continue;
    possible.push_back(scene.oracle().states().bits(successors[i].self));
  }
  EXPECT_THAT(possible, ElementsAre("11")) << "the passive thread has s == l == 4, so the active one reads 4";
}

TEST(Oracle, TheAssignedValueIsTheActiveThreads) {
  Scene scene("shared s = 0; local l = 0; local m = 0; 0: s = l + 1; 1: assume s <= l; 2: goto 0;");
  scene.track(scene.at_most(scene.shared(0), scene.local(0)));
  // l + 1 <= l only where the sum wraps around, which it does not below s; a passive thread may be on either side.
  EXPECT_THAT(scene.post(0, "", "0"), ElementsAre(" 0"));
  EXPECT_THAT(scene.post(0, "", "1"), UnorderedElementsAre(" 0", " 1"));
  const auto others = scene.oracle().passive(0, scene.state(""), scene.thread(0, "0"), 0, scene.thread(0, "0"));
  EXPECT_EQ(others.size(), 2U);
}

TEST(Oracle, NumbersWrapAround) {
  Scene scene("shared uint8 s = 0; 0: s = s + 1; 1: assume s == 0; 2: goto 0;");
  scene.track(scene.equal(scene.shared(0), scene.number(255, scene.shared(0))));
  scene.track(scene.equal(scene.shared(0), scene.number(0, scene.shared(0))));
  EXPECT_THAT(scene.post(0, "10", ""), ElementsAre("01 "));
  EXPECT_THAT(scene.post(0, "01", ""), ElementsAre("00 "));
  EXPECT_THAT(scene.post(0, "00", ""), UnorderedElementsAre("00 ", "10 ")) << "254 and others";
}

TEST(Oracle, GuardsAreMetExactly) {
  Scene scene("shared s = 0; local l = 0; 0: assume s == l; 1: assume s == l; 2: goto 0;");
  scene.track(scene.equal(scene.shared(0), scene.local(0)));
  EXPECT_THAT(scene.post(0, "", "0"), IsEmpty());
  EXPECT_THAT(scene.post(0, "", "1"), ElementsAre(" 1"));
}

TEST(Oracle, ChoicesAreFree) {
  Scene scene("shared bool s = false; 0: s = *; 1: assume s; 2: goto 0;");
  scene.track(scene.shared(0));
  EXPECT_THAT(scene.post(0, "0", ""), UnorderedElementsAre("0 ", "1 "));
}

// l is dead at 0 (it is overwritten) and live behind it; at 2 it comes back to life with a value that nobody tracked.
TEST(Oracle, APredicateThatComesToLifeMayHaveAnyValue) {
  Scene scene("shared s = 0; local l = 0; 0: l = *; 1: s = 1; 2: assume l != 5; 3: goto 0;");
  scene.track(scene.equal(scene.local(0), scene.number(5, scene.local(0))));
  EXPECT_THAT(scene.post(0, "", "-"), UnorderedElementsAre(" 0", " 1"));
  EXPECT_THAT(scene.post(1, "", "0"), ElementsAre(" 0"));
  EXPECT_THAT(scene.post(1, "", "-"), UnorderedElementsAre(" 0", " 1")) << "its value before the step is open";
  EXPECT_THAT(scene.post(2, "", "0"), ElementsAre(" -")) << "dead again";
}

TEST(Oracle, StartsFollowFromTheInitialValues) {
  Scene scene("shared s = 0; local l = *; local m = 2; 0: assume s == l && m == 2; 1: goto 0;");
  scene.track(scene.equal(scene.shared(0), scene.number(0, scene.shared(0))));
  scene.track(scene.equal(scene.shared(0), scene.local(0)));
  scene.track(scene.equal(scene.local(1), scene.number(2, scene.local(1))));
  const std::vector<Start>& starts = scene.oracle().starts();
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_EQ(scene.oracle().states().bits(starts[0].shared), "1");
  std::vector<std::string> threads;
  for (const ThreadState state : starts[0].groups.at(0)) threads.push_back(scene.oracle().states().bits(state));
  EXPECT_THAT(threads, UnorderedElementsAre("01", "11"));
}

TEST(Oracle, ThreadsThatStartTogetherAgreeOnSharedVariables) {
  Scene scene("shared s = *; local l = 0; local m = 1; 0: assume s == l && s == m; 1: goto 0;");
  scene.track(scene.equal(scene.shared(0), scene.local(0)));
  Oracle& oracle = scene.oracle();
  const std::vector<Start>& starts = oracle.starts();
  ASSERT_EQ(starts.size(), 1U);
  const ThreadState yes = scene.thread(0, "1");
  const ThreadState no = scene.thread(0, "0");
  EXPECT_TRUE(oracle.start_together(starts[0].shared, 0, yes, 0, yes));
  EXPECT_FALSE(oracle.start_together(starts[0].shared, 0, yes, 0, no)) << "both have l == 0";
}

TEST(Oracle, NewThreadsGetTheirPredicates) {
  Scene scene("shared s = 3;\nthread t { local l = 3; start t; assume s == l; s = *; }");
  scene.track(scene.equal(scene.shared(0), scene.local(0)));
  const auto& successors = scene.oracle().post(0, scene.state(""), scene.thread(0, "0"));
  ASSERT_EQ(successors.size(), 2U) << "s is 3, or it is not";
  for (const Successor& one : successors) {
    ASSERT_EQ(one.children.size(), 1U);
    EXPECT_EQ(scene.oracle().states().bits(one.self), "0");
  }
}

TEST(Oracle, TroubleIsSeen) {
  Scene scene("shared s = 1; shared t = 1; 0: t = 4 / s; 1: goto 0, 2; 2: s = *;");
  scene.track(scene.equal(scene.shared(0), scene.number(0, scene.shared(0))));
  EXPECT_TRUE(scene.oracle().troubled(0, scene.state("1"), scene.thread(0, "")));
  EXPECT_FALSE(scene.oracle().troubled(0, scene.state("0"), scene.thread(0, "")));
  EXPECT_FALSE(scene.oracle().troubled(1, scene.state("1"), scene.thread(1, "")));
  EXPECT_THAT(scene.post(0, "1", ""), IsEmpty());
}

TEST(Oracle, VariablesThatNobodyWritesKeepTheirValues) {
  Scene scene("shared s = 3; local l = 0; 0: l = s; 1: assume l == 3; 2: goto 0;");
  scene.track(scene.equal(scene.local(0), scene.number(3, scene.local(0))));
  EXPECT_THAT(scene.post(0, "", "-"), ElementsAre(" 1"));
  EXPECT_EQ(
      scene.oracle().redundant(scene.equal(scene.shared(0), scene.number(3, scene.shared(0))), model::TemplateId{0}),
      1);
}

TEST(Oracle, EquivalentPredicatesAreRedundant) {
  Scene scene("shared unsigned s = 0; local unsigned l = 0; 0: assume s == l; 1: goto 0, 2; 2: s = *;");
  const ExprId s = scene.shared(0);
  scene.track(scene.at_most(s, scene.local(0)));
  const model::TemplateId templ{0};
  EXPECT_EQ(scene.oracle().redundant(scene.at_most(scene.number(0, s), s), templ), 1);
  model::ExprPool& pool = scene.commands.exprs();
  EXPECT_EQ(scene.oracle().redundant(pool.binary(Op::Lt, scene.local(0), s, Type::boolean()), templ), 2)
      << "the negation of the tracked one";
  EXPECT_EQ(scene.oracle().redundant(scene.equal(s, scene.local(0)), templ), std::nullopt);
}

}  // namespace
}  // namespace cohort::abstraction
