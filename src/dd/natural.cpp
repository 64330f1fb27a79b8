#include "dd/natural.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::dd {

Natural::Natural(std::uint64_t value)
    : limbs_{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32U)} {
  trim();
}

Natural Natural::power_of_two(std::uint32_t exponent) {
  return Natural(1).shifted_left(exponent);
}

void Natural::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
}

Natural& Natural::operator+=(const Natural& other) {
  if (limbs_.size() < other.limbs_.size()) limbs_.resize(other.limbs_.size(), 0);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    carry += limbs_[i];
    if (i < other.limbs_.size()) carry += other.limbs_[i];
    limbs_[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32U;
  }
  if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  return *this;
}

Natural operator*(const Natural& a, const Natural& b) {
  Natural product;
  product.limbs_.assign(a.limbs_.size() + b.limbs_.size(), 0);
  for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.limbs_.size(); ++j) {
      carry += product.limbs_[i + j] + std::uint64_t{a.limbs_[i]} * b.limbs_[j];
      product.limbs_[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32U;
    }
    product.limbs_[i + b.limbs_.size()] = static_cast<std::uint32_t>(carry);
  }
  product.trim();
  return product;
}

Natural Natural::shifted_left(std::uint32_t bits) const {
  if (is_zero()) return {};
  Natural result;
  result.limbs_.assign(bits / 32, 0);
  const std::uint32_t within = bits % 32;
  std::uint32_t carry = 0;
  for (const std::uint32_t limb : limbs_) {
    const std::uint64_t wide = std::uint64_t{limb} << within;
    result.limbs_.push_back(static_cast<std::uint32_t>(wide) | carry);
    carry = static_cast<std::uint32_t>(wide >> 32U);
  }
  result.limbs_.push_back(carry);
  result.trim();
  return result;
}

std::uint64_t Natural::to_u64() const {
  COHORT_EXPECT(fits_64_bits(), "the number fits 64 bits");
  std::uint64_t value = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;) value = (value << 32U) | limbs_[i];
  return value;
}

std::string Natural::to_decimal() const {
  if (is_zero()) return "0";
  std::vector<std::uint32_t> rest = limbs_;
  std::string digits;
  while (!rest.empty()) {
    std::uint64_t remainder = 0;
    for (std::size_t i = rest.size(); i-- > 0;) {
      remainder = (remainder << 32U) | rest[i];
      rest[i] = static_cast<std::uint32_t>(remainder / 10);
      remainder %= 10;
    }
    digits += static_cast<char>('0' + remainder);
    while (!rest.empty() && rest.back() == 0) rest.pop_back();
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::strong_ordering operator<=>(const Natural& a, const Natural& b) {
  if (a.limbs_.size() != b.limbs_.size()) return a.limbs_.size() <=> b.limbs_.size();
  return std::lexicographical_compare_three_way(a.limbs_.rbegin(), a.limbs_.rend(), b.limbs_.rbegin(), b.limbs_.rend());
}

}  // namespace cohort::dd
