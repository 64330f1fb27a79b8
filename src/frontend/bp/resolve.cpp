#include "frontend/bp/resolve.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/bp/call_graph.hpp"

namespace cohort::frontend::bp {

namespace {

using NameIndex = std::unordered_map<std::string, std::size_t>;

// Which instances of variables an expression may speak of.
struct Allowed {
  bool primed = false;
  bool passive = false;
};

std::string count_of(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void check_declarable(const Name& name) {
  if (name.text == "_") throw_malformed(name.span, "'_' discards a value and cannot be declared");
}

template <class Visit>
void for_each_statement(const Block& block, Visit&& visit) {
  for (const Statement& statement : block) {
    visit(statement);
    if (const auto* conditional = std::get_if<If>(&statement.content)) {
      for (const Branch& branch : conditional->branches) for_each_statement(branch.body, visit);
      for_each_statement(conditional->otherwise, visit);
    } else if (const auto* loop = std::get_if<While>(&statement.content)) {
      for_each_statement(loop->branch.body, visit);
    }
  }
}

// In which procedures labels stand: the first, and another if there is one.
class LabelIndex {
 public:
  using Procedures = std::pair<std::optional<std::size_t>, std::optional<std::size_t>>;

  explicit LabelIndex(const Program& program) {
    for (std::size_t i = 0; i < program.procedures.size(); ++i) {
      for_each_statement(program.procedures[i].body, [&](const Statement& statement) {
        for (const Name& label : statement.labels) {
          Procedures& where = procedures_[label.text];
          if (!where.first) where.first = i;
          if (*where.first != i && !where.second) where.second = i;
        }
      });
    }
  }

  Procedures of(const std::string& label) const {
    const auto found = procedures_.find(label);
    return found == procedures_.end() ? Procedures() : found->second;
  }

 private:
  std::unordered_map<std::string, Procedures> procedures_;
};

// The names of one program's procedures and shared variables.
struct Globals {
  explicit Globals(const Program& program) : labels(program) {
    for (std::size_t i = 0; i < program.shared.size(); ++i) {
      const Name& name = program.shared[i].name;
      check_declarable(name);
      if (const auto [old, fresh] = shared.emplace(name.text, i); !fresh) {
        duplicate("shared variable", name, program.shared[old->second].name);
      }
    }
    for (std::size_t i = 0; i < program.procedures.size(); ++i) {
      const Name& name = program.procedures[i].name;
      check_declarable(name);
      if (const auto [old, fresh] = procedures.emplace(name.text, i); !fresh) {
        duplicate("procedure", name, program.procedures[old->second].name);
      }
    }
  }

  [[noreturn]] static void duplicate(std::string_view what, const Name& again, const Name& before) {
    throw_malformed(again.span,
                    fmt::format("the {} '{}' is declared twice; first in line {}", what, again.text, before.span.line));
  }

  NameIndex shared;
  NameIndex procedures;
  LabelIndex labels;
};

// The number of a local variable, as Procedure::locals will have it.
std::optional<std::size_t> find_local(const Procedure& procedure, const std::string& name) {
  std::size_t next = 0;
  std::optional<std::size_t> found;
  const auto look_at = [&](const Declaration& declaration) {
    if (!found && declaration.name.text == name) found = next;
    ++next;
  };
  for (const Declaration& parameter : procedure.parameters) look_at(parameter);
  for_each_statement(procedure.body, [&](const Statement& statement) {
    const auto* declare = std::get_if<Declare>(&statement.content);
    if (declare == nullptr) return;
    for (const Declaration& declaration : declare->declarations) look_at(declaration);
  });
  return found;
}

// A passive instance, the procedure that it stands in, and the one that it belongs to.
struct PassiveUse {
  Name name;
  std::size_t user = 0;
  std::size_t owner = 0;
};

// A label of `procedure` at which a thread starts in `user`.
struct Elsewhere {
  Name label;
  std::size_t user = 0;
  std::size_t procedure = 0;
};

class ProcedureResolver {
 public:
  ProcedureResolver(Program& program, const Globals& globals, std::size_t index, CallGraph& calls)
      : program_(program), globals_(globals), procedure_(program.procedures[index]), index_(index), calls_(calls) {}

  void run() {
    collect_labels(procedure_.body);
    collect_declared(procedure_.body);
    for (const Declaration& parameter : procedure_.parameters) declare(parameter);
    resolve_block(procedure_.body);
  }

  // The passive instances in the procedure, the first of each procedure that they belong to.
  const std::vector<PassiveUse>& passive() const { return passive_; }
  // Threads started at labels of other procedures.
  const std::vector<Elsewhere>& starts() const { return starts_; }

 private:
  // ---- what the procedure declares

  void collect_labels(const Block& body) {
    for_each_statement(body, [this](const Statement& statement) {
      for (const Name& label : statement.labels) {
        const auto [old, fresh] = labels_.emplace(label.text, &label);
        // Twice on one statement says the same twice.
        const bool same = std::any_of(statement.labels.begin(), statement.labels.end(),
                                      [&](const Name& other) { return &other == old->second; });
        if (!fresh && !same) Globals::duplicate("label", label, *old->second);
      }
    });
  }

  void collect_declared(const Block& body) {
    for_each_statement(body, [this](const Statement& statement) {
      const auto* declare = std::get_if<Declare>(&statement.content);
      if (declare == nullptr) return;
      for (const Declaration& declaration : declare->declarations) {
        later_.emplace(declaration.name.text, declaration.name.span.line);
      }
    });
  }

  void declare(const Declaration& declaration) {
    check_declarable(declaration.name);
    if (declaration.is_thread_local) {
      throw_malformed(
          declaration.name.span,
          "'thread_local' belongs to declarations outside procedures; every variable of a procedure is local");
    }
    const auto [old, fresh] = locals_.emplace(declaration.name.text, procedure_.locals.size());
    if (!fresh) Globals::duplicate("variable", declaration.name, procedure_.locals[old->second].name);
    procedure_.locals.push_back(declaration);
  }

  // ---- names

  Reference lookup(const std::string& text, const SourceSpan& span) {
    if (const auto local = locals_.find(text); local != locals_.end()) return {Reference::Kind::Local, local->second};
    if (const auto later = later_.find(text); later != later_.end()) {
      throw_malformed(span, fmt::format("'{}' is used before its declaration in line {}", text, later->second));
    }
    if (const auto shared = globals_.shared.find(text); shared != globals_.shared.end()) {
      return {Reference::Kind::Shared, shared->second};
    }
    if (const auto passive = lookup_passive(text, span)) return *passive;
    if (text == "_") throw_malformed(span, "'_' discards a value and has none");
    if (globals_.procedures.contains(text)) {
      throw_malformed(span, fmt::format("'{}' is a procedure; expected a variable", text));
    }
    throw_malformed(span, fmt::format("the variable '{}' is not declared", text));
  }

  // `x$`, or `x$f` of another procedure; one more `$` for the second passive thread, and so on.  None: the name has
  // another form.
  std::optional<Reference> lookup_passive(const std::string& text, const SourceSpan& span) {
    const std::size_t last = text.rfind('$');
    if (last == std::string::npos || last == 0) return std::nullopt;
    const std::string owner = text.substr(last + 1);
    const auto procedure = globals_.procedures.find(owner);
    const bool own = owner.empty();
    if (!own && procedure == globals_.procedures.end()) return std::nullopt;
    const std::size_t of = own ? index_ : procedure->second;
    // A '$' may belong to the variable: the longest name that is one counts.
    std::string base = text.substr(0, last);
    for (std::uint32_t number = 0;; ++number, base.pop_back()) {
      const auto known = locals_.find(base);
      const auto local = !own                     ? find_local(program_.procedures[of], base)
                         : known != locals_.end() ? std::optional(known->second)
                                                  : std::nullopt;
      if (local) {
        const auto same = [&](const PassiveUse& use) { return use.owner == of; };
        if (std::none_of(passive_.begin(), passive_.end(), same)) passive_.push_back({Name{text, span}, index_, of});
        return Reference{Reference::Kind::Passive, *local, of, number};
      }
      if (base.size() < 2 || base.back() != '$') break;
    }
    if (!own) {
      throw_malformed(span, fmt::format("'{}' is the passive instance of a local variable '{}' of '{}', which has none",
                                        text, base, owner));
    }
    if (const auto shared = globals_.shared.find(base); shared != globals_.shared.end()) {
      const bool of_thread = program_.shared[shared->second].is_thread_local;
      const auto message =
          fmt::format("'{}' is a {} variable; only the locals of a procedure have a passive instance '{}'", base,
                      of_thread ? "thread_local" : "shared", text);
      if (of_thread) throw_unsupported(span, message);
      throw_malformed(span, message);
    }
    throw_malformed(span, fmt::format("neither '{}' nor a local variable '{}' is declared", text, base));
  }

  std::size_t lookup_procedure(const Name& callee) const {
    const auto found = globals_.procedures.find(callee.text);
    if (found == globals_.procedures.end()) {
      throw_malformed(callee.span, fmt::format("the procedure '{}' is not defined", callee.text));
    }
    return found->second;
  }

  void check_label(const Name& label) const {
    if (labels_.contains(label.text)) return;
    const std::string message =
        fmt::format("the label '{}' is not in procedure '{}'", label.text, procedure_.name.text);
    const bool is_procedure = globals_.procedures.contains(label.text);
    throw_malformed(label.span, is_procedure
                                    ? fmt::format("{}; a procedure is started as '{}(..)'", message, label.text)
                                    : message);
  }

  // ---- expressions

  void resolve_expression(Expression& expression, Allowed allowed) {
    for (Expression& operand : expression.operands) resolve_expression(operand, allowed);
    if (expression.kind != Expression::Kind::Variable) return;
    expression.reference = lookup(expression.name, expression.span);
    if (expression.primed && !allowed.primed) {
      throw_malformed(
          expression.span,
          fmt::format("''{}' is the value after an assignment; it can stand only behind 'constrain'", expression.name));
    }
    if (expression.reference.kind == Reference::Kind::Passive && !allowed.passive) {
      throw_malformed(expression.span, fmt::format("the passive instance '{}' can stand only behind 'constrain' and in "
                                                   "values assigned to passive instances",
                                                   expression.name));
    }
  }

  void resolve_expressions(std::vector<Expression>& expressions) {
    for (Expression& expression : expressions) resolve_expression(expression, {});
  }

  // Assignment targets are distinct; `_` may stand for any of them.
  void resolve_targets(std::vector<Target>& targets) {
    std::unordered_set<std::string> seen;
    for (Target& target : targets) {
      if (target.name.text == "_") {
        target.reference = {Reference::Kind::Discard, 0};
        continue;
      }
      target.reference = lookup(target.name.text, target.name.span);
      if (!seen.insert(target.name.text).second) {
        throw_malformed(target.name.span, fmt::format("'{}' is assigned twice in one statement", target.name.text));
      }
    }
  }

  // ---- statements

  void resolve_block(Block& block) {
    for (Statement& statement : block) {
      std::visit([this, &statement](auto& content) { resolve_content(content, statement); }, statement.content);
    }
  }

  void resolve_content(Skip&, const Statement&) {}
  void resolve_content(EndThread&, const Statement&) {}
  void resolve_content(AtomicBegin&, const Statement&) {}
  void resolve_content(AtomicEnd&, const Statement&) {}

  void resolve_content(Declare& content, const Statement&) {
    for (const Declaration& declaration : content.declarations) declare(declaration);
  }

  void resolve_content(Goto& content, const Statement&) {
    for (const Name& label : content.labels) check_label(label);
  }

  void resolve_content(StartAtLabel& content, const Statement&) {
    for (const Name& label : content.labels) content.procedures.push_back(procedure_with(label));
  }

  // Its own labels come first.
  std::size_t procedure_with(const Name& label) {
    if (labels_.contains(label.text)) return index_;
    const auto [first, second] = globals_.labels.of(label.text);
    if (!first) check_label(label);
    if (second) {
      throw_malformed(label.span,
                      fmt::format("the label '{}' stands in '{}' and in '{}'", label.text,
                                  program_.procedures[*first].name.text, program_.procedures[*second].name.text));
    }
    starts_.push_back({label, index_, *first});
    return *first;
  }

  void resolve_content(Assume& content, const Statement&) { resolve_expression(content.condition, {}); }
  void resolve_content(Assert& content, const Statement&) { resolve_expression(content.condition, {}); }
  void resolve_content(AbortIf& content, const Statement&) { resolve_expression(content.condition, {}); }

  void resolve_content(Enforce& content, const Statement&) {
    resolve_expression(content.condition, {});
    procedure_.enforced.push_back(content.condition);
  }

  void resolve_content(Assignment& content, const Statement&) {
    resolve_targets(content.targets);
    const std::size_t targets = content.targets.size();
    const std::size_t values = content.values.size();
    if (targets != values) {
      const SourceSpan& place = targets > values ? content.targets[values].name.span : content.values[targets].span;
      throw_malformed(place, fmt::format("the assignment has {} on the left, but {} on the right",
                                         count_of(targets, "variable"), count_of(values, "value")));
    }
    for (std::size_t i = 0; i < values; ++i) {
      const Target& target = content.targets[i];
      const bool passive = target.reference.kind == Reference::Kind::Passive;
      resolve_expression(content.values[i], {.primed = false, .passive = passive});
      if (passive) check_update(target, content.values[i]);
    }
    if (!content.constraint) return;
    resolve_expression(*content.constraint, {.primed = true, .passive = true});
    check_conjuncts(*content.constraint);
  }

  // A passive thread is updated on its own.
  static void check_update(const Target& target, const Expression& value) {
    if (target.reference.number > 0) {
      throw_malformed(target.name.span,
                      fmt::format("'{}' speaks of a second passive thread; each is assigned to by itself, with one '$'",
                                  target.name.text));
    }
    for_each_passive(value, [&](const Expression& other) {
      if (other.reference.procedure == target.reference.procedure && other.reference.number == 0) return;
      throw_malformed(other.span, fmt::format("'{}' is not of the passive thread that '{}' belongs to", other.name,
                                              target.name.text));
    });
  }

  template <class Visit>
  static void for_each_passive(const Expression& expression, Visit&& visit) {
    for (const Expression& operand : expression.operands) for_each_passive(operand, visit);
    const bool variable = expression.kind == Expression::Kind::Variable;
    if (variable && expression.reference.kind == Reference::Kind::Passive) visit(expression);
  }

  static bool has_choice(const Expression& expression) {
    return expression.kind == Expression::Kind::Nondet || expression.kind == Expression::Kind::Schoose ||
           std::any_of(expression.operands.begin(), expression.operands.end(), has_choice);
  }

  // In one conjunct, passive threads are counted from one '$' on and each runs one procedure.
  static void check_conjuncts(const Expression& expression) {
    if (expression.kind == Expression::Kind::And) {
      for (const Expression& operand : expression.operands) check_conjuncts(operand);
      return;
    }
    std::map<std::uint32_t, const Expression*> threads;
    for_each_passive(expression, [&](const Expression& variable) {
      const auto [first, fresh] = threads.emplace(variable.reference.number, &variable);
      if (first->second->reference.procedure == variable.reference.procedure) return;
      throw_malformed(variable.span, fmt::format("'{}' and '{}' are of one passive thread, which runs one procedure; "
                                                 "a second thread has one more '$'",
                                                 first->second->name, variable.name));
    });
    std::uint32_t next = 0;
    for (const auto& [number, variable] : threads) {
      if (number == next++) continue;
      throw_malformed(variable->span,
                      fmt::format("'{}' speaks of passive thread number {}, but nothing in this conjunct "
                                  "speaks of number {}",
                                  variable->name, number + 1, next));
    }
    if (threads.size() > 1 && has_choice(expression)) {
      throw_unsupported(expression.span, "a nondeterministic choice in a conjunct over several passive threads");
    }
  }

  void resolve_content(CallStatement& content, const Statement&) {
    content.procedure = lookup_procedure(content.callee);
    check_arguments(content.callee, content.arguments);
    resolve_expressions(content.arguments);
    resolve_targets(content.targets);
    for (const Target& target : content.targets) {
      if (target.reference.kind != Reference::Kind::Passive) continue;
      throw_malformed(target.name.span,
                      fmt::format("the result of a call cannot go to the passive instance '{}'", target.name.text));
    }
    const std::size_t results = program_.procedures[content.procedure].result_count;
    if (!content.targets.empty() && content.targets.size() != results) {
      throw_malformed(content.callee.span, fmt::format("procedure '{}' has {}, but {} on the left", content.callee.text,
                                                       count_of(results, "result"), stand(content.targets.size())));
    }
    calls_.add_call(index_, content.procedure);
  }

  static std::string stand(std::size_t count) {
    return fmt::format("{} {}", count_of(count, "variable"), count == 1 ? "stands" : "stand");
  }

  void resolve_content(StartProcedure& content, const Statement&) {
    content.procedure = lookup_procedure(content.callee);
    check_arguments(content.callee, content.arguments);
    resolve_expressions(content.arguments);
  }

  void check_arguments(const Name& callee, const std::vector<Expression>& arguments) const {
    const std::size_t expected = program_.procedures[lookup_procedure(callee)].parameters.size();
    if (arguments.size() == expected) return;
    const SourceSpan& place = arguments.size() > expected ? arguments[expected].span : callee.span;
    throw_malformed(place,
                    fmt::format("procedure '{}' takes {}, but {} given", callee.text, count_of(expected, "argument"),
                                arguments.size() == 1 ? "1 is" : fmt::format("{} are", arguments.size())));
  }

  void resolve_content(ReturnStatement& content, const Statement& statement) {
    const std::size_t expected = procedure_.result_count;
    if (content.values.size() != expected) {
      const SourceSpan& place = content.values.size() > expected ? content.values[expected].span : statement.span;
      throw_malformed(
          place,
          fmt::format("procedure '{}' has {}, but {} returned", procedure_.name.text, count_of(expected, "result"),
                      content.values.size() == 1 ? "1 is" : fmt::format("{} are", content.values.size())));
    }
    resolve_expressions(content.values);
  }

  void resolve_content(Dead& content, const Statement&) {
    for (Target& variable : content.variables) {
      variable.reference = lookup(variable.name.text, variable.name.span);
      if (variable.reference.kind == Reference::Kind::Passive) {
        throw_malformed(variable.name.span,
                        fmt::format("'dead' takes variables of the executing thread, not the passive instance '{}'",
                                    variable.name.text));
      }
    }
  }

  void resolve_branch(Branch& branch) {
    resolve_expression(branch.condition, {});
    resolve_block(branch.body);
  }

  void resolve_content(If& content, const Statement&) {
    for (Branch& branch : content.branches) resolve_branch(branch);
    resolve_block(content.otherwise);
  }

  void resolve_content(While& content, const Statement&) { resolve_branch(content.branch); }

  Program& program_;
  const Globals& globals_;
  Procedure& procedure_;
  std::size_t index_;
  CallGraph& calls_;
  NameIndex locals_;
  std::unordered_map<std::string, std::uint32_t> later_;  // every `decl` of the body, with its line
  std::unordered_map<std::string, const Name*> labels_;
  std::vector<PassiveUse> passive_;
  std::vector<Elsewhere> starts_;
};

// Where the creator is inside a call that the procedure of the label made, a copy of its locals would be those that the
// caller has.
void refuse_starts_in_callers(const Program& program, const CallGraph& calls, const std::vector<Elsewhere>& starts) {
  for (const Elsewhere& start : starts) {
    if (!calls.reaches(start.procedure, start.user)) continue;
    throw_unsupported(start.label.span, fmt::format("a thread that starts at the label '{}' of '{}', which calls '{}'",
                                                    start.label.text, program.procedures[start.procedure].name.text,
                                                    program.procedures[start.user].name.text));
  }
}

}  // namespace

void resolve(Program& program) {
  COHORT_EXPECT(program.file != nullptr, "the program was parsed from a file");
  const Globals globals(program);
  CallGraph calls(program.procedures.size());
  std::vector<PassiveUse> passive;
  std::vector<Elsewhere> starts;
  for (std::size_t i = 0; i < program.procedures.size(); ++i) {
    COHORT_EXPECT(program.procedures[i].locals.empty(), "a program is resolved once");
    ProcedureResolver resolver(program, globals, i, calls);
    resolver.run();
    for (const PassiveUse& use : resolver.passive()) passive.push_back(use);
    starts.insert(starts.end(), resolver.starts().begin(), resolver.starts().end());
  }
  if (!globals.procedures.contains("main")) {
    throw_malformed({program.file, 1, 1}, "the program has no procedure 'main'");
  }
  refuse_starts_in_callers(program, calls, starts);
  for (const PassiveUse& use : passive) {
    for (const std::size_t procedure : {use.user, use.owner}) {
      if (!calls.is_called(procedure)) continue;
      throw_unsupported(
          use.name.span,
          fmt::format(
              "the passive instance '{}' {} procedure '{}', which is called; it is supported only {} procedures "
              "that threads start with",
              use.name.text, procedure == use.user ? "stands in" : "belongs to",
              program.procedures[procedure].name.text, procedure == use.user ? "in" : "of"));
    }
  }
}

}  // namespace cohort::frontend::bp
