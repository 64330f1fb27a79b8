// Messages between the workers of one search, wherever they are: threads of this process (threads.hpp) or processes
// that MPI started (ranks.hpp).  Worker 0 is the one that answers.
//
// What a transport promises: messages from one worker to another arrive in the order in which they were sent, whole,
// and none is lost; send() never waits for the receiver, so that no two workers can wait for each other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace cohort::exchange {

using Bytes = std::vector<std::uint8_t>;

// Without bytes: the worker has left and will send nothing more.
struct Message {
  std::uint32_t from = 0;
  Bytes bytes;
};

class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  virtual std::uint32_t self() const = 0;
  virtual std::uint32_t size() const = 0;
  virtual void send(std::uint32_t to, Bytes bytes) = 0;
  // The next message, if one is there.
  virtual std::optional<Message> receive() = 0;
  // Waits until a message may be there, or a few milliseconds have passed: the caller looks at its limits meanwhile.
  virtual void wait() = 0;
};

}  // namespace cohort::exchange
