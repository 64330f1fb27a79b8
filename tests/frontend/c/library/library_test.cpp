#include "frontend/c/library/library.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace cohort::frontend::c::library {
namespace {

TEST(CLibrary, EmbedsEveryFile) {
  EXPECT_GE(embedded_files().size(), 8U);
  for (const File& file : embedded_files()) {
    EXPECT_TRUE(file.text.starts_with("// ")) << file.name << " opens with a comment that says what it is";
    EXPECT_TRUE(file.text.ends_with("\n")) << file.name;
  }
}

TEST(CLibrary, SourceIsOneUnitThatIncludesNothing) {
  const std::string text = source({});
  EXPECT_EQ(text.find("#include"), std::string::npos);
  EXPECT_NE(text.find("#define COHORT_OWNERS 0"), std::string::npos);
  EXPECT_NE(text.find("#line 1 \"pthread_mutex.c\""), std::string::npos);
  EXPECT_EQ(text.find("READ_ONCE"), std::string::npos) << "the names of Linux are there on request only";
}

TEST(CLibrary, CheckingLocksAsksForOwners) {
  const std::string text = source({.check_locks = true});
  EXPECT_NE(text.find("#define COHORT_OWNERS 1"), std::string::npos);
  EXPECT_NE(text.find("#define COHORT_CHECK_LOCKS 1"), std::string::npos);
}

TEST(CLibrary, LinesKeepTheirNumbers) {
  const File& file = *std::find_if(embedded_files().begin(), embedded_files().end(),
                                   [](const File& candidate) { return candidate.name == "verifiers.c"; });
  const std::string text = source({});
  const std::string marker = "#line 1 \"verifiers.c\"\n";
  const std::string part = text.substr(text.find(marker) + marker.size());
  std::istringstream original{std::string(file.text)};
  std::istringstream embedded(part);
  std::string left;
  std::string right;
  while (std::getline(original, left) && std::getline(embedded, right)) {
    if (!left.starts_with("#include")) {
      EXPECT_EQ(left, right);
    }
  }
}

ir::Unit unit_with_call(const std::string& callee, std::int64_t argument) {
  ir::Unit unit;
  unit.functions.push_back({.name = callee});
  unit.exprs.push_back({.op = ir::Op::Const, .value = 0});
  unit.exprs.push_back({.op = ir::Op::Const, .value = argument});
  ir::Function caller{.name = "main"};
  caller.nodes.push_back(
      {.kind = ir::Node::Kind::Call, .callee = ir::FunctionId(0), .args = {ir::ExprId(0), ir::ExprId(1)}});
  unit.functions.push_back(caller);
  return unit;
}

TEST(CLibrary, OwnersAreNeededForRecursiveMutexesOnly) {
  EXPECT_FALSE(needs_owners(unit_with_call("pthread_mutex_init", 0)));
  EXPECT_TRUE(needs_owners(unit_with_call("pthread_mutexattr_settype", 1)));
  EXPECT_FALSE(needs_owners(unit_with_call("mtx_init", 0)));
  EXPECT_TRUE(needs_owners(unit_with_call("mtx_init", 1)));
}

TEST(CLibrary, OwnersAreNeededForInitialisersOfOtherKinds) {
  ir::Unit unit;
  unit.records.push_back({.name = "cohort_pthread_mutex_t", .is_library = true, .fields = {{"kind", ir::TypeId(0)}}});
  unit.types.push_back({.kind = ir::Type::Kind::Int, .width = 32, .is_signed = true});
  unit.types.push_back({.kind = ir::Type::Kind::Record, .record = ir::RecordId(0)});
  unit.types.push_back({.kind = ir::Type::Kind::Array, .target = ir::TypeId(1), .count = 2});
  unit.exprs.push_back({.op = ir::Op::Const, .value = 0});
  unit.exprs.push_back({.op = ir::Op::Const, .value = 2});
  unit.objects.push_back({.name = "locks", .type = ir::TypeId(2)});
  unit.objects[0].initial = {{.path = {0, 0}, .value = ir::ExprId(0)}};
  EXPECT_FALSE(needs_owners(unit));
  unit.objects[0].initial.push_back({.path = {1, 0}, .value = ir::ExprId(1)});
  EXPECT_TRUE(needs_owners(unit));
}

}  // namespace
}  // namespace cohort::frontend::c::library
