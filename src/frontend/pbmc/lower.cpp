#include "frontend/pbmc/lower.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/pbmc/expression.hpp"
#include "frontend/pbmc/process.hpp"
#include "frontend/pbmc/scope.hpp"

namespace cohort::frontend::pbmc {

namespace {

using model::ExprId;
using model::Type;
using model::Value;

class ProgramLowering {
 public:
  ProgramLowering(const Program& program, const Options& options) : program_(program), options_(options) {}

  model::Program run() {
    output_.name = program_.file->name();
    if (program_.faults_block.value_or(false)) output_.faults = model::FaultPolicy::Drop;
    for (const Constant& constant : program_.constants) declare_constant(constant);
    for (const Declaration& declaration : program_.shared) declare_shared(declaration);
    for (const InitialAssignment& initial : program_.initials) assign_initial(initial);
    apply_element_values();
    const Value total = process_total();
    COHORT_EXPECT(total > 0, "there is a process");
    for (const Expression& condition : program_.initial_conditions) look_for_sights(condition);
    for (const PropertyClause& property : program_.properties) look_for_sights(property.condition);
    for (const Expression& condition : program_.initial_conditions) assume_initially(conditions().boolean(condition));
    for (const PropertyClause& property : program_.properties) add_property(property);
    lower_processes();
    return std::move(output_);
  }

 private:
  ExpressionLowering header() { return {output_.exprs, scope_, false}; }
  ExpressionLowering conditions() { return {output_.exprs, scope_, false, &sight_}; }

  // ---- variables

  void declare_constant(const Constant& constant) {
    const bool is_bool = header().is_boolean(constant.value);
    const Value value = header().constant(constant.value, is_bool, "the value of a constant");
    scope_.declare(constant.name, {Symbol::Kind::Constant, is_bool ? Type::boolean() : Type::integer(), value});
  }

  // The variable without its place; initial values and sizes are constants, of the header or `scope`.
  model::Variable variable_of(const Declaration& declaration, const Scope& scope) {
    ExpressionLowering lowering(output_.exprs, scope, false);
    model::Variable variable;
    variable.name = declaration.name.text;
    variable.span = declaration.name.span;
    variable.type = declaration.is_bool ? Type::boolean() : Type::integer();
    if (declaration.size) {
      const Value size = lowering.constant(*declaration.size, false, "the size of an array");
      if (size < 1 || size > static_cast<Value>(max_array_size)) {
        throw_malformed(declaration.size->span, fmt::format("an array has from 1 to {} elements", max_array_size));
      }
      variable.type = variable.type.array_of(static_cast<std::uint32_t>(size));
    }
    if (declaration.initial) {
      variable.initial = initial_values(*declaration.initial, variable.type, declaration.name, scope);
    } else if (options_.zero_init) {
      variable.initial = {0};
    }
    return variable;
  }

  std::vector<Value> initial_values(const Initial& initial, const Type& type, const Name& name, const Scope& scope) {
    if (initial.every) return values_of_every_index(initial, type, name, scope);
    ExpressionLowering lowering(output_.exprs, scope, false);
    std::vector<Value> values;
    for (const Expression& value : initial.values) {
      values.push_back(lowering.constant(value, type.element().is_bool(), "an initial value"));
    }
    if (initial.list && !type.is_array()) {
      throw_malformed(initial.span, fmt::format("'{}' is no array and has one initial value", name.text));
    }
    if (initial.list && values.size() != type.array_size()) {
      throw_malformed(initial.span, fmt::format("'{}' has {} elements, but {} initial values are given", name.text,
                                                type.array_size(), values.size()));
    }
    return values;
  }

  std::vector<Value> values_of_every_index(const Initial& initial, const Type& type, const Name& name,
                                           const Scope& scope) {
    if (!type.is_array()) {
      throw_malformed(initial.span, fmt::format("'{}' is no array and has one initial value", name.text));
    }
    std::vector<Value> values;
    for (std::uint32_t index = 0; index < type.array_size(); ++index) {
      Scope inner(&scope);
      inner.declare(*initial.every, {Symbol::Kind::Constant, Type::integer(), static_cast<Value>(index)});
      ExpressionLowering lowering(output_.exprs, inner, false);
      values.push_back(lowering.constant(initial.values.front(), type.element().is_bool(), "an initial value"));
    }
    return values;
  }

  void declare_shared(const Declaration& declaration) {
    model::Variable variable = variable_of(declaration, scope_);
    const Type type = variable.type;
    const bool initialised = declaration.initial.has_value();
    const model::VarId id = output_.add_shared(std::move(variable));
    scope_.declare(declaration.name, {Symbol::Kind::Shared, type, 0, id});
    if (initialised) initialised_.emplace(id, declaration.initial->span.line);
  }

  // ---- the initial state

  void assign_initial(const InitialAssignment& item) {
    ExpressionLowering lowering = header();
    const Name& name = item.target.name;
    const Symbol& symbol = lowering.variable(name);
    const auto first = initialised_.find(symbol.var);
    if (item.target.index && !gives_every_element(item)) {
      if (first != initialised_.end()) twice(name, first->second);
      assign_initial_element(item, symbol);
      return;
    }
    if (first != initialised_.end()) twice(name, first->second);
    if (const auto element = elements_.find(symbol.var); element != elements_.end()) {
      twice(name, element->second.begin()->second.line);
    }
    initialised_.emplace(symbol.var, item.initial.span.line);
    output_.shared[symbol.var.value].initial = initial_values(item.initial, symbol.type, name, scope_);
  }

  // `B[k] = 10 + k for every k` gives the whole array.
  static bool gives_every_element(const InitialAssignment& item) {
    if (!item.initial.every) return false;
    const Expression& index = *item.target.index;
    const std::string& name = item.initial.every->text;
    if (index.kind != Expression::Kind::Variable || index.name != name || !index.operands.empty()) {
      throw_malformed(index.span, fmt::format("expected the index '{}' itself, for which there is a value", name));
    }
    return true;
  }

  void assign_initial_element(const InitialAssignment& item, const Symbol& symbol) {
    ExpressionLowering lowering = header();
    const Name& name = item.target.name;
    if (!symbol.type.is_array()) {
      throw_malformed(name.span, fmt::format("'{}' is no array and has no elements", name.text));
    }
    const Value index = lowering.constant(*item.target.index, false, "an index of 'init'");
    if (index < 0 || index >= static_cast<Value>(symbol.type.array_size())) {
      throw_malformed(item.target.index->span,
                      fmt::format("'{}' has elements 0 to {}, not {}", name.text, symbol.type.array_size() - 1, index));
    }
    if (item.initial.list || item.initial.any) {
      throw_malformed(item.initial.span, "an element is given one initial value");
    }
    const auto values = initial_values(item.initial, symbol.type.element(), name, scope_);
    auto& elements = elements_[symbol.var];
    const auto [old, fresh] = elements.emplace(index, Element{values.front(), name.span.line});
    if (!fresh) twice({fmt::format("{}[{}]", name.text, index), name.span}, old->second.line);
  }

  [[noreturn]] static void twice(const Name& name, std::uint32_t line) {
    throw_malformed(name.span, fmt::format("'{}' is given an initial value twice; first in line {}", name.text, line));
  }

  // An array all of whose elements are given has a list of initial values; of others the condition at the start says
  // what is given.
  void apply_element_values() {
    for (const auto& [id, elements] : elements_) {
      model::Variable& variable = output_.shared[id.value];
      if (options_.zero_init || elements.size() == variable.type.array_size()) {
        variable.initial.assign(variable.type.array_size(), 0);
        for (const auto& [index, element] : elements) variable.initial[static_cast<std::size_t>(index)] = element.value;
        continue;
      }
      model::ExprPool& pool = output_.exprs;
      for (const auto& [index, element] : elements) {
        const ExprId place = pool.constant(index, Type::integer());
        const ExprId read = pool.element(model::Op::SharedVar, id, variable.type, place);
        const ExprId value = pool.constant(element.value, variable.type.element());
        assume_initially(pool.binary(model::Op::Eq, read, value, Type::boolean()));
      }
    }
  }

  void assume_initially(ExprId condition) {
    auto& all = output_.initial_condition;
    all = all ? output_.exprs.conj(*all, condition) : condition;
  }

  void add_property(const PropertyClause& clause) {
    model::Property property{model::Property::Kind::Cover, clause.text, clause.span, {}, {}};
    property.condition = output_.exprs.negate(conditions().boolean(clause.condition));
    output_.add_property(std::move(property));
  }

  // ---- processes

  Value count_of(const Expression& count) {
    const Value value = header().constant(count, false, "a number of processes");
    if (value < 1 || value > static_cast<Value>(max_processes)) {
      throw_malformed(count.span, fmt::format("a program has from 1 to {} processes", max_processes));
    }
    return value;
  }

  void lower_processes() {
    Scope names;
    for (const Process& process : program_.processes) {
      names.declare(process.name, {});
      lower_process(process, copies_.at(&process));
    }
  }

  // ---- what the header says of processes

  void look_for_sights(const Expression& expression) {
    for (const Expression& operand : expression.operands) look_for_sights(operand);
    if (expression.kind != Expression::Kind::Remote && expression.kind != Expression::Kind::At) return;
    const Process& process = process_seen(expression);
    const Sight::Copy copy = header().copy(expression);
    const Value copies = copies_.at(&process);
    if (copy.number < 0 || copy.number >= copies) {
      throw_malformed(expression.operands[0].span,
                      fmt::format("'{}' has copies 0 to {}, not {}", process.name.text, copies - 1, copy.number));
    }
    if (!sight_.knows(copy, expression)) sight_.add(copy, expression, symbol_seen(process, copy, expression));
  }

  const Process& process_seen(const Expression& expression) const {
    const auto found = std::find_if(program_.processes.begin(), program_.processes.end(),
                                    [&](const Process& process) { return process.name.text == expression.name; });
    if (found == program_.processes.end()) {
      throw_malformed(expression.span, fmt::format("no process is called '{}'", expression.name));
    }
    if (found->index.has_value() != expression.numbered) {
      throw_malformed(expression.span,
                      expression.numbered
                          ? fmt::format("'{}' is one process and has no number", expression.name)
                          : fmt::format("'{0}' has copies; which one is said by a number: {0}[0]", expression.name));
    }
    return *found;
  }

  Symbol symbol_seen(const Process& process, const Sight::Copy& copy, const Expression& seen) {
    const std::string name = process.index ? fmt::format("{}[{}]", copy.process, copy.number) : copy.process;
    model::Variable variable;
    if (seen.kind == Expression::Kind::At) {
      variable = {.name = fmt::format("{} at {}", name, seen.member), .type = Type::boolean(), .span = seen.span};
    } else {
      variable = local_seen(process, copy, seen);
      variable.name = fmt::format("{}.{}", name, seen.member);
    }
    const Type type = variable.type;
    return {Symbol::Kind::Shared, type, 0, output_.add_shared(std::move(variable))};
  }

  model::Variable local_seen(const Process& process, const Sight::Copy& copy, const Expression& seen) {
    const auto found = std::find_if(process.locals.begin(), process.locals.end(), [&](const Declaration& declaration) {
      return declaration.name.text == seen.member;
    });
    if (found == process.locals.end()) {
      throw_malformed(seen.span, fmt::format("'{}' has no variable '{}'", process.name.text, seen.member));
    }
    Scope scope(&scope_);
    if (process.index) scope.declare(*process.index, {Symbol::Kind::Constant, Type::integer(), copy.number});
    return variable_of(*found, scope);
  }

  // The number of processes, which is what the header says; decides how many copies each process has.
  Value process_total() {
    if (program_.processes.empty()) throw_malformed(program_.end, "the program has no process");
    if (!program_.process_count) {
      throw_malformed(program_.processes.front().name.span, "the header does not give the number of 'processes'");
    }
    const Value total = count_of(*program_.process_count);
    Value given = 0;
    const Process* open = nullptr;
    for (const Process& process : program_.processes) {
      if (process.index && !process.count) {
        if (open != nullptr) {
          throw_malformed(process.name.span,
                          "only one process can have as many copies as are left; write "
                          "[index : number]");
        }
        open = &process;
        continue;
      }
      const Value copies = process.count ? count_of(*process.count) : 1;
      copies_.emplace(&process, copies);
      given += copies;
    }
    if (open != nullptr) copies_.emplace(open, total - given);
    if (given > total || (open == nullptr ? given != total : given == total)) {
      throw_malformed(program_.process_count->span,
                      fmt::format("the header says {}, but the body has {}{}", processes(total), processes(given),
                                  open == nullptr ? "" : " besides those of '" + open->name.text + "'"));
    }
    return total;
  }

  static std::string processes(Value count) { return fmt::format("{} process{}", count, count == 1 ? "" : "es"); }

  void lower_process(const Process& process, Value copies) {
    if (lower_copy(process, 0, copies)) return;
    for (Value index = 1; index < copies; ++index) lower_copy(process, index, copies);
  }

  // Copy number `index`, or all copies at once where the process does not use its index: whether it was all.
  bool lower_copy(const Process& process, Value index, Value copies) {
    Scope scope(&scope_);
    if (process.index) scope.declare(*process.index, {Symbol::Kind::Constant, Type::integer(), index});
    model::Template templ;
    templ.span = process.name.span;
    const Sight::Copy copy{process.name.text, index};
    for (const Declaration& declaration : process.locals) {
      if (const Symbol* seen = sight_.find_local(copy, declaration.name.text)) {
        scope.declare(declaration.name, *seen);
        continue;
      }
      model::Variable variable = variable_of(declaration, scope);
      const Type type = variable.type;
      scope.declare(declaration.name, {Symbol::Kind::Local, type, 0, templ.add_local(std::move(variable))});
    }
    const model::TemplateId id = output_.add_template(std::move(templ));
    lower_body(process, scope, sight_.places(copy), id, output_);
    const bool all = !process.index || !(sight_.sees(process.name.text) || scope.was_used(process.index->text));
    output_.templ(id).name = all ? process.name.text : fmt::format("{}[{}]", process.name.text, index);
    output_.initial.push_back({id, output_.templ(id).entry, all ? static_cast<std::uint32_t>(copies) : 1});
    return all;
  }

  struct Element {
    Value value = 0;
    std::uint32_t line = 0;
  };

  const Program& program_;
  const Options& options_;
  model::Program output_;
  Scope scope_;
  std::map<model::VarId, std::uint32_t> initialised_;  // with the line that gave the value
  std::map<model::VarId, std::map<Value, Element>> elements_;
  std::map<const Process*, Value> copies_;
  Sight sight_;
};

}  // namespace

model::Program lower(const Program& program, const Options& options) {
  COHORT_EXPECT(program.file != nullptr, "the program was parsed from a file");
  return ProgramLowering(program, options).run();
}

}  // namespace cohort::frontend::pbmc
