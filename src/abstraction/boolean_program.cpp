#include "abstraction/boolean_program.hpp"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::abstraction {

using model::Command;
using model::PlaceId;

namespace {

class Writer {
 public:
  Writer(Oracle& oracle, const Predicates& predicates, const std::vector<BroadcastStep>& steps)
      : oracle_(oracle), commands_(oracle.commands()), predicates_(predicates), steps_(steps) {}

  std::string run() {
    text_ = fmt::format("// {} predicates\n", predicates_.all().size());
    for (std::size_t i = 0; i < predicates_.all().size(); ++i) {
      const Predicate& predicate = predicates_[i];
      const bool mixed = predicate.scope == Predicate::Scope::Mixed;
      text_ += fmt::format("{} b{};  // {}{}\n", predicate.is_shared() ? "shared" : "local", i, mixed ? "mixed: " : "",
                           predicates_.text(predicate));
    }
    write_starts();
    for (std::size_t place = 0; place < commands_.places().size() && !oracle_.stopped(); ++place) {
      write_place(PlaceId(place));
    }
    return oracle_.stopped() ? std::string() : std::move(text_);
  }

 private:
  void write_starts() {
    for (const Start& start : oracle_.starts()) {
      std::string values;
      const Bits& bits = oracle_.states().bits(start.shared);
      for (std::size_t i = 0; i < bits.size(); ++i)
        values += fmt::format(" b{} = {}", predicates_.shared()[i], bits[i]);
      if (!values.empty()) text_ += "start:" + values + "\n";
      for (const auto& group : start.groups) {
        for (const ThreadState thread : group) write_thread(thread);
      }
    }
  }

  void write_thread(ThreadState thread) {
    const PlaceId place = oracle_.states().place(thread);
    const Bits& bits = oracle_.states().bits(thread);
    std::string values;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if (bits[i] == unknown_bit) continue;
      values += fmt::format(" b{} = {}", predicates_.of(commands_.place(place).templ)[i], bits[i]);
    }
    text_ += fmt::format("start: a thread at L{}{}{}\n", place.value, values.empty() ? "" : " with", values);
  }

  void write_place(PlaceId place) {
    text_ += fmt::format("\nL{}:  // {}{}\n", place.value, commands_.name(place),
                         commands_.error(place) ? "; an error" : "");
    for (const std::uint32_t command : commands_.from(place)) write_command(command);
  }

  void write_command(std::uint32_t index) {
    const Command& command = commands_.all()[index];
    std::string statements;
    for (const model::Action& action : commands_.program().edge(command.edge).actions) {
      if (!action.text.empty()) statements += (statements.empty() ? "" : "; ") + action.text;
    }
    const BroadcastStep& step = steps_[index];
    std::string havocked;
    for (std::size_t i = 0; i < predicates_.all().size(); ++i) {
      const bool others = is_among(step.others, i);
      if (!others && !is_among(step.own, i)) continue;
      havocked += havocked.empty() ? "" : ", ";
      havocked += others ? fmt::format("all(b{})", i) : written({{i, Role::ActiveAfter}}, false);
    }
    std::vector<std::string> constraints;
    for (const Cube& cube : step.forbidden) constraints.push_back(constraint(cube));
    const std::string target = command.to ? fmt::format("goto L{}", command.to->value) : "end";
    text_ += fmt::format("  havoc {{{}}} constrain forall != {{a, p}}. {}; {};  // {}\n", havocked,
                         constraints.empty() ? "1" : joined(constraints), target, statements);
    for (const model::CommandChild& child : command.children)
      text_ += fmt::format("    start L{}\n", child.place.value);
    if (!step.may_go_wrong) return;
    constraints.clear();
    for (const Cube& cube : step.harmless) constraints.push_back(constraint(cube));
    text_ += fmt::format("  assume {}; error;  // it goes wrong\n", constraints.empty() ? "1" : joined(constraints));
  }

  static std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : " & ") + part;
    return text;
  }

  static bool is_among(const std::vector<std::size_t>& predicates, std::size_t predicate) {
    return std::find(predicates.begin(), predicates.end(), predicate) != predicates.end();
  }

  static bool is_after(const Literal& literal) {
    return literal.role == Role::ActiveAfter || literal.role == Role::PassiveAfter;
  }

  std::string written(const Cube& cube, bool primes = true) const {
    std::string text;
    for (const Literal& literal : cube) {
      const bool passive = literal.role == Role::PassiveBefore || literal.role == Role::PassiveAfter;
      const std::string owner = predicates_[literal.predicate].is_shared() ? "" : passive ? "p." : "a.";
      text += fmt::format("{}{}{}b{}{}", text.empty() ? "" : " & ", literal.value ? "" : "!", owner, literal.predicate,
                          primes && is_after(literal) ? "'" : "");
    }
    return text.empty() ? "1" : text;
  }

  // As an implication where the last value is the only one after the step.
  std::string constraint(const Cube& forbidden) const {
    const auto after = std::count_if(forbidden.begin(), forbidden.end(), is_after);
    if (after != 1 || !is_after(forbidden.back())) return "!(" + written(forbidden) + ")";
    const Cube premise(forbidden.begin(), forbidden.end() - 1);
    Literal conclusion = forbidden.back();
    conclusion.value = !conclusion.value;
    return premise.empty() ? written({conclusion}) : fmt::format("({} => {})", written(premise), written({conclusion}));
  }

  Oracle& oracle_;
  const model::Commands& commands_;
  const Predicates& predicates_;
  const std::vector<BroadcastStep>& steps_;
  std::string text_;
};

}  // namespace

std::string boolean_program(Oracle& oracle, const Predicates& predicates, const std::vector<BroadcastStep>& steps) {
  COHORT_EXPECT(steps.size() == oracle.commands().all().size(), "there is a step for each command");
  return Writer(oracle, predicates, steps).run();
}

}  // namespace cohort::abstraction
