// The types of the model.  Every value is an int64_t: false and true are 0 and 1, a thread reference is 0 for NULL and
// k + 1 for the thread in slot k.  An array occupies one slot of a valuation for each element.
#pragma once

#include <cstdint>
#include <string>

namespace cohort::model {

using Value = std::int64_t;

class Type {
 public:
  enum class Kind {
    Bool,
    Int,        // fixed width, signed or unsigned, wraps around as in C
    Range,      // lo..hi; a value outside is a fault
    Integer,    // mathematical; the interpreter refuses to leave 64 bits
    ThreadRef,  // NULL or a thread
  };

  static Type boolean() { return Type(Kind::Bool); }
  static Type integer() { return Type(Kind::Integer); }
  static Type fixed(unsigned width, bool is_signed);
  static Type range(Value lo, Value hi);
  static Type thread_ref() { return Type(Kind::ThreadRef); }
  // The same scalar type as elements of an array of `size` elements; arrays do not nest.
  Type array_of(std::uint32_t size) const;
  Type element() const;

  Kind kind() const { return kind_; }
  bool is_bool() const { return kind_ == Kind::Bool && !is_array(); }
  bool is_array() const { return array_size_ != 0; }
  std::uint32_t array_size() const { return array_size_; }
  // Slots of a valuation that a variable of this type takes.
  std::uint32_t slots() const { return is_array() ? array_size_ : 1; }
  unsigned width() const { return width_; }
  bool is_signed() const { return signed_; }
  Value lo() const { return lo_; }
  Value hi() const { return hi_; }

  // Number of values of the scalar type, 0 when it is not known (mathematical, thread references) or above 2^62.
  std::uint64_t cardinality() const;
  // The smallest value; together with cardinality() it enumerates the type.
  Value first() const;
  // The fixed value that resets and dead variables take: 0 where the type has it, else the value nearest to 0.
  Value default_value() const;
  // Brings `value` into a fixed-width type by wrap-around; other kinds return it as it is.
  Value wrap(Value value) const;
  bool contains(Value value) const;

  bool operator==(const Type&) const = default;

 private:
  explicit Type(Kind kind) : kind_(kind) {}

  Kind kind_;
  bool signed_ = false;
  unsigned width_ = 0;
  std::uint32_t array_size_ = 0;
  Value lo_ = 0;
  Value hi_ = 0;
};

std::string to_string(const Type& type);

}  // namespace cohort::model
