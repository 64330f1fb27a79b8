#include "strategy/message.hpp"

#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/contract.hpp"

namespace cohort::strategy {

using model::Program;
using model::Run;
using model::State;
using model::ThreadState;
using model::Transition;
using result::Result;

namespace {

// A certificate on its way from a child: its JSON form, which is all that anybody wants of it.
class ReceivedCertificate : public result::Certificate {
 public:
  explicit ReceivedCertificate(nlohmann::json document) : document_(std::move(document)) {
    const auto kind = document_.is_object() ? document_.find("kind") : document_.end();
    if (kind != document_.end() && kind->is_string()) kind_ = kind->get<std::string>();
  }

  std::string_view kind() const override { return kind_; }
  nlohmann::json to_json(const Program&) const override { return document_; }

 private:
  nlohmann::json document_;
  std::string kind_;
};

class Writer {
 public:
  explicit Writer(const Program& program) : program_(program) {}

  void put(std::uint64_t value) {
    for (unsigned i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i)));
  }
  void put(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(std::uint64_t{value ? 1U : 0U});
    if (value) put(*value);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    for (const T& value : values) put(value);
  }
  void put(model::Value value) { put(static_cast<std::uint64_t>(value)); }
  void put(std::uint32_t value) { put(std::uint64_t{value}); }
  void put(bool value) { put(std::uint64_t{value ? 1U : 0U}); }
  void put(const ThreadState& thread) {
    put(std::uint64_t{thread.templ.value});
    put(std::uint64_t{thread.location.value});
    put(thread.atomic);
    put(thread.locals);
  }
  void put(const State& state) {
    put(state.shared);
    put(state.threads);
  }
  void put(const Transition& step) {
    put(std::uint64_t{step.thread});
    put(std::uint64_t{step.edge.templ.value});
    put(std::uint64_t{step.edge.edge});
    put(step.target);
    put(std::uint64_t{step.spawned.size()});
    for (const std::size_t slot : step.spawned) put(std::uint64_t{slot});
    put(std::uint64_t{step.fault ? 1 + static_cast<unsigned>(*step.fault) : 0U});
    put(step.fault_action);
  }
  void put(const Run& run) {
    put(run.initial);
    put(run.steps);
    put(run.choices);
  }
  void put(const Result& result) {
    put(std::uint64_t{static_cast<unsigned>(result.verdict)});
    put(std::string_view(result.reason));
    put(result.run);
    put(result.property ? std::optional<std::uint64_t>(result.property->value) : std::nullopt);
    std::vector<std::uint8_t> certificate;
    if (result.certificate) certificate = nlohmann::json::to_cbor(result.certificate->to_json(program_));
    put(std::string_view(reinterpret_cast<const char*>(certificate.data()), certificate.size()));
    put(result.sufficient_threads);
    put(result.cutoff_open);
    put(result.holds_without_bound);
    put(std::uint64_t{result.assumptions.size()});
    for (const std::string& assumption : result.assumptions) put(std::string_view(assumption));
  }
  void put(const Statistics& statistics) {
    put(std::uint64_t{statistics.entries().size()});
    for (const auto& [name, value] : statistics.entries()) {
      put(std::string_view(name));
      put(std::uint64_t{value.index()});
      if (const auto* number = std::get_if<std::uint64_t>(&value)) put(*number);
      if (const auto* real = std::get_if<double>(&value)) put_real(*real);
      if (const auto* text = std::get_if<std::string>(&value)) put(std::string_view(*text));
    }
  }

  std::string take() { return std::move(bytes_); }

 private:
  void put_real(double value) {
    std::uint64_t bits = 0;
    static_assert(sizeof bits == sizeof value);
    std::memcpy(&bits, &value, sizeof bits);
    put(bits);
  }

  const Program& program_;
  std::string bytes_;
};

class Reader {
 public:
  Reader(const Program& program, std::string_view bytes) : program_(program), bytes_(bytes) {}

  std::uint64_t number() {
    need(8);
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes_[i])} << (8 * i);
    bytes_.remove_prefix(8);
    return value;
  }
  // A number up to `most`.
  std::uint64_t number(std::uint64_t most) {
    const std::uint64_t value = number();
    if (value > most) throw DamagedMessage();
    return value;
  }
  bool flag() { return number(1) == 1; }
  std::string_view text() {
    const std::uint64_t size = number();
    need(size);
    const std::string_view result = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return result;
  }
  // Each element takes at least eight bytes, so a length that is a lie is seen before room is made for it.
  std::size_t length() { return number(bytes_.size() / 8); }

  model::Valuation valuation() {
    model::Valuation values(length());
    for (model::Value& value : values) value = static_cast<model::Value>(number());
    return values;
  }
  ThreadState thread() {
    ThreadState thread;
    const std::uint64_t templ = number();
    if (templ >= program_.templates.size()) throw DamagedMessage();
    thread.templ = model::TemplateId(templ);
    const std::uint64_t location = number();
    if (location >= program_.templ(thread.templ).locations.size()) throw DamagedMessage();
    thread.location = model::LocId(location);
    thread.atomic = flag();
    thread.locals = valuation();
    if (thread.locals.size() != program_.templ(thread.templ).local_slots()) throw DamagedMessage();
    return thread;
  }
  State state() {
    State state;
    state.shared = valuation();
    if (state.shared.size() != program_.shared_slots()) throw DamagedMessage();
    state.threads.resize(length());
    for (auto& slot : state.threads) {
      if (flag()) slot = thread();
    }
    return state;
  }
  Transition step() {
    Transition step;
    step.thread = number(UINT32_MAX);
    const std::uint64_t templ = number();
    if (templ >= program_.templates.size()) throw DamagedMessage();
    step.edge.templ = model::TemplateId(templ);
    const std::uint64_t edge = number();
    if (edge >= program_.templ(step.edge.templ).edges.size()) throw DamagedMessage();
    step.edge.edge = static_cast<std::uint32_t>(edge);
    step.target = state();
    step.spawned.resize(length());
    for (std::size_t& slot : step.spawned) slot = number(UINT32_MAX);
    const std::uint64_t fault = number(1 + static_cast<unsigned>(model::FaultKind::Overflow));
    if (fault > 0) step.fault = static_cast<model::FaultKind>(fault - 1);
    step.fault_action = static_cast<std::uint32_t>(number(UINT32_MAX));
    return step;
  }
  Run run() {
    Run run;
    run.initial = state();
    run.steps.resize(length());
    for (Transition& one : run.steps) one = step();
    run.choices = valuation();
    return run;
  }
  Result result() {
    Result result;
    result.verdict = static_cast<result::Verdict>(number(static_cast<unsigned>(result::Verdict::Unknown)));
    result.reason = text();
    if (flag()) result.run = run();
    if (flag()) {
      const std::uint64_t property = number();
      if (property >= program_.properties.size()) throw DamagedMessage();
      result.property = model::PropertyId(property);
    }
    if (const std::string_view certificate = text(); !certificate.empty()) {
      auto document = nlohmann::json::from_cbor(certificate, true, false);
      if (document.is_discarded()) throw DamagedMessage();
      result.certificate = std::make_unique<ReceivedCertificate>(std::move(document));
    }
    if (flag()) result.sufficient_threads = static_cast<std::uint32_t>(number(UINT32_MAX));
    result.cutoff_open = flag();
    result.holds_without_bound = flag();
    const std::size_t assumptions = length();
    for (std::size_t i = 0; i < assumptions; ++i) result.assumptions.emplace_back(text());
    return result;
  }
  Statistics statistics() {
    Statistics statistics;
    const std::size_t count = length();
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name(text());
      switch (number(2)) {
        case 0: statistics.set(name, number()); break;
        case 1: statistics.set(name, real()); break;
        default: statistics.set(name, std::string(text())); break;
      }
    }
    return statistics;
  }
  void expect_end() const {
    if (!bytes_.empty()) throw DamagedMessage();
  }

 private:
  void need(std::uint64_t size) const {
    if (size > bytes_.size()) throw DamagedMessage();
  }
  double real() {
    const std::uint64_t bits = number();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  const Program& program_;
  std::string_view bytes_;
};

constexpr std::size_t header_size = 9;  // the kind and the length of what follows

}  // namespace

std::string encode(const Message& message, const Program& program) {
  Writer payload(program);
  payload.put(std::string_view(message.text));
  if (message.kind == Message::Kind::Answer) {
    payload.put(message.result);
    payload.put(message.statistics);
  }
  const std::string body = payload.take();
  Writer header(program);
  header.put(std::uint64_t{body.size()});
  return std::string(1, static_cast<char>(message.kind)) + header.take() + body;
}

std::optional<Message> MessageReader::next() {
  if (bytes_.size() < header_size) return std::nullopt;
  const auto kind = static_cast<unsigned char>(bytes_[0]);
  if (kind > static_cast<unsigned char>(Message::Kind::Failure)) throw DamagedMessage();
  const std::uint64_t size = Reader(*program_, std::string_view(bytes_).substr(1, 8)).number();
  if (size > bytes_.size() - header_size) return std::nullopt;
  Message message;
  message.kind = static_cast<Message::Kind>(kind);
  Reader reader(*program_, std::string_view(bytes_).substr(header_size, size));
  message.text = reader.text();
  if (message.kind == Message::Kind::Answer) {
    message.result = reader.result();
    message.statistics = reader.statistics();
  }
  reader.expect_end();
  bytes_.erase(0, header_size + size);
  return message;
}

}  // namespace cohort::strategy
