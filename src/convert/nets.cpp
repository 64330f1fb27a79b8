#include "convert/nets.hpp"

#include <map>
#include <set>

#include <fmt/core.h>

#include "convert/counter_rules.hpp"

namespace cohort::convert {

namespace {

using Index = CounterRules::Index;

// What a transition needs and leaves, by the name of the place.
struct Arcs {
  std::map<std::string, std::uint64_t> takes;
  std::map<std::string, std::uint64_t> gives;
};

class Net {
 public:
  explicit Net(const CounterRules& rules) : rules_(rules) {}

  std::string control(Index index) const { return index == rules_.bad ? "bad" : fmt::format("c{}", index); }
  std::string place(Index index) const { return fmt::format("p{}", index); }

  Arcs arcs(const CounterRules::Rule& rule) const {
    Arcs arcs;
    ++arcs.takes[control(rule.from)];
    ++arcs.gives[control(rule.to)];
    for (const Index taken : rule.takes) ++arcs.takes[place(taken)];
    for (const Index given : rule.gives) ++arcs.gives[place(given)];
    return arcs;
  }

 protected:
  const CounterRules& rules_;
};

class SpecWriter : public Net {
 public:
  using Net::Net;

  std::string write() {
    for (const CounterRules::Rule& rule : rules_.rules) {
      rule.moves.empty() ? add_plain(arcs(rule)) : add_transfer(rule);
    }
    std::string text = "vars\n";
    for (Index i = 0; i < rules_.controls.size(); ++i)
      text += fmt::format("  {} # {}\n", control(i), rules_.controls[i]);
    for (Index i = 0; i < rules_.places.size(); ++i) text += fmt::format("  {} # {}\n", place(i), rules_.places[i]);
    for (const std::string& extra : extra_) text += fmt::format("  {}\n", extra);
    return text + "\nrules\n" + lines_ + "\ninit\n" + init() + "\n\ntarget\nbad >= 1\n";
  }

 private:
  void add_plain(const Arcs& arcs) {
    std::string guards;
    std::string effects;
    std::set<std::string> names;
    for (const auto& [name, count] : arcs.takes) {
      guards += fmt::format("{}{} >= {}", guards.empty() ? "" : ", ", name, count);
      names.insert(name);
    }
    for (const auto& [name, count] : arcs.gives) names.insert(name);
    for (const std::string& name : names) {
      const std::uint64_t taken = arcs.takes.contains(name) ? arcs.takes.at(name) : 0;
      const std::uint64_t given = arcs.gives.contains(name) ? arcs.gives.at(name) : 0;
      if (taken == given) continue;
      effects += fmt::format("{}{}' = {} {} {}", effects.empty() ? "" : ", ", name, name, taken < given ? "+" : "-",
                             taken < given ? given - taken : taken - given);
    }
    lines_ += fmt::format("{} -> {};\n", guards, effects);
  }

  // In three rules, with control states of their own between them: what is taken goes first, so that it is not moved,
  // and what is given comes last.
  void add_transfer(const CounterRules::Rule& rule) {
    const std::string before = fmt::format("m{}", extra_.size());
    extra_.push_back(before);
    const std::string after = fmt::format("m{}", extra_.size());
    extra_.push_back(after);
    Arcs first = arcs({.from = rule.from, .to = rule.from, .takes = rule.takes, .gives = {}, .moves = {}});
    first.gives = {{before, 1}};
    add_plain(first);
    std::map<Index, Index> target;
    for (const auto& [from, to] : rule.moves) {
      if (!target.emplace(from, to).second) {
        throw_unsupported(
            {}, "a broadcast in which a passive thread has a choice is no transfer and cannot be written as .spec");
      }
    }
    std::map<Index, std::string> sums;
    for (const auto& [from, to] : target) {
      if (!sums.contains(to) && !target.contains(to)) sums[to] = place(to);
      sums[to] += (sums[to].empty() ? "" : " + ") + place(from);
    }
    for (const auto& [from, to] : target) sums.try_emplace(from, "0");
    lines_ += fmt::format("{} >= 1 -> {}' = {} - 1, {}' = {} + 1", before, before, before, after, after);
    for (const auto& [name, sum] : sums) lines_ += fmt::format(", {}' = {}", place(name), sum);
    lines_ += ";\n";
    Arcs last = arcs({.from = rule.to, .to = rule.to, .takes = {}, .gives = rule.gives, .moves = {}});
    last.takes = {{after, 1}};
    add_plain(last);
  }

  std::string init() const {
    std::string text = fmt::format("{} = 1", control(rules_.start));
    for (Index i = 0; i < rules_.controls.size(); ++i) {
      if (i != rules_.start) text += fmt::format(", {} = 0", control(i));
    }
    std::map<Index, std::optional<std::uint32_t>> counts(rules_.initial.begin(), rules_.initial.end());
    for (Index i = 0; i < rules_.places.size(); ++i) {
      const auto it = counts.find(i);
      const bool any = it != counts.end() && !it->second;
      text += fmt::format(", {} {} {}", place(i), any ? ">=" : "=", it != counts.end() ? it->second.value_or(0) : 0);
    }
    for (const std::string& extra : extra_) text += fmt::format(", {} = 0", extra);
    return text;
  }

  std::string lines_;
  std::vector<std::string> extra_;
};

class PnmlWriter : public Net {
 public:
  using Net::Net;

  std::string write() {
    std::map<Index, std::optional<std::uint32_t>> counts(rules_.initial.begin(), rules_.initial.end());
    std::string places = place_text("start", "the tokens at the start are being made", 1);
    for (Index i = 0; i < rules_.controls.size(); ++i) places += place_text(control(i), rules_.controls[i], 0);
    for (Index i = 0; i < rules_.places.size(); ++i) {
      const auto it = counts.find(i);
      places += place_text(place(i), rules_.places[i], it != counts.end() ? it->second.value_or(0) : 0);
      // A marking is finite, so a place that starts with any number of tokens is filled first.
      if (it != counts.end() && !it->second) add({{{"start", 1}}, {{"start", 1}, {place(i), 1}}});
    }
    add({{{"start", 1}}, {{control(rules_.start), 1}}});
    for (const CounterRules::Rule& rule : rules_.rules) {
      if (!rule.moves.empty()) throw_unsupported({}, "broadcasts cannot be written as a place/transition net");
      add(arcs(rule));
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!-- The violation: a token at the place with the id bad. -->\n"
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
        "<net id=\"net\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page "
        "id=\"page\">\n{}{}</page></net>\n</pnml>\n",
        places, transitions_);
  }

 private:
  static std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
      switch (c) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        default: result += c;
      }
    }
    return result;
  }

  static std::string place_text(const std::string& id, const std::string& name, std::uint64_t tokens) {
    const std::string marking =
        tokens == 0 ? "" : fmt::format("<initialMarking><text>{}</text></initialMarking>", tokens);
    return fmt::format("<place id=\"{}\"><name><text>{}</text></name>{}</place>\n", id, escaped(name), marking);
  }

  void add(const Arcs& arcs) {
    const std::string id = fmt::format("t{}", count_++);
    transitions_ += fmt::format("<transition id=\"{}\"/>\n", id);
    const auto arc = [&](const std::string& source, const std::string& target, std::uint64_t weight) {
      const std::string inscription =
          weight == 1 ? "" : fmt::format("<inscription><text>{}</text></inscription>", weight);
      transitions_ +=
          fmt::format("<arc id=\"a{}\" source=\"{}\" target=\"{}\">{}</arc>\n", arcs_++, source, target, inscription);
    };
    for (const auto& [name, weight] : arcs.takes) arc(name, id, weight);
    for (const auto& [name, weight] : arcs.gives) arc(id, name, weight);
  }

  std::string transitions_;
  std::size_t count_ = 0;
  std::size_t arcs_ = 0;
};

}  // namespace

std::string to_spec(const model::Program& program) {
  const CounterRules rules = counter_rules(program);
  return SpecWriter(rules).write();
}

std::string to_pnml(const model::Program& program) {
  const CounterRules rules = counter_rules(program);
  return PnmlWriter(rules).write();
}

}  // namespace cohort::convert
