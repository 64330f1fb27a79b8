// The calls that steps of a program are in, where a front end has inlined them: what people see as the stack.
//
// They are kept in the atlas of the program, which travels with it and which no verdict depends on, at addresses where
// nothing lies: each call as a text, and for each edge which call it is in.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "model/program.hpp"

namespace cohort::model {

struct CallFrame {
  std::string function;
  std::string place;  // of the call: "stack.c:20"
  std::string text;   // the statement with the call, as written

  bool operator==(const CallFrame&) const = default;
};

// Collects the calls while a front end makes a program.
class CallNotes {
 public:
  using CallId = std::uint32_t;
  static constexpr CallId outside = 0;  // of any call

  CallId add(const std::string& function, const SourceSpan& span, const std::string& text, CallId caller);
  // What is said last of an edge holds.
  void set(EdgeRef edge, CallId call);
  void write(Atlas& atlas) const;

 private:
  std::vector<std::string> calls_;  // encoded
  std::map<EdgeRef, CallId> edges_;
};

// The calls around an edge of a flat program, the outermost first; none in the routine of a thread.
std::vector<CallFrame> calls_around(const Program& program, EdgeRef edge);

}  // namespace cohort::model
