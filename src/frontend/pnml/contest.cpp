// A condition compares sums of tokens with numbers, or asks which transitions can fire; both are conditions of
// net_formula.hpp.  A sum over many places stands for very many targets, so it gets a place of its own: one that every
// transition changes by what it changes the sum.  It holds the sum in every reachable marking, and no transition waits
// for it, since what a transition takes from the sum it takes from places of the sum.
#include "frontend/pnml/contest.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/core.h>
#include <pugixml.hpp>

#include "base/contract.hpp"
#include "base/poll.hpp"

namespace cohort::frontend::pnml {

namespace {

using Place = NetParts::Place;
using Kind = ContestQuestion::Kind;

constexpr int max_depth = 1000;
// A sum that can be reached in no more ways than this is listed instead.
constexpr std::size_t listed_places = 4;

std::string_view local_name(const pugi::xml_node& node) {
  std::string_view name = node.name();
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::vector<pugi::xml_node> elements(const pugi::xml_node& node) {
  std::vector<pugi::xml_node> list;
  for (const pugi::xml_node& child : node.children()) {
    if (child.type() == pugi::node_element) list.push_back(child);
  }
  return list;
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

// True and false are what joins nothing.
NetFormula constant(bool value, const SourceSpan& span) {
  return {
      .kind = value ? NetFormula::Kind::And : NetFormula::Kind::Or, .sum = {}, .least = 0, .parts = {}, .span = span};
}

// A sum of tokens and a number.
struct Sum {
  std::vector<Place> places;
  std::int64_t number = 0;
};

class Reader {
 public:
  Reader(const SourceFilePtr& file, const NetParts& net, Env* env) : file_(file), net_(net), env_(env) {}

  std::vector<ContestQuestion> read() {
    const std::string& text = file_->text();
    const pugi::xml_parse_result result = document_.load_buffer(text.data(), text.size());
    if (!result) {
      throw_malformed(span_at(file_, static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0))),
                      fmt::format("this is no XML: {}", result.description()));
    }
    const pugi::xml_node root = document_.document_element();
    if (local_name(root) != "property-set") throw_malformed(place_of(root), "expected the element <property-set>");
    std::vector<ContestQuestion> questions;
    for (const pugi::xml_node& node : elements(root)) {
      poll(env_, "read-pnml");
      if (local_name(node) != "property") {
        throw_malformed(place_of(node), fmt::format("expected <property>, found <{}>", node.name()));
      }
      questions.push_back(read_question(node));
    }
    return questions;
  }

 private:
  ContestQuestion read_question(const pugi::xml_node& node) {
    ContestQuestion question;
    question.span = place_of(node);
    pugi::xml_node formula;
    for (const pugi::xml_node& child : elements(node)) {
      if (local_name(child) == "id") question.id = trimmed(child.text().get());
      if (local_name(child) == "formula") formula = child;
    }
    if (question.id.empty()) throw_malformed(question.span, "a <property> without <id>");
    if (!formula) throw_malformed(question.span, "a <property> without <formula>");
    try {
      read_formula(only(formula), question);
    } catch (const InputError& error) {
      if (error.kind() != InputError::Kind::Unsupported) throw;
      question.refusal = error.what();
    }
    return question;
  }

  void read_formula(const pugi::xml_node& node, ContestQuestion& question) {
    const std::string_view name = local_name(node);
    if (name == "place-bound") {
      question.kind = Kind::Bound;
      for (const pugi::xml_node& child : elements(node)) question.sum.push_back(place_named(child));
      if (question.sum.empty()) throw_malformed(place_of(node), "a <place-bound> without places");
      return;
    }
    const bool exists = name == "exists-path";
    if (!exists && name != "all-paths") refuse(node, "only EF and AG are questions of coverability");
    const pugi::xml_node inner = only(node);
    if (local_name(inner) != (exists ? "finally" : "globally")) {
      refuse(inner, "only EF and AG are questions of coverability");
    }
    question.kind = exists ? Kind::Reachable : Kind::Invariant;
    question.looked_for = condition(only(inner), 0);
    if (!exists) question.looked_for = NetFormula::no(std::move(question.looked_for));
    // Now is the time to say that it is none.
    targets_of(small(question.looked_for));
  }

  // With small numbers in the place of large ones, so that only the form is judged.
  static NetFormula small(NetFormula formula) {
    if (formula.kind == NetFormula::Kind::AtLeast && formula.least > 0) {
      formula.least = 1;
      if (formula.sum.size() > 1) formula.sum = {formula.sum.front()};
    }
    for (NetFormula& part : formula.parts) part = small(std::move(part));
    return formula;
  }

  NetFormula condition(const pugi::xml_node& node, int depth) {
    poll(env_, "read-pnml");
    if (depth > max_depth) throw_malformed(place_of(node), "conditions are nested too deeply");
    const std::string_view name = local_name(node);
    const SourceSpan span = place_of(node);
    if (name == "negation") return NetFormula::no(condition(only(node), depth + 1));
    if (name == "conjunction" || name == "disjunction") {
      NetFormula joined = constant(name == "conjunction", span);
      for (const pugi::xml_node& part : elements(node)) joined.parts.push_back(condition(part, depth + 1));
      if (joined.parts.empty()) throw_malformed(span, fmt::format("<{}> without parts", node.name()));
      return joined;
    }
    if (name == "true" || name == "false") return constant(name == "true", span);
    if (name == "is-fireable") return fireable(node);
    if (name.starts_with("integer-")) return comparison(node);
    refuse(node, fmt::format("<{}> is no condition on the tokens of a marking", node.name()));
  }

  NetFormula fireable(const pugi::xml_node& node) {
    NetFormula some = constant(false, place_of(node));
    for (const pugi::xml_node& child : elements(node)) {
      const std::string id = trimmed(child.text().get());
      const auto transition = net_.transition_ids.find(id);
      if (local_name(child) != "transition" || transition == net_.transition_ids.end()) {
        throw_malformed(place_of(child), fmt::format("there is no transition '{}'", id));
      }
      NetFormula all = constant(true, some.span);
      for (const NetBuilder::Effect& effect : net_.transitions[transition->second].effects) {
        if (effect.needs > 0) all.parts.push_back(NetFormula::at_least({effect.place}, effect.needs, some.span));
      }
      some.parts.push_back(std::move(all));
    }
    return some;
  }

  // One side less than or equal to the other, or several such comparisons.
  NetFormula comparison(const pugi::xml_node& node) {
    const std::string_view name = local_name(node);
    const auto sides = elements(node);
    if (sides.size() != 2) throw_malformed(place_of(node), fmt::format("<{}> needs two sides", node.name()));
    const Sum left = sum(sides[0], 0);
    const Sum right = sum(sides[1], 0);
    const SourceSpan span = place_of(node);
    if (name == "integer-le") return at_most(left, right, 0, span);
    if (name == "integer-lt") return at_most(left, right, 1, span);
    if (name == "integer-ge") return at_most(right, left, 0, span);
    if (name == "integer-gt") return at_most(right, left, 1, span);
    if (name != "integer-eq" && name != "integer-ne") {
      throw_malformed(span, fmt::format("<{}> is no comparison", node.name()));
    }
    NetFormula equal = constant(true, span);
    equal.parts.push_back(at_most(left, right, 0, span));
    equal.parts.push_back(at_most(right, left, 0, span));
    return name == "integer-eq" ? equal : NetFormula::no(std::move(equal));
  }

  // left + more <= right.
  NetFormula at_most(Sum left, Sum right, std::int64_t more, const SourceSpan& span) const {
    std::sort(left.places.begin(), left.places.end());
    std::sort(right.places.begin(), right.places.end());
    std::vector<Place> small;
    std::vector<Place> large;
    std::set_difference(left.places.begin(), left.places.end(), right.places.begin(), right.places.end(),
                        std::back_inserter(small));
    std::set_difference(right.places.begin(), right.places.end(), left.places.begin(), left.places.end(),
                        std::back_inserter(large));
    const std::int64_t missing = left.number + more - right.number;
    if (small.empty() && large.empty()) return constant(missing <= 0, span);
    if (small.empty()) {
      return NetFormula::at_least(large, static_cast<std::uint64_t>(std::max<std::int64_t>(missing, 0)), span);
    }
    if (!large.empty()) throw_unsupported(span, "tokens compared with tokens are no question of coverability");
    // small <= -missing
    const std::int64_t excess = 1 - missing;
    return NetFormula::no(
        NetFormula::at_least(small, static_cast<std::uint64_t>(std::max<std::int64_t>(excess, 0)), span));
  }

  Sum sum(const pugi::xml_node& node, int depth) {
    if (depth > max_depth) throw_malformed(place_of(node), "sums are nested too deeply");
    const std::string_view name = local_name(node);
    Sum result;
    if (name == "integer-constant") {
      const std::string text = trimmed(node.text().get());
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.number);
      if (error != std::errc{} || end != text.data() + text.size()) {
        throw_malformed(place_of(node), fmt::format("expected a number, found '{}'", text));
      }
      constexpr std::int64_t most = NetBuilder::max_tokens;
      if (result.number < -most || result.number > most) {
        throw_unsupported(place_of(node), "the number is too large");
      }
    } else if (name == "tokens-count") {
      for (const pugi::xml_node& child : elements(node)) result.places.push_back(place_named(child));
    } else if (name == "integer-sum") {
      for (const pugi::xml_node& child : elements(node)) {
        const Sum part = sum(child, depth + 1);
        result.places.insert(result.places.end(), part.places.begin(), part.places.end());
        result.number += part.number;
      }
    } else {
      refuse(node, fmt::format("<{}> is no sum of tokens", node.name()));
    }
    return result;
  }

  Place place_named(const pugi::xml_node& node) const {
    const std::string id = trimmed(node.text().get());
    const auto place = net_.places.find(id);
    if (local_name(node) != "place" || place == net_.places.end()) {
      throw_malformed(place_of(node), fmt::format("there is no place '{}'", id));
    }
    return place->second;
  }

  pugi::xml_node only(const pugi::xml_node& node) const {
    const auto inner = elements(node);
    if (inner.size() != 1) throw_malformed(place_of(node), fmt::format("<{}> needs one element inside", node.name()));
    return inner.front();
  }

  [[noreturn]] void refuse(const pugi::xml_node& node, const std::string& reason) const {
    throw_unsupported(place_of(node), reason);
  }

  SourceSpan place_of(const pugi::xml_node& node) const {
    const std::ptrdiff_t offset = node.offset_debug();
    return offset > 0 ? span_at(file_, static_cast<std::size_t>(offset)) : SourceSpan{file_, 0, 0};
  }

  SourceFilePtr file_;
  const NetParts& net_;
  Env* env_;
  pugi::xml_document document_;
};

// Gives each large sum a place of its own.
class SumPlaces {
 public:
  SumPlaces(const NetParts& net, NetBuilder& builder) : net_(net), builder_(builder) {}

  void replace(NetFormula& formula) {
    for (NetFormula& part : formula.parts) replace(part);
    if (formula.kind != NetFormula::Kind::AtLeast || formula.sum.size() < 2 || formula.least == 0) return;
    if (formula.least == 1 && formula.sum.size() <= listed_places) return;
    std::uint64_t tokens = 0;
    for (const Place place : formula.sum) tokens += net_.tokens[place];
    if (tokens > NetBuilder::max_tokens) throw_unsupported(formula.span, "a sum of so many tokens is not supported");
    const Place place = builder_.add_place(fmt::format("(sum {})", sums_.size() + 1), formula.span);
    builder_.set_initial(place, tokens, true);
    sums_.emplace_back(place, formula.sum);
    formula.sum = {place};
  }

  void extend(NetParts::Transition& transition) const {
    const std::vector<NetBuilder::Effect> effects = transition.effects;
    for (const auto& [place, members] : sums_) {
      std::int64_t change = 0;
      for (const NetBuilder::Effect& effect : effects) {
        const auto times = std::count(members.begin(), members.end(), effect.place);
        change += times * (static_cast<std::int64_t>(effect.adds) - static_cast<std::int64_t>(effect.removes));
      }
      if (change == 0) continue;
      const auto amount = static_cast<std::uint64_t>(std::abs(change));
      if (amount > NetBuilder::max_weight) throw_unsupported(transition.span, "a sum changes by too many tokens");
      NetBuilder::Effect effect{.place = place, .needs = 0, .removes = 0, .adds = 0, .empties_into = {}};
      (change > 0 ? effect.adds : effect.needs) = amount;
      effect.removes = effect.needs;
      transition.effects.push_back(effect);
    }
  }

 private:
  const NetParts& net_;
  NetBuilder& builder_;
  std::vector<std::pair<Place, std::vector<Place>>> sums_;
};

}  // namespace

Contest::Contest(const SourceFilePtr& net, const SourceFilePtr& questions, Env* env)
    : net_(read_parts(net, env)), env_(env), questions_(Reader(questions, net_, env).read()) {}

model::Program Contest::build(NetFormula formula) const {
  NetBuilder builder = net_.builder;
  SumPlaces sums(net_, builder);
  sums.replace(formula);
  for (NetParts::Transition transition : net_.transitions) {
    poll(env_, "build-net");
    sums.extend(transition);
    builder.add_transition(transition.effects, transition.span, transition.label);
  }
  for (const NetBuilder::Tokens& target : targets_of(formula)) builder.add_target(target, formula.span, "");
  return builder.finish();
}

model::Program Contest::program(const ContestQuestion& question) const {
  COHORT_EXPECT(question.refusal.empty() && question.kind != Kind::Bound, "a question about a condition");
  return build(question.looked_for);
}

model::Program Contest::program(const ContestQuestion& question, std::uint64_t least) const {
  COHORT_EXPECT(question.refusal.empty() && question.kind == Kind::Bound, "a question about a bound");
  return build(NetFormula::at_least(question.sum, least, question.span));
}

model::Program Contest::net() const {
  return build(constant(false, {}));
}

std::uint64_t Contest::tokens_at_start(const ContestQuestion& question) const {
  std::uint64_t tokens = 0;
  for (const Place place : question.sum) tokens += net_.tokens[place];
  return tokens;
}

std::pair<model::TemplateId, model::LocId> Contest::position(NetParts::Place place) {
  return NetBuilder::position(place);
}

}  // namespace cohort::frontend::pnml
