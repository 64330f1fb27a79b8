// Commands as terms against the stepper: on random edges of several actions and random states, the models of the step
// are exactly its outcomes, and it goes wrong exactly where the stepper does.
#include "smt/command_terms.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "model/step.hpp"
#include "model/validate.hpp"
#include "smt/solver.hpp"
#include "support/build.hpp"

namespace cohort::smt {

using namespace model;
using namespace test;

namespace {

// Two shared numbers, a Boolean, a shared array; two local numbers and a local array; one edge from L0 to L1.
class RandomEdge {
 public:
  explicit RandomEdge(std::uint64_t seed) : random_(seed) {
    for (const char* name : {"x", "y"}) shared_.push_back(program.add_shared(var_of(name, number_type())));
    flag_ = program.add_shared(bool_var("f"));
    table_ = program.add_shared(var_of("t", Type::range(0, 2).array_of(2)));
    Template templ = template_with("T", 2);
    for (const char* name : {"a", "b"}) locals_.push_back(templ.add_local(var_of(name, number_type())));
    own_ = templ.add_local(var_of("o", Type::fixed(2, false).array_of(2)));
    program.add_template(templ);
    program.initial.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{0}), 1});
    program.faults = below(2) == 0 ? FaultPolicy::Violation : FaultPolicy::Drop;
    Edge edge;
    edge.target = LocId(std::size_t{1});
    const std::size_t actions = 1 + below(3);
    const std::size_t effective = below(actions);
    for (std::size_t i = 0; i < actions; ++i) edge.actions.push_back(action(i == effective));
    program.templates[0].edges.push_back(edge);
    validate(program);
  }

  Valuation values(const std::vector<Variable>& variables) {
    Valuation result;
    for (const Variable& variable : variables) {
      for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
        const Type type = variable.type.element();
        result.push_back(type.first() + static_cast<Value>(below(type.cardinality())));
      }
    }
    return result;
  }

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

  Program program;

 private:
  Type number_type() {
    switch (below(4)) {
      case 0: return Type::range(-1, 2);
      case 1: return Type::fixed(2, true);
      case 2: return Type::fixed(3, false);
      default: return Type::fixed(2, false);
    }
  }

  ExprId read(bool primed) {
    ExprPool& exprs = program.exprs;
    const std::size_t at = below(6);
    if (at < 2) return exprs.shared(shared_[at], program.shared[shared_[at].value].type, primed);
    if (at < 4) return exprs.local(locals_[at - 2], program.templates[0].local(locals_[at - 2]).type, primed);
    const ExprId index = number(0, false);
    if (at == 4) return exprs.element(Op::SharedVar, table_, program.shared[table_.value].type, index, primed);
    return exprs.element(Op::LocalVar, own_, program.templates[0].local(own_).type, index, primed);
  }

  ExprId number(unsigned depth, bool primed) {
    ExprPool& exprs = program.exprs;
    if (depth == 0) {
      switch (below(5)) {
        case 0: return exprs.constant(static_cast<Value>(below(3)), Type::fixed(8, true));
        case 1: return exprs.nondet(Type::range(0, 1));
        default: {
          const std::size_t at = below(2);
          return below(2) == 0 ? exprs.shared(shared_[at], program.shared[shared_[at].value].type, primed)
                               : exprs.local(locals_[at], program.templates[0].local(locals_[at]).type, primed);
        }
      }
    }
    switch (below(6)) {
      case 0: return exprs.binary(Op::Add, number(depth - 1, primed), number(depth - 1, primed), Type::fixed(8, true));
      case 1: return exprs.binary(Op::Sub, number(depth - 1, primed), number(depth - 1, primed), Type::fixed(3, true));
      case 2: return exprs.binary(Op::Div, number(depth - 1, primed), number(depth - 1, primed), Type::fixed(8, true));
      case 3: return exprs.ite(condition(depth - 1, primed), number(depth - 1, primed), number(depth - 1, primed));
      default: return read(primed);
    }
  }

  ExprId condition(unsigned depth, bool primed) {
    ExprPool& exprs = program.exprs;
    constexpr Op comparisons[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le};
    if (below(4) == 0) return exprs.shared(flag_, Type::boolean(), primed);
    const ExprId compared =
        exprs.binary(comparisons[below(4)], number(depth, primed), number(depth, primed), Type::boolean());
    return below(4) == 0 ? exprs.disj(compared, exprs.shared(flag_, Type::boolean())) : compared;
  }

  Assign assign() {
    Assign result;
    result.value = number(1 + static_cast<unsigned>(below(2)), false);
    switch (below(5)) {
      case 0: result.target = to_shared(shared_[below(2)]); break;
      case 1: result.target = to_local(locals_[below(2)]); break;
      case 2:
        result.target = to_shared(table_);
        result.target.index = number(0, false);
        break;
      case 3:
        result.target = to_local(own_);
        result.target.index = number(0, false);
        break;
      default: result = {to_shared(flag_), condition(1, false)};
    }
    return result;
  }

  Action action(bool effective) {
    Action result;
    if (below(2) == 0) result.guard = condition(1, false);
    const bool spawns = effective && below(4) == 0;
    for (std::size_t i = below(3); i > 0; --i) {
      const Assign one = assign();
      const auto same = [&](const Assign& other) {
        return other.target.kind == one.target.kind && other.target.var == one.target.var &&
               other.target.index == one.target.index;
      };
      const bool taken = std::any_of(result.assigns.begin(), result.assigns.end(), same);
      if (!taken && !(spawns && one.target.kind == LValue::Kind::Local)) result.assigns.push_back(one);
    }
    if (below(3) == 0) result.constraint.push_back(condition(0, true));
    if (spawns) {
      result.spawns.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{1}), true, {}});
      result.spawns[0].locals.push_back({to_local(locals_[0]), program.exprs.constant(1, Type::fixed(8, true))});
    }
    return result;
  }

  std::mt19937_64 random_;
  std::vector<VarId> shared_;
  std::vector<VarId> locals_;
  VarId flag_;
  VarId table_;
  VarId own_;
};

SymbolicValuation constants(Translator& translator, const std::vector<Variable>& variables, const Valuation& values) {
  SymbolicValuation result;
  for (const Variable& variable : variables) {
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
      result.push_back(translator.constant(values[variable.slot + i], variable.type.element()));
    }
  }
  return result;
}

// The values of a step's results in a model, and the term that says they are these.
std::pair<Valuation, Term> read_back(const Solver& solver, Translator& translator, const SymbolicValuation& values) {
  Context& context = translator.context();
  std::pair<Valuation, Term> result{{}, context.truth()};
  for (const Datum& datum : values) {
    Value value = 0;
    Term same;
    if (datum.is_boolean) {
      value = context.is_constant(datum.term) ? context.is_true(datum.term) : solver.boolean_value(datum.term);
      same = context.iff(datum.term, context.boolean(value != 0));
    } else {
      value = translator.numbers().value(solver, datum.number);
      same = translator.numbers().equal(datum.number, translator.numbers().constant(value));
    }
    result.first.push_back(value);
    result.second = context.conj(result.second, same);
  }
  return result;
}

class CommandTermsTest : public testing::TestWithParam<std::uint64_t> {};

TEST_P(CommandTermsTest, ModelsAreOutcomes) {
  for (std::uint64_t round = 0; round < 12; ++round) {
    RandomEdge edge(GetParam() * 1000 + round);
    const Program& program = edge.program;
    ASSERT_FALSE(Commands::refuses(program));
    const Commands commands(program);
    ASSERT_EQ(commands.from(PlaceId(std::size_t{0})).size(), 1U);
    const Command& command = commands.all()[commands.from(PlaceId(std::size_t{0}))[0]];
    Env env;
    Context context;
    Numbers numbers(context, Logic::Bits);
    Translator translator(commands.program(), context, numbers);
    CommandTerms terms(commands, translator);
    const Stepper stepper(program);
    for (int state = 0; state < 6; ++state) {
      const Valuation shared = edge.values(program.shared);
      const ThreadState thread{TemplateId(std::size_t{0}), LocId(std::size_t{0}), false,
                               edge.values(program.templates[0].locals)};
      using Result = std::vector<Valuation>;
      std::set<Result> expected;
      bool faults = false;
      for (const Outcome& outcome : stepper.outcomes({TemplateId(std::size_t{0}), 0}, shared, thread)) {
        faults = faults || outcome.fault.has_value();
        if (outcome.fault) continue;
        Result result{outcome.shared, outcome.thread.locals};
        for (const ThreadState& child : outcome.children) result.push_back(child.locals);
        expected.insert(result);
      }
      const ActiveStep step = terms.active(command, constants(translator, program.shared, shared),
                                           constants(translator, program.templates[0].locals, thread.locals));
      Solver solver(env, context, {});
      solver.add(step.constraint);
      if (program.faults == FaultPolicy::Violation) {
        EXPECT_EQ(solver.check(std::vector{step.trouble.fault}) == Answer::Satisfiable, faults) << GetParam() << round;
      }
      solver.add(step.enabled);
      std::set<Result> found;
      while (solver.check() == Answer::Satisfiable) {
        std::vector<SymbolicValuation> parts{step.shared, step.self};
        parts.insert(parts.end(), step.children.begin(), step.children.end());
        Result result;
        Term same = context.truth();
        for (const SymbolicValuation& part : parts) {
          const auto [values, equal] = read_back(solver, translator, part);
          result.push_back(values);
          same = context.conj(same, equal);
        }
        ASSERT_TRUE(found.insert(result).second);
        solver.add(context.negate(same));
      }
      EXPECT_EQ(found, expected) << "seed " << GetParam() << ", round " << round;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, CommandTermsTest, testing::Range<std::uint64_t>(0, 20));

TEST(CommandTermsTest, PassiveThreadsChangeAndBlock) {
  Program program;
  const Type type = Type::range(0, 3);
  const VarId x = program.add_shared(var_of("x", type, {0}));
  Template templ = template_with("T", 2);
  const VarId a = templ.add_local(var_of("a", type));
  ExprPool& exprs = program.exprs;
  Action first = assign_action(to_shared(x), exprs.constant(2, type));
  Action second;  // x is 2 by now; the passive a becomes x, and must have been at most the new own a
  second.assigns.push_back({to_local(a), exprs.constant(1, type)});
  second.assigns.push_back({to_passive(a), exprs.shared(x, type)});
  second.constraint.push_back(
      exprs.binary(Op::Le, exprs.passive(a, type), exprs.local(a, type, true), Type::boolean()));
  second.constraint.push_back(
      exprs.binary(Op::Ne, exprs.passive(a, type, true), exprs.local(a, type, true), Type::boolean()));
  add_edge(templ, 0, 1, first);
  templ.edges[0].actions.push_back(second);
  program.add_template(templ);
  program.initial.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{0}), std::nullopt});
  const Commands commands(program);
  const Command& command = commands.all()[0];
  ASSERT_TRUE(command.broadcasts);
  Context context;
  Numbers numbers(context, Logic::Bits);
  Translator translator(commands.program(), context, numbers);
  CommandTerms terms(commands, translator);
  const auto possible = [&](Value passive) {
    const SymbolicValuation shared{translator.constant(0, type)};
    const SymbolicValuation self{translator.constant(3, type)};
    return terms.passive(command, shared, self, {translator.constant(passive, type)});
  };
  EXPECT_TRUE(context.is_true(possible(1).possible));
  EXPECT_TRUE(context.is_false(possible(2).possible));
  EXPECT_EQ(possible(0).locals[0].number.lo, 2);
}

TEST(CommandTermsTest, AtomicSectionsArePartOfPlaces) {
  Program program;
  Template templ = template_with("T", 3);
  add_edge(templ, 0, 1, atomic_action(AtomicChange::Enter));
  add_edge(templ, 0, 1);
  add_edge(templ, 1, 2, atomic_action(AtomicChange::Exit));
  add_edge(templ, 2, 2, end_action());
  program.add_template(templ);
  program.initial.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{0}), 1});
  const Commands commands(program);
  EXPECT_EQ(commands.places().size(), 4U);  // L1 twice
  EXPECT_EQ(commands.all().size(), 5U);
  EXPECT_FALSE(commands.all().back().to.has_value());
}

}  // namespace

}  // namespace cohort::smt
