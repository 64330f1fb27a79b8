// Certificates of random programs are accepted, and damaged ones are not: a view that is forgotten, a fact that is too
// strong, another program, text that is no formula.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/modular/certify.hpp"
#include "model/passes/inline.hpp"
#include "result/certificate.hpp"
#include "support/build.hpp"
#include "support/certificate_damage.hpp"
#include "support/random_program.hpp"

namespace cohort::engine::modular {

using namespace model;
using namespace test;
using nlohmann::json;

namespace {

std::optional<json> certificate_of(const Program& program, const lemma::ViewOptions& views, bool more = false) {
  Env env;
  const Commands commands(program);
  lemma::Houdini houdini(env, commands, {.views = views, .grammar = {.implications = more, .sums = more}});
  const lemma::HoudiniResult found = houdini.run();
  if (found.outcome != lemma::HoudiniResult::Outcome::Proved) return std::nullopt;
  return certify(houdini.alphabet(), {}, found.invariant)->to_json(program);
}

result::CertificateCheck check(const Program& program, const json& certificate) {
  Env env;
  return result::check_certificate(env, program, std::nullopt, certificate);
}

struct Figures {
  std::size_t accepted = 0;
  std::size_t refused = 0;
};

Figures check_random(RandomProgramOptions options, std::uint64_t first, std::uint64_t count) {
  options.max_shared = 2;
  options.max_locals = 1;
  options.max_locations = 4;
  options.calls = false;
  Figures figures;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Program program = random_program(seed, options);
    if (Commands::refuses(program) || lemma::unseen_property(program)) continue;
    const auto proof =
        certificate_of(program, {1U + static_cast<std::uint32_t>(seed % 2), seed % 4 >= 2}, seed % 3 == 0);
    if (!proof) continue;
    const auto checked = check(program, *proof);
    EXPECT_TRUE(checked.valid) << "seed " << seed << ": " << checked.message;
    ++figures.accepted;
    // Views are needed, but for those that nothing leads to, since Houdini reaches no others.
    json fewer = *proof;
    fewer["views"].erase(seed % fewer["views"].size());
    EXPECT_FALSE(check(program, fewer).valid) << "seed " << seed << ": a view is forgotten";
    json stronger = *proof;
    stronger["views"][seed % stronger["views"].size()]["invariant"] = "false";
    EXPECT_FALSE(check(program, stronger).valid) << "seed " << seed << ": a view is taken for unreachable";
    ++figures.refused;
  }
  return figures;
}

TEST(ModularCertificate, OfRandomProgramsWithNumbers) {
  RandomProgramOptions options;
  options.numbers = true;
  options.any_number = true;
  EXPECT_GT(check_random(options, 1, 16).accepted, 2U);
}

TEST(ModularCertificate, OfRandomProgramsWithBroadcastsAndTakes) {
  RandomProgramOptions options;
  options.takes = true;
  options.broadcasts = true;
  options.moves = true;
  options.mixed = true;
  options.cover = true;
  options.any_number = true;
  EXPECT_GT(check_random(options, 50, 24).accepted, 2U);
}

// l = v; then v = l + 1 if v is still l; then assert(v > l): with a limit below which v stays, or without.
Program counter(bool limited) {
  const Type number = Type::fixed(32, false);
  Program program;
  const VarId v = program.add_shared(var_of("v", number, {0}));
  Template templ = template_with("T", 4);
  const VarId l = templ.add_local(var_of("l", number, {0}));
  ExprPool& exprs = program.exprs;
  const ExprId shared = exprs.shared(v, number);
  const ExprId local = exprs.local(l, number);
  Action read = assign_action(to_local(l), shared);
  if (limited) read.guard = exprs.binary(Op::Lt, shared, exprs.constant(7, number), Type::boolean());
  add_edge(templ, 0, 1, read);
  Action swap = assign_action(to_shared(v), exprs.binary(Op::Add, local, exprs.constant(1, number), number));
  swap.guard = exprs.binary(Op::Eq, shared, local, Type::boolean());
  add_edge(templ, 1, 2, swap);
  add_edge(templ, 2, 0, guard_action(exprs.binary(Op::Gt, shared, local, Type::boolean())));
  add_edge(templ, 2, 3, guard_action(exprs.binary(Op::Le, shared, local, Type::boolean())));
  templ.locations[3].error = program.add_property({.text = "assertion", .span = {}, .condition = {}});
  program.add_template(templ);
  program.initial.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{0}), std::nullopt});
  return program;
}

TEST(ModularCertificate, IsOfOneProgram) {
  const auto proof = certificate_of(counter(true), {1, false});
  ASSERT_TRUE(proof);
  EXPECT_TRUE(check(counter(true), *proof).valid);
  // Wrap-around, which the checker must not ignore.
  const auto other = check(counter(false), *proof);
  EXPECT_FALSE(other.valid);
  EXPECT_TRUE(other.complete);
}

TEST(ModularCertificate, LetsNoOtherTextThrough) {
  auto proof = certificate_of(counter(true), {1, false});
  ASSERT_TRUE(proof);
  for (const char* text :
       {"true) (assert false", "(and true) (or)", "g7", "t5.0", "t0.9", "(exit)", "", "(and true", "x", "true true"}) {
    json damaged = *proof;
    damaged["views"][0]["invariant"] = text;
    const auto checked = check(counter(true), damaged);
    EXPECT_FALSE(checked.valid) << text;
    EXPECT_TRUE(checked.message.find("invariant of a view") != std::string::npos) << text << ": " << checked.message;
  }
  json damaged = *proof;
  damaged["threads"] = 0;
  EXPECT_FALSE(check(counter(true), damaged).valid);
  damaged = *proof;
  damaged.erase("views");
  EXPECT_FALSE(check(counter(true), damaged).valid);
  damaged = *proof;
  damaged["views"][0]["threads"][0]["location"] = 77;
  EXPECT_FALSE(check(counter(true), damaged).valid);
}

// Threads inside raise a count and lower it when they leave; who sees 0 closes for good, and then nobody is inside.
Program visitors() {
  const Type number = Type::fixed(32, false);
  Program program;
  const VarId inside = program.add_shared(var_of("inside", number, {0}));
  const VarId closed = program.add_shared(bool_var("closed", {0}));
  Template templ = template_with("T", 3);
  ExprPool& exprs = program.exprs;
  const ExprId count = exprs.shared(inside, number);
  const ExprId one = exprs.constant(1, number);
  const ExprId is_closed = exprs.shared(closed, Type::boolean());
  Action enter = assign_action(to_shared(inside), exprs.binary(Op::Add, count, one, number));
  enter.guard = exprs.negate(is_closed);
  add_edge(templ, 0, 1, enter);
  add_edge(templ, 1, 2, guard_action(is_closed));
  add_edge(templ, 1, 0, assign_action(to_shared(inside), exprs.binary(Op::Sub, count, one, number)));
  Action close = assign_action(to_shared(closed), exprs.truth());
  close.guard = exprs.binary(Op::Eq, count, exprs.constant(0, number), Type::boolean());
  add_edge(templ, 0, 0, close);
  templ.locations[2].error = program.add_property({.text = "assertion", .span = {}, .condition = {}});
  program.add_template(templ);
  program.initial.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{0}), std::nullopt});
  return program;
}

TEST(ModularCertificate, HasGhosts) {
  const Program program = visitors();
  const lemma::Instrumented counted = lemma::add_ghosts(program);
  ASSERT_EQ(counted.ghosts.size(), 1U);
  const Commands commands(counted.program);
  Env env;
  lemma::Houdini houdini(env, commands, {.census = {counted.ghosts}});
  const lemma::HoudiniResult found = houdini.run();
  ASSERT_EQ(found.outcome, lemma::HoudiniResult::Outcome::Proved);
  const json proof = certify(houdini.alphabet(), counted.ghosts, found.invariant)->to_json(program);
  const auto checked = check(program, proof);
  EXPECT_TRUE(checked.valid) << checked.message;
  EXPECT_NE(checked.message.find("at most 1073741824 exist"), std::string::npos) << checked.message;
  const auto expect_invalid = [&](const char* what, const auto& change) {
    json damaged = proof;
    change(damaged);
    EXPECT_FALSE(check(program, damaged).valid) << what;
  };
  const json& weight = proof["ghosts"][0]["weights"][0];
  ASSERT_EQ(weight["weight"], 1);
  expect_invalid("no ghost", [](json& it) { it.erase("ghosts"); });
  expect_invalid("a ghost that counts nothing", [](json& it) { it["ghosts"][0]["weights"] = json::array(); });
  expect_invalid("a ghost that counts twice", [](json& it) { it["ghosts"][0]["weights"][0]["weight"] = 2; });
  expect_invalid("a ghost that counts down", [](json& it) { it["ghosts"][0]["weights"][0]["weight"] = -1; });
  expect_invalid("another start", [](json& it) { it["ghosts"][0]["initial"] = 1; });
  expect_invalid("a weight at the start", [](json& it) { it["ghosts"][0]["weights"][0]["location"] = 0; });
  expect_invalid("a location that is not there", [](json& it) { it["ghosts"][0]["weights"][0]["location"] = 3; });
  expect_invalid("a huge weight", [](json& it) { it["ghosts"][0]["weights"][0]["weight"] = INT64_MAX; });
  expect_invalid("two weights", [&](json& it) { it["ghosts"][0]["weights"].push_back(weight); });
  expect_invalid("no list", [](json& it) { it["ghosts"] = 7; });
  // A broadcast that throws threads out is no step of the ghost.
  for (const std::size_t target : {std::size_t{0}, std::size_t{1}}) {
    Program moving = program;
    Action tell;
    tell.moves.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{1}), LocId(target)});
    add_edge(moving.templates[0], 0, 0, tell);
    const auto moved = check(moving, proof);
    EXPECT_FALSE(moved.valid);
    EXPECT_EQ(moved.message.find("different weights") != std::string::npos, target == 0) << moved.message;
  }
  // With 8 bits the count overflows.
  Program narrow = program;
  narrow.shared[0].type = Type::fixed(8, false);
  EXPECT_FALSE(check(narrow, proof).valid);
}

TEST(ModularCertificate, DoesNotSpeakOfDeadlocks) {
  Program program = counter(true);
  const auto proof = certificate_of(program, {1, false});
  ASSERT_TRUE(proof);
  program.add_property({.kind = Property::Kind::Deadlock, .text = "deadlock", .span = {}, .condition = {}});
  EXPECT_FALSE(check(program, *proof).valid);
}

// Damage by chance: what is accepted is still a proof, as the judge finds without a solver.
TEST(ModularCertificate, DamagedIsRefutedOrStillAProof) {
  DamageTally tally;
  const auto damage = [&](const Program& program, const json& proof, std::uint64_t rounds) {
    const Certified certified{"modular", std::nullopt, proof};
    EXPECT_EQ(not_a_proof(program, std::nullopt, 3, proof), "");
    json unreachable = proof;
    for (json& view : unreachable["views"]) view["invariant"] = "(not (= #x01 #x01))";
    EXPECT_NE(not_a_proof(program, std::nullopt, 3, unreachable), "") << "the judge lets everything pass";
    for (std::uint64_t round = 0; round < rounds; ++round) {
      count_damage(program, certified, damaged_at_random(proof, round), tally);
    }
  };
  for (const std::uint32_t threads : {1U, 2U}) {
    const auto proof = certificate_of(counter(true), {threads, false}, true);
    ASSERT_TRUE(proof);
    damage(counter(true), *proof, 30);
  }
  RandomProgramOptions options;
  options.max_shared = 2;
  options.max_locals = 1;
  options.max_locations = 4;
  options.calls = false;
  options.numbers = options.any_number = true;
  for (std::uint64_t seed = 100; seed < 112; ++seed) {
    const Program program = random_program(seed, options);
    if (Commands::refuses(program) || lemma::unseen_property(program)) continue;
    const auto proof = certificate_of(program, {1U + static_cast<std::uint32_t>(seed % 2), seed % 4 >= 2}, true);
    if (proof) damage(program, *proof, 8);
  }
  for (const std::string& problem : tally.wrong) ADD_FAILURE() << problem;
  EXPECT_GT(tally.damaged, 60U);
  EXPECT_GT(tally.refuted, tally.damaged / 2) << tally.accepted << " accepted, " << tally.undecided << " undecided";
}

}  // namespace

}  // namespace cohort::engine::modular
