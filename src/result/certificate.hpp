// A proof object for SAFE that is checked without any engine.  Every kind is a class with its own JSON form and its own
// checker, which uses the interpreter alone; certificates.cpp lists the kinds.
#pragma once

#include <string>
#include <string_view>

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
  bool complete = true;  // false: a limit stopped the check
  std::string message;   // what was verified, or the first thing that does not hold
};

// Checks the JSON form of a certificate against the program it speaks of.
CertificateCheck check_certificate(Env& env, const model::Program& program, const nlohmann::json& certificate);

}  // namespace cohort::result
