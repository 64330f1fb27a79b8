// Sets of states with named processes: the engine's are proofs, and nothing less is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/pointer/pointer_engine.hpp"
#include "frontend/red/red.hpp"
#include "oracle.hpp"
#include "pointer_example.hpp"
#include "random_pointer.hpp"
#include "result/certificate.hpp"
#include "support/example.hpp"

namespace cohort::engine::pointer {
namespace {

using nlohmann::json;
using result::CertificateCheck;
using result::Verdict;
using ::testing::HasSubstr;

model::Program load(const std::string& text) {
  return frontend::red::load(std::make_shared<SourceFile>("test.red", text));
}

// None: not safe.
std::optional<json> certify(const model::Program& program) {
  EngineOptions options;
  options.certificate = true;
  const Task task{program, model::fixed_thread_count(program), options};
  const PointerEngine engine;
  EXPECT_EQ(engine.refuses(task), std::nullopt);
  Env env;
  const result::Result result = engine.check(env, task);
  if (result.verdict != Verdict::Safe) return std::nullopt;
  EXPECT_NE(result.certificate, nullptr);
  return result.certificate->to_json(program);
}

CertificateCheck check(const model::Program& program, const json& certificate) {
  Env env;
  return result::check_certificate(env, program, std::nullopt, certificate);
}

TEST(NamedCertificate, ProvesTheExamples) {
  std::size_t proved = 0;
  for (const test::Example& example : test::pointer_examples()) {
    const std::uint32_t processes = std::max(2U, example.first_threads());
    const model::Program program = test::load_pointer(example.name(), processes);
    if (free_choices(program) > 100'000 || example.is_unsafe_with(processes)) continue;
    const auto certificate = certify(program);
    ASSERT_TRUE(certificate.has_value()) << example.name();
    if ((*certificate)["states"].size() > 20'000) continue;
    const CertificateCheck checked = check(program, *certificate);
    EXPECT_TRUE(checked.valid) << example.name() << ": " << checked.message;
    ++proved;
  }
  EXPECT_GE(proved, 8U);
}

TEST(NamedCertificate, HoldsWhatIsReachedAndNoStateCanBeMissed) {
  std::size_t proved = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const model::Program program = load(RandomAlgorithm(seed).text(2));
    const Oracle oracle = brute_force(program, 2000);
    if (!oracle.complete) continue;
    const auto certificate = certify(program);
    ASSERT_EQ(certificate.has_value(), !oracle.depth.has_value()) << seed;
    if (!certificate) continue;
    EXPECT_EQ((*certificate)["states"].size(), oracle.states.size()) << seed;
    EXPECT_TRUE(check(program, *certificate).valid) << seed;
    for (std::size_t i = 0; i < oracle.states.size() && i < 40; ++i) {
      json damaged = *certificate;
      damaged["states"].erase(i);
      const CertificateCheck refuted = check(program, damaged);
      EXPECT_FALSE(refuted.valid) << seed;
      EXPECT_THAT(refuted.message, HasSubstr("is missing from the set"));
    }
    ++proved;
  }
  EXPECT_GT(proved, 30U);
}

const char* const passing =
    "process count = 2;\n"
    "global pointer token; local pointer next;\n"
    "mode a true { when token == P may token = next; }\n"
    "initially token == 1 and next[1] == 2 and next[2] == 1;\n"
    "risk token == NULL;\n";

// What a checker reads is nobody's word: every number as another one.
TEST(NamedCertificate, IsRefutedWhateverNumberIsChanged) {
  const model::Program program = load(passing);
  const auto certificate = certify(program);
  ASSERT_TRUE(certificate.has_value());
  EXPECT_EQ(check(program, *certificate).message,
            "2 states with named threads hold every initial state, are closed under every step, and violate nothing");
  std::size_t damaged = 0;
  const json flat = certificate->flatten();
  for (const auto& [path, value] : flat.items()) {
    for (const json& other : {json(0), json(1), json(2), json(7), json(-1), json(1.5), json(true), json(), json("x")}) {
      if (other == value || path == "/kind") continue;
      json changed = *certificate;
      changed[json::json_pointer(path)] = other;
      const CertificateCheck checked = check(program, changed);
      EXPECT_FALSE(checked.valid) << path << " = " << other;
      EXPECT_NE(checked.message, "") << "it says why";
      ++damaged;
    }
  }
  EXPECT_GT(damaged, 100U);
  for (const char* member : {"shared", "locals", "states"}) {
    json without = *certificate;
    without.erase(member);
    EXPECT_FALSE(check(program, without).valid) << member;
  }
}

TEST(NamedCertificate, AnswersNoOtherQuestion) {
  const model::Program program = load(passing);
  const auto certificate = certify(program);
  ASSERT_TRUE(certificate.has_value());
  std::string text = passing;
  text.replace(text.find("risk token == NULL"), 18, "risk token == 2");
  EXPECT_EQ(check(load(text), *certificate).message, "a state of the set violates a property");
  model::Program open = program;
  open.initial[0].count.reset();
  EXPECT_THAT(check(open, *certificate).message, HasSubstr("asked is for any number"));
  model::Program waiting = program;
  waiting.add_property({.kind = model::PropertyKind::Deadlock, .text = "deadlock"});
  EXPECT_THAT(check(waiting, *certificate).message, HasSubstr("'deadlock' are not judged"));
  EXPECT_FALSE(check(waiting, *certificate).complete);
}

}  // namespace
}  // namespace cohort::engine::pointer
