// What becomes of every call of a library function: one table, from which the documentation is generated and by which
// the tests call each function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cohort::frontend::c::library {

enum class Treatment : std::uint8_t {
  Modelled,  // by C code in this folder, or by the front end itself
  Assumed,   // modelled but for what the sentence says, which is assumed
  Refused,   // a program that can reach the call is refused
};

struct Call {
  std::string_view function;
  std::string_view header;  // what declares it; empty: nothing needs to
  Treatment treatment = Treatment::Modelled;
  std::string_view sentence;
  std::string_view context;  // declarations that the example needs
  std::string_view example;  // a statement that calls the function
};

const std::vector<Call>& calls();
// Those of them that ask the operating system for something.
const std::vector<Call>& system_calls();
// Those that the C standard does not have, and nobody else names.
const std::vector<Call>& extension_calls();

std::string_view treatment_word(Treatment treatment);

// The table as Markdown.
std::string calls_document();

}  // namespace cohort::frontend::c::library
