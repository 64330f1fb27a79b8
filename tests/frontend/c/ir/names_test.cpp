// What names mean to the front end, and that the models use them so.
#include "frontend/c/ir/names.hpp"

#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "frontend/c/library/library.hpp"

namespace cohort::frontend::c::ir {
namespace {

std::set<std::string> words(const std::regex& pattern) {
  std::string text;
  for (const library::File& file : library::embedded_files()) text += file.text;
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) found.insert((*it)[1]);
  return found;
}

TEST(Names, EveryIntrinsicOfTheModelsIsKnown) {
  const std::set<std::string> used = words(std::regex(R"((__cohort_\w+)\()"));
  EXPECT_GE(used.size(), 20U);
  for (const std::string& name : used) {
    EXPECT_TRUE(intrinsic_named(name).has_value() || gives_any_value(name)) << name;
  }
}

TEST(Names, ModelsSpeakOfKindsThatThereAre) {
  const std::set<std::string> used = words(std::regex(R"re(__cohort_violation\("(\w*)")re"));
  EXPECT_GE(used.size(), 3U);
  for (const std::string& word : used) {
    ASSERT_TRUE(wrong_named(word).has_value()) << word;
    EXPECT_EQ(to_string(*wrong_named(word)), word);
  }
  EXPECT_EQ(wrong_named(""), std::nullopt);
}

TEST(Names, ModelsThatLoweringCallsExist) {
  const std::string text = library::source({});
  for (const std::string_view name :
       {destroy_values_model, run_handlers_model, argument_count_model, command_line_model}) {
    EXPECT_NE(text.find(std::string(name) + "("), std::string::npos) << name;
    EXPECT_TRUE(is_of_models(name));
  }
}

TEST(Names, InputFunctionsOfHeadersAreTheSame) {
  EXPECT_EQ(first_input("scanf"), 1U);
  EXPECT_EQ(first_input("__isoc99_scanf"), 1U);
  EXPECT_EQ(first_input("__isoc99_sscanf"), 2U);
  EXPECT_EQ(first_input("fscanf"), 2U);
  EXPECT_EQ(first_input("__isoc"), 0U);
  EXPECT_EQ(first_input("vscanf"), 0U);
}

TEST(Names, VerificationTools) {
  EXPECT_TRUE(is_error_call("reach_error"));
  EXPECT_TRUE(states_assertion("reach_error"));
  EXPECT_TRUE(states_assertion("__VERIFIER_assert"));
  EXPECT_FALSE(states_assertion("assertion"));
  EXPECT_TRUE(is_atomic_by_name("__VERIFIER_atomic_inc"));
  EXPECT_FALSE(is_atomic_by_name("atomic_inc"));
  EXPECT_TRUE(gives_any_value("nondet_int"));
  EXPECT_FALSE(gives_any_value("my_nondet"));
}

TEST(Names, FunctionsOfTheLibrary) {
  EXPECT_EQ(memory_call("memmove"), MemoryCall::Move);
  EXPECT_EQ(memory_call("memcmp"), std::nullopt);
  EXPECT_FALSE(synchronises("memcmp"));
  EXPECT_FALSE(synchronises("pthread_mutexattr_settype"));
  EXPECT_TRUE(synchronises("pthread_mutex_lock"));
  EXPECT_TRUE(initialises_lock("mtx_init"));
  EXPECT_FALSE(initialises_lock("pthread_mutexattr_init"));
  EXPECT_TRUE(has_other_effects("pthread_anything"));
  EXPECT_TRUE(has_other_effects("setjmp"));
  EXPECT_FALSE(has_other_effects("setter"));
}

}  // namespace
}  // namespace cohort::frontend::c::ir
