// How variables and their values look to the person who wrote the program: what a pointer points to, which number is a
// character, and which variables nobody wrote.  Front ends say it, reports use it, and no verdict depends on it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/type.hpp"

namespace cohort::model {

// What lies in a piece of memory, as declared.  Pieces of the same type have the same shape, by address.
struct Shape {
  struct Member {
    std::uint64_t offset = 0;
    std::string name;  // empty: has none, as an anonymous struct
    std::shared_ptr<const Shape> shape;
  };

  std::uint64_t size = 0;
  std::vector<Member> members;           // of a struct or union
  std::shared_ptr<const Shape> element;  // of an array
};

struct Look {
  enum class Kind : std::uint8_t { Number, Unsigned, Character, Pointer };

  Kind kind = Kind::Number;
  bool internal = false;                  // made by a front end, or a part of what the library keeps
  std::vector<std::uint32_t> counts{};    // of an array: the length of each dimension, for the `[]` in the name
  std::shared_ptr<const Shape> target{};  // Pointer: what it is declared to point to
};

// Where the objects of a program lie.
class Atlas {
 public:
  void add(Value address, std::string name, std::shared_ptr<const Shape> shape);
  // What only needs to be told apart: a function, a string literal.
  void add_opaque(Value address, std::string name);

  // As one would write it in C: `NULL`, `&pool.queue[1]`, `worker`; empty where nothing lies.
  std::string name_of(Value address, const Shape* target) const;

 private:
  struct Object {
    Value address = 0;
    std::string name;
    std::shared_ptr<const Shape> shape;  // of no size: opaque
  };

  std::vector<Object> objects_;  // by address
};

// The name of one scalar of a variable: `jobs[].id` and 1 make `jobs[1].id`.
std::string element_name(const std::string& name, const Look& look, std::uint32_t element);

// The value as people read it; `atlas` may be null.
std::string value_text(const Look& look, const Atlas* atlas, Value value);

}  // namespace cohort::model
