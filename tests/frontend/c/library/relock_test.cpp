#include "frontend/c/library/relock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "frontend/c/c.hpp"
#include "support/diagnostics.hpp"

namespace cohort::frontend::c::library {
namespace {

// How many calls in main are marked.
std::ptrdiff_t marked(const std::string& body, const Options& options = {}) {
  const std::string text =
      "#include <pthread.h>\n"
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER, a[3];\n"
      "void other(void) { pthread_mutex_unlock(&m); }\n"
      "int main(int argc, char **argv) {" +
      body + "}\n";
  const ir::Unit unit = read({test::text_file("test.c", text)}, options);
  const auto main = std::find_if(unit.functions.begin(), unit.functions.end(),
                                 [](const ir::Function& function) { return function.name == "main"; });
  return std::count_if(main->nodes.begin(), main->nodes.end(),
                       [](const ir::Node& node) { return node.kind == ir::Node::Kind::Unsupported; });
}

const std::string lock = "pthread_mutex_lock(&m);";
const std::string unlock = "pthread_mutex_unlock(&m);";

TEST(Relock, IsMarkedWhereTheMutexIsHeldOnEveryPath) {
  EXPECT_EQ(marked(lock + lock), 1);
  EXPECT_EQ(marked("if (argc) " + lock + "else " + lock + lock), 1);
  EXPECT_EQ(marked("pthread_mutex_lock(&a[1]); pthread_mutex_lock(&a[1]);"), 1);
  EXPECT_EQ(marked(lock + "pthread_mutex_lock(&n); pthread_mutex_unlock(&a[argc]);" + lock), 1);
}

TEST(Relock, IsNotMarkedWhereItMayBeFree) {
  EXPECT_EQ(marked(lock + unlock + lock), 0);
  EXPECT_EQ(marked("if (argc) " + lock + lock), 0);
  EXPECT_EQ(marked("while (argc) {" + lock + unlock + "}"), 0);
  EXPECT_EQ(marked(lock + "other();" + lock), 0);
  EXPECT_EQ(marked("pthread_mutex_lock(&a[1]); pthread_mutex_lock(&a[2]);"), 0);
  EXPECT_EQ(marked("pthread_mutex_lock(&a[1]); pthread_mutex_unlock(&a[argc]); pthread_mutex_lock(&a[1]);"), 0);
}

TEST(Relock, IsNotMarkedWhereItHasAMeaning) {
  EXPECT_EQ(marked(lock + lock, {.properties = {"deadlock"}}), 0);
  EXPECT_EQ(marked(lock + lock, {.properties = {"locks"}}), 0);
  const std::string recursive =
      "pthread_mutexattr_t t; pthread_mutexattr_init(&t); pthread_mutexattr_settype(&t, PTHREAD_MUTEX_RECURSIVE);";
  EXPECT_EQ(marked(recursive + "pthread_mutex_init(&m, &t);" + lock + lock), 0);
}

}  // namespace
}  // namespace cohort::frontend::c::library
