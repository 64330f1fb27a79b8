#include "model/type.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::model {

Type Type::fixed(unsigned width, bool is_signed) {
  COHORT_EXPECT(width >= 1 && width <= 64, "a fixed-width integer has 1 to 64 bits");
  COHORT_EXPECT(width < 64 || is_signed, "64-bit values are kept as signed");
  Type type(Kind::Int);
  type.width_ = width;
  type.signed_ = is_signed;
  return type;
}

Type Type::range(Value lo, Value hi) {
  COHORT_EXPECT(lo <= hi, "a range is not empty");
  Type type(Kind::Range);
  type.lo_ = lo;
  type.hi_ = hi;
  return type;
}

Type Type::array_of(std::uint32_t size) const {
  COHORT_EXPECT(!is_array(), "arrays do not nest");
  COHORT_EXPECT(size > 0, "an array has elements");
  Type type = *this;
  type.array_size_ = size;
  return type;
}

Type Type::element() const {
  Type type = *this;
  type.array_size_ = 0;
  return type;
}

std::uint64_t Type::cardinality() const {
  switch (kind_) {
    case Kind::Bool: return 2;
    case Kind::Int: return width_ <= 62 ? std::uint64_t{1} << width_ : 0;
    case Kind::Range: {
      const std::uint64_t distance = static_cast<std::uint64_t>(hi_) - static_cast<std::uint64_t>(lo_);
      return distance < (std::uint64_t{1} << 62U) ? distance + 1 : 0;
    }
    case Kind::Integer:
    case Kind::ThreadRef: return 0;
  }
  COHORT_UNREACHABLE("every kind of type has a cardinality");
}

Value Type::first() const {
  switch (kind_) {
    case Kind::Int: return signed_ ? static_cast<Value>(~std::uint64_t{0} << (width_ - 1)) : 0;
    case Kind::Range: return lo_;
    default: return 0;
  }
}

Value Type::default_value() const {
  if (kind_ != Kind::Range || (lo_ <= 0 && 0 <= hi_)) return 0;
  return lo_ > 0 ? lo_ : hi_;
}

Value Type::wrap(Value value) const {
  if (kind_ != Kind::Int || width_ == 64) return value;
  const std::uint64_t mask = (std::uint64_t{1} << width_) - 1;
  const std::uint64_t bits = static_cast<std::uint64_t>(value) & mask;
  const bool negative = signed_ && ((bits >> (width_ - 1)) & 1U) != 0;
  return static_cast<Value>(negative ? bits | ~mask : bits);
}

bool Type::contains(Value value) const {
  switch (kind_) {
    case Kind::Bool: return value == 0 || value == 1;
    case Kind::Int: return wrap(value) == value;
    case Kind::Range: return lo_ <= value && value <= hi_;
    case Kind::Integer: return true;
    case Kind::ThreadRef: return value >= 0;
  }
  COHORT_UNREACHABLE("every kind of type has its values");
}

std::string to_string(const Type& type) {
  std::string text;
  switch (type.kind()) {
    case Type::Kind::Bool: text = "bool"; break;
    case Type::Kind::Int: text = fmt::format("{}{}", type.is_signed() ? "i" : "u", type.width()); break;
    case Type::Kind::Range: text = fmt::format("{}..{}", type.lo(), type.hi()); break;
    case Type::Kind::Integer: text = "int"; break;
    case Type::Kind::ThreadRef: text = "thread"; break;
  }
  return type.is_array() ? fmt::format("{}[{}]", text, type.array_size()) : text;
}

}  // namespace cohort::model
