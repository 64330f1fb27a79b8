// Exact counts of states.  A set over a few hundred Boolean variables has more elements than any machine word counts,
// and a count that silently rounds (as a double does) cannot be compared for equality; so this is a plain unbounded
// natural number with the few operations that counting needs.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace cohort::dd {

class Natural {
 public:
  Natural() = default;
  Natural(std::uint64_t value);  // NOLINT(google-explicit-constructor): numbers convert to numbers

  static Natural power_of_two(std::uint32_t exponent);

  Natural& operator+=(const Natural& other);
  friend Natural operator+(Natural a, const Natural& b) { return a += b; }
  friend Natural operator*(const Natural& a, const Natural& b);
  Natural shifted_left(std::uint32_t bits) const;

  bool is_zero() const { return limbs_.empty(); }
  bool fits_64_bits() const { return limbs_.size() <= 2; }
  // The value; expects that it fits.
  std::uint64_t to_u64() const;
  std::string to_decimal() const;

  friend bool operator==(const Natural&, const Natural&) = default;
  friend std::strong_ordering operator<=>(const Natural& a, const Natural& b);

 private:
  void trim();

  // Base 2^32, least significant limb first, no leading zero limb: so equal numbers have equal limbs.
  std::vector<std::uint32_t> limbs_;
};

}  // namespace cohort::dd
