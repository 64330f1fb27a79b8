// What goes wrong when images are computed naively: each fault, planted into the oracle or the rules of views, makes a
// wrong program look safe.  The programs are all found to be wrong without the fault.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "abstraction/oracle.hpp"
#include "engine/cegar/views.hpp"
#include "frontend/scpl/scpl.hpp"
#include "support/diagnostics.hpp"

namespace cohort::engine::cegar {
namespace {

using abstraction::Bits;
using abstraction::Oracle;
using abstraction::Predicate;
using abstraction::SharedState;
using abstraction::Successor;
using abstraction::ThreadState;
using abstraction::unknown_bit;

enum class Fault {
  None,
  MixedAsLocal,        // a mixed predicate changes for the thread that steps alone
  MixedAsShared,       // it has one value for all threads
  PassiveLocals,       // what is assigned is taken over the locals of the thread that only watches
  FirstPassiveOnly,    // of several values after a step of another thread one is taken
  FirstSuccessorOnly,  // of several results of a step one is taken
  StartNotNotified,    // threads that have not moved yet do not see the steps of others
  NewlyLiveIsFalse,    // a predicate that comes to life is false
  NoThirdThread,       // a thread outside of the view never steps
};

class FaultyOracle : public Oracle {
 public:
  FaultyOracle(Env& env, model::Commands& commands, const abstraction::Predicates& predicates, Fault fault)
      : Oracle(env, commands, predicates), predicates_(predicates), fault_(fault) {}

  const std::vector<Successor>& post(std::uint32_t command, SharedState shared, ThreadState self) override {
    successors_ = Oracle::post(command, shared, self);
    if (fault_ == Fault::FirstSuccessorOnly && successors_.size() > 1) {
      const auto smaller = [&](const Successor& one, const Successor& other) {
        return states().bits(one.self) < states().bits(other.self);
      };
      successors_ = {*std::min_element(successors_.begin(), successors_.end(), smaller)};
    }
    if (fault_ == Fault::NewlyLiveIsFalse) {
      std::erase_if(successors_, [&](const Successor& one) { return wakes_as_true(self, one.self); });
    }
    return successors_;
  }

  const std::vector<ThreadState>& passive(std::uint32_t command, SharedState shared, ThreadState self,
                                          std::uint32_t step, ThreadState other) override {
    others_ = Oracle::passive(command, shared, self, step, other);
    const bool at_start = states().place(other) == model::PlaceId{0};
    if (fault_ == Fault::MixedAsLocal || (fault_ == Fault::StartNotNotified && at_start)) others_ = {other};
    if (fault_ == Fault::FirstPassiveOnly && others_.size() > 1) {
      const auto smaller = [&](ThreadState one, ThreadState two) { return states().bits(one) < states().bits(two); };
      others_ = {*std::min_element(others_.begin(), others_.end(), smaller)};
    }
    if (fault_ == Fault::MixedAsShared) others_ = {copy_of(Oracle::post(command, shared, self)[step].self, other)};
    if (fault_ == Fault::PassiveLocals && commands().all()[command].writes_shared()) {
      const ThreadState moved = states().thread(states().place(self), states().bits(other));
      others_.clear();
      for (const Successor& one : Oracle::post(command, shared, moved)) others_.push_back(copy_of(one.self, other));
    }
    return others_;
  }

 private:
  bool wakes_as_true(ThreadState before, ThreadState after) {
    const Bits& old = states().bits(before);
    const Bits& now = states().bits(after);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (old[i] == unknown_bit && now[i] == '1') return true;
    }
    return false;
  }

  // The other thread with the mixed predicates of the active one.
  ThreadState copy_of(ThreadState active, ThreadState other) {
    Bits bits = states().bits(other);
    const auto& predicates = predicates_.of(model::TemplateId{0});
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const bool known = bits[i] != unknown_bit && states().bits(active)[i] != unknown_bit;
      if (known && predicates_[predicates[i]].scope == Predicate::Scope::Mixed) bits[i] = states().bits(active)[i];
    }
    return states().thread(states().place(other), bits);
  }

  const abstraction::Predicates& predicates_;
  Fault fault_;
  std::vector<Successor> successors_;
  std::vector<ThreadState> others_;
};

class FaultyViews : public Views {
 public:
  FaultyViews(Env& env, Oracle& oracle, const Layout& layout, Fault fault)
      : Views(env, oracle, layout), fault_(fault) {}

 protected:
  void step_outsider(ContextId context, ThreadState active, ThreadState first, ThreadState second) override {
    if (fault_ != Fault::NoThirdThread) Views::step_outsider(context, active, first, second);
  }

 private:
  Fault fault_;
};

// The predicates are the conditions of statements labelled p0, p1, ... in code that nobody reaches.
Views::Outcome run(const std::string& text, Fault fault) {
  const model::Program program = frontend::scpl::load(test::text_file("t.scpl", text));
  Env env;
  model::Commands commands(program);
  const model::LiveLocals live(program);
  abstraction::Predicates predicates(commands, live);
  const model::Template& templ = program.templates[0];
  for (const model::Edge& edge : templ.edges) {
    const std::string& label = templ.locations[edge.source.value].label;
    if (label.size() == 2 && label[0] == 'p') predicates.add(*edge.actions[0].guard, model::TemplateId{0});
  }
  EXPECT_FALSE(predicates.all().empty());
  FaultyOracle oracle(env, commands, predicates, fault);
  const Layout layout(commands);
  return FaultyViews(env, oracle, layout, fault).run();
}

// The two programs of section 2 of the paper.
const char* const section2_local =
    "shared s = 0; local l = 1;\n1: assert s != l; 2: s = s + 1; goto end; p0: assume s == l; end: skip;";
const char* const section2_shared =
    "shared s = 0; shared bool t = false; local l = 0;\n"
    "if (*) { if (t) { assert s != l; } } l = s + 1; t = true; assume l != 7; goto end; p0: assume s == l; p1: assume "
    "t; end: skip;";
const char* const choice = "local x = 0;\nx = *; assert x != 2; goto end; p0: assume x == 2; end: skip;";
const char* const lost_update =
    "shared v = 0; local l = 0;\nl = v; v = l + 1; assert v == l + 1; goto end; p0: assume v == l + 1; end: skip;";
const char* const third_thread =
    "shared f = 0, s = 0; local l = 0;\ngoto first, second, third;\n"
    "first: when (f == 0) f = 1; l = s; when (f == 3 && s != l) f = 4; goto end;\n"
    "second: when (f == 1) f = 2; l = s; assume f == 4; assert s == l; goto end;\n"
    "third: when (f == 2) s, f = s + 1, 3; goto end;\n"
    "p0: assume f == 0; p1: assume f == 1; p2: assume f == 2; p3: assume f == 3; p4: assume f == 4; p5: assume s == "
    "l;\n"
    "end: skip;";

struct Case {
  const char* name;
  const char* text;
  Fault fault;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

class PlantedFaults : public testing::TestWithParam<Case> {};

TEST_P(PlantedFaults, MakeAWrongProgramLookSafe) {
  EXPECT_EQ(static_cast<int>(run(GetParam().text, Fault::None)), static_cast<int>(Views::Outcome::Error));
  EXPECT_EQ(static_cast<int>(run(GetParam().text, GetParam().fault)), static_cast<int>(Views::Outcome::Safe));
}

const Case cases[] = {
    {"MixedAsLocal", section2_local, Fault::MixedAsLocal},
    {"MixedAsShared", section2_shared, Fault::MixedAsShared},
    {"PassiveLocals", lost_update, Fault::PassiveLocals},
    {"FirstPassiveOnly", section2_local, Fault::FirstPassiveOnly},
    {"StartNotNotified", section2_local, Fault::StartNotNotified},
    {"FirstSuccessorOnly", choice, Fault::FirstSuccessorOnly},
    {"NewlyLiveIsFalse", choice, Fault::NewlyLiveIsFalse},
    {"NoThirdThread", third_thread, Fault::NoThirdThread},
};

INSTANTIATE_TEST_SUITE_P(All, PlantedFaults, testing::ValuesIn(cases),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace cohort::engine::cegar
