#include "frontend/bp/resolve.hpp"

#include <algorithm>
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

// The names of one program's procedures and shared variables.
struct Globals {
  explicit Globals(const Program& program) {
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

  // The place of the first passive instance in the procedure.
  const std::optional<Name>& first_passive() const { return first_passive_; }

 private:
  // ---- what the procedure declares

  template <class Visit>
  static void for_each_statement(const Block& block, Visit&& visit) {
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

  void collect_labels(const Block& body) {
    for_each_statement(body, [this](const Statement& statement) {
      for (const Name& label : statement.labels) {
        if (const auto [old, fresh] = labels_.emplace(label.text, &label); !fresh) {
          Globals::duplicate("label", label, *old->second);
        }
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
    if (text.size() > 1 && text.back() == '$') return lookup_passive(text, span);
    if (text == "_") throw_malformed(span, "'_' discards a value and has none");
    if (globals_.procedures.contains(text)) {
      throw_malformed(span, fmt::format("'{}' is a procedure; expected a variable", text));
    }
    throw_malformed(span, fmt::format("the variable '{}' is not declared", text));
  }

  Reference lookup_passive(const std::string& text, const SourceSpan& span) {
    const std::string base = text.substr(0, text.size() - 1);
    if (const auto local = locals_.find(base); local != locals_.end()) {
      if (!first_passive_) first_passive_ = Name{text, span};
      return {Reference::Kind::Passive, local->second};
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
    for (const Name& label : content.labels) check_label(label);
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
      const bool passive = content.targets[i].reference.kind == Reference::Kind::Passive;
      resolve_expression(content.values[i], {.primed = false, .passive = passive});
    }
    if (content.constraint) resolve_expression(*content.constraint, {.primed = true, .passive = true});
  }

  void resolve_content(CallStatement& content, const Statement& statement) {
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
    calls_.add_call(index_, content.procedure, statement.span);
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
  std::optional<Name> first_passive_;
};

}  // namespace

void resolve(Program& program) {
  COHORT_EXPECT(program.file != nullptr, "the program was parsed from a file");
  const Globals globals(program);
  CallGraph calls(program.procedures.size());
  std::vector<std::optional<Name>> passive;
  for (std::size_t i = 0; i < program.procedures.size(); ++i) {
    COHORT_EXPECT(program.procedures[i].locals.empty(), "a program is resolved once");
    ProcedureResolver resolver(program, globals, i, calls);
    resolver.run();
    passive.push_back(resolver.first_passive());
  }
  if (!globals.procedures.contains("main")) {
    throw_malformed({program.file, 1, 1}, "the program has no procedure 'main'");
  }
  calls.refuse_recursion(program);
  for (std::size_t i = 0; i < passive.size(); ++i) {
    if (!passive[i] || !calls.is_called(i)) continue;
    throw_unsupported(
        passive[i]->span,
        fmt::format("the passive instance '{}' stands in procedure '{}', which is called; it is supported "
                    "only in procedures that threads start with",
                    passive[i]->text, program.procedures[i].name.text));
  }
}

}  // namespace cohort::frontend::bp
