// No certificate is accepted that is no proof: every kind damaged in every field, by property kind, by program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/contract.hpp"
#include "model/property.hpp"
#include "result/certificate.hpp"
#include "support/build.hpp"
#include "support/certificate_damage.hpp"
#include "support/random_program.hpp"

namespace cohort::test {
namespace {

using model::LocId;
using model::Program;
using model::PropertyKind;
using model::TemplateId;
using model::VarId;
using nlohmann::json;

constexpr std::uint32_t bound = 3;

// Threads, any number of them, that go from L0 over L1 to L2 and set a flag on their way; L3 is out of reach.
Program going() {
  Program program;
  const VarId flag = program.add_shared(bool_var("flag", {0}));
  model::Template templ = template_with("worker", 4);
  add_edge(templ, 0, 1, assign_action(to_shared(flag), program.exprs.truth()));
  add_edge(templ, 1, 2);
  const TemplateId id = program.add_template(templ);
  program.initial.push_back({.templ = id, .location = LocId(0), .count = std::nullopt});
  return program;
}

// Threads, any number of them, that take turns in L1: a flag is set on the way in and cleared on the way out.
Program mutual() {
  Program program;
  const VarId flag = program.add_shared(bool_var("flag", {0}));
  model::Template templ = template_with("worker", 2);
  const model::ExprId taken = program.exprs.shared(flag, model::Type::boolean());
  model::Action enter = assign_action(to_shared(flag), program.exprs.truth());
  enter.guard = program.exprs.negate(taken);
  add_edge(templ, 0, 1, enter);
  add_edge(templ, 1, 0, assign_action(to_shared(flag), program.exprs.falsity()));
  const TemplateId id = program.add_template(templ);
  program.initial.push_back({.templ = id, .location = LocId(0), .count = std::nullopt});
  program.add_property(
      {.kind = PropertyKind::Cover, .text = "two inside", .threads = {{id, LocId(1)}, {id, LocId(1)}}});
  return program;
}

// The same as going() with a property that is violated.
Program violated(PropertyKind kind) {
  Program program = going();
  const model::PropertyId property = program.add_property({.kind = kind, .text = "planted"});
  model::Template& templ = program.templates[0];
  model::Property& planted = program.properties[property.value];
  switch (kind) {
    case PropertyKind::Assertion:
    case PropertyKind::ErrorLabel:
    case PropertyKind::Cut: templ.locations[2].error = property; return program;
    case PropertyKind::Cover: planted.threads = {{TemplateId(0), LocId(2)}}; return program;
    case PropertyKind::Condition:
      planted.condition = program.exprs.shared(VarId(0), model::Type::boolean());
      return program;
    case PropertyKind::Fault: {
      const model::ExprId one = program.exprs.constant(1, model::Type::integer());
      const model::ExprId zero = program.exprs.constant(0, model::Type::integer());
      const model::ExprId quotient = program.exprs.binary(model::Op::Div, one, zero, model::Type::integer());
      add_edge(templ, 1, 2, guard_action(program.exprs.binary(model::Op::Eq, quotient, one, model::Type::boolean())));
      return program;
    }
    case PropertyKind::Deadlock: templ.locations[2].waits = true; return program;
  }
  COHORT_UNREACHABLE("every kind of property can be violated");
}

constexpr PropertyKind all_kinds[] = {PropertyKind::Assertion, PropertyKind::ErrorLabel, PropertyKind::Cover,
                                      PropertyKind::Condition, PropertyKind::Fault,      PropertyKind::Cut,
                                      PropertyKind::Deadlock};

TEST(CertificateOfAnotherProperty, IsNeverAccepted) {
  const std::vector<Certified> certificates = certificates_of(going(), bound);
  std::set<std::string> kinds;
  for (const Certified& certified : certificates) {
    kinds.insert(certified.certificate["kind"].get<std::string>());
    Env env;
    ASSERT_TRUE(result::check_certificate(env, going(), certified.bound, certified.certificate).valid);
    for (const PropertyKind kind : all_kinds) {
      const auto check = result::check_certificate(env, violated(kind), certified.bound, certified.certificate);
      EXPECT_FALSE(check.valid) << certified.certificate["kind"] << " for " << to_string(kind);
      EXPECT_NE(check.message, "") << "it says why";
    }
  }
  // Invariants of a few threads need a solver for each check: tests/engine/modular damages them.
  for (const std::string_view known : result::certificate_kinds()) {
    // Sets of named threads are for pointers between them: tests/engine/pointer damages them.
    if (known == "modular" || known == "marking-equation" || known == "named-set") continue;
    EXPECT_TRUE(kinds.contains(std::string(known))) << known;
  }
}

TEST(CertificateOfAnotherProperty, IsRefusedWhereTheCheckerDoesNotJudge) {
  for (const Certified& certified : certificates_of(going(), bound)) {
    Env env;
    const auto kind = certified.certificate["kind"].get<std::string>();
    const auto check =
        result::check_certificate(env, violated(PropertyKind::Deadlock), certified.bound, certified.certificate);
    const bool judges = kind == "counter-set" || kind == "symbolic-set";
    EXPECT_EQ(check.complete, judges) << kind;
    if (judges) continue;
    EXPECT_THAT(check.message, testing::HasSubstr("properties of the kind 'deadlock' are not judged")) << kind;
  }
}

// `x := 1; assert(!x);`, and a certificate whose only configuration adds a thread that stops all others.
TEST(OmegaCertificate, IsNotCoveredByAThreadInsideAnAtomicSection) {
  Program program;
  const VarId x = program.add_shared(bool_var("x", {0}));
  const auto property = program.add_property({.kind = PropertyKind::Assertion, .text = "assert(!x)"});
  model::Template templ = template_with("main", 4);
  templ.locations[2].error = property;
  add_edge(templ, 0, 1, assign_action(to_shared(x), program.exprs.truth()));
  add_edge(templ, 1, 2, guard_action(program.exprs.shared(x, model::Type::boolean())));
  program.add_template(templ);
  program.initial.push_back({.templ = TemplateId(0), .location = LocId(0)});
  const auto local = [](int location, bool atomic) {
    return json{{"template", 0}, {"location", location}, {"atomic", atomic}, {"values", json::array()}};
  };
  const json forged = {
      {"kind", "omega-set"},
      {"shared", {{0}}},
      {"locals", {local(0, false), local(3, true)}},
      {"configurations", {{{"shared", 0}, {"threads", {{0, 1}, {1, 1}}}}}},
  };
  Env env;
  const auto check = result::check_certificate(env, program, std::nullopt, forged);
  EXPECT_FALSE(check.valid);
  EXPECT_EQ(check.message, "an initial configuration is not covered by the set");
}

// A condition that faults is not known to be false.
TEST(OmegaCertificate, IsRefutedByAConditionThatFaults) {
  Program program = going();
  const model::ExprId one = program.exprs.constant(1, model::Type::integer());
  const model::ExprId zero = program.exprs.constant(0, model::Type::integer());
  const model::ExprId quotient = program.exprs.binary(model::Op::Div, one, zero, model::Type::integer());
  model::Property bad{.kind = PropertyKind::Condition, .text = "1 / 0 = 1"};
  bad.condition = program.exprs.binary(model::Op::Eq, quotient, one, model::Type::boolean());
  program.add_property(bad);
  for (const Certified& certified : certificates_of(going(), bound)) {
    Env env;
    EXPECT_FALSE(result::check_certificate(env, program, certified.bound, certified.certificate).valid)
        << certified.certificate["kind"];
  }
}

TEST(CounterCertificate, OfAHugeBoundIsNotLaidOut) {
  Program program = going();
  for (const Certified& certified : certificates_of(program, bound)) {
    if (!certified.bound) continue;
    json huge = certified.certificate;
    huge["threads"] = 4294967295U;
    Env env;
    const auto check = result::check_certificate(env, program, 4294967295U, huge);
    EXPECT_FALSE(check.valid);
    EXPECT_THAT(check.message, testing::HasSubstr("an initial state is missing from the set"));
  }
}

void expect_sound(const DamageTally& tally) {
  for (const std::string& problem : tally.wrong) ADD_FAILURE() << problem;
}

TEST(DamagedCertificate, IsRefusedOrStillAProof) {
  DamageTallies tallies;
  for (const Program& program : {going(), mutual()}) {
    for (const Certified& certified : certificates_of(program, bound)) {
      for_each_damage(certified.certificate,
                      [&](const json& damaged) { count_damage(program, certified, damaged, tallies); });
    }
  }
  const DamageTally tally = total(tallies);
  expect_sound(tally);
  EXPECT_GT(tally.damaged, 1000U);
  EXPECT_GT(tally.refuted, tally.damaged * 9 / 10)
      << tally.accepted << " accepted, " << tally.undecided << " undecided";
  for (const std::string_view kind : result::certificate_kinds()) {
    if (kind == "modular" || kind == "named-set") continue;  // in tests/engine/modular and tests/engine/pointer
    const DamageTally& own = tallies[std::string(kind)];
    EXPECT_GT(own.refuted, own.damaged / 2) << kind;
  }
}

// A judge that lets everything pass would show nothing: what stands for fewer states is seen without a checker.
TEST(Judge, FindsWhatIsNoProof) {
  std::set<std::string> kinds;
  for (const Certified& certified : certificates_of(mutual(), bound)) {
    const json& proof = certified.certificate;
    const auto kind = proof["kind"].get<std::string>();
    const auto problem = [&](const json& other) { return not_a_proof(mutual(), certified.bound, bound, other); };
    kinds.insert(kind);
    EXPECT_EQ(problem(proof), "") << kind;
    EXPECT_NE(not_a_proof(violated(PropertyKind::Cover), certified.bound, bound, proof), "") << kind;
    json moved = proof;
    for (json& local : moved["locals"]) local["location"] = 0;
    EXPECT_NE(problem(moved), "") << kind;
    if (kind != "marking-equation") continue;
    json trap = proof;
    trap["traps"].push_back({{"locals", json::array()}, {"controls", json::array()}});
    EXPECT_NE(problem(trap), "") << "an empty trap";
    // Each control state but that of the start weighs more, so that who leaves it gets heavier.
    for (std::size_t start = 0; start < proof["controls"].size(); ++start) {
      json heavier = proof;
      json weights = json::array();
      for (std::size_t i = 0; i < proof["controls"].size(); ++i) weights.push_back({i, i == start ? 0 : 7});
      heavier["weightings"].push_back({{"locals", json::array()}, {"controls", weights}, {"traps", json::array()}});
      kinds.insert(problem(heavier));
    }
  }
  EXPECT_TRUE(kinds.contains("marking-equation"));
  EXPECT_TRUE(kinds.contains("a reachable state weighs more than those at the start"));
  EXPECT_GE(kinds.size(), 6U);
}

// With every feature that a checker must know: atomic sections, faults, broadcasts, rendezvous, waiting.
RandomProgramOptions options_for(std::uint64_t seed) {
  RandomProgramOptions options;
  options.calls = false;
  options.max_locations = 4;
  options.any_number = seed % 2 == 0;
  options.cover = true;
  options.numbers = seed % 3 == 0;
  options.takes = options.moves = options.broadcasts = seed % 4 == 1;
  options.deadlock = seed % 5 == 0;
  return options;
}

TEST(DamagedCertificate, OfRandomProgramsIsRefusedOrStillAProof) {
  DamageTallies tallies;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const Program program = random_program(seed, options_for(seed));
    for (const Certified& certified : certificates_of(program, 2)) {
      if (certified.certificate.dump().size() > 4000) continue;
      for (std::uint64_t round = 0; round < 8; ++round) {
        count_damage(program, certified, damaged_at_random(certified.certificate, seed * 1000 + round), tallies);
      }
    }
  }
  const DamageTally tally = total(tallies);
  expect_sound(tally);
  EXPECT_GE(tallies.size(), 6U);
  EXPECT_GT(tally.refuted, 100U) << tally.accepted << " accepted, " << tally.undecided << " undecided";
}

// What proves one program safe must not prove another one that is not.
TEST(DamagedCertificate, NeverProvesAnUnsafeProgram) {
  std::size_t tried = 0;
  for (const Certified& certified : certificates_of(going(), bound)) {
    for (const PropertyKind kind : all_kinds) {
      const Program program = violated(kind);
      for (std::uint64_t round = 0; round < 25; ++round, ++tried) {
        const json damaged = damaged_at_random(certified.certificate, round);
        Env env;
        EXPECT_FALSE(result::check_certificate(env, program, certified.bound, damaged).valid)
            << to_string(kind) << ": " << damaged.dump();
      }
    }
  }
  EXPECT_GT(tried, 1000U);
}

// Where the bound is the question's, not the certificate's.
TEST(Question, OfAnyNumberIsNotAnsweredForAFewThreads) {
  for (const Certified& certified : certificates_of(going(), bound)) {
    Env env;
    const auto check = result::check_certificate(env, going(), std::nullopt, certified.certificate);
    EXPECT_EQ(check.valid, !certified.bound.has_value()) << certified.certificate["kind"] << ": " << check.message;
  }
}

TEST(Question, WithABoundIsAnsweredByAProofForAnyNumber) {
  for (const Certified& certified : certificates_of(going(), bound)) {
    Env env;
    EXPECT_TRUE(result::check_certificate(env, going(), bound, certified.certificate).valid)
        << certified.certificate["kind"];
    EXPECT_EQ(result::check_certificate(env, going(), 5, certified.certificate).valid, !certified.bound.has_value());
  }
}

TEST(CertificateCheck, StopsAtItsLimits) {
  for (const Certified& certified : certificates_of(going(), bound)) {
    Env env;
    env.limits.set_time_limit(0);
    const auto check = result::check_certificate(env, going(), certified.bound, certified.certificate);
    EXPECT_FALSE(check.valid);
    EXPECT_FALSE(check.complete);
    EXPECT_EQ(check.message, "time limit of 0 s reached");
  }
}

}  // namespace
}  // namespace cohort::test
