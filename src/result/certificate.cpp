#include "result/certificate.hpp"

#include <array>
#include <new>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "base/memory_guard.hpp"
#include "base/source.hpp"
#include "result/checking.hpp"
#include "result/control_flow_certificate.hpp"
#include "result/counter_certificate.hpp"
#include "result/modular_certificate.hpp"
#include "result/named_certificate.hpp"
#include "result/omega_certificate.hpp"
#include "result/symbolic_certificate.hpp"
#include "result/symbolic_omega_certificate.hpp"
#include "result/upward_certificate.hpp"

namespace cohort::result {

using nlohmann::json;

namespace {

// Every kind has its line here.
constexpr std::array kinds{
    &control_flow_kind,   &counter_kind, &modular_kind,          &symbolic_kind, &omega_kind,
    &symbolic_omega_kind, &upward_kind,  &marking_equation_kind, &named_kind,
};

CertificateCheck undecided(std::string message) {
  return {.valid = false, .complete = false, .message = std::move(message)};
}

CertificateCheck check_as(const CertificateKind& kind, const Checking& checking) {
  COHORT_EXPECT(model::is_flat(checking.program), "a certificate speaks of a program without calls");
  if (const auto reason = model::unjudged(checking.program, kind.judges)) {
    return undecided(fmt::format("certificates of kind '{}': {}", kind.name, *reason));
  }
  const MemoryGuard guard(checking.env.limits);
  try {
    std::string verified = kind.check(checking);
    COHORT_EXPECT(!verified.empty(), "a checker says what it has verified");
    return {.valid = true, .message = std::move(verified)};
  } catch (const Refuted& refuted) {
    return {.message = refuted.message};
  } catch (const Misshapen& problem) {
    return {.message = fmt::format("not a certificate of kind '{}': {}", kind.name, problem.message)};
  } catch (const Refused& refused) {
    return undecided(refused.message);
  } catch (const Stopped& stopped) {
    return undecided(stopped.what());
  } catch (const std::bad_alloc& lack) {
    return undecided(describe_lack_of_memory(lack, checking.env.limits));
  } catch (const InputError& error) {
    // The step kernel refuses what nobody can enumerate.
    if (error.kind() != InputError::Kind::Unsupported) throw;
    return undecided(fmt::format("unsupported: {}", error.what()));
  }
}

}  // namespace

CertificateCheck check_certificate(Env& env, const model::Program& program, std::optional<std::uint32_t> bound,
                                   const json& certificate) {
  COHORT_EXPECT(!bound || *bound > 0, "at least one thread may be alive");
  if (!certificate.is_object() || !certificate.contains("kind") || !certificate["kind"].is_string()) {
    return {.message = "not a certificate: it has no kind"};
  }
  const auto name = certificate["kind"].get<std::string>();
  for (const CertificateKind* kind : kinds) {
    if (kind->name == name) return check_as(*kind, {env, program, bound, certificate});
  }
  return {.message = fmt::format("no checker for certificates of kind '{}'", name)};
}

std::vector<std::string_view> certificate_kinds() {
  std::vector<std::string_view> names;
  for (const CertificateKind* kind : kinds) names.push_back(kind->name);
  return names;
}

}  // namespace cohort::result
