// Sets of Boolean valuations in certificates, written as cubes: a string with one character for each variable, which is
// 0, 1, or - for any value.  A set is the union of its cubes.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/state.hpp"
#include "result/certificate.hpp"

namespace cohort::result {

using Cubes = std::vector<std::string>;

// Thrown inside a checker that cannot accept a certificate, with its answer; never leaves it.
struct Refused {
  CertificateCheck answer;
};

[[noreturn]] void refute(std::string message);

// The valuations of a set, sorted.  Refuses cubes that do not have `width` characters, and leaves those that stand for
// more than 2^20 valuations unchecked.
std::vector<model::Valuation> values_of(const nlohmann::json& cubes, std::size_t width);

}  // namespace cohort::result
