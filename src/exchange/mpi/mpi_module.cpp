// The exchange among ranks over MPI, as a module that ranks.cpp loads.
//
// Sends are non-blocking; their buffers live until MPI has done with them.  All messages have one tag and one
// communicator, so those between two ranks keep their order.  A message without bytes says goodbye.
#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <thread>

#include "base/contract.hpp"
#include "exchange/ranks.hpp"

namespace cohort::exchange {

namespace {

constexpr int tag = 1;

class MpiExchange : public Exchange {
 public:
  MpiExchange() {
    int provided = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
      throw RankLost("MPI cannot be initialised");
    MPI_Comm_rank(MPI_COMM_WORLD, &self_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  ~MpiExchange() override {
    for (int to = 0; to < size_; ++to) {
      if (to != self_) post(to, {});
    }
    // Whoever does not take the last messages is stuck: then nobody shall wait for it.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!reap() && std::chrono::steady_clock::now() < deadline) drop_message();
    if (!sending_.empty()) MPI_Abort(MPI_COMM_WORLD, 6);
    while (drop_message()) {
    }
    MPI_Finalize();
  }

  std::uint32_t self() const override { return static_cast<std::uint32_t>(self_); }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(size_); }

  void send(std::uint32_t to, Bytes bytes) override {
    COHORT_EXPECT(to < size() && to != self() && !bytes.empty(), "messages with something in them go to others");
    post(static_cast<int>(to), std::move(bytes));
    reap();
  }

  std::optional<Message> receive() override { return take(); }

  // Spins for a little while, in which most answers come, and then lets others have the processor.
  void wait() override {
    constexpr int spins = 200;
    reap();
    for (int i = 0; i < spins; ++i) {
      if (is_there()) return;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }

 private:
  struct Sending {
    MPI_Request request = MPI_REQUEST_NULL;
    Bytes bytes;
  };

  void post(int to, Bytes bytes) {
    COHORT_EXPECT(bytes.size() < (std::size_t{1} << 30U), "batches are small");
    Sending& sending = sending_.emplace_back();
    sending.bytes = std::move(bytes);
    MPI_Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD,
              &sending.request);
  }

  // Lets go of buffers that were sent; true if none is left.
  bool reap() {
    while (!sending_.empty()) {
      int done = 0;
      MPI_Test(&sending_.front().request, &done, MPI_STATUS_IGNORE);
      if (done == 0) return false;
      sending_.pop_front();
    }
    return true;
  }

  bool is_there() const {
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    return there != 0;
  }

  std::optional<Message> take() {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return std::nullopt;
    int length = 0;
    MPI_Get_count(&status, MPI_BYTE, &length);
    Message message{static_cast<std::uint32_t>(status.MPI_SOURCE), Bytes(static_cast<std::size_t>(length))};
    MPI_Recv(message.bytes.data(), length, MPI_BYTE, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }

  bool drop_message() { return take().has_value(); }

  int self_ = 0;
  int size_ = 1;
  std::deque<Sending> sending_;
};

}  // namespace

}  // namespace cohort::exchange

extern "C" cohort::exchange::Exchange* cohort_join_ranks() {
  return new cohort::exchange::MpiExchange();
}
