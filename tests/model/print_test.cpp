#include "model/print.hpp"

#include <gtest/gtest.h>

#include "support/build.hpp"

namespace cohort::model {
namespace {

using namespace cohort::test;

class PrintExpr : public testing::Test {
 protected:
  PrintExpr() {
    program_.add_shared(bool_var("s"));
    program_.add_shared(var_of("v", Type::fixed(8, true).array_of(4)));
    Template templ = template_with("main", 2);
    templ.add_local(bool_var("x"));
    templ.add_local(var_of("n", Type::range(0, 3)));
    program_.add_template(std::move(templ));
  }

  std::string text(ExprId id) const { return to_string(program_, &program_.templates[0], id); }
  ExprPool& exprs() { return program_.exprs; }
  ExprId x(bool primed = false) { return exprs().local(VarId(0), Type::boolean(), primed); }
  ExprId s() { return exprs().shared(VarId(0), Type::boolean()); }
  ExprId n() { return exprs().local(VarId(1), Type::range(0, 3)); }
  ExprId number(Value value) { return exprs().constant(value, Type::integer()); }
  ExprId binary(Op op, ExprId left, ExprId right, Type type) { return exprs().binary(op, left, right, type); }

  Program program_;
};

TEST_F(PrintExpr, PutsBracketsOnlyWhereNeeded) {
  const Type b = Type::boolean();
  const Type i = Type::integer();
  EXPECT_EQ(text(exprs().conj(exprs().disj(x(), s()), exprs().negate(s()))), "(x || s) && !s");
  EXPECT_EQ(text(exprs().disj(exprs().conj(x(), s()), exprs().negate(exprs().conj(x(), s())))), "x && s || !(x && s)");
  EXPECT_EQ(text(binary(Op::Implies, x(), binary(Op::Implies, s(), x(), b), b)), "x => s => x");
  EXPECT_EQ(text(binary(Op::Implies, binary(Op::Implies, s(), x(), b), x(), b)), "(s => x) => x");
  EXPECT_EQ(text(binary(Op::Sub, n(), binary(Op::Sub, n(), number(-1), i), i)), "n - (n - (-1))");
  EXPECT_EQ(text(binary(Op::Sub, binary(Op::Sub, n(), number(1), i), n(), i)), "n - 1 - n");
  EXPECT_EQ(text(binary(Op::Mul, binary(Op::Add, n(), number(1), i), n(), i)), "(n + 1) * n");
  EXPECT_EQ(text(exprs().negate(binary(Op::Le, n(), number(2), b))), "!(n <= 2)");
  EXPECT_EQ(text(exprs().conj(exprs().ite(x(), s(), exprs().truth()), x())), "(x ? s : true) && x");
}

TEST_F(PrintExpr, NamesVariablesAndThreads) {
  EXPECT_EQ(text(x(true)), "'x");
  EXPECT_EQ(text(exprs().passive(VarId(0), Type::boolean())), "x$");
  EXPECT_EQ(text(exprs().passive(VarId(0), Type::boolean(), true)), "'x$");
  EXPECT_EQ(text(exprs().element(Op::SharedVar, VarId(1), program_.shared[1].type, n())), "v[n]");
  EXPECT_EQ(text(exprs().nondet(Type::boolean())), "*");
  EXPECT_EQ(text(exprs().constant(0, Type::thread_ref())), "NULL");
  EXPECT_EQ(text(exprs().remote(exprs().self(), TemplateId(0), VarId(1), Type::range(0, 3))), "self->n");
  const ExprId at = exprs().at_location(exprs().bound_thread(0), TemplateId(0), LocId(1));
  EXPECT_EQ(text(exprs().quantified(Op::ForallThread, exprs().negate(at))), "(forall t0: !at(t0, main 1))");
  EXPECT_EQ(text(exprs().unary(Op::Cast, x(), Type::fixed(8, false))), "u8(x)");
}

TEST(PrintProgram, IsReadableAndStable) {
  Program program;
  program.name = "sample";
  const VarId s = program.add_shared(bool_var("s", {0}));
  program.add_shared(var_of("v", Type::range(1, 3).array_of(2)));
  ExprPool& exprs = program.exprs;
  Property cover;
  cover.kind = Property::Kind::Cover;
  cover.condition = exprs.shared(s, Type::boolean());
  cover.threads = {{TemplateId(0), LocId(1)}, {TemplateId(0), LocId(1)}};
  program.add_property({.kind = Property::Kind::Assertion, .text = "s", .span = {}, .condition = {}, .threads = {}});
  program.add_property(cover);

  Template main = template_with("main", 4);
  const VarId x = main.add_local(bool_var("x"));
  main.locations[3] = {.label = "", .span = {}, .error = PropertyId(0)};
  Action first = assign_action(to_local(x), exprs.nondet(Type::boolean()));
  first.guard = exprs.shared(s, Type::boolean());
  first.assigns.push_back({to_passive(x), exprs.falsity()});
  first.constraint = {exprs.local(x, Type::boolean(), true)};
  add_edge(main, 0, 1, first);
  add_edge(main, 1, 2, call_action(1, {exprs.local(x, Type::boolean())}, {to_shared(s), std::nullopt}));
  Action create = spawn_action(0, 0, true);
  create.spawns[0].locals.push_back({to_local(x), exprs.shared(s, Type::boolean())});
  create.takes.push_back({TemplateId(0), LocId(1), std::nullopt});
  create.moves.push_back({TemplateId(0), LocId(1), LocId(2)});
  add_edge(main, 2, 3, create);
  main.edges[2].actions.push_back(atomic_action(AtomicChange::Enter));
  add_edge(main, 2, 2);
  add_edge(main, 2, 2, end_action());
  program.add_template(main);
  Template proc = template_with("proc", 1);
  proc.add_local(bool_var("p", {1}));
  proc.params = {VarId(0)};
  proc.result_count = 2;
  add_edge(proc, 0, 0, return_action({exprs.truth(), exprs.falsity()}));
  program.add_template(proc);
  program.initial.push_back({TemplateId(0), LocId(0), std::nullopt});
  program.initial.push_back({TemplateId(0), LocId(1), 2});

  EXPECT_EQ(to_string(program),
            "program sample\n"
            "shared s: bool = 0\n"
            "shared v: 1..3[2]\n"
            "initially any number of main 0:L0\n"
            "initially 2 main 1:L1\n"
            "property 0: assertion s\n"
            "property 1: never cover s, main 1:L1, main 1:L1\n"
            "template main() entry 0:L0\n"
            "  local x: bool\n"
            "  error 3 property 0\n"
            "  0:L0 -> 1:L1: [s] x, x$ := *, false constrain 'x\n"
            "  1:L1 -> 2:L2: call s, _ := proc(x)\n"
            "  2:L2 -> 3: take main 1:L1 -> end move main 1:L1 -> 2:L2 spawn main 0:L0 copy with x := s; atomic_begin\n"
            "  2:L2 -> 2:L2: skip\n"
            "  2:L2 -> 2:L2: end_thread\n"
            "template proc(p) results 2 entry 0:L0\n"
            "  local p: bool = 1\n"
            "  0:L0 -> 0:L0: return true, false\n");
}

}  // namespace
}  // namespace cohort::model
