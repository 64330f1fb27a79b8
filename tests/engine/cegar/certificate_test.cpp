// Proofs of the engine, checked by a solver of its own: with and without lemmas, with new threads, with single ones.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/cegar/cegar_engine.hpp"
#include "frontend/scpl/scpl.hpp"
#include "result/certificate.hpp"
#include "support/diagnostics.hpp"
#include "support/random_scpl.hpp"

namespace cohort::test {
namespace {

using result::Verdict;

// None: the program is not proved.
std::unique_ptr<result::Certificate> prove(const model::Program& program, bool lemmas) {
  Env env;
  env.limits.set_time_limit(100);
  engine::cegar::Settings settings;
  if (lemmas) settings.iterations_without_lemmas = 0;
  engine::EngineOptions options;
  options.certificate = true;
  const engine::Task task{program, std::nullopt, options};
  result::Result result = engine::cegar::CegarEngine(settings).check(env, task);
  if (result.verdict != Verdict::Safe) return nullptr;
  EXPECT_NE(result.certificate, nullptr);
  return std::move(result.certificate);
}

result::CertificateCheck check(const model::Program& program, const nlohmann::json& certificate) {
  Env env;
  return result::check_certificate(env, program, std::nullopt, certificate);
}

model::Program load(const std::string& text) {
  return frontend::scpl::load(text_file("t.scpl", text));
}

model::Program example(const std::string& name) {
  return frontend::scpl::load(read_source_file(std::string(COHORT_SOURCE_DIR) + "/examples/scpl/" + name + ".scpl"));
}

TEST(CegarCertificate, HoldsForExamples) {
  for (const char* name : {"inc_lock", "tas_lock", "workers", "max_cas", "double_checked", "prng_cas"}) {
    SCOPED_TRACE(name);
    const model::Program program = example(name);
    const auto certificate = prove(program, false);
    ASSERT_NE(certificate, nullptr);
    const auto checked = check(program, certificate->to_json(program));
    EXPECT_TRUE(checked.valid) << checked.message;
  }
}

TEST(CegarCertificate, HoldsWithLemmas) {
  for (const char* name : {"tas_lock", "workers", "max_lock"}) {
    SCOPED_TRACE(name);
    const model::Program program = example(name);
    const auto certificate = prove(program, true);
    ASSERT_NE(certificate, nullptr);
    const auto checked = check(program, certificate->to_json(program));
    EXPECT_TRUE(checked.valid) << checked.message;
  }
}

TEST(CegarCertificate, DoesNotHoldForAnotherProgram) {
  const std::string text =
      "shared bool k = false;\nshared c = 0;\nlocal bool r = false;\n"
      "again: r, k = k, true; if (r) { goto again; } c = c + 1; assert c == 1; c = c - 1; k = false; goto again;";
  const model::Program right = load(text);
  const auto certificate = prove(right, false);
  ASSERT_NE(certificate, nullptr);
  EXPECT_TRUE(check(right, certificate->to_json(right)).valid);
  std::string changed = text;
  changed.replace(changed.find("c = c - 1"), 9, "c = c - 2");
  const model::Program wrong = load(changed);
  EXPECT_FALSE(check(wrong, certificate->to_json(right)).valid);
}

TEST(CegarCertificate, HoldsForRandomPrograms) {
  std::size_t proved = 0;
  for (std::uint64_t seed = 1000; seed < 1020; ++seed) {
    const std::string text = random_scpl_program(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const model::Program program = load(text);
    const auto certificate = prove(program, seed % 2 == 0);
    if (certificate == nullptr) continue;
    ++proved;
    const auto checked = check(program, certificate->to_json(program));
    ASSERT_TRUE(checked.valid) << checked.message;
  }
  EXPECT_GE(proved, 3U);
}

}  // namespace
}  // namespace cohort::test
