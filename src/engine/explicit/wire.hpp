// States on their way between the workers of a partitioned search.
//
// Each worker has a thread system of its own and numbers shared and local states as it meets them, so a number means
// nothing to anybody else.  A sender uses its own numbers and tells each receiver once, before the first use, what a
// number stands for; the receiver keeps a table from the sender's numbers to its own.  After a while almost no
// definitions are sent, and a state costs a few bytes more than its code word.
//
// Which worker a state belongs to is decided by a hash of what its parts stand for, the same for all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/explicit/codec.hpp"
#include "engine/explicit/violation_check.hpp"
#include "exchange/exchange.hpp"
#include "model/thread_system.hpp"

namespace cohort::engine::explicit_ {

// What a record of a message begins with.
enum class Record : std::uint8_t { SharedState, LocalState, State, Mark, Path, Gathered, Failure };

// A state in the numbers of one worker.  `members` are cells, or one entry for each slot of a plain state, where no_id
// is an empty slot.
struct StateView {
  model::SharedId shared = 0;
  std::span<const Cell> members;
};

// Reads numbers from a message; what is not there is a broken message, not a state.
class WireReader {
 public:
  explicit WireReader(std::span<const std::uint8_t> bytes) : next_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool at_end() const { return next_ == end_; }
  // The next byte, which stays.
  std::uint8_t peek() const { return *next_; }
  std::uint64_t number();
  std::int64_t value();
  std::string text();

 private:
  const std::uint8_t* next_;
  const std::uint8_t* end_;
};

void put_value(exchange::Bytes& out, std::int64_t value);

class Wire {
 public:
  // `system` outlives the wire.
  Wire(model::ThreadSystem& system, std::uint32_t workers);

  std::uint32_t owner(const StateView& state);
  // Appends what `state` is, preceded by `kind` and whatever `head` appends, and before that all definitions that
  // worker `to` does not have yet.
  template <class Head>
  void write(std::uint32_t to, exchange::Bytes& out, Record kind, const StateView& state, Head&& head) {
    define(to, out, state);
    out.push_back(static_cast<std::uint8_t>(kind));
    head(out);
    write_state(out, state);
  }
  // A definition from worker `from`, whose kind has been read.
  void read_definition(std::uint32_t from, Record kind, WireReader& in);
  // A state from worker `from`, in this worker's numbers; valid until the next call.
  StateView read(std::uint32_t from, WireReader& in);

 private:
  struct Numbers {
    std::vector<std::uint32_t> shared;
    std::vector<std::uint32_t> locals;
  };
  struct Told {
    std::vector<bool> shared;
    std::vector<bool> locals;
  };

  void define(std::uint32_t to, exchange::Bytes& out, const StateView& state);
  static void write_state(exchange::Bytes& out, const StateView& state);
  std::uint64_t shared_hash(model::SharedId id);
  std::uint64_t local_hash(model::LocalId id);

  model::ThreadSystem& system_;
  std::vector<Numbers> numbers_;  // by sender: its numbers to ours
  std::vector<Told> told_;        // by receiver: which of our numbers it knows
  std::vector<std::uint64_t> shared_hashes_;
  std::vector<std::uint64_t> local_hashes_;
  std::vector<Cell> members_;
};

}  // namespace cohort::engine::explicit_
