// Reading a `.lola` file: places, the initial marking, transitions with what they consume and produce, and at most one
// formula, `EF condition` or `AG condition`.  The target is what EF asks for, or what AG excludes.
//
//   net        ::= "PLACE" {["SAFE" [number] ":"] name {"," name} ";"} "MARKING" list ";" {transition} [formula]
//   transition ::= "TRANSITION" name [("STRONG" | "WEAK") "FAIR"] "CONSUME" list ";" "PRODUCE" list ";"
//   list       ::= [name [":" number] {"," name [":" number]}]
//   formula    ::= ["FORMULA"] ("EF" | "AG") condition
//   condition  ::= conjunction {"OR" conjunction}        conjunction ::= factor {"AND" factor}
//   factor     ::= "NOT" factor | "(" condition ")" | "TRUE" | "FALSE" | sum comparison number
//   sum        ::= name {"+" name}                       comparison  ::= ">=" | ">" | "<=" | "<" | "=" | "!="
//
// Names may have every character but white space and , ; : ( ) { } + < > = !.  Comments are { ... }, /* ... */ and //
// to the end of the line.
#include "frontend/lola/lola.hpp"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/cursor.hpp"
#include "frontend/net.hpp"
#include "frontend/net_formula.hpp"

namespace cohort::frontend::lola {

namespace {

using Place = NetBuilder::Place;

constexpr std::string_view separators = ",;:(){}+<>=!";
constexpr std::size_t most_nesting = 1000;

bool is_name_character(char c) {
  return static_cast<unsigned char>(c) > ' ' && separators.find(c) == std::string_view::npos;
}

class Reader {
 public:
  Reader(const SourceFilePtr& file, const Options& options)
      : file_(file), options_(options), cursor_(file), builder_(file->name()) {}

  model::Program read() {
    read_places();
    expect_word("MARKING");
    std::vector<bool> marked(places_.size(), false);
    for (const Entry& entry : read_list(NetBuilder::max_tokens)) {
      if (marked[entry.place]) throw_malformed(entry.span, "this place is marked twice");
      marked[entry.place] = true;
      builder_.set_initial(entry.place, entry.count, true);
    }
    while (accept_word("TRANSITION")) read_transition();
    if (options_.target) {
      set_target();
      return builder_.finish();
    }
    read_formula();
    skip();
    if (!cursor_.at_end()) {
      throw_malformed(cursor_.span(),
                      fmt::format("expected TRANSITION, a formula or the end of the file, found {}", here()));
    }
    return builder_.finish();
  }

 private:
  struct Entry {
    Place place = 0;
    std::uint64_t count = 0;
    SourceSpan span;
  };

  void skip() {
    for (;;) {
      while (!cursor_.at_end() && static_cast<unsigned char>(cursor_.peek()) <= ' ') cursor_.advance();
      const SourceSpan start = cursor_.span();
      if (cursor_.accept("{")) {
        skip_comment("}", start);
      } else if (cursor_.accept("/*")) {
        skip_comment("*/", start);
      } else if (cursor_.accept("//")) {
        while (!cursor_.at_line_end()) cursor_.advance();
      } else {
        return;
      }
    }
  }

  void skip_comment(std::string_view end, const SourceSpan& start) {
    while (!cursor_.accept(end)) {
      if (cursor_.at_end()) throw_malformed(start, "this comment does not end");
      cursor_.advance();
    }
  }

  // The word that stands here, which is not consumed.
  std::string_view word() {
    skip();
    std::size_t length = 0;
    while (is_name_character(cursor_.peek(length))) ++length;
    return file_->text().size() < cursor_.offset() + length
               ? std::string_view()
               : std::string_view(file_->text()).substr(cursor_.offset(), length);
  }

  bool accept_word(std::string_view wanted) { return word() == wanted && cursor_.accept(wanted); }

  void expect_word(std::string_view wanted) {
    if (!accept_word(wanted)) throw_malformed(cursor_.span(), fmt::format("expected {}, found {}", wanted, here()));
  }

  bool accept(std::string_view text) {
    skip();
    return cursor_.accept(text);
  }

  void expect(std::string_view text) {
    if (!accept(text)) throw_malformed(cursor_.span(), fmt::format("expected '{}', found {}", text, here()));
  }

  std::string here() {
    const std::string_view found = word();
    return found.empty() ? cursor_.describe_here() : fmt::format("'{}'", found);
  }

  std::string_view take_name(std::string_view what) {
    const std::string_view name = word();
    if (name.empty()) throw_malformed(cursor_.span(), fmt::format("expected {}, found {}", what, here()));
    cursor_.accept(name);
    return name;
  }

  std::uint64_t take_number(std::uint64_t most) {
    skip();
    return cursor_.number("a number", most);
  }

  Place take_place() {
    skip();
    const SourceSpan span = cursor_.span();
    const std::string_view name = take_name("a place");
    const auto found = places_.find(name);
    if (found == places_.end()) throw_malformed(span, fmt::format("there is no place '{}'", name));
    return found->second;
  }

  void read_places() {
    if (word() == "SORT" || word() == "CONST" || word() == "FUNCTION") {
      throw_unsupported(cursor_.span(), "high-level nets are not supported, only place/transition nets");
    }
    expect_word("PLACE");
    // A bound of SAFE is a promise of the user's and makes nothing possible or impossible.
    do {
      if (accept_word("SAFE")) {
        skip();
        if (cursor_.at_digit()) take_number(UINT32_MAX);
        expect(":");
      }
      do {
        skip();
        const SourceSpan span = cursor_.span();
        const std::string_view name = take_name("a place");
        if (!places_.try_emplace(name, builder_.add_place(std::string(name), span)).second) {
          throw_malformed(span, fmt::format("there is a place '{}' already", name));
        }
      } while (accept(","));
      expect(";");
    } while (!word().empty() && word() != "MARKING");
  }

  std::vector<Entry> read_list(std::uint64_t most) {
    std::vector<Entry> list;
    if (accept(";")) return list;
    do {
      skip();
      Entry entry{.span = cursor_.span()};
      entry.place = take_place();
      entry.count = accept(":") ? take_number(most) : 1;
      list.push_back(entry);
    } while (accept(","));
    expect(";");
    return list;
  }

  void read_transition() {
    skip();
    const SourceSpan span = cursor_.span();
    const std::string name(take_name("the name of a transition"));
    if (accept_word("STRONG") || accept_word("WEAK")) expect_word("FAIR");
    std::vector<NetBuilder::Effect> effects;
    const auto effect_of = [&](Place place) -> NetBuilder::Effect& {
      for (NetBuilder::Effect& effect : effects) {
        if (effect.place == place) return effect;
      }
      effects.push_back({.place = place, .needs = 0, .removes = 0, .adds = 0, .empties_into = {}});
      return effects.back();
    };
    expect_word("CONSUME");
    for (const Entry& entry : read_list(NetBuilder::max_weight)) {
      NetBuilder::Effect& effect = effect_of(entry.place);
      effect.needs += entry.count;
      effect.removes = effect.needs;
      expect_weight(effect.needs, entry.span);
    }
    expect_word("PRODUCE");
    for (const Entry& entry : read_list(NetBuilder::max_weight)) {
      NetBuilder::Effect& effect = effect_of(entry.place);
      effect.adds += entry.count;
      expect_weight(effect.adds, entry.span);
    }
    builder_.add_transition(effects, span, name);
  }

  static void expect_weight(std::uint64_t weight, const SourceSpan& span) {
    if (weight > NetBuilder::max_weight) {
      throw_unsupported(span, fmt::format("weights above {} are not supported", NetBuilder::max_weight));
    }
  }

  void read_formula() {
    skip();
    const SourceSpan span = cursor_.span();
    const std::size_t start = cursor_.offset();
    const bool announced = accept_word("FORMULA");
    const bool exists = accept_word("EF");
    if (!exists && !accept_word("AG")) {
      if (announced) throw_unsupported(cursor_.span(), fmt::format("only EF and AG are supported, not {}", here()));
      if (word() == "ANALYSE")
        throw_unsupported(span, "ANALYSE is not supported; write FORMULA EF ... or use --target");
      return;
    }
    NetFormula condition = read_condition(0);
    const std::string text(cursor_.text_from(start));
    if (!exists) condition = NetFormula::no(std::move(condition));
    for (const NetBuilder::Tokens& target : targets_of(condition)) builder_.add_target(target, span, text);
  }

  NetFormula read_condition(std::size_t depth) {
    if (depth > most_nesting) throw_unsupported(cursor_.span(), "the condition is nested too deeply");
    NetFormula either{.kind = NetFormula::Kind::Or, .sum = {}, .least = 0, .parts = {}, .span = cursor_.span()};
    do {
      NetFormula all{.kind = NetFormula::Kind::And, .sum = {}, .least = 0, .parts = {}, .span = cursor_.span()};
      do {
        all.parts.push_back(read_factor(depth));
      } while (accept_word("AND"));
      either.parts.push_back(std::move(all));
    } while (accept_word("OR"));
    return either;
  }

  NetFormula read_factor(std::size_t depth) {
    if (depth > most_nesting) throw_unsupported(cursor_.span(), "the condition is nested too deeply");
    if (accept_word("NOT")) return NetFormula::no(read_factor(depth + 1));
    if (accept("(")) {
      NetFormula inner = read_condition(depth + 1);
      expect(")");
      return inner;
    }
    if (accept_word("TRUE")) return {};
    if (accept_word("FALSE")) return NetFormula::no({});
    return read_comparison();
  }

  NetFormula read_comparison() {
    skip();
    const SourceSpan span = cursor_.span();
    std::vector<Place> sum;
    do {
      sum.push_back(take_place());
    } while (accept("+"));
    const auto at_least = [&](std::uint64_t least) { return NetFormula::at_least(sum, least, span); };
    constexpr std::uint64_t most = NetBuilder::max_weight - 1;
    if (accept(">=")) return at_least(take_number(most));
    if (accept(">")) return at_least(take_number(most) + 1);
    if (accept("<=")) return NetFormula::no(at_least(take_number(most) + 1));
    if (accept("<")) return NetFormula::no(at_least(take_number(most)));
    const bool differs = accept("!=");
    if (!differs) expect("=");
    const std::uint64_t number = take_number(most);
    // Exactly so many: at least that, and not more.
    NetFormula equal{.kind = NetFormula::Kind::And, .sum = {}, .least = 0, .parts = {}, .span = span};
    equal.parts.push_back(at_least(number));
    equal.parts.push_back(NetFormula::no(at_least(number + 1)));
    return differs ? NetFormula::no(std::move(equal)) : equal;
  }

  void set_target() {
    const auto text = std::make_shared<const SourceFile>("--target", *options_.target);
    NetBuilder::Tokens tokens;
    for (const TargetTerm& term : parse_target_terms(text)) {
      const auto found = places_.find(term.place);
      if (found == places_.end()) throw_malformed(term.span, fmt::format("there is no place '{}'", term.place));
      if (term.count > 0) tokens.emplace_back(found->second, term.count);
    }
    builder_.add_target(tokens, {text, 1, 1}, *options_.target);
  }

  SourceFilePtr file_;
  const Options& options_;
  Cursor cursor_;
  NetBuilder builder_;
  std::unordered_map<std::string_view, Place> places_;
};

}  // namespace

model::Program load(const SourceFilePtr& file, const Options& options) {
  COHORT_EXPECT(file != nullptr, "a file to read");
  return Reader(file, options).read();
}

}  // namespace cohort::frontend::lola
