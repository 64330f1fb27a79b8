// The frame in which every checker of certificates works.  To add a kind of certificate: one class for the proof and
// its JSON form, one checker in the same file, and the line of its CertificateKind in certificate.cpp.
//
// A checker gets a Checking: the program, the question's bound, the certificate, and the environment whose limits it
// keeps by env.poll() in every loop.  It returns a sentence that says what was verified, or it throws: refute() where
// the certificate does not hold, refuse() where it cannot be judged here, misshapen() where it has not the form of its
// kind (the readers below do that).  The frame catches these, and asks before anything else whether the checker judges
// every property of the program; so a checker fails closed, whatever is in the file.
//
// Numbers are read as what they are: 1.5, 1e308, true, -1 and what is too large are no counts.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/env.hpp"
#include "model/property.hpp"
#include "model/state.hpp"

namespace cohort::result {

struct Checking {
  Env& env;
  const model::Program& program;
  std::optional<std::uint32_t> bound;  // threads alive at a time, as asked; none: any number
  const nlohmann::json& certificate;
};

struct CertificateKind {
  std::string_view name;                     // the member "kind" of the JSON form
  bool (*judges)(model::PropertyKind kind);  // a switch without a default
  std::string (*check)(const Checking& checking);
};

// Thrown inside a checker; they never leave the frame.
struct Refuted {
  std::string message;
};
struct Refused {
  std::string message;
};
struct Misshapen {
  std::string message;
};

[[noreturn]] void refute(std::string message);
[[noreturn]] void refuse(std::string message);
[[noreturn]] void misshapen(std::string message);

// More threads than this are not laid out one by one.
constexpr std::uint32_t most_threads_laid_out = 65536;

// Reading JSON.  `what` names the value in the message.
const nlohmann::json& member(const nlohmann::json& object, const char* name);
// The object has these members and no others.
void expect_members(const nlohmann::json& object, std::initializer_list<std::string_view> names);
// Its elements, which must be those of an array.
const std::vector<nlohmann::json>& elements(const nlohmann::json& array, const char* what);
std::uint64_t natural(const nlohmann::json& number, const char* what, std::uint64_t most = UINT32_MAX);
// A number below `size`.
std::uint32_t index_below(const nlohmann::json& number, std::size_t size, const char* what);
model::Value integer(const nlohmann::json& number, const char* what);
bool truth(const nlohmann::json& value, const char* what);
std::string text(const nlohmann::json& value, const char* what);
// A positive count, or the word "omega" for none.
std::optional<std::uint32_t> count_or_omega(const nlohmann::json& value);

// Values of the variables, one for each slot, each of its type.
model::Valuation valuation(const nlohmann::json& values, const std::vector<model::Variable>& variables,
                           std::size_t slots, const char* what);

// Tables of shared and local states, which fit the program.
std::vector<model::Valuation> shared_states_from_json(const Checking& checking, const nlohmann::json& table);
std::vector<model::ThreadState> thread_states_from_json(const Checking& checking, const nlohmann::json& table);
nlohmann::json thread_states_to_json(const std::vector<model::ThreadState>& states);

// Refuses programs whose threads refer to each other: where threads are counted, nobody knows which one is meant.
void expect_countable(const model::Program& program);

// Does a condition hold of the shared state?  Refuses one that speaks of several threads.
bool holds_in(const model::Program& program, model::ExprId condition, const model::Valuation& shared);
// Is the property, a Cover or a Condition, violated in the shared state once its threads are in place?
bool is_bad_in(const model::Program& program, const model::Property& property, const model::Valuation& shared);

}  // namespace cohort::result
