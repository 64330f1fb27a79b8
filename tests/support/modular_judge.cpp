#include "support/modular_judge.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "model/analysis/thread_limits.hpp"

namespace cohort::test {

using model::State;
using model::ThreadState;
using nlohmann::json;

namespace {

using Word = unsigned __int128;

// A bit-vector of up to 128 bits; a Boolean has none.
struct Value {
  Word bits = 0;
  unsigned width = 0;

  bool truth() const {
    if (width != 0) throw std::logic_error("a bit-vector is no truth");
    return bits != 0;
  }
  bool negative() const { return (bits >> (width - 1) & 1U) != 0; }
};

Word mask(unsigned width) {
  if (width == 0 || width > 128) throw std::logic_error("a width that the judge does not know");
  return width == 128 ? ~Word{0} : (Word{1} << width) - 1;
}

Value vector_of(Word bits, unsigned width) {
  return {bits & mask(width), width};
}

Value boolean(bool truth) {
  return {truth ? Word{1} : Word{0}, 0};
}

Value word_of(model::Value value) {
  return vector_of(static_cast<std::uint64_t>(value), 64);
}

Value negated(const Value& value) {
  return vector_of(~value.bits + 1, value.width);
}

Value extended(const Value& value, unsigned more, bool with_sign) {
  const Word high = with_sign && value.negative() ? ~mask(value.width) : Word{0};
  return vector_of(value.bits | high, value.width + more);
}

bool less(const Value& a, const Value& b) {
  const Word flip = Word{1} << (a.width - 1);
  return (a.bits ^ flip) < (b.bits ^ flip);
}

// As SMT-LIB defines division of signed numbers by that of their magnitudes, zero included.
Value divided(const std::string& op, const Value& a, const Value& b) {
  const Value dividend = a.negative() ? negated(a) : a;
  const Value divisor = b.negative() ? negated(b) : b;
  const bool by_zero = divisor.bits == 0;
  const Value quotient = vector_of(by_zero ? ~Word{0} : dividend.bits / divisor.bits, a.width);
  const Value rest = by_zero ? dividend : vector_of(dividend.bits % divisor.bits, a.width);
  if (op == "bvsdiv") return a.negative() == b.negative() ? quotient : negated(quotient);
  if (op == "bvsrem") return a.negative() ? negated(rest) : rest;
  const Value signed_rest = a.negative() ? negated(rest) : rest;
  if (rest.bits == 0 || a.negative() == b.negative()) return signed_rest;
  return vector_of(signed_rest.bits + b.bits, a.width);
}

Value shifted(const std::string& op, const Value& a, const Value& b) {
  const bool beyond = b.bits >= a.width;
  const auto by = static_cast<unsigned>(beyond ? 0 : b.bits);
  if (op == "bvshl") return vector_of(beyond ? Word{0} : a.bits << by, a.width);
  const Word high = a.negative() ? ~Word{0} : Word{0};
  if (beyond) return vector_of(high, a.width);
  return vector_of(a.bits >> by | (by == 0 ? Word{0} : high << (a.width - by)), a.width);
}

class Evaluation {
 public:
  Evaluation(const std::string& text, const std::map<std::string, Value>& variables)
      : text_(text), variables_(variables) {}

  bool truth() {
    const bool result = term().truth();
    if (!take().empty()) throw std::logic_error("more than one term");
    return result;
  }

 private:
  std::string take() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    if (at_ == text_.size()) return {};
    if (text_[at_] == '(' || text_[at_] == ')') return std::string(1, text_[at_++]);
    const std::size_t end = std::min(text_.find_first_of(" \n()", at_), text_.size());
    std::string token = text_.substr(at_, end - at_);
    at_ = end;
    return token;
  }

  unsigned number() { return static_cast<unsigned>(std::stoul(take())); }

  void expect(const char* wanted) {
    if (take() != wanted) throw std::logic_error(std::string("expected ") + wanted);
  }

  Value term() {
    const std::string token = take();
    if (token != "(") return leaf(token);
    std::string op = take();
    std::vector<unsigned> indices;
    if (op == "(") {
      expect("_");
      op = take();
      indices.push_back(number());
      if (op == "extract") indices.push_back(number());
      expect(")");
    }
    std::vector<Value> values;
    for (std::size_t before = at_; take() != ")"; before = at_) {
      if (at_ == before) throw std::logic_error("a term without end");
      at_ = before;
      values.push_back(term());
    }
    return apply(op, indices, values);
  }

  Value leaf(const std::string& token) const {
    if (token == "true" || token == "false") return boolean(token == "true");
    if (token.starts_with("#x")) {
      Word bits = 0;
      for (const char digit : token.substr(2)) bits = bits << 4U | std::stoul(std::string(1, digit), nullptr, 16);
      return vector_of(bits, static_cast<unsigned>(4 * (token.size() - 2)));
    }
    return variables_.at(token);
  }

  static Value apply(const std::string& op, const std::vector<unsigned>& indices, const std::vector<Value>& values) {
    const auto all = [&](auto holds) {
      for (std::size_t i = 0; i + 1 < values.size(); ++i) {
        if (!holds(values[i], values[i + 1])) return false;
      }
      return true;
    };
    if (op == "and")
      return boolean(std::all_of(values.begin(), values.end(), [](const Value& v) { return v.truth(); }));
    if (op == "or") return boolean(std::any_of(values.begin(), values.end(), [](const Value& v) { return v.truth(); }));
    if (op == "=") {
      return boolean(all([](const Value& a, const Value& b) {
        if (a.width != b.width) throw std::logic_error("values of two sorts are compared");
        return a.bits == b.bits;
      }));
    }
    if (op == "not") return boolean(!values.at(0).truth());
    if (op == "bvnot") return vector_of(~values.at(0).bits, values[0].width);
    if (op == "bvneg") return negated(values.at(0));
    if (op == "sign_extend" || op == "zero_extend") return extended(values.at(0), indices.at(0), op == "sign_extend");
    if (op == "extract") return vector_of(values.at(0).bits >> indices.at(1), indices.at(0) - indices.at(1) + 1);
    if (op == "ite") return values.at(0).truth() ? values.at(1) : values.at(2);
    if (op == "=>") return boolean(implied(values));
    return folded(op, values);
  }

  // To the right, as SMT-LIB has it.
  static bool implied(const std::vector<Value>& values) {
    bool result = values.at(values.size() - 1).truth();
    for (std::size_t i = values.size() - 1; i-- > 0;) result = !values[i].truth() || result;
    return result;
  }

  static Value folded(const std::string& op, const std::vector<Value>& values) {
    if (values.size() < 2) throw std::logic_error(op + " of one value");
    Value result = values[0];
    for (std::size_t i = 1; i < values.size(); ++i) {
      if (result.width != values[i].width) throw std::logic_error("values of two widths");
      result = binary(op, result, values[i]);
    }
    return result;
  }

  static Value binary(const std::string& op, const Value& a, const Value& b) {
    if (op == "bvadd") return vector_of(a.bits + b.bits, a.width);
    if (op == "bvsub") return vector_of(a.bits - b.bits, a.width);
    if (op == "bvmul") return vector_of(a.bits * b.bits, a.width);
    if (op == "bvand") return vector_of(a.bits & b.bits, a.width);
    if (op == "bvor") return vector_of(a.bits | b.bits, a.width);
    if (op == "bvxor") return vector_of(a.bits ^ b.bits, a.width);
    if (op == "bvslt") return boolean(less(a, b));
    if (op == "bvsle") return boolean(!less(b, a));
    if (op == "bvshl" || op == "bvashr") return shifted(op, a, b);
    if (op == "bvsdiv" || op == "bvsrem" || op == "bvsmod") return divided(op, a, b);
    throw std::logic_error("an operator that the judge does not know: " + op);
  }

  const std::string& text_;
  const std::map<std::string, Value>& variables_;
  std::size_t at_ = 0;
};

using Seat = std::tuple<std::size_t, std::size_t, bool>;  // template, location, inside an atomic section

Seat seat_of(const ThreadState& thread) {
  return {thread.templ.value, thread.location.value, thread.atomic};
}

class Judge {
 public:
  Judge(const model::Program& program, const json& certificate, const State& state) : state_(state) {
    for (const json& view : certificate["views"]) add_view(view);
    for (std::size_t i = 0; i < state.shared.size(); ++i) shared_["g" + std::to_string(i)] = word_of(state.shared[i]);
    if (certificate.contains("ghosts")) add_ghosts(certificate["ghosts"]);
    const model::Commands commands(program);
    const auto limits = model::thread_limits(commands);
    std::uint64_t crowd = 0;
    bool any_number = false;
    class_of_.assign(limits.size(), 0);
    missing_.assign(1, certificate["threads"].get<std::uint32_t>());
    for (std::size_t i = 0; i < limits.size(); ++i) {
      if (certificate["singles"].get<bool>() && limits[i] == 1) {
        class_of_[i] = missing_.size();
        missing_.push_back(1);
      } else if (limits[i]) {
        crowd += *limits[i];
      } else {
        any_number = true;
      }
    }
    if (!any_number) missing_[0] = static_cast<std::uint32_t>(std::min<std::uint64_t>(crowd, missing_[0]));
  }

  bool holds() { return hold_from(0); }

 private:
  struct View {
    std::vector<Seat> seats;
    std::string formula;
  };

  void add_view(const json& view) {
    View result{{}, view["invariant"].get<std::string>()};
    for (const json& thread : view["threads"]) {
      if (thread.contains("state")) return;
      result.seats.emplace_back(thread["template"].get<std::size_t>(), thread["location"].get<std::size_t>(),
                                thread["atomic"].get<bool>());
    }
    std::vector<Seat> sorted = result.seats;
    std::sort(sorted.begin(), sorted.end());
    views_.emplace(std::move(sorted), std::move(result));  // of two, the first counts
  }

  void add_ghosts(const json& ghosts) {
    for (std::size_t i = 0; i < ghosts.size(); ++i) {
      auto sum = ghosts[i]["initial"].get<std::int64_t>();
      for (const auto& thread : state_.threads) {
        for (const json& one : ghosts[i]["weights"]) {
          const bool is_there =
              thread && one["template"] == thread->templ.value && one["location"] == thread->location.value;
          if (is_there) sum += one["weight"].get<std::int64_t>();
        }
      }
      shared_["g" + std::to_string(state_.shared.size() + i)] = word_of(sum);
    }
  }

  // All choices of threads from this slot on that complete a view.
  bool hold_from(std::size_t slot) {
    if (std::all_of(missing_.begin(), missing_.end(), [](std::uint32_t count) { return count == 0; }))
      return is_allowed();
    for (std::size_t i = slot; i < state_.threads.size(); ++i) {
      if (!state_.threads[i]) continue;
      std::uint32_t& missing = missing_[class_of_[state_.threads[i]->templ.value]];
      if (missing == 0) continue;
      --missing;
      chosen_.push_back(&*state_.threads[i]);
      const bool all = hold_from(i + 1);
      chosen_.pop_back();
      ++missing;
      if (!all) return false;
    }
    return true;
  }

  bool is_allowed() const {
    std::vector<Seat> seats;
    for (const ThreadState* thread : chosen_) seats.push_back(seat_of(*thread));
    std::sort(seats.begin(), seats.end());
    const auto view = views_.find(seats);
    if (view == views_.end()) return false;
    std::vector<const ThreadState*> order = chosen_;
    std::sort(order.begin(), order.end());
    do {
      const bool fits =
          std::equal(order.begin(), order.end(), view->second.seats.begin(),
                     [](const ThreadState* thread, const Seat& seat) { return seat_of(*thread) == seat; });
      if (fits && !satisfies(order, view->second.formula)) return false;
    } while (std::next_permutation(order.begin(), order.end()));
    return true;
  }

  bool satisfies(const std::vector<const ThreadState*>& threads, const std::string& formula) const {
    std::map<std::string, Value> variables = shared_;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      for (std::size_t slot = 0; slot < threads[i]->locals.size(); ++slot) {
        variables["t" + std::to_string(i) + "." + std::to_string(slot)] = word_of(threads[i]->locals[slot]);
      }
    }
    return Evaluation(formula, variables).truth();
  }

  const State& state_;
  std::map<std::string, Value> shared_;
  std::map<std::vector<Seat>, View> views_;
  std::vector<std::size_t> class_of_;
  std::vector<std::uint32_t> missing_;  // threads of each class for a view
  std::vector<const ThreadState*> chosen_;
};

}  // namespace

bool views_hold(const model::Program& program, const json& certificate, const State& state) {
  return Judge(program, certificate, state).holds();
}

}  // namespace cohort::test
