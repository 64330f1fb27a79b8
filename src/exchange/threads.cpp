#include "exchange/threads.hpp"

#include <pthread.h>

#include <array>
#include <chrono>
#include <exception>
#include <new>
#include <utility>

#include "base/contract.hpp"

namespace cohort::exchange {

namespace {

class Mailbox {
 public:
  void put(Message message) {
    {
      const std::lock_guard lock(mutex_);
      messages_.push_back(std::move(message));
    }
    arrived_.notify_one();
  }

  std::optional<Message> take() {
    const std::lock_guard lock(mutex_);
    if (messages_.empty()) return std::nullopt;
    Message message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }

  void wait() {
    constexpr std::chrono::milliseconds patience(2);
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, patience, [&] { return !messages_.empty(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Message> messages_;
};

class ThreadExchange : public Exchange {
 public:
  ThreadExchange(std::vector<Mailbox>& mailboxes, std::uint32_t self) : mailboxes_(mailboxes), self_(self) {}

  std::uint32_t self() const override { return self_; }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(mailboxes_.size()); }
  void send(std::uint32_t to, Bytes bytes) override {
    COHORT_EXPECT(to < mailboxes_.size() && to != self_, "messages go to other workers");
    mailboxes_[to].put({self_, std::move(bytes)});
  }
  std::optional<Message> receive() override { return mailboxes_[self_].take(); }
  void wait() override { mailboxes_[self_].wait(); }

 private:
  std::vector<Mailbox>& mailboxes_;
  std::uint32_t self_;
};

struct Worker {
  const std::function<void(Exchange&)>* work = nullptr;
  std::unique_ptr<ThreadExchange> exchange;
  std::exception_ptr failure;
  pthread_t thread{};
};

void work(Worker& worker) {
  try {
    (*worker.work)(*worker.exchange);
  } catch (...) {
    worker.failure = std::current_exception();
  }
}

void* start(void* worker) {
  work(*static_cast<Worker*>(worker));
  return nullptr;
}

// Expressions are evaluated by recursion, so the stack is as large as can be had (see cli/main.cpp).
bool create(Worker& worker) {
  for (const std::size_t mebibytes : std::array<std::size_t, 3>{512, 128, 16}) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    const bool created = pthread_attr_setstacksize(&attributes, mebibytes << 20U) == 0 &&
                         pthread_create(&worker.thread, &attributes, start, &worker) == 0;
    pthread_attr_destroy(&attributes);
    if (created) return true;
  }
  return false;
}

}  // namespace

void run_in_threads(std::uint32_t workers, const std::function<void(Exchange&)>& function) {
  COHORT_EXPECT(workers >= 1, "somebody works");
  std::vector<Mailbox> mailboxes(workers);
  std::vector<Worker> team(workers);
  for (std::uint32_t i = 0; i < workers; ++i) {
    team[i].work = &function;
    team[i].exchange = std::make_unique<ThreadExchange>(mailboxes, i);
  }
  // A worker waits for all others: either all of them are there, or none begins.
  std::mutex gate;
  bool open = false;
  bool called_off = false;
  std::condition_variable opened;
  const std::function<void(Exchange&)> gated = [&](Exchange& exchange) {
    {
      std::unique_lock lock(gate);
      opened.wait(lock, [&] { return open; });
      if (called_off) return;
    }
    function(exchange);
  };
  std::uint32_t created = 1;
  for (; created < workers; ++created) {
    team[created].work = &gated;
    if (!create(team[created])) break;
  }
  {
    const std::lock_guard lock(gate);
    open = true;
    called_off = created < workers;
  }
  opened.notify_all();
  if (created == workers) work(team[0]);
  for (std::uint32_t i = 1; i < created; ++i) pthread_join(team[i].thread, nullptr);
  if (created < workers) throw std::bad_alloc();
  for (const Worker& worker : team) {
    if (worker.failure) std::rethrow_exception(worker.failure);
  }
}

}  // namespace cohort::exchange
