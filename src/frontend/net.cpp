#include "frontend/net.hpp"

#include <unordered_set>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/cursor.hpp"

namespace cohort::frontend {

using model::LocId;

NetBuilder::NetBuilder(std::string name, Env* env) : env_(env) {
  program_.name = std::move(name);
  model::Template net;
  net.name = "net";
  run_ = net.add_location({.label = "net", .span = {}, .error = {}});
  net.entry = run_;
  net_ = program_.add_template(std::move(net));
  model::Template token;
  token.name = "token";
  token_ = program_.add_template(std::move(token));
  COHORT_EXPECT(token_ == position(0).first, "tokens are threads of the second template");
}

NetBuilder::Place NetBuilder::add_place(const std::string& name, const SourceSpan& span) {
  COHORT_EXPECT(!discarded_, "places are added before transitions");
  const LocId location = program_.templ(token_).add_location({.label = name, .span = span, .error = {}});
  return location.value;
}

void NetBuilder::set_initial(Place place, std::uint64_t least, bool exact) {
  COHORT_EXPECT(least <= max_tokens, "the number of tokens fits a count");
  if (least > 0) {
    program_.initial.push_back(
        {.templ = token_, .location = location_of(place), .count = static_cast<std::uint32_t>(least)});
  }
  if (!exact) program_.initial.push_back({.templ = token_, .location = location_of(place), .count = std::nullopt});
}

void NetBuilder::set_initial_range(Place place, std::uint64_t least, std::uint64_t most) {
  COHORT_EXPECT(least <= most, "a range of tokens is not empty");
  set_initial(place, least, true);
  if (most > least) ranges_.push_back({place, least, most});
}

LocId NetBuilder::discarded() {
  if (!discarded_) {
    discarded_ = program_.templ(token_).add_location({.label = "(discarded)", .span = {}, .error = {}});
  }
  return *discarded_;
}

void NetBuilder::add_transition(const std::vector<Effect>& effects, const SourceSpan& span, std::string text) {
  model::Action action;
  action.span = span;
  action.text = std::move(text);
  for (const Effect& effect : effects) {
    COHORT_EXPECT(effect.removes <= effect.needs, "what is removed is needed");
    COHORT_EXPECT(effect.needs <= max_weight && effect.adds <= max_weight, "weights are within reason");
    const LocId here = location_of(effect.place);
    LocId rest = here;
    if (effect.empties_into) rest = *effect.empties_into == nowhere ? discarded() : location_of(*effect.empties_into);
    for (std::uint64_t i = 0; i < effect.needs; ++i) {
      poll(env_, "build-net");
      action.takes.push_back({.templ = token_, .from = here, .to = std::nullopt});
      // A token that is only looked at ends up where the others of its place do.
      if (i >= effect.removes) action.takes.back().to = rest;
    }
    if (rest != here) action.moves.push_back({.templ = token_, .from = here, .to = rest});
    for (std::uint64_t i = 0; i < effect.adds; ++i) {
      poll(env_, "build-net");
      action.spawns.push_back({.templ = token_, .location = here, .copies_locals = false, .locals = {}});
    }
  }
  program_.templ(net_).edges.push_back({.source = run_, .target = run_, .actions = {std::move(action)}});
}

void NetBuilder::add_target(const Tokens& tokens, const SourceSpan& span, std::string text) {
  model::Property property;
  property.kind = model::Property::Kind::Cover;
  property.span = span;
  property.text = std::move(text);
  if (!ranges_.empty()) property.threads.emplace_back(net_, run_);
  for (const auto& [place, count] : tokens) {
    COHORT_EXPECT(count <= max_weight, "targets are within reason");
    for (std::uint64_t i = 0; i < count; ++i) property.threads.emplace_back(token_, location_of(place));
  }
  program_.add_property(std::move(property));
}

// Each place given by a range gets its own location of the thread `net`, where it picks the number of extra tokens.
void NetBuilder::add_start() {
  model::Template& net = program_.templ(net_);
  std::vector<LocId> stages;
  for (const Range& range : ranges_) {
    const std::string& name = program_.templ(token_).locations[range.place].label;
    stages.push_back(net.add_location({.label = fmt::format("start({})", name), .span = {}, .error = {}}));
  }
  stages.push_back(run_);
  net.entry = stages.front();
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    for (std::uint64_t count = ranges_[i].least; count <= ranges_[i].most; ++count) {
      poll(env_, "build-net");
      model::Action action;
      action.text = fmt::format("start with {} in {}", count, program_.templ(token_).locations[ranges_[i].place].label);
      for (std::uint64_t extra = ranges_[i].least; extra < count; ++extra) {
        action.spawns.push_back(
            {.templ = token_, .location = location_of(ranges_[i].place), .copies_locals = false, .locals = {}});
      }
      net.edges.push_back({.source = stages[i], .target = stages[i + 1], .actions = {std::move(action)}});
    }
  }
}

model::Program NetBuilder::finish() {
  if (!ranges_.empty()) add_start();
  if (program_.templ(token_).locations.empty()) discarded();
  program_.initial.insert(program_.initial.begin(),
                          {.templ = net_, .location = program_.templ(net_).entry, .count = 1});
  return std::move(program_);
}

std::vector<TargetTerm> parse_target_terms(const SourceFilePtr& text) {
  Cursor cursor(text);
  std::vector<TargetTerm> terms;
  std::unordered_set<std::string> seen;
  do {
    cursor.skip_blanks(true);
    TargetTerm term;
    term.span = cursor.span();
    const std::size_t start = cursor.offset();
    while (!cursor.at_end() && std::string_view(" \t\n\r,>#").find(cursor.peek()) == std::string_view::npos)
      cursor.advance();
    term.place = cursor.text_from(start);
    if (term.place.empty()) {
      throw_malformed(term.span, fmt::format("expected a place, found {}", cursor.describe_here()));
    }
    if (!seen.insert(term.place).second) throw_malformed(term.span, fmt::format("'{}' is listed twice", term.place));
    cursor.skip_blanks(true);
    if (cursor.accept(">=")) {
      cursor.skip_blanks(true);
      term.count = cursor.number("a number of tokens", NetBuilder::max_weight);
      cursor.skip_blanks(true);
    }
    terms.push_back(std::move(term));
  } while (cursor.accept(","));
  if (!cursor.at_end()) {
    throw_malformed(cursor.span(),
                    fmt::format("expected ',', '>=' or the end of the target, found {}", cursor.describe_here()));
  }
  return terms;
}

}  // namespace cohort::frontend
