// The target becomes an assertion that every thread may check between any two steps of its own: each location of a
// thread's template gets one more edge, guarded by the condition, to a location that is an error.  So every engine that
// knows error locations takes the question, and proofs and runs are as for any other property.
//
// A thread looks only when it could move.  The middle of another thread's atomic section is therefore no state that
// counts, as it is none for any assertion.
//
// The condition has comparisons, `&&`, `||`, `!` and parentheses over shared and local variables, elements of arrays
// with a fixed index, and `at LABEL` for the location; a Boolean variable may stand alone, and 0 and 1 are its values.
// It asks about one thread: a template takes part if it has all the local variables and labels that are named.
#include "load/target.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <vector>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/source.hpp"
#include "frontend/cursor.hpp"
#include "model/analysis/visit.hpp"
#include "model/passes/cuts.hpp"

namespace cohort::load {

using model::ExprId;
using model::Op;
using model::Type;

namespace {

constexpr std::size_t most_nesting = 1000;

bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_name_part(char c) {
  return is_name_start(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '#' || c == ':' ||
         c == '$' || c == '@';
}

// The variables that some expression of the program reads.
class ReadVariables {
 public:
  explicit ReadVariables(const model::Program& program) : locals_(program.templates.size()) {
    for (const auto& [action, edge, templ] : model::actions_of(program)) {
      model::for_each_root(action, [&, templ = templ](ExprId root) {
        model::for_each_node(program.exprs, root, [&](const model::Expr& node, ExprId) {
          if (node.op == Op::SharedVar) shared_.insert(node.var);
          if (node.op == Op::LocalVar || node.op == Op::PassiveVar) locals_[templ.value].insert(node.var);
          if (node.op == Op::RemoteVar) locals_[node.templ.value].insert(node.var);
        });
      });
    }
  }

  bool contain_shared(model::VarId var) const { return shared_.contains(var); }
  bool contain_local(std::size_t templ, model::VarId var) const { return locals_[templ].contains(var); }

 private:
  std::set<model::VarId> shared_;
  std::vector<std::set<model::VarId>> locals_;
};

// The condition as one template sees it.  What it names and no template has is told by `missing`.
class Reader {
 public:
  // Without `read`, every variable may be named.
  Reader(model::Program& program, std::size_t templ, const ReadVariables* read, const SourceFilePtr& text)
      : program_(program), templ_(program.templates[templ]), templ_number_(templ), read_(read), cursor_(text) {}

  // None: the template lacks something that is named.
  std::optional<ExprId> read(model::LocId location) {
    location_ = location;
    const ExprId condition = boolean(disjunction());
    skip();
    if (!cursor_.at_end()) fail("'&&', '||' or the end of the target");
    if (!missing_.empty()) return std::nullopt;
    return condition;
  }

  const std::string& missing() const { return missing_; }
  const SourceSpan& missing_span() const { return missing_span_; }

 private:
  struct Operand {
    ExprId expr;
    bool literal = false;  // a number as it is written: 0 and 1 may stand for false and true
    SourceSpan span;
  };

  void skip() { cursor_.skip_blanks(true); }

  [[noreturn]] void fail(const std::string& expected) {
    throw_malformed(cursor_.span(), fmt::format("expected {}, found {}", expected, cursor_.describe_here()));
  }

  Operand disjunction() {
    Operand left = conjunction();
    for (skip(); cursor_.accept("||"); skip()) {
      left = {program_.exprs.disj(boolean(left), boolean(conjunction())), false, left.span};
    }
    return left;
  }

  Operand conjunction() {
    Operand left = negation();
    for (skip(); cursor_.accept("&&"); skip()) {
      left = {program_.exprs.conj(boolean(left), boolean(negation())), false, left.span};
    }
    return left;
  }

  Operand negation() {
    skip();
    const SourceSpan span = cursor_.span();
    if (cursor_.peek() == '!' && cursor_.peek(1) != '=') {
      cursor_.advance();
      deepen();
      const Operand operand = negation();
      --depth_;
      return {program_.exprs.negate(boolean(operand)), false, span};
    }
    return comparison();
  }

  Operand comparison() {
    const Operand left = primary();
    skip();
    for (const auto& [word, op] : {std::pair("==", Op::Eq), std::pair("!=", Op::Ne), std::pair("<=", Op::Le),
                                   std::pair(">=", Op::Ge), std::pair("<", Op::Lt), std::pair(">", Op::Gt)}) {
      if (!cursor_.accept(word)) continue;
      const Operand right = primary();
      return {compare(op, left, right), false, left.span};
    }
    return left;
  }

  ExprId compare(Op op, Operand left, Operand right) {
    const auto kind = [&](const Operand& operand) { return program_.exprs[operand.expr].type.kind(); };
    const bool booleans = kind(left) == Type::Kind::Bool || kind(right) == Type::Kind::Bool;
    if (booleans) {
      left.expr = boolean(left);
      right.expr = boolean(right);
    }
    for (const Operand& operand : {left, right}) {
      if (kind(operand) == Type::Kind::ThreadRef)
        throw_malformed(operand.span, "a target compares numbers and truth values, not references to threads");
    }
    if (booleans && op != Op::Eq && op != Op::Ne)
      throw_malformed(left.span, "truth values are compared by == and != only");
    return program_.exprs.binary(op, left.expr, right.expr, Type::boolean());
  }

  Operand primary() {
    skip();
    const SourceSpan span = cursor_.span();
    if (cursor_.accept("(")) {
      deepen();
      const Operand inner = disjunction();
      skip();
      if (!cursor_.accept(")")) fail("')'");
      --depth_;
      return {inner.expr, inner.literal, span};
    }
    const bool negative = cursor_.peek() == '-';
    if (negative) cursor_.advance();
    if (negative || cursor_.at_digit()) {
      constexpr std::uint64_t most = std::uint64_t{1} << 62U;
      const auto value = static_cast<model::Value>(cursor_.number("a number", most));
      return {program_.exprs.constant(negative ? -value : value, Type::integer()), true, span};
    }
    if (!is_name_start(cursor_.peek())) fail("a variable, a number, 'at LABEL' or '('");
    const std::string name = word();
    if (name == "at" && (cursor_.peek() == ' ' || cursor_.peek() == '"')) {
      skip();
      if (is_name_part(cursor_.peek()) || cursor_.peek() == '"') return {at_label(span), false, span};
    }
    if (name == "true" || name == "false") return {program_.exprs.boolean(name == "true"), false, span};
    return {variable(name, span), false, span};
  }

  void deepen() {
    if (++depth_ > most_nesting) throw_malformed(cursor_.span(), "the target is nested too deeply");
  }

  std::string word() {
    const std::size_t start = cursor_.offset();
    while (is_name_part(cursor_.peek())) cursor_.advance();
    return std::string(cursor_.text_from(start));
  }

  ExprId at_label(const SourceSpan& span) {
    std::string label;
    if (cursor_.accept("\"")) {
      const std::size_t start = cursor_.offset();
      while (!cursor_.at_end() && cursor_.peek() != '"') cursor_.advance();
      label = cursor_.text_from(start);
      if (!cursor_.accept("\"")) fail("'\"'");
    } else {
      label = word();
    }
    const auto& locations = templ_.locations;
    if (std::none_of(locations.begin(), locations.end(), [&](const auto& one) { return one.label == label; }))
      note_missing("location", label, span);
    return program_.exprs.boolean(locations[location_.value].label == label);
  }

  // Local variables hide shared ones.
  ExprId variable(const std::string& name, const SourceSpan& span) {
    std::optional<model::Value> index;
    skip();
    if (cursor_.accept("[")) {
      skip();
      index = static_cast<model::Value>(cursor_.number("an index", UINT32_MAX));
      skip();
      if (!cursor_.accept("]")) fail("']'");
    }
    for (const bool local : {true, false}) {
      const auto& variables = local ? templ_.locals : program_.shared;
      for (std::size_t i = 0; i < variables.size(); ++i) {
        if (variables[i].name == name) return read_of(variables[i], model::VarId(i), local, index, span);
      }
    }
    note_missing("variable", name, span);
    return program_.exprs.constant(0, Type::integer());
  }

  ExprId read_of(const model::Variable& variable, model::VarId id, bool local, std::optional<model::Value> index,
                 const SourceSpan& span) {
    const bool is_read =
        read_ == nullptr || (local ? read_->contain_local(templ_number_, id) : read_->contain_shared(id));
    if (!is_read) {
      throw_unsupported(
          span,
          fmt::format("nothing in the program reads {}, so that what is stored there is not modelled", variable.name));
    }
    const Type type = variable.type;
    const Op op = local ? Op::LocalVar : Op::SharedVar;
    if (!type.is_array()) {
      if (index) throw_malformed(span, fmt::format("{} is no array", variable.name));
      return local ? program_.exprs.local(id, type) : program_.exprs.shared(id, type);
    }
    if (!index || *index >= type.array_size())
      throw_malformed(span, fmt::format("{} is an array: an index from 0 to {} is asked for", variable.name,
                                        type.array_size() - 1));
    return program_.exprs.element(op, id, type, program_.exprs.constant(*index, Type::integer()));
  }

  void note_missing(const char* what, const std::string& name, const SourceSpan& span) {
    if (!missing_.empty()) return;
    missing_ = fmt::format("no {} is called {}", what, name);
    missing_span_ = span;
  }

  ExprId boolean(const Operand& operand) {
    const model::Expr& node = program_.exprs[operand.expr];
    if (node.type.is_bool()) return operand.expr;
    const bool truth = operand.literal && node.op == Op::Const && (node.value == 0 || node.value == 1);
    if (truth) return program_.exprs.boolean(node.value == 1);
    // What is missing is told of instead, once all has been read.
    if (missing_.empty()) throw_malformed(operand.span, "a truth value is asked for here, not a number");
    return program_.exprs.falsity();
  }

  model::Program& program_;
  const model::Template& templ_;
  std::size_t templ_number_;
  const ReadVariables* read_;
  frontend::Cursor cursor_;
  model::LocId location_;
  std::size_t depth_ = 0;
  std::string missing_;
  SourceSpan missing_span_;
};

}  // namespace

bool is_by_values(const std::string& target) {
  return target.find("==") != std::string::npos || target.find("!=") != std::string::npos ||
         target.starts_with("at ") || target.find(" at ") != std::string::npos;
}

model::Program asking_for(model::Program flat, const std::string& target, bool only_read) {
  COHORT_EXPECT(model::is_flat(flat), "a thread's locals are all in one template");
  std::optional<ReadVariables> read;
  if (only_read) read.emplace(flat);
  flat = model::asking_for_cuts(std::move(flat));
  const auto text = std::make_shared<const SourceFile>("--target", target);
  model::Property property;
  property.kind = model::Property::Kind::ErrorLabel;
  property.text = target;
  property.words = "the target is reached";
  property.span = {text, 1, 1};
  const model::PropertyId id = flat.add_property(std::move(property));
  std::string missing;
  SourceSpan missing_span;
  bool asked = false;
  for (std::size_t number = 0; number < flat.templates.size(); ++number) {
    model::Template& templ = flat.templates[number];
    const std::size_t locations = templ.locations.size();
    std::optional<model::LocId> error;
    for (std::size_t i = 0; i < locations; ++i) {
      Reader reader(flat, number, read ? &*read : nullptr, text);
      const auto condition = reader.read(model::LocId(i));
      if (!condition) {
        if (missing.empty()) missing = reader.missing(), missing_span = reader.missing_span();
        break;
      }
      asked = true;
      if (flat.exprs.is_false(*condition) || templ.locations[i].error) continue;
      if (!error) error = templ.add_location({.label = "the target", .span = {text, 1, 1}, .error = id});
      model::Action action;
      action.guard = *condition;
      action.span = {text, 1, 1};
      action.text = "target";
      model::Edge edge{.source = model::LocId(i), .target = *error, .actions = {}};
      edge.actions.push_back(std::move(action));
      templ.edges.push_back(std::move(edge));
    }
  }
  if (!asked) throw_malformed(missing_span, missing.empty() ? "the program has no threads" : missing);
  return flat;
}

}  // namespace cohort::load
