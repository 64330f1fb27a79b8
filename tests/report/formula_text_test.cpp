#include "report/formula_text.hpp"

#include <gtest/gtest.h>

namespace cohort::report {
namespace {

using Texts = std::vector<std::string>;

std::optional<std::string> name(std::string_view symbol) {
  if (symbol == "g0") return "x";
  if (symbol == "g1") return "y";
  return symbol == "t0.0" ? std::optional<std::string>("mine") : std::nullopt;
}

TEST(FormulaText, ConjunctsAreWrittenAsInC) {
  EXPECT_EQ(conjuncts_text("(and true (bvsle #x0000000000000000 g0) (not (= g0 t0.0)))", name),
            (Texts{"0 <= x", "x != mine"}));
  EXPECT_EQ(conjuncts_text("(bvsle ((_ sign_extend 4) g0) (bvadd ((_ sign_extend 4) g1) #xfffffffffffffffff))", name),
            Texts{"x <= y - 1"});
  EXPECT_EQ(conjuncts_text("(or (= g0 (_ bv1 64)) (and (= g0 (_ bv2 64)) (bvslt g1 g0)))", name),
            Texts{"x == 1 || x == 2 && y < x"});
  EXPECT_EQ(conjuncts_text("(=> (= g0 (_ bv1 64)) (= g1 (_ bv18446744073709551615 64)))", name),
            Texts{"x == 1 implies y == -1"});
  EXPECT_EQ(conjuncts_text("(not (bvslt g0 g1))", name), Texts{"x >= y"});
  EXPECT_EQ(conjuncts_text("(= (bvmul g0 (bvadd g1 (_ bv1 64))) (_ bv4 64))", name), Texts{"x * (y + 1) == 4"});
}

TEST(FormulaText, WhatHasNoNameIsLeftOut) {
  EXPECT_EQ(conjuncts_text("(and (= g0 g7) (= g0 g1))", name), Texts{"x == y"});
  EXPECT_EQ(conjuncts_text("(and true)", name), Texts{});
  EXPECT_EQ(conjuncts_text("true", name), Texts{});
  EXPECT_EQ(conjuncts_text("(and (strange g0 g1))", name), Texts{});
  EXPECT_EQ(conjuncts_text("", name), Texts{});
  EXPECT_EQ(conjuncts_text("(and (= g0", name), Texts{});
}

}  // namespace
}  // namespace cohort::report
