// Proofs by the marking equation: what they find, that their certificates hold, and that damaged ones do not.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/unbounded/marking_equation.hpp"
#include "engine/unbounded/marking_equation_engine.hpp"
#include "frontend/spec/spec.hpp"
#include "frontend/tts/tts.hpp"
#include "support/diagnostics.hpp"
#include "support/unbounded.hpp"

namespace cohort::engine::unbounded {
namespace {

using nlohmann::json;

model::Program spec(const std::string& text) {
  return frontend::spec::load(test::text_file("a.spec", text), {});
}

result::Result answer_of(const model::Program& program) {
  EngineOptions options;
  options.certificate = true;
  Env env;
  return MarkingEquationEngine().check(env, {program, std::nullopt, options});
}

std::string refutation(const model::Program& program, const json& certificate) {
  Env env;
  const auto check = result::check_certificate(env, program, std::nullopt, certificate);
  return check.valid ? "valid" : check.message;
}

// Two processes and one lock; the weight of `free` and of both critical sections is one together.
constexpr const char* mutex =
    "vars a1 c1 a2 c2 free\nrules\na1>=1, free>=1 -> a1'=a1-1, c1'=c1+1, free'=free-1;\n"
    "c1>=1 -> c1'=c1-1, a1'=a1+1, free'=free+1;\na2>=1, free>=1 -> a2'=a2-1, c2'=c2+1, free'=free-1;\n"
    "c2>=1 -> c2'=c2-1, a2'=a2+1, free'=free+1;\ninit a1>=1, c1=0, a2>=1, c2=0, free=1\ntarget c1>=1, c2>=1\n";

TEST(MarkingEquation, ProvesMutualExclusionByWeights) {
  const model::Program program = spec(mutex);
  const result::Result answer = answer_of(program);
  ASSERT_EQ(answer.verdict, result::Verdict::Safe);
  const json certificate = answer.certificate->to_json(program);
  EXPECT_EQ(certificate["kind"], "marking-equation");
  EXPECT_EQ(certificate["weightings"].size(), 1u);
  EXPECT_EQ(refutation(program, certificate), "valid");
}

TEST(MarkingEquation, DoesNotProveWhatDoesNotHold) {
  const model::Program program = spec(std::string(mutex).replace(std::string(mutex).find("free=1"), 6, "free=2"));
  EXPECT_EQ(answer_of(program).verdict, result::Verdict::Unknown);
}

TEST(MarkingEquation, TakesTransfersAndResets) {
  // All of a and b move to c together, which is looked at by nobody else.
  const char* transfer =
      "vars a b c bad\nrules\na>=1 -> a'=a-1, b'=b+1;\nb>=1 -> c'=c+a+b, a'=0, b'=0;\nc>=3 -> c'=c-3, bad'=bad+1;\n"
      "init a=2, b=0, c=0, bad=0\ntarget bad>=1\n";
  const model::Program program = spec(transfer);
  const result::Result answer = answer_of(program);
  ASSERT_EQ(answer.verdict, result::Verdict::Safe);
  EXPECT_EQ(refutation(program, answer.certificate->to_json(program)), "valid");
}

// One token becomes two b or two d.  Half of each would be one b and one d, so only whole numbers of firings exclude
// it.
constexpr const char* halves =
    "vars a b d\nrules\na>=1 -> a'=a-1, b'=b+2;\na>=1 -> a'=a-1, d'=d+2;\ninit a=1, b=0, d=0\ntarget b>=1, d>=1\n";

TEST(MarkingEquation, DistinguishesCasesOfWholeNumbers) {
  const model::Program program = spec(halves);
  const result::Result answer = answer_of(program);
  ASSERT_EQ(answer.verdict, result::Verdict::Safe);
  const json certificate = answer.certificate->to_json(program);
  EXPECT_EQ(certificate["kind"], "marking-equation");
  ASSERT_EQ(certificate["cases"].size(), 1u);
  EXPECT_EQ(refutation(program, certificate), "valid");
}

TEST(MarkingEquation, CasesProveNothingThatDoesNotHold) {
  const model::Program program = spec(std::string(halves).replace(std::string(halves).find("a=1"), 3, "a=2"));
  EXPECT_EQ(answer_of(program).verdict, result::Verdict::Unknown);
}

// Every number in the cases matters, or its change makes a weaker claim that still holds: what is accepted must prove.
TEST(MarkingEquation, DamagedCasesAreRefuted) {
  const model::Program program = spec(halves);
  const json certificate = answer_of(program).certificate->to_json(program);
  const model::Program unsafe = spec(std::string(halves).replace(std::string(halves).find("a=1"), 3, "a=2"));
  EXPECT_NE(refutation(unsafe, certificate), "valid");
  int refuted = 0;
  const std::function<void(json&, const json&)> damage = [&](json& here, const json& root) {
    if (here.is_structured()) {
      for (json& inner : here) damage(inner, root);
      return;
    }
    if (!here.is_number_integer()) return;
    const auto value = here.get<std::int64_t>();
    for (const std::int64_t change : {1, -1, 7}) {
      here = value + change;
      EXPECT_NE(refutation(unsafe, root), "valid");
      refuted += refutation(program, root) != "valid" ? 1 : 0;
    }
    here = value;
  };
  json copy = certificate;
  damage(copy["cases"], copy);
  EXPECT_GT(refuted, 20);
  json short_of_one = certificate;
  short_of_one["cases"][0]["cases"].erase(1);
  EXPECT_NE(refutation(program, short_of_one), "valid");
  json without_factor = certificate;
  without_factor["cases"][0]["cases"][0].contains("factors")
      ? without_factor["cases"][0]["cases"][0]["factors"].clear()
      : without_factor["cases"][0]["cases"][1]["factors"].clear();
  EXPECT_NE(refutation(program, without_factor), "valid");
}

// Each of these changes makes the certificate claim something that is not so.
TEST(MarkingEquation, DamagedWeightsAreRefuted) {
  const model::Program program = spec(mutex);
  const json certificate = answer_of(program).certificate->to_json(program);
  const json& weights = certificate["weightings"][0]["locals"];
  ASSERT_GE(weights.size(), 3u);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    json heavier = certificate;
    heavier["weightings"][0]["locals"][i][1] = weights[i][1].get<int>() + 1;
    EXPECT_NE(refutation(program, heavier), "valid") << i;
    json missing = certificate;
    missing["weightings"][0]["locals"].erase(i);
    EXPECT_NE(refutation(program, missing), "valid") << i;
  }
  const auto with = [&](const json& weight) {
    json changed = certificate;
    changed["weightings"][0]["locals"][0][1] = weight;
    return refutation(program, changed);
  };
  EXPECT_THAT(with(-1), testing::HasSubstr("a weight: expected a number that is not negative"));
  EXPECT_THAT(with(0.5), testing::HasSubstr("a weight: expected a number"));
  EXPECT_THAT(with(std::uint64_t{1} << 63U), testing::HasSubstr("is more than"));
  json none = certificate;
  none["weightings"] = json::array();
  EXPECT_EQ(refutation(program, none), "a violation is not bad");
}

TEST(MarkingEquation, UsesTraps) {
  const char* trap =
      "vars p q r bad\nrules\np>=1 -> p'=p-1, q'=q+1;\nq>=1 -> q'=q-1, p'=p+1;\np>=1, q>=1 -> p'=p-1, r'=r+1;\n"
      "r>=1 -> r'=r-1, p'=p+1;\ninit p=1, q=0, r=0, bad=0\ntarget r>=1\n";
  const model::Program program = spec(trap);
  const result::Result answer = answer_of(program);
  ASSERT_EQ(answer.verdict, result::Verdict::Safe);
  const json certificate = answer.certificate->to_json(program);
  EXPECT_EQ(refutation(program, certificate), "valid");
  ASSERT_GE(certificate["traps"].size(), 1u);
  json smaller = certificate;
  smaller["traps"][0]["locals"].erase(0);
  EXPECT_NE(refutation(program, smaller), "valid");
  json light = certificate;
  light["weightings"][0]["traps"][0][1] = certificate["weightings"][0]["traps"][0][1].get<int>() + 1;
  EXPECT_EQ(refutation(program, light), "a member of a trap weighs less than the trap counts");
}

TEST(MarkingEquation, CertificatesOfRandomSystemsHoldAndAreRefutedForOthers) {
  int proved = 0;
  int refuted = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    const auto load = [&](std::uint64_t number) {
      return frontend::tts::load(test::text_file("a.tts", test::random_tts(number, 3, 4, 6, seed % 2 == 1)),
                                 {.init = "0|0,0", .target = "2|3,3", .property = {}});
    };
    const model::Program program = load(seed);
    const result::Result answer = answer_of(program);
    if (answer.verdict != result::Verdict::Safe) continue;
    const json certificate = answer.certificate->to_json(program);
    if (certificate["kind"] != "marking-equation") continue;
    ++proved;
    ASSERT_EQ(refutation(program, certificate), "valid") << "seed " << seed;
    // For a system that is not safe the certificate cannot hold.
    const model::Program other = load(seed + 2);
    Env env;
    const result::Result truth = find_engine("backward")->check(env, {other, std::nullopt, {}});
    if (truth.verdict != result::Verdict::Unsafe) continue;
    ++refuted;
    EXPECT_NE(refutation(other, certificate), "valid") << "seed " << seed;
  }
  EXPECT_GT(proved, 20);
  EXPECT_GT(refuted, 2);
}

TEST(WholeProportions, AreTheSmallestWholeNumbers) {
  EXPECT_EQ(whole_proportions({0.5, 0, 0.25}), (std::vector<Weight>{2, 0, 1}));
  EXPECT_EQ(whole_proportions({1.0 / 3, 0.5}), (std::vector<Weight>{2, 3}));
  EXPECT_EQ(whole_proportions({7.0, 7.0}), (std::vector<Weight>{1, 1}));
  EXPECT_EQ(whole_proportions({0, 0}), std::nullopt);
  EXPECT_EQ(whole_proportions({1, 3.14159265358979, 2.71828182845904}), std::nullopt) << "no small denominator";
}

}  // namespace
}  // namespace cohort::engine::unbounded
