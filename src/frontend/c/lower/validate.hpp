// What must be true of the flat form between any two stages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// What some stage has brought about and no later one may undo.
enum class Fact : std::uint8_t {
  ThreadsNumbered,  // no Spawn node has a result any more
  NoAllocations,    // no Allocate node is left
};

using Facts = std::uint8_t;
constexpr Facts no_facts = 0;
constexpr Facts bit(Fact fact) {
  return static_cast<Facts>(1U << static_cast<unsigned>(fact));
}

// What is wrong, in words and with the place; none: nothing is.
std::optional<std::string> find_damage(const Flat& flat, Facts facts = no_facts);

// Throws InternalError where something is; `stage` is the one that was last.
void validate(const Flat& flat, Facts facts, std::string_view stage);

}  // namespace cohort::frontend::c::lower
