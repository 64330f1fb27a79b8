// Reading a `.spec` file.  A rule reads the old values of the counters and assigns new ones; it is taken apart into
// what it does to each counter: tokens needed, removed, added, and where the whole contents go.  Where a counter's
// contents are used twice, or a test asks for an upper bound, the rule is no transition of a net with transfers any
// more (and coverability no longer decidable): such rules are refused at the place where they say so, as are targets
// with upper bounds.
#include "frontend/spec/spec.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/net.hpp"
#include "frontend/spec/lexer.hpp"

namespace cohort::frontend::spec {

namespace {

using Place = NetBuilder::Place;

struct Constraint {
  Place place = 0;
  std::uint64_t least = 0;
  std::optional<std::uint64_t> most;
  SourceSpan span;
};

struct Statement {
  Place place = 0;
  SourceSpan span;
  std::vector<std::pair<Place, SourceSpan>> sum;
  std::uint64_t adds = 0;
  std::uint64_t removes = 0;

  bool is_zero() const { return sum.empty() && adds == 0; }
  bool keeps_own() const {
    return std::any_of(sum.begin(), sum.end(), [&](const auto& term) { return term.first == place; });
  }
};

class Reader {
 public:
  Reader(const SourceFilePtr& file, const Options& options, Env* env)
      : file_(file), options_(options), env_(env), lexer_(file), builder_(file->name(), env) {}

  model::Program read();

 private:
  void read_vars();
  void read_rule();
  void read_init();
  void read_targets();
  void read_invariants();
  std::vector<Constraint> read_guards();
  std::vector<Constraint> read_conjunction();
  Constraint read_constraint();
  std::vector<Statement> read_statements();
  Statement read_statement();
  Place read_place();
  std::uint64_t read_weight();

  std::vector<NetBuilder::Effect> effects(const std::vector<Constraint>& guards,
                                          const std::vector<Statement>& statements);
  NetBuilder::Effect& effect_of(std::vector<NetBuilder::Effect>& effects, Place place);
  void add_transfers(std::vector<NetBuilder::Effect>& effects, const std::vector<Statement>& statements);
  void add_target(const std::vector<Constraint>& conjunction, const SourceSpan& span);
  std::string quote(std::size_t from, std::size_t to) const;

  SourceFilePtr file_;
  const Options& options_;
  Env* env_;
  Lexer lexer_;
  NetBuilder builder_;
  std::unordered_map<std::string_view, Place> places_;
  std::vector<std::string_view> names_;
  // Position in the list of effects under construction, for each place; see effect_of.
  std::vector<std::uint32_t> position_;
};

model::Program Reader::read() {
  read_vars();
  lexer_.expect(TokenKind::Rules);
  // The initial tokens are known to the builder before the transitions, so rules are read where they stand but `init`
  // decides only the start: the order of these calls is that of the file.
  while (!lexer_.at(TokenKind::Init)) {
    poll(env_, "read-spec");
    read_rule();
  }
  read_init();
  read_targets();
  if (lexer_.accept(TokenKind::Invariants)) read_invariants();
  lexer_.expect(TokenKind::End);
  return builder_.finish();
}

void Reader::read_vars() {
  lexer_.expect(TokenKind::Vars);
  while (lexer_.at(TokenKind::Name)) {
    const Token name = lexer_.take();
    const auto [entry, is_new] = places_.try_emplace(name.text, static_cast<Place>(places_.size()));
    if (!is_new) throw_malformed(name.span, fmt::format("variable '{}' is declared twice", name.text));
    const Place place = builder_.add_place(std::string(name.text), name.span);
    COHORT_EXPECT(place == entry->second, "places are numbered in the order of their declaration");
    names_.push_back(name.text);
  }
  position_.assign(names_.size(), 0);
}

Place Reader::read_place() {
  const Token name = lexer_.expect(TokenKind::Name);
  const auto found = places_.find(name.text);
  if (found == places_.end()) throw_malformed(name.span, fmt::format("variable '{}' is not declared", name.text));
  return found->second;
}

std::uint64_t Reader::read_weight() {
  const Token number = lexer_.expect(TokenKind::Number);
  if (number.number > NetBuilder::max_weight) {
    throw_unsupported(number.span, fmt::format("weights above {} are not supported", NetBuilder::max_weight));
  }
  return number.number;
}

Constraint Reader::read_constraint() {
  Constraint constraint;
  constraint.span = lexer_.token().span;
  constraint.place = read_place();
  if (lexer_.accept(TokenKind::AtLeast)) {
    constraint.least = lexer_.expect(TokenKind::Number).number;
  } else if (lexer_.accept(TokenKind::Equal)) {
    constraint.least = lexer_.expect(TokenKind::Number).number;
    constraint.most = constraint.least;
  } else if (lexer_.accept(TokenKind::In)) {
    lexer_.expect(TokenKind::Open);
    constraint.least = lexer_.expect(TokenKind::Number).number;
    lexer_.expect(TokenKind::Comma);
    const Token most = lexer_.expect(TokenKind::Number);
    constraint.most = most.number;
    lexer_.expect(TokenKind::Close);
    if (most.number < constraint.least) throw_malformed(most.span, "the interval is empty");
  } else {
    throw_malformed(lexer_.token().span,
                    fmt::format("expected '>=', '=' or 'in' after '{}'", names_[constraint.place]));
  }
  return constraint;
}

std::vector<Constraint> Reader::read_conjunction() {
  std::vector<Constraint> conjunction;
  do {
    conjunction.push_back(read_constraint());
  } while (lexer_.accept(TokenKind::Comma));
  // A second constraint on the same variable would silently replace the first in other tools.
  std::vector<const Constraint*> sorted;
  for (const Constraint& constraint : conjunction) sorted.push_back(&constraint);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->place < b->place; });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i]->place == sorted[i - 1]->place) {
      throw_malformed(sorted[i]->span, fmt::format("variable '{}' is constrained twice", names_[sorted[i]->place]));
    }
  }
  return conjunction;
}

std::vector<Constraint> Reader::read_guards() {
  if (!lexer_.accept(TokenKind::True)) return read_conjunction();
  // `true` among other guards adds nothing.
  if (lexer_.accept(TokenKind::Comma)) return read_guards();
  return {};
}

Statement Reader::read_statement() {
  Statement statement;
  statement.span = lexer_.token().span;
  statement.place = read_place();
  lexer_.expect(TokenKind::Prime);
  lexer_.expect(TokenKind::Equal);
  if (lexer_.at(TokenKind::Number)) {
    statement.adds = read_weight();
    return statement;
  }
  while (true) {
    const SourceSpan span = lexer_.token().span;
    statement.sum.emplace_back(read_place(), span);
    if (lexer_.accept(TokenKind::Minus)) {
      statement.removes = read_weight();
      return statement;
    }
    if (!lexer_.accept(TokenKind::Plus)) return statement;
    if (lexer_.at(TokenKind::Number)) {
      statement.adds = read_weight();
      return statement;
    }
  }
}

// Each variable is assigned once, except that `x' = 0` may stand beside a sum for x: files write it by habit after
// every transfer, also after one into x itself, and it has no effect there.
std::vector<Statement> Reader::read_statements() {
  std::vector<Statement> statements;
  std::unordered_map<Place, std::size_t> known;
  bool first = true;
  while (!lexer_.at(TokenKind::Semicolon)) {
    if (!first) lexer_.expect(TokenKind::Comma);
    first = false;
    Statement statement = read_statement();
    const auto [entry, is_new] = known.try_emplace(statement.place, statements.size());
    if (is_new) {
      statements.push_back(std::move(statement));
      continue;
    }
    Statement& other = statements[entry->second];
    if (other.is_zero() == statement.is_zero()) {
      throw_malformed(statement.span, fmt::format("variable '{}' is assigned twice", names_[statement.place]));
    }
    if (other.is_zero()) other = std::move(statement);
  }
  return statements;
}

void Reader::read_rule() {
  const SourceSpan span = lexer_.token().span;
  const std::size_t start = lexer_.token_offset();
  const std::vector<Constraint> guards = read_guards();
  for (const Constraint& guard : guards) {
    if (guard.most) {
      throw_unsupported(guard.span,
                        fmt::format("the guard bounds '{}' from above (a zero test): such nets are not monotone, "
                                    "so that coverability is undecidable",
                                    names_[guard.place]));
    }
    if (guard.least > NetBuilder::max_weight) {
      throw_unsupported(guard.span, fmt::format("guards above {} are not supported", NetBuilder::max_weight));
    }
  }
  lexer_.expect(TokenKind::Arrow);
  std::vector<Statement> statements = read_statements();
  const std::size_t end = lexer_.token_offset();
  lexer_.take();
  builder_.add_transition(effects(guards, statements), span, quote(start, end));
}

NetBuilder::Effect& Reader::effect_of(std::vector<NetBuilder::Effect>& effects, Place place) {
  // Positions left over from earlier rules are recognised by the place not standing there.
  const std::uint32_t position = position_[place];
  if (position < effects.size() && effects[position].place == place) return effects[position];
  position_[place] = static_cast<std::uint32_t>(effects.size());
  effects.push_back({.place = place, .needs = 0, .removes = 0, .adds = 0, .empties_into = {}});
  return effects.back();
}

std::vector<NetBuilder::Effect> Reader::effects(const std::vector<Constraint>& guards,
                                                const std::vector<Statement>& statements) {
  std::vector<NetBuilder::Effect> effects;
  std::unordered_map<Place, std::uint64_t> guarded;
  for (const Constraint& guard : guards) {
    effect_of(effects, guard.place).needs = guard.least;
    guarded[guard.place] = guard.least;
  }
  for (const Statement& statement : statements) {
    const std::string_view name = names_[statement.place];
    NetBuilder::Effect& effect = effect_of(effects, statement.place);
    effect.adds = statement.adds;
    if (statement.removes == 0) continue;
    if (!statement.keeps_own()) {
      throw_unsupported(statement.span, fmt::format("tokens are removed from what is moved into '{}'", name));
    }
    const auto guard = guarded.find(statement.place);
    if (guard != guarded.end() && guard->second < statement.removes) {
      throw_malformed(statement.span, fmt::format("{} tokens are removed from '{}', but its guard ensures only {}",
                                                  statement.removes, name, guard->second));
    }
    effect.needs = std::max(effect.needs, statement.removes);
    effect.removes = statement.removes;
  }
  add_transfers(effects, statements);
  return effects;
}

void Reader::add_transfers(std::vector<NetBuilder::Effect>& effects, const std::vector<Statement>& statements) {
  std::unordered_map<Place, Place> used;
  for (const Statement& statement : statements) {
    for (const auto& [place, span] : statement.sum) {
      if (!used.emplace(place, statement.place).second) {
        throw_unsupported(span, fmt::format("the contents of '{}' are used twice, which copies tokens", names_[place]));
      }
      if (place != statement.place) effect_of(effects, place).empties_into = statement.place;
    }
  }
  for (const Statement& statement : statements) {
    if (!used.contains(statement.place)) effect_of(effects, statement.place).empties_into = NetBuilder::nowhere;
  }
}

void Reader::read_init() {
  lexer_.expect(TokenKind::Init);
  std::vector<bool> mentioned(names_.size(), false);
  for (const Constraint& constraint : read_conjunction()) {
    mentioned[constraint.place] = true;
    if (constraint.least > NetBuilder::max_tokens) {
      throw_unsupported(constraint.span,
                        fmt::format("more than {} tokens at the start are not supported", NetBuilder::max_tokens));
    }
    if (constraint.most && *constraint.most > constraint.least) {
      if (*constraint.most - constraint.least > NetBuilder::max_weight) {
        throw_unsupported(constraint.span,
                          fmt::format("intervals longer than {} are not supported", NetBuilder::max_weight));
      }
      builder_.set_initial_range(constraint.place, constraint.least, *constraint.most);
    } else {
      builder_.set_initial(constraint.place, constraint.least, constraint.most.has_value());
    }
  }
  for (Place place = 0; place < names_.size(); ++place) {
    if (!mentioned[place]) builder_.set_initial(place, 0, false);
  }
}

void Reader::read_targets() {
  lexer_.expect(TokenKind::Target);
  do {
    const SourceSpan span = lexer_.token().span;
    const std::size_t start = lexer_.token_offset();
    const std::vector<Constraint> conjunction = read_conjunction();
    if (options_.target) continue;
    NetBuilder::Tokens tokens;
    for (const Constraint& constraint : conjunction) {
      if (constraint.most) {
        throw_unsupported(constraint.span,
                          fmt::format("the target bounds '{}' from above: that is reachability, not coverability",
                                      names_[constraint.place]));
      }
      if (constraint.least > NetBuilder::max_weight) {
        throw_unsupported(constraint.span, fmt::format("targets above {} are not supported", NetBuilder::max_weight));
      }
      if (constraint.least > 0) tokens.emplace_back(constraint.place, constraint.least);
    }
    builder_.add_target(tokens, span, quote(start, lexer_.token_offset()));
  } while (lexer_.at(TokenKind::Name));
  if (!options_.target) return;
  const auto text = std::make_shared<const SourceFile>("--target", *options_.target);
  NetBuilder::Tokens tokens;
  for (const TargetTerm& term : parse_target_terms(text)) {
    const auto found = places_.find(term.place);
    if (found == places_.end()) throw_malformed(term.span, fmt::format("variable '{}' is not declared", term.place));
    if (term.count > 0) tokens.emplace_back(found->second, term.count);
  }
  builder_.add_target(tokens, {text, 1, 1}, *options_.target);
}

// Invariants are hints for other tools, never part of the net; their syntax and names are checked all the same.
void Reader::read_invariants() {
  do {
    do {
      read_place();
      lexer_.expect(TokenKind::Equal);
      lexer_.expect(TokenKind::Number);
    } while (lexer_.accept(TokenKind::Comma));
  } while (lexer_.at(TokenKind::Name));
}

// The text between two offsets without comments and on one line.
std::string Reader::quote(std::size_t from, std::size_t to) const {
  const std::string_view text = std::string_view(file_->text()).substr(from, to - from);
  std::string quoted;
  bool blank = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '#') {
      while (i < text.size() && text[i] != '\n') ++i;
      blank = true;
    } else if (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
      blank = true;
    } else {
      if (blank && !quoted.empty()) quoted += ' ';
      blank = false;
      quoted += text[i];
    }
  }
  return quoted;
}

}  // namespace

model::Program load(const SourceFilePtr& file, const Options& options, Env* env) {
  COHORT_EXPECT(file != nullptr, "a file to read");
  return Reader(file, options, env).read();
}

}  // namespace cohort::frontend::spec
