// A rule that takes one thread and gives one is a line of its own.  Any other is a chain of lines through shared states
// that belong to the rule alone, so that nothing else can happen between them; a chain that cannot go on is stuck,
// which covers nothing more.
#include "convert/tts.hpp"

#include <fmt/core.h>

#include "convert/counter_rules.hpp"

namespace cohort::convert {

namespace {

class Writer {
 public:
  explicit Writer(const CounterRules& rules)
      : rules_(rules),
        shared_(rules.controls.size()),
        ended_(rules.places.size()),
        nobody_(rules.places.size() + 1),
        waiting_(rules.places.size() + 2) {}

  std::string write() {
    for (const CounterRules::Rule& rule : rules_.rules) add(rule);
    std::string text = fmt::format("# read with --init \"{}\"\n{} {}\n", init(), shared_, rules_.places.size() + 3);
    for (std::size_t i = 0; i < rules_.controls.size(); ++i)
      text += fmt::format("# shared {}: {}\n", i, rules_.controls[i]);
    for (std::size_t i = 0; i < rules_.places.size(); ++i) text += fmt::format("# local {}: {}\n", i, rules_.places[i]);
    return text + lines_ + fmt::format("{}|\n", rules_.bad);
  }

  std::string init() const {
    std::string bounded;
    std::string unbounded;
    for (const auto& [place, count] : rules_.initial) {
      std::string& list = count ? bounded : unbounded;
      for (std::uint32_t i = 0; i < count.value_or(1); ++i) list += fmt::format("{}{}", list.empty() ? "" : ",", place);
    }
    return fmt::format("{}|{}{}", rules_.start, bounded, unbounded.empty() ? "" : "/" + unbounded);
  }

 private:
  using Index = CounterRules::Index;

  void line(std::size_t from, Index active, const char* arrow, std::size_t to, std::size_t after,
            const std::string& moves = "") {
    lines_ += fmt::format("{} {} {} {} {}{}\n", from, active, arrow, to, after, moves);
  }

  void add(const CounterRules::Rule& rule) {
    std::string moves;
    for (const auto& [from, to] : rule.moves) moves += fmt::format(" {} ~> {}", from, to);
    if (rule.takes.empty()) {
      // Nobody is ever at that place: the line moves no thread and needs none.
      line(rule.from, static_cast<Index>(nobody_), "~>", rule.to, nobody_);
      return;
    }
    if (rule.takes.size() == 1 && rule.gives.size() == 1) {
      line(rule.from, rule.takes[0], "->", rule.to, rule.gives[0], moves);
      return;
    }
    if (!rule.moves.empty()) {
      throw_unsupported({},
                        "a step that both broadcasts and takes or creates other threads cannot be written as one line "
                        "of a .tts file");
    }
    if (rule.takes.size() == 1 && rule.gives.size() == 2 && rule.gives[0] == rule.takes[0]) {
      line(rule.from, rule.takes[0], "+>", rule.to, rule.gives[1]);
      return;
    }
    add_chain(rule);
  }

  // The active thread waits at a place of its own until all others are taken, so that none is taken twice; then it
  // creates what is given.
  void add_chain(const CounterRules::Rule& rule) {
    std::size_t here = rule.from;
    const auto next = [&] { return shared_++; };
    for (std::size_t i = 0; i < rule.takes.size(); ++i) {
      const std::size_t to = next();
      line(here, rule.takes[i], "->", to, i == 0 ? waiting_ : ended_);
      here = to;
    }
    for (std::size_t i = 1; i < rule.gives.size(); ++i) {
      const std::size_t to = next();
      line(here, static_cast<Index>(waiting_), "+>", to, rule.gives[i]);
      here = to;
    }
    line(here, static_cast<Index>(waiting_), "->", rule.to, rule.gives.empty() ? ended_ : rule.gives[0]);
  }

  const CounterRules& rules_;
  std::size_t shared_;
  std::size_t ended_;
  std::size_t nobody_;
  std::size_t waiting_;
  std::string lines_;
};

}  // namespace

std::string to_tts(const model::Program& program) {
  const CounterRules rules = counter_rules(program);
  return Writer(rules).write();
}

std::string tts_init(const model::Program& program) {
  const CounterRules rules = counter_rules(program);
  return Writer(rules).init();
}

}  // namespace cohort::convert
