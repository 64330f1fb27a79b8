#include "cli/part_ranks.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::cli {

namespace {

using exchange::Bytes;

// What a message from the first rank begins with.
enum class Order : std::uint8_t { Start, Stop, End };

constexpr std::chrono::milliseconds between_looks(5);

void put_number(Bytes& out, std::uint64_t number) {
  for (unsigned shift = 0; shift < 64; shift += 8) out.push_back(static_cast<std::uint8_t>(number >> shift));
}

void put_text(Bytes& out, const std::string& text) {
  put_number(out, text.size());
  out.insert(out.end(), text.begin(), text.end());
}

class Reader {
 public:
  explicit Reader(const Bytes& bytes) : bytes_(bytes) {}

  std::uint8_t byte() {
    COHORT_EXPECT(at_ < bytes_.size(), "messages are whole");
    return bytes_[at_++];
  }
  std::uint64_t number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 8) number |= std::uint64_t{byte()} << shift;
    return number;
  }
  std::string text() {
    const std::uint64_t size = number();
    COHORT_EXPECT(size <= bytes_.size() - at_, "messages are whole");
    const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ += size;
    return {begin, begin + static_cast<std::ptrdiff_t>(size)};
  }

 private:
  const Bytes& bytes_;
  std::size_t at_ = 0;
};

Bytes message_of(const PartResult& result) {
  Bytes bytes;
  put_number(bytes, result.number);
  put_number(bytes, static_cast<std::uint64_t>(static_cast<std::uint32_t>(result.status)));
  put_number(bytes, static_cast<std::uint64_t>(result.seconds * 1e6));
  for (const std::string* text : {&result.out, &result.err, &result.sarif}) put_text(bytes, *text);
  return bytes;
}

PartResult result_in(const Bytes& bytes) {
  Reader in(bytes);
  PartResult result;
  result.number = in.number();
  result.status = static_cast<int>(static_cast<std::uint32_t>(in.number()));
  result.seconds = static_cast<double>(in.number()) / 1e6;
  for (std::string* text : {&result.out, &result.err, &result.sarif}) *text = in.text();
  return result;
}

// Without a process there is nothing but words.
Bytes refusal(std::size_t number, std::string words) {
  return message_of({.number = number, .err = std::move(words)});
}

}  // namespace

PartRanks::PartRanks(const SeveralFiles& task, exchange::Exchange* exchange) : task_(task), exchange_(exchange) {
  if (exchange_ != nullptr) ranks_.resize(exchange_->size());
}

PartRanks::~PartRanks() {
  for (std::uint32_t rank = 1; rank < ranks_.size(); ++rank) {
    if (!ranks_[rank].gone) exchange_->send(rank, {static_cast<std::uint8_t>(Order::End)});
  }
}

std::size_t PartRanks::running() const {
  const auto is_busy = [](const Rank& rank) { return rank.part.has_value(); };
  return static_cast<std::size_t>(std::count_if(ranks_.begin(), ranks_.end(), is_busy));
}

bool PartRanks::start(std::size_t number) {
  for (std::uint32_t rank = 1; rank < ranks_.size(); ++rank) {
    if (ranks_[rank].part || ranks_[rank].gone) continue;
    Bytes order{static_cast<std::uint8_t>(Order::Start)};
    put_number(order, number);
    put_text(order, task_.parts[number].name);
    exchange_->send(rank, std::move(order));
    ranks_[rank].part = number;
    ranks_[rank].told_to_stop = false;
    return true;
  }
  return false;
}

void PartRanks::stop_all() {
  for (std::uint32_t rank = 1; rank < ranks_.size(); ++rank) {
    if (!ranks_[rank].part || ranks_[rank].told_to_stop) continue;
    exchange_->send(rank, {static_cast<std::uint8_t>(Order::Stop)});
    ranks_[rank].told_to_stop = true;
  }
}

std::optional<PartResult> PartRanks::collect() {
  if (exchange_ == nullptr) return std::nullopt;
  while (const auto message = exchange_->receive()) {
    Rank& rank = ranks_[message->from];
    if (!message->bytes.empty()) {
      PartResult result = result_in(message->bytes);
      COHORT_EXPECT(rank.part == result.number, "a rank answers for the part that it has");
      rank.part.reset();
      return result;
    }
    rank.gone = true;
    if (rank.part) lost_.push_back(*rank.part);
    rank.part.reset();
  }
  return std::nullopt;
}

std::optional<std::size_t> PartRanks::lost() {
  if (lost_.empty()) return std::nullopt;
  const std::size_t number = lost_.back();
  lost_.pop_back();
  return number;
}

void serve_parts(Env& env, const SeveralFiles& task, exchange::Exchange& exchange) {
  COHORT_EXPECT(exchange.self() != 0, "the first rank gives orders");
  PartProcesses processes(task);
  bool over = false;
  while (!over || processes.running() > 0) {
    const auto message = exchange.receive();
    if (message && (message->bytes.empty() || message->from != 0)) {
      over = over || message->from == 0;
    } else if (message) {
      Reader in(message->bytes);
      const auto order = static_cast<Order>(in.byte());
      over = over || order == Order::End;
      if (order == Order::Start) {
        const std::size_t number = in.number();
        const std::string name = in.text();
        if (number >= task.parts.size() || task.parts[number].name != name) {
          exchange.send(0, refusal(number, fmt::format("rank {} does not see this file as the first rank does\n",
                                                       exchange.self())));
        } else if (!processes.start(number)) {
          exchange.send(0, refusal(number, "cannot start a process for it\n"));
        }
      } else {
        processes.stop_all();
      }
    }
    if (over || env.poll_now("verify-each")) processes.stop_all();
    if (const auto result = processes.collect()) {
      if (!over) exchange.send(0, message_of(*result));
    } else if (!message) {
      std::this_thread::sleep_for(between_looks);
    }
  }
}

}  // namespace cohort::cli
