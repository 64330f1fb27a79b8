// Reading a thread transition system.  A file declares S shared and L local states but may use few of them (L is 524289
// in a file with three transitions), so only local states that occur become locations, and the shared state is one
// variable of range type.  One line becomes one edge; what a line means is what the edge says, nothing is merged or
// reordered:
//
//   s l -> s' l' [a ~> b]...   edge l -> l' with guard shared == s, shared := s', and one passive move for each a ~> b
//   s l +> s' l'               edge l -> l with the same guard and assignment that spawns a thread at l'
//   s l ~> s' l'               edge of the extra thread `control`, which every other thread counts as passive for
//
// Two lines with the same source and target but different passive lists stay two transitions.  A line `s l -> s l`
// without a passive list changes nothing and is left out.
#include "frontend/tts/tts.hpp"

#include <fstream>
#include <limits>
#include <unordered_map>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/cursor.hpp"
#include "frontend/tts/notation.hpp"

namespace cohort::frontend::tts {

namespace {

using model::LocId;
using model::TemplateId;

constexpr std::uint64_t max_states = std::numeric_limits<std::uint32_t>::max() - 1;

class Reader {
 public:
  Reader(const SourceFilePtr& file, const Options& options, Env* env)
      : file_(file), options_(options), env_(env), cursor_(file) {}

  model::Program read();

 private:
  struct ThreadState {
    std::uint32_t shared = 0;
    std::uint32_t local = 0;
  };

  void read_header();
  void read_line();
  void read_transition(std::size_t line_start, ThreadState source);
  void read_passive_list(model::Action& action);
  void read_inline_target(std::uint32_t line);
  ThreadState thread_state();
  std::uint32_t shared_state();
  std::uint32_t local_state();
  void expect_line_end(const char* expected);

  LocId location(std::uint32_t local, const SourceSpan& span);
  TemplateId control();
  void set_shared(model::Action& action, std::uint32_t from, std::uint32_t to);
  model::ExprId shared_equals(std::uint32_t value);
  void set_initial();
  void set_target();
  void check_shared(const Configuration& configuration) const;

  SourceFilePtr file_;
  const Options& options_;
  Env* env_;
  Cursor cursor_;
  model::Program program_;
  std::uint64_t shared_count_ = 0;
  std::uint64_t local_count_ = 0;
  model::VarId shared_;
  model::Type shared_type_ = model::Type::boolean();
  TemplateId thread_;
  std::optional<TemplateId> control_;
  std::unordered_map<std::uint32_t, LocId> locations_;
  std::optional<Configuration> inline_target_;
};

model::Program Reader::read() {
  program_.name = file_->name();
  read_header();
  shared_ = program_.add_shared({.name = "shared", .type = shared_type_, .initial = {0}, .span = {}});
  model::Template thread;
  thread.name = "thread";
  thread_ = program_.add_template(std::move(thread));
  while (!cursor_.at_end()) {
    poll(env_, "read-tts");
    read_line();
  }
  set_initial();
  set_target();
  return std::move(program_);
}

void Reader::read_header() {
  cursor_.skip_blanks(true);
  const SourceSpan start = cursor_.span();
  shared_count_ = cursor_.number("the number of shared states", max_states);
  cursor_.skip_blanks(false);
  const SourceSpan second = cursor_.span();
  local_count_ = cursor_.number("the number of local states", max_states);
  if (shared_count_ == 0) throw_malformed(start, "there must be at least one shared state");
  if (local_count_ == 0) throw_malformed(second, "there must be at least one local state");
  expect_line_end("the end of the line after the two numbers of states");
  shared_type_ = model::Type::range(0, static_cast<model::Value>(shared_count_ - 1));
}

void Reader::read_line() {
  cursor_.skip_blanks(false);
  if (cursor_.at_end()) return;
  if (cursor_.peek() == '\n') {
    cursor_.advance();
    return;
  }
  const std::size_t line_start = cursor_.offset();
  ThreadState source;
  source.shared = shared_state();
  cursor_.skip_blanks(false);
  if (cursor_.peek() == '|') {
    read_inline_target(cursor_.line());
    return;
  }
  source.local = local_state();
  cursor_.skip_blanks(false);
  read_transition(line_start, source);
}

void Reader::read_transition(std::size_t line_start, ThreadState source) {
  const SourceSpan span = cursor_.span();
  enum class Form { Move, Spawn, Transfer } form = Form::Move;
  if (cursor_.accept("+>")) {
    form = Form::Spawn;
  } else if (cursor_.accept("~>")) {
    form = Form::Transfer;
  } else if (!cursor_.accept("->")) {
    throw_malformed(span, fmt::format("expected '->', '+>' or '~>', found {}", cursor_.describe_here()));
  }
  const ThreadState target = thread_state();
  model::Action action;
  action.span = span;
  action.span.column = 1;
  set_shared(action, source.shared, target.shared);
  const LocId from = location(source.local, span);
  const LocId to = location(target.local, span);
  model::Edge edge{.source = from, .target = from, .actions = {}};
  TemplateId owner = thread_;
  if (form == Form::Move) {
    edge.target = to;
    read_passive_list(action);
    if (source.shared == target.shared && from == to && action.moves.empty()) return;
  } else if (form == Form::Spawn) {
    expect_line_end("the end of the line after a thread creation");
    action.spawns.push_back({.templ = thread_, .location = to, .copies_locals = true, .locals = {}});
  } else {
    expect_line_end("the end of the line after a transfer");
    owner = control();
    edge.source = edge.target = program_.templ(owner).entry;
    action.moves.push_back({.templ = thread_, .from = from, .to = to});
  }
  action.text = cursor_.text_from(line_start);
  while (!action.text.empty() && (action.text.back() == '\r' || action.text.back() == '\n')) action.text.pop_back();
  edge.actions.push_back(std::move(action));
  program_.templ(owner).edges.push_back(std::move(edge));
}

void Reader::read_passive_list(model::Action& action) {
  while (true) {
    cursor_.skip_blanks(false);
    if (cursor_.at_line_end()) return;
    const SourceSpan span = cursor_.span();
    if (!cursor_.at_digit()) expect_line_end("'a ~> b' or the end of the line");
    const LocId from = location(local_state(), span);
    cursor_.skip_blanks(false);
    if (!cursor_.accept("~>")) {
      throw_malformed(cursor_.span(),
                      fmt::format("expected '~>' in a passive update, found {}", cursor_.describe_here()));
    }
    cursor_.skip_blanks(false);
    const LocId to = location(local_state(), span);
    action.moves.push_back({.templ = thread_, .from = from, .to = to});
  }
}

void Reader::read_inline_target(std::uint32_t line) {
  if (inline_target_) throw_malformed(cursor_.span(), "a second target line in the same file");
  while (!cursor_.at_line_end()) cursor_.advance();
  // Parsed from a text that ends with this line, so that its places are those of the file.
  std::string text(line - 1, '\n');
  text += file_->line(line);
  inline_target_ = parse_target(std::make_shared<const SourceFile>(file_->name(), std::move(text)));
}

Reader::ThreadState Reader::thread_state() {
  ThreadState state;
  cursor_.skip_blanks(false);
  state.shared = shared_state();
  cursor_.skip_blanks(false);
  state.local = local_state();
  return state;
}

std::uint32_t Reader::shared_state() {
  const SourceSpan span = cursor_.span();
  const std::uint64_t state = cursor_.number("a shared state", max_states);
  if (state >= shared_count_) {
    throw_malformed(span,
                    fmt::format("shared state {} is not below {}, the number of shared states", state, shared_count_));
  }
  return static_cast<std::uint32_t>(state);
}

std::uint32_t Reader::local_state() {
  const SourceSpan span = cursor_.span();
  const std::uint64_t state = cursor_.number("a local state", max_states);
  if (state >= local_count_) {
    throw_malformed(span,
                    fmt::format("local state {} is not below {}, the number of local states", state, local_count_));
  }
  return static_cast<std::uint32_t>(state);
}

void Reader::expect_line_end(const char* expected) {
  cursor_.skip_blanks(false);
  if (!cursor_.at_line_end()) {
    throw_malformed(cursor_.span(), fmt::format("expected {}, found {}", expected, cursor_.describe_here()));
  }
}

LocId Reader::location(std::uint32_t local, const SourceSpan& span) {
  const auto [entry, is_new] = locations_.try_emplace(local);
  if (is_new) {
    entry->second = program_.templ(thread_).add_location({.label = std::to_string(local), .span = span, .error = {}});
  }
  return entry->second;
}

TemplateId Reader::control() {
  if (!control_) {
    model::Template templ;
    templ.name = "control";
    templ.entry = templ.add_location({.label = "control", .span = {}, .error = {}});
    control_ = program_.add_template(std::move(templ));
    program_.initial.push_back({.templ = *control_, .location = program_.templ(*control_).entry, .count = 1});
  }
  return *control_;
}

model::ExprId Reader::shared_equals(std::uint32_t value) {
  model::ExprPool& exprs = program_.exprs;
  return exprs.binary(model::Op::Eq, exprs.shared(shared_, shared_type_), exprs.constant(value, shared_type_),
                      model::Type::boolean());
}

void Reader::set_shared(model::Action& action, std::uint32_t from, std::uint32_t to) {
  action.guard = shared_equals(from);
  if (from == to) return;
  action.assigns.push_back(
      {.target = {.kind = model::LValue::Kind::Shared, .var = shared_, .index = {}, .ref = {}, .templ = {}},
       .value = program_.exprs.constant(to, shared_type_)});
}

void Reader::check_shared(const Configuration& configuration) const {
  if (configuration.shared >= shared_count_) {
    throw_malformed(configuration.span, fmt::format("shared state {} is not below {}, the number of shared states",
                                                    configuration.shared, shared_count_));
  }
}

void Reader::set_initial() {
  const Configuration initial =
      parse_initial(std::make_shared<const SourceFile>("--init", options_.init.value_or("0/0")));
  check_shared(initial);
  for (const auto* list : {&initial.bounded, &initial.unbounded}) {
    for (const PlacedLocal& place : *list) {
      if (place.local < local_count_) continue;
      throw_malformed(place.span, fmt::format("local state {} is not below {}, the number of local states", place.local,
                                              local_count_));
    }
  }
  program_.shared[shared_.value].initial = {static_cast<model::Value>(initial.shared)};
  std::unordered_map<std::uint32_t, std::size_t> entries;
  for (const PlacedLocal& place : initial.bounded) {
    const auto [entry, is_new] = entries.try_emplace(place.local, program_.initial.size());
    if (is_new) {
      program_.initial.push_back({.templ = thread_, .location = location(place.local, place.span), .count = 0});
    }
    ++*program_.initial[entry->second].count;
  }
  for (const PlacedLocal& place : initial.unbounded) {
    program_.initial.push_back(
        {.templ = thread_, .location = location(place.local, place.span), .count = std::nullopt});
  }
  model::Template& thread = program_.templ(thread_);
  if (thread.locations.empty()) location(0, {});
  if (!initial.unbounded.empty()) thread.entry = location(initial.unbounded.front().local, {});
  if (!initial.bounded.empty()) thread.entry = location(initial.bounded.front().local, {});
}

// The `.prop` file beside the system, if there is one.
SourceFilePtr property_beside(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || name.find('/', dot) != std::string::npos) return nullptr;
  const std::string path = name.substr(0, dot) + ".prop";
  if (!std::ifstream(path)) return nullptr;
  return read_source_file(path);
}

void Reader::set_target() {
  std::optional<Configuration> target = inline_target_;
  if (options_.target) {
    target = parse_target(std::make_shared<const SourceFile>("--target", *options_.target));
  } else if (!target) {
    const SourceFilePtr property = options_.property ? options_.property : property_beside(file_->name());
    if (!property) return;
    target = parse_target(property);
  }
  // A local state that the system does not have may be asked for: no thread is ever in it.
  check_shared(*target);
  model::Property property;
  property.kind = model::Property::Kind::Cover;
  property.span = target->span;
  property.condition = shared_equals(target->shared);
  property.text = fmt::format("{}|", target->shared);
  for (const PlacedLocal& place : target->bounded) {
    if (!property.threads.empty()) property.text += ',';
    property.text += std::to_string(place.local);
    property.threads.emplace_back(thread_, location(place.local, place.span));
  }
  program_.add_property(std::move(property));
}

}  // namespace

model::Program load(const SourceFilePtr& file, const Options& options, Env* env) {
  COHORT_EXPECT(file != nullptr, "a file to read");
  return Reader(file, options, env).read();
}

}  // namespace cohort::frontend::tts
