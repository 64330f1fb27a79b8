// A proof object for SAFE that is checked without any engine.  Every kind is a class with its own JSON form and its own
// checker, which uses the semantics of the model alone; certificate.cpp lists the kinds, checking.hpp is the frame of
// their checkers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/env.hpp"
#include "model/program.hpp"

namespace cohort::result {

class Certificate {
 public:
  Certificate() = default;
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;
  virtual ~Certificate() = default;

  // The name under which check_certificate() finds the checker: the member "kind" of the JSON form.
  virtual std::string_view kind() const = 0;
  virtual nlohmann::json to_json(const model::Program& program) const = 0;
};

struct CertificateCheck {
  bool valid = false;
  bool complete = true;  // false: a limit stopped the check, or what is asked cannot be judged by this certificate
  std::string message;   // what was verified, or the first thing that does not hold
};

// Does the certificate, in its JSON form, prove that no execution of `program` with at most `bound` threads alive
// (none: any number) violates a property?
CertificateCheck check_certificate(Env& env, const model::Program& program, std::optional<std::uint32_t> bound,
                                   const nlohmann::json& certificate);

// The names of all kinds.
std::vector<std::string_view> certificate_kinds();

}  // namespace cohort::result
