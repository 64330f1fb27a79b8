// The flat form of a small program is valid; damaged in any way that a stage could damage it, it is not.
#include "frontend/c/lower/validate.hpp"

#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/contract.hpp"
#include "frontend/c/c.hpp"
#include "frontend/c/lower/stages.hpp"

namespace cohort::frontend::c::lower {
namespace {

using testing::HasSubstr;

const std::string source = R"(
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
void *malloc(unsigned long);
void free(void *);
void assert(int);
int nondet_int(void);
int x = 3, *p, table[4];
void *work(void *a) { int mine = nondet_int(); if (mine > x) table[x] = mine; return a; }
int main() {
  pthread_t t;
  p = malloc(4);
  pthread_create(&t, 0, work, p);
  __VERIFIER_atomic_begin();
  *p = x + 1;
  __VERIFIER_atomic_end();
  free(p);
  assert(*p != x);
})";

class Validate : public testing::Test {
 protected:
  Validate() {
    pipeline_.run("inline");
    EXPECT_EQ(find_damage(flat()), std::nullopt);
  }

  Flat& flat() { return pipeline_.flat; }

  Node& node(Node::Kind kind) {
    for (Body& body : flat().bodies) {
      for (Node& candidate : body.nodes) {
        if (candidate.kind == kind) return candidate;
      }
    }
    COHORT_UNREACHABLE("the program has such a node");
  }

  TermId term(ir::Op op) {
    for (std::size_t i = 0; i < flat().terms.size(); ++i) {
      if (flat().terms[i].op == op) return TermId(i);
    }
    COHORT_UNREACHABLE("the program has such a term");
  }

  void expect_damage(const std::string& what, Facts facts = no_facts) {
    EXPECT_THAT(find_damage(flat(), facts).value_or("none"), HasSubstr(what));
    EXPECT_THROW(validate(flat(), facts, "test"), InternalError);
  }

  ir::Unit unit_ = read({std::make_shared<const SourceFile>("test.c", source)}, {});
  const std::set<InstId> none_;
  Pipeline pipeline_{unit_, {}, none_};
};

TEST_F(Validate, SuccessorsThatAreMissing) {
  node(Node::Kind::Branch).next.pop_back();
  expect_damage("successors of its kind");
}

TEST_F(Validate, SuccessorsOfAnEnd) {
  node(Node::Kind::EndProcess).next = {NodeId(0)};
  expect_damage("successors of its kind");
}

TEST_F(Validate, SuccessorsThatAreNotThere) {
  node(Node::Kind::Assign).next = {NodeId(1'000'000)};
  expect_damage("what follows a node is not there");
}

TEST_F(Validate, EntriesThatAreNotThere) {
  flat().bodies[1].entry = NodeId(1'000'000);
  expect_damage("first node is not there");
}

TEST_F(Validate, TwoMains) {
  flat().bodies[1].is_main = true;
  expect_damage("not one main");
}

TEST_F(Validate, NodesWithoutTheirParts) {
  node(Node::Kind::Branch).has_term = false;
  expect_damage("needs one");
}

TEST_F(Validate, NodesWithPartsOfOthers) {
  node(Node::Kind::AtomicEnd).has_access = true;
  expect_damage("needs not");
}

TEST_F(Validate, TermsThatAreNotThere) {
  node(Node::Kind::Assign).term = TermId(flat().terms.size());
  expect_damage("term is not there");
}

TEST_F(Validate, PlacesThatAreNotThere) {
  node(Node::Kind::Assign).access = AccessId(flat().accesses.size());
  expect_damage("place is not there");
}

TEST_F(Validate, OperatorsWithoutOperands) {
  flat().terms[term(ir::Op::Add).value].args.pop_back();
  expect_damage("operands of its operator");
}

TEST_F(Validate, TermsThatAreCycles) {
  const TermId sum = term(ir::Op::Add);
  flat().terms[sum.value].args[0] = sum;
  expect_damage("not older");
}

TEST_F(Validate, ConstantsOutOfRange) {
  flat().terms.push_back({.op = ir::Op::Const, .type = flat().bool_type(), .value = 2});
  expect_damage("no value of its type");
}

TEST_F(Validate, ChoicesOutOfOrder) {
  flat().terms[term(ir::Op::Nondet).value].choices = {3, 1};
  expect_damage("not sorted");
}

TEST_F(Validate, LoadsOfAnotherSize) {
  flat().terms[term(ir::Op::Load).value].type = flat().bool_type();
  expect_damage("another size");
}

TEST_F(Validate, AccessesToNothing) {
  flat().accesses.push_back({.inst = InstId(flat().insts.size()), .type = flat().int_type()});
  expect_damage("object is not there");
}

TEST_F(Validate, RecordsThatAreAssignedWhole) {
  const AccessId place = node(Node::Kind::Assign).access;
  const ir::TypeId character = unit_.add_type({.kind = ir::Type::Kind::Int, .width = 8});
  flat().accesses[place.value].type = unit_.add_type({.kind = ir::Type::Kind::Array, .target = character, .count = 4});
  EXPECT_NE(find_damage(flat()), std::nullopt);
}

TEST_F(Validate, ObjectsOfOtherThreads) {
  InstId own{};
  for (std::size_t i = 0; i < flat().insts.size(); ++i) {
    if (flat().insts[i].name == "mine") own = InstId(i);
  }
  Body& main = flat().bodies.front();
  ASSERT_TRUE(main.is_main);
  ASSERT_NE(flat().inst(own).body, BodyId(0));
  for (Node& candidate : main.nodes) {
    if (candidate.kind == Node::Kind::Assign) candidate.access = flat().whole(own);
  }
  expect_damage("an object of another thread is named");
}

TEST_F(Validate, ObjectsOfBodiesThatAreNotThere) {
  flat().insts.push_back(
      {.name = "lost", .type = flat().int_type(), .kind = Inst::Kind::Automatic, .body = BodyId(99)});
  expect_damage("body whose threads have it");
}

TEST_F(Validate, PoolsThatAreNoArrays) {
  flat().insts.push_back({.name = "pool", .type = flat().int_type(), .kind = Inst::Kind::Heap, .is_pool = true});
  expect_damage("a pool is an array");
}

TEST_F(Validate, InitialValuesOutsideOfTheirObject) {
  flat().initial.resize(flat().insts.size());
  flat().initial[0][1'000'000] = flat().constant(0, flat().int_type());
  expect_damage("outside of the object");
}

TEST_F(Validate, InitialValuesThatAreNotConstant) {
  flat().initial.resize(flat().insts.size());
  flat().initial[0][0] = term(ir::Op::Nondet);
  expect_damage("not constant");
}

TEST_F(Validate, CutsWithoutAReason) {
  Node& end = node(Node::Kind::EndProcess);
  end.kind = Node::Kind::Cut;
  expect_damage("has no name");
}

TEST_F(Validate, WaitsThatEndByChance) {
  node(Node::Kind::AtomicEnd).by_chance = true;
  expect_damage("only waits");
}

// What a stage has brought about stays.
TEST_F(Validate, FactsAreKept) {
  expect_damage("an allocation is left", bit(Fact::NoAllocations));
  node(Node::Kind::Spawn).has_access = true;
  expect_damage("has no number", bit(Fact::ThreadsNumbered));
}

}  // namespace
}  // namespace cohort::frontend::c::lower
