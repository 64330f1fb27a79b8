// Variable-length numbers, seven bits a byte, the high bit set on all but the last: small numbers take one byte.
#pragma once

#include <cstdint>
#include <vector>

namespace cohort::engine::explicit_ {

inline void put_number(std::vector<std::uint8_t>& out, std::uint64_t number) {
  while (number >= 0x80) {
    out.push_back(static_cast<std::uint8_t>(number | 0x80));
    number >>= 7U;
  }
  out.push_back(static_cast<std::uint8_t>(number));
}

inline std::uint64_t get_number(const std::uint8_t*& in) {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = *in++;
    number |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if ((byte & 0x80U) == 0) return number;
  }
}

}  // namespace cohort::engine::explicit_
