#include "frontend/scpl/lower.hpp"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/scpl/expression.hpp"

namespace cohort::frontend::scpl {

namespace {

using model::Action;
using model::AtomicChange;
using model::ExprId;
using model::LocId;
using Kind = Statement::Kind;

using Templates = std::unordered_map<std::string, model::TemplateId>;

// First every step gets its location, in textual order; then the edges are made, which knows for each block where it
// goes on.
class BodyLowering {
 public:
  BodyLowering(const Thread& thread, const Scope& scope, const Templates& templates, model::Template& templ,
               model::Program& output)
      : thread_(thread),
        scope_(scope),
        templates_(templates),
        templ_(templ),
        output_(output),
        expressions_(output.exprs, scope) {}

  void run() {
    place(thread_.body, no_section);
    const LocId end = templ_.add_location({"end", thread_.end, {}});
    section_of_.push_back(no_section);
    templ_.entry = thread_.body.empty() ? end : entry_of(thread_.body);
    lower_block(thread_.body, end);
  }

 private:
  static constexpr std::size_t no_section = 0;

  // An outermost atomic block.
  struct Section {
    LocId entry;
    bool reentered = false;  // the entry may be reached from inside, with the section entered
  };

  struct Step {
    const Statement& statement;
    LocId source;
    LocId next;
  };

  // ---- locations

  void place(const Block& block, std::size_t section) {
    for (const Statement& statement : block) {
      if (statement.kind != Kind::Atomic) {
        add_step(statement, section);
        place(statement.body, section);
        place(statement.otherwise, section);
      } else if (section != no_section) {
        place(statement.body, section);
      } else {
        place_section(statement);
      }
      if (statement.label) add_label(*statement.label, entry_of(statement));
    }
  }

  void place_section(const Statement& statement) {
    const std::size_t number = sections_.size();
    sections_.emplace_back();
    place(statement.body, number);
    const Statement* first = first_step(statement);
    sections_[number] = {step_of(*first), first->kind == Kind::While || is_labelled(statement.body.front())};
  }

  // Does a label lead to the statement's first step?
  static bool is_labelled(const Statement& statement) {
    if (statement.label) return true;
    return statement.kind == Kind::Atomic && is_labelled(statement.body.front());
  }

  void add_label(const Name& label, LocId location) {
    if (!labels_.emplace(label.text, location).second) {
      throw_malformed(label.span, fmt::format("label '{}' stands twice in this thread", label.text));
    }
    templ_.locations[location.value].label = label.text;
  }

  void add_step(const Statement& statement, std::size_t section) {
    steps_.emplace(&statement, templ_.add_location({line_name(statement.span), statement.span, {}}));
    section_of_.push_back(section);
  }

  // "line 12" for the first step in a line, "line 12:7" for the others.
  std::string line_name(const SourceSpan& span) {
    const bool first = lines_.insert(span.line).second;
    return first ? fmt::format("line {}", span.line) : fmt::format("line {}:{}", span.line, span.column);
  }

  LocId step_of(const Statement& statement) const {
    const auto found = steps_.find(&statement);
    COHORT_EXPECT(found != steps_.end(), "every step was placed");
    return found->second;
  }

  static const Statement* first_step(const Statement& statement) {
    return statement.kind == Kind::Atomic ? first_step(statement.body.front()) : &statement;
  }

  LocId entry_of(const Statement& statement) const { return step_of(*first_step(statement)); }
  LocId entry_of(const Block& block) const { return entry_of(block.front()); }
  LocId entry_of(const Block& block, LocId exit) const { return block.empty() ? exit : entry_of(block); }

  // ---- edges

  void lower_block(const Block& block, LocId exit) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      const LocId next = i + 1 < block.size() ? entry_of(block[i + 1]) : exit;
      if (block[i].kind == Kind::Atomic) {
        lower_block(block[i].body, next);
      } else {
        lower_statement({block[i], step_of(block[i]), next});
      }
    }
  }

  void lower_statement(const Step& step) {
    const Statement& statement = step.statement;
    switch (statement.kind) {
      case Kind::Skip: add_edge(step.source, step.next, action(step)); break;
      case Kind::Assume:
        add_edge(step.source, step.next, action(step, expressions_.boolean(*statement.condition)));
        break;
      case Kind::Assert: lower_assertion(step); break;
      case Kind::Assign: lower_assignment(step); break;
      case Kind::Goto: lower_goto(step); break;
      case Kind::Start: lower_start(step); break;
      case Kind::If:
        lower_decision(step, entry_of(statement.body, step.next), entry_of(statement.otherwise, step.next));
        lower_block(statement.body, step.next);
        lower_block(statement.otherwise, step.next);
        break;
      case Kind::While:
        lower_decision(step, entry_of(statement.body, step.source), step.next);
        lower_block(statement.body, step.source);
        break;
      case Kind::Atomic: COHORT_UNREACHABLE("an atomic section makes no step");
    }
  }

  Action action(const Step& step, std::optional<ExprId> condition = {}) const {
    Action result;
    result.span = step.statement.span;
    result.text = step.statement.text;
    if (condition && !output_.exprs.is_true(*condition)) result.guard = condition;
    return result;
  }

  AtomicChange change_between(LocId source, LocId target) const {
    const std::size_t section = section_of_[source.value];
    if (section == no_section) return AtomicChange::None;
    const bool enters = source == sections_[section].entry;
    const bool stays = target.value < section_of_.size() && section_of_[target.value] == section;
    if (stays) return enters ? AtomicChange::Enter : AtomicChange::None;
    return enters && !sections_[section].reentered ? AtomicChange::None : AtomicChange::Exit;
  }

  // An edge that is never enabled is left out.
  void add_edge(LocId source, LocId target, Action action) {
    if (action.guard && output_.exprs.is_false(*action.guard)) return;
    action.atomic = change_between(source, target);
    templ_.edges.push_back({source, target, {std::move(action)}});
  }

  void lower_assertion(const Step& step) {
    const Statement& statement = step.statement;
    const auto property =
        output_.add_property({model::Property::Kind::Assertion, statement.text, statement.span, {}, {}});
    add_edge(step.source, step.next, action(step, expressions_.boolean(*statement.condition)));
    const ExprId failure = output_.exprs.negate(expressions_.boolean(*statement.condition));
    if (output_.exprs.is_false(failure)) return;
    const std::string name = fmt::format("{} failed", templ_.locations[step.source.value].label);
    const LocId error = templ_.add_location({name, statement.span, property});
    section_of_.push_back(no_section);
    add_edge(step.source, error, action(step, failure));
  }

  void lower_assignment(const Step& step) {
    const Statement& statement = step.statement;
    std::optional<ExprId> guard;
    if (statement.condition) guard = expressions_.boolean(*statement.condition);
    Action assignment = action(step, guard);
    std::unordered_set<std::string> assigned;
    for (std::size_t i = 0; i < statement.names.size(); ++i) {
      const Name& name = statement.names[i];
      const Symbol& symbol = scope_.find(name.text, name.span);
      if (!assigned.insert(name.text).second) {
        throw_malformed(name.span, fmt::format("'{}' is assigned twice in one statement", name.text));
      }
      model::LValue target;
      target.kind = symbol.is_shared ? model::LValue::Kind::Shared : model::LValue::Kind::Local;
      target.var = symbol.var;
      assignment.assigns.push_back({target, expressions_.lower(statement.values[i], symbol.type)});
    }
    add_edge(step.source, step.next, std::move(assignment));
  }

  // One edge for each label; into an atomic section only where it begins, or from inside it.
  void lower_goto(const Step& step) {
    for (const Name& label : step.statement.names) {
      const auto found = labels_.find(label.text);
      if (found == labels_.end()) {
        throw_malformed(label.span, fmt::format("there is no label '{}' in this thread", label.text));
      }
      const LocId target = found->second;
      const std::size_t section = section_of_[target.value];
      const bool inside = section_of_[step.source.value] == section;
      if (section != no_section && !inside && sections_[section].entry != target) {
        throw_malformed(label.span, fmt::format("label '{}' stands inside an atomic section, which begins with its "
                                                "first statement",
                                                label.text));
      }
      add_edge(step.source, target, action(step));
    }
  }

  void lower_start(const Step& step) {
    const Name& name = step.statement.names.front();
    const auto found = templates_.find(name.text);
    if (found == templates_.end()) throw_malformed(name.span, fmt::format("there is no thread '{}'", name.text));
    Action start = action(step);
    // Where the new thread begins is known when all threads have been lowered.
    start.spawns.push_back({found->second, LocId{}, false, {}});
    add_edge(step.source, step.next, std::move(start));
  }

  // One decision: to `then` under the condition, to `otherwise` under its negation, where each `*` is chosen anew.
  void lower_decision(const Step& step, LocId then, LocId otherwise) {
    const Expression& condition = *step.statement.condition;
    add_edge(step.source, then, action(step, expressions_.boolean(condition)));
    add_edge(step.source, otherwise, action(step, output_.exprs.negate(expressions_.boolean(condition))));
  }

  const Thread& thread_;
  const Scope& scope_;
  const Templates& templates_;
  model::Template& templ_;
  model::Program& output_;
  ExpressionLowering expressions_;
  std::unordered_map<const Statement*, LocId> steps_;
  std::unordered_map<std::string, LocId> labels_;
  std::vector<Section> sections_{Section{}};  // number 0 is the code outside of all
  std::vector<std::size_t> section_of_;       // by location
  std::unordered_set<std::uint32_t> lines_;
};

class ProgramLowering {
 public:
  explicit ProgramLowering(const Program& program) : program_(program) {}

  model::Program run() {
    output_.name = program_.file->name();
    for (const Declaration& declaration : program_.shared) {
      const model::VarId var = output_.add_shared(variable_of(declaration));
      shared_.declare(declaration.name, {true, declaration.type, var});
    }
    Templates templates;
    for (const Thread& thread : program_.threads) {
      model::Template templ;
      templ.name = thread.name.text;
      templ.span = thread.name.span;
      const model::TemplateId id = output_.add_template(std::move(templ));
      if (!templates.emplace(thread.name.text, id).second) {
        throw_malformed(thread.name.span, fmt::format("thread '{}' is declared twice", thread.name.text));
      }
    }
    for (std::size_t i = 0; i < program_.threads.size(); ++i) lower_thread(program_.threads[i], i, templates);
    if (output_.initial.empty()) throw_malformed(program_.threads.front().name.span, "no thread exists at the start");
    for (model::Template& templ : output_.templates) place_new_threads(templ);
    return std::move(output_);
  }

 private:
  // Initial values are numbers, truth values or `*`.
  static model::Variable variable_of(const Declaration& declaration) {
    model::Variable variable;
    variable.name = declaration.name.text;
    variable.type = declaration.type;
    variable.span = declaration.name.span;
    const Expression& initial = declaration.initial;
    if (initial.kind == Expression::Kind::Any) return variable;
    const bool is_literal = initial.kind == Expression::Kind::Number || initial.kind == Expression::Kind::Truth;
    if (!is_literal) throw_malformed(initial.span, "an initial value is a number, a truth value or '*'");
    model::ExprPool scratch;
    const Scope nothing;
    const ExprId value = ExpressionLowering(scratch, nothing).lower(initial, declaration.type);
    variable.initial = {scratch[value].value};
    return variable;
  }

  void lower_thread(const Thread& thread, std::size_t index, const Templates& templates) {
    const model::TemplateId id(index);
    Scope scope = shared_;
    for (const Declaration& declaration : thread.locals) {
      const model::VarId var = output_.templ(id).add_local(variable_of(declaration));
      scope.declare(declaration.name, {false, declaration.type, var});
    }
    // The properties and expressions of the output grow while its templates stay where they are.
    BodyLowering(thread, scope, templates, output_.templ(id), output_).run();
    std::optional<std::uint32_t> count;
    if (!thread.any_number) count = thread.count;
    if (count != 0U) output_.initial.push_back({id, output_.templ(id).entry, count});
  }

  void place_new_threads(model::Template& templ) const {
    for (model::Edge& edge : templ.edges) {
      for (Action& action : edge.actions) {
        for (model::Spawn& spawn : action.spawns) spawn.location = output_.templ(spawn.templ).entry;
      }
    }
  }

  const Program& program_;
  model::Program output_;
  Scope shared_;
};

}  // namespace

model::Program lower(const Program& program) {
  COHORT_EXPECT(program.file != nullptr, "the program was parsed from a file");
  return ProgramLowering(program).run();
}

}  // namespace cohort::frontend::scpl
