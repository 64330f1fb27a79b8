// What a child process tells its parent over a pipe: how far it is, and in the end what it found or why it failed.
//
// The two processes share the program (the child was forked from the parent), so a run is its states and edges, and
// nothing else needs names.  The parent believes nothing of what it reads: decoding checks every length and every index
// against the program, and what comes out is replayed or given to the checker of certificates.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/env.hpp"
#include "model/program.hpp"
#include "result/result.hpp"

namespace cohort::strategy {

struct Message {
  enum class Kind : std::uint8_t {
    Progress,     // text: the progress line
    Answer,       // result and statistics
    Unsupported,  // text: what the engine found at work that it cannot take
    Failure,      // text: a bug of Cohort, or memory that ran out
  };

  Kind kind = Kind::Failure;
  std::string text;
  result::Result result;
  Statistics statistics;
};

// With its length in front, ready to be written.  `program` is the one that the result speaks of.
std::string encode(const Message& message, const model::Program& program);

// Takes the bytes of a pipe as they come, and messages out of them.
class MessageReader {
 public:
  explicit MessageReader(const model::Program& program) : program_(&program) {}

  void add(std::string_view bytes) { bytes_.append(bytes); }
  // The next whole message; none: more bytes are needed.  Throws DamagedMessage.
  std::optional<Message> next();

 private:
  const model::Program* program_;
  std::string bytes_;
};

class DamagedMessage : public std::runtime_error {
 public:
  DamagedMessage() : std::runtime_error("what it sent is damaged") {}
};

}  // namespace cohort::strategy
