// Certificates of the backward search and of the symbolic construction: accepted as they are, refuted when damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/unbounded/certify.hpp"
#include "engine/unbounded/karp_miller_engine.hpp"
#include "frontend/spec/spec.hpp"
#include "frontend/tts/tts.hpp"
#include "support/build.hpp"
#include "support/diagnostics.hpp"
#include "support/random_program.hpp"
#include "support/unbounded.hpp"

namespace cohort::engine::unbounded {
namespace {

using nlohmann::json;
using testing::HasSubstr;

model::Program tts(const std::string& text, const std::string& init, const std::string& target) {
  return frontend::tts::load(test::text_file("a.tts", text), {.init = init, .target = target, .property = {}});
}

// Null where the program is not safe.
json certificate_of(const Engine& engine, const model::Program& program, bool symbolic = false) {
  EngineOptions options;
  options.certificate = true;
  if (symbolic) options.karp_miller.variant = KarpMillerVariant::Symbolic;
  const Task task{program, std::nullopt, options};
  Env env;
  if (engine.refuses(task)) return nullptr;
  const result::Result answer = engine.check(env, task);
  return answer.verdict == result::Verdict::Safe ? answer.certificate->to_json(program) : json(nullptr);
}

// Of a search backwards without the help of invariants; null where the program is not safe.
json plain_certificate_of(const model::Program& program) {
  Env env;
  CounterSystem system(program);
  const Possible possible(env, system);
  const Net net(system, possible);
  Backward search(env, net);
  if (search.run() != Backward::Outcome::Unreachable) return nullptr;
  return certify(net, nullptr, &search)->to_json(program);
}

std::string refutation(const model::Program& program, const json& certificate) {
  Env env;
  const auto check = result::check_certificate(env, program, std::nullopt, certificate);
  return check.valid ? "valid" : check.message;
}

// A lock whose holder tells all others, to no effect; no thread is ever in local state 3.
constexpr const char* lock = "2 4\n0 0 -> 1 1\n1 1 -> 0 0\n1 1 -> 1 2 0 ~> 0\n1 2 -> 0 0\n";

TEST(UpwardCertificate, IsRefutedForAnotherProgram) {
  const json certificate = plain_certificate_of(tts(lock, "0/0", "1|1,1"));
  ASSERT_EQ(certificate["kind"], "upward-set");
  EXPECT_EQ(refutation(tts(lock, "0/0", "1|1,1"), certificate), "valid");
  EXPECT_EQ(refutation(tts(lock, "0/0", "1|1"), certificate), "a violation is not bad");
  EXPECT_EQ(refutation(tts(lock, "1|1,1", "0|2,2"), certificate), "an initial configuration is bad");
  EXPECT_EQ(refutation(tts(lock, "0|3", "1|1,1"), certificate), "a local state that can be reached is not listed");
  EXPECT_EQ(refutation(tts(std::string(lock) + "1 0 -> 1 1\n", "0/0", "1|1,1"), certificate),
            "a step leads from what is not bad to what is");
  EXPECT_EQ(refutation(tts(std::string(lock) + "1 1 -> 1 1 0 ~> 1\n", "0/0", "1|1,1"), certificate),
            "a step leads from what is not bad to what is")
      << "a broadcast that moves waiting threads";
  EXPECT_EQ(refutation(tts(std::string(lock) + "1 1 -> 0 3\n", "0/0", "1|1,1"), certificate),
            "a local state that can be reached is not listed");
}

// What a search backwards from the violations computes is the least set there is: nothing can be left out.
TEST(UpwardCertificate, IsRefutedWithoutAnyOfItsParts) {
  int damaged = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const bool broadcasts = seed % 2 == 1;
    const model::Program program =
        tts(test::random_tts(seed, 2, 4, 6, broadcasts), seed % 3 == 0 ? "0|0,1" : "0/0", "1|3,3");
    json certificate;
    try {
      certificate = plain_certificate_of(program);
    } catch (const InputError&) {
      continue;  // a broadcast can block
    }
    if (certificate.is_null()) continue;
    ASSERT_EQ(refutation(program, certificate), "valid") << "seed " << seed;
    for (std::size_t control = 0; control < certificate["controls"].size(); ++control) {
      const auto without = [&](const char* list, std::size_t i) {
        json fewer = certificate;
        fewer["controls"][control][list].erase(i);
        EXPECT_NE(refutation(program, fewer), "valid") << "seed " << seed << " without " << list << " " << i;
        ++damaged;
      };
      const json& entry = certificate["controls"][control];
      for (std::size_t i = 0; i < entry["bad"].size(); ++i) {
        without("bad", i);
        if (entry["bad"][i].empty()) continue;
        json larger = certificate;
        larger["controls"][control]["bad"][i][0][1] = entry["bad"][i][0][1].get<int>() + 1;
        EXPECT_NE(refutation(program, larger), "valid") << "seed " << seed;
      }
      for (std::size_t i = 0; i < entry["possible"].size(); ++i) without("possible", i);
    }
  }
  EXPECT_GT(damaged, 300);
}

TEST(UpwardCertificate, KnowsTheOneThreadOfANet) {
  const std::string text =
      "vars a b c\nrules\na>=1 -> a'=a-1, b'=b+1;\nb>=2 -> b'=b-2, c'=c+1;\ninit a=1, b=0, c=0\ntarget c>=1\n";
  const model::Program program = frontend::spec::load(test::text_file("a.spec", text), {});
  json certificate = plain_certificate_of(program);
  ASSERT_FALSE(certificate.is_null());
  EXPECT_EQ(refutation(program, certificate), "valid");
  certificate["unique"] = {0, 1, 2};
  EXPECT_EQ(refutation(program, certificate), "a template of which there can be several threads is called unique");
}

// Any number of threads of T set the flag of the one thread of U, which goes wrong when it sees that: what is said of U
// holds only for as long as nobody else moves.
TEST(UpwardCertificate, CallsNoTemplateUniqueWhoseThreadOthersChange) {
  for (const bool changes : {false, true}) {
    model::Program program;
    model::Template lone = test::template_with("U", 2);
    const model::VarId flag = lone.add_local(test::bool_var("flag", {0}));
    test::add_edge(lone, 0, 1, test::guard_action(program.exprs.local(flag, model::Type::boolean())));
    lone.locations[1].error = program.add_property({.text = "assertion", .span = {}, .condition = {}});
    const model::TemplateId owner = program.add_template(lone);
    model::Template crowd = test::template_with("T", 1);
    const model::ExprId value = changes ? program.exprs.truth() : program.exprs.falsity();
    test::add_edge(crowd, 0, 0, test::assign_action(test::to_passive(flag, owner), value));
    const model::TemplateId others = program.add_template(crowd);
    program.initial.push_back({owner, model::LocId(std::size_t{0}), 1});
    program.initial.push_back({others, model::LocId(std::size_t{0}), std::nullopt});
    json certificate{{"kind", "upward-set"}, {"unique", {0}}, {"shared", {json::array()}}};
    certificate["locals"] = {{{"template", 0}, {"location", 0}, {"atomic", false}, {"values", {0}}},
                             {{"template", 1}, {"location", 0}, {"atomic", false}, {"values", json::array()}}};
    certificate["controls"] = {{{"shared", 0}, {"threads", {0}}, {"possible", {1}}, {"bad", json::array()}}};
    EXPECT_EQ(refutation(program, certificate), "a template whose thread others change is called unique") << changes;
    // Counted like all others, it is followed through the broadcast.
    certificate["unique"] = json::array();
    certificate["controls"] = {
        {{"shared", 0}, {"threads", json::array()}, {"possible", {0, 1}}, {"bad", json::array()}}};
    EXPECT_EQ(refutation(program, certificate) == "valid", !changes);
  }
}

TEST(UpwardCertificate, IsRefutedWhereItMakesNoSense) {
  const model::Program program = tts(lock, "0/0", "1|1,1");
  const json certificate = plain_certificate_of(program);
  json twice = certificate;
  twice["controls"].push_back(twice["controls"][0]);
  EXPECT_EQ(refutation(program, twice), "a control state is listed twice");
  json unknown = certificate;
  unknown["controls"][0]["possible"].push_back(99);
  EXPECT_THAT(refutation(program, unknown), HasSubstr("the certificate names what it does not list"));
  json shapeless = certificate;
  shapeless.erase("controls");
  EXPECT_THAT(refutation(program, shapeless), HasSubstr("not a certificate of kind 'upward-set'"));
  json misfit = certificate;
  misfit["locals"][0]["location"] = 77;
  EXPECT_EQ(refutation(program, misfit), "a local state does not fit the program");
}

// Damages one number or set after the other; a label may cover what another one did, so not every damage is fatal.
TEST(SymbolicOmegaCertificate, IsAcceptedAsItIsAndRefutedWhenDamaged) {
  test::RandomProgramOptions options;
  options.calls = false;
  options.any_number = true;
  options.cover = true;
  options.max_shared = 2;
  options.max_locals = 2;
  options.max_locations = 5;
  int certified = 0;
  int refuted = 0;
  int damaged = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const model::Program program = test::random_program(seed, options);
    const json certificate = certificate_of(KarpMillerEngine(), program, true);
    if (certificate.is_null()) continue;
    ASSERT_EQ(certificate["kind"], "symbolic-omega-set");
    ASSERT_EQ(refutation(program, certificate), "valid") << "seed " << seed;
    ++certified;
    const auto try_damage = [&](const json& copy) {
      ++damaged;
      refuted += refutation(program, copy) == "valid" ? 0 : 1;
    };
    for (std::size_t i = 0; i < certificate["labels"].size(); ++i) {
      json fewer = certificate;
      fewer["labels"].erase(i);
      try_damage(fewer);
      for (std::size_t cell = 0; cell < certificate["labels"][i]["threads"].size(); ++cell) {
        json smaller = certificate;
        json& count = smaller["labels"][i]["threads"][cell][1];
        count = count.is_string() ? 2 : count.get<int>() - 1;
        try_damage(smaller);
      }
    }
  }
  EXPECT_GT(certified, 30);
  EXPECT_GT(damaged, 100);
  EXPECT_GT(refuted, damaged * 9 / 10);
}

TEST(SymbolicOmegaCertificate, IsRefutedForAnotherProgram) {
  test::RandomProgramOptions options;
  options.calls = false;
  options.max_shared = 2;
  options.max_locals = 1;
  options.any_number = true;
  int unsafe = 0;
  for (std::uint64_t seed = 0; seed < 300 && unsafe < 20; ++seed) {
    model::Program program = test::random_program(seed, options);
    if (certificate_of(KarpMillerEngine(), program, true).is_null()) continue;
    // The same program with every location that its certificate occupies made an error.
    const json certificate = certificate_of(KarpMillerEngine(), program, true);
    const model::PropertyId error =
        program.add_property({.kind = model::Property::Kind::ErrorLabel, .text = "planted"});
    for (const json& set : certificate["locals"]) {
      model::Program planted = program;
      planted.templates[set["template"].get<std::size_t>()].locations[set["location"].get<std::size_t>()].error = error;
      EXPECT_EQ(refutation(planted, certificate), "a label is at an error") << "seed " << seed;
      ++unsafe;
    }
  }
  EXPECT_GE(unsafe, 20);
}

TEST(SymbolicOmegaCertificate, IsRefutedWhereItMakesNoSense) {
  test::RandomProgramOptions options;
  options.calls = false;
  options.any_number = true;
  for (std::uint64_t seed = 0;; ++seed) {
    ASSERT_LT(seed, 300u);
    const model::Program program = test::random_program(seed, options);
    const json certificate = certificate_of(KarpMillerEngine(), program, true);
    if (certificate.is_null() || certificate["labels"].empty() || program.shared.empty()) continue;
    json narrow = certificate;
    narrow["shared"][0][0] = "";
    EXPECT_EQ(refutation(program, narrow), "a cube does not fit the program");
    json unknown = certificate;
    unknown["labels"][0]["shared"] = 999;
    EXPECT_THAT(refutation(program, unknown), HasSubstr("the certificate names what it does not list"));
    json shapeless = certificate;
    shapeless.erase("labels");
    EXPECT_THAT(refutation(program, shapeless), HasSubstr("not a certificate of kind 'symbolic-omega-set'"));
    return;
  }
}

}  // namespace
}  // namespace cohort::engine::unbounded
