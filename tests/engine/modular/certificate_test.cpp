// Certificates of random programs are accepted, and damaged ones are not: a view that is forgotten, a fact that is too
// strong, another program, text that is no formula.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/modular/certify.hpp"
#include "model/passes/inline.hpp"
#include "result/certificate.hpp"
#include "support/build.hpp"
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
  return certify(commands, houdini.alphabet(), found.invariant)->to_json(program);
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

TEST(ModularCertificate, DoesNotSpeakOfDeadlocks) {
  Program program = counter(true);
  const auto proof = certificate_of(program, {1, false});
  ASSERT_TRUE(proof);
  program.add_property({.kind = Property::Kind::Deadlock, .text = "deadlock", .span = {}, .condition = {}});
  EXPECT_FALSE(check(program, *proof).valid);
}

}  // namespace

}  // namespace cohort::engine::modular
