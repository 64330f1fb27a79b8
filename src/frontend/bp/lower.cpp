#include "frontend/bp/lower.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/bp/expression.hpp"

namespace cohort::frontend::bp {

namespace {

using model::Action;
using model::ExprId;
using model::LocId;
using model::LValue;
using model::TemplateId;
using model::VarId;

constexpr const char* always_an_error = "SLIC_ERROR";
// Where every procedure starts.
constexpr LocId first_location(0);

// The labels whose locations are errors, and which of them were met.
class ErrorLabels {
 public:
  explicit ErrorLabels(const Options& options)
      : wanted_(options.error_labels), labels_(options.error_labels.begin(), options.error_labels.end()) {
    labels_.insert(always_an_error);
  }

  bool contains(const std::string& label) const { return labels_.contains(label); }
  void meet(const std::string& label) { met_.insert(label); }

  void expect_all_met(const SourceFilePtr& file) const {
    for (const std::string& label : wanted_) {
      if (label == always_an_error || met_.contains(label)) continue;
      throw_malformed({file, 0, 0}, fmt::format("the error label '{}' stands nowhere in the program", label));
    }
  }

 private:
  std::vector<std::string> wanted_;
  std::unordered_set<std::string> labels_;
  std::unordered_set<std::string> met_;
};

model::Variable variable_of(const Declaration& declaration, const Options& options) {
  model::Variable variable;
  variable.name = declaration.name.text;
  variable.span = declaration.name.span;
  switch (declaration.initial) {
    case Declaration::Initial::None:
      if (options.zero_init) variable.initial = {0};
      break;
    case Declaration::Initial::False: variable.initial = {0}; break;
    case Declaration::Initial::True: variable.initial = {1}; break;
    case Declaration::Initial::Any: break;
  }
  return variable;
}

bool makes_step(const Statement& statement) {
  return !std::holds_alternative<Declare>(statement.content) && !std::holds_alternative<Enforce>(statement.content);
}

// A template without its locations and edges: what calls and spawns need to know of it.
model::Template head_of(const Program& program, const Procedure& procedure, const Options& options) {
  model::Template templ;
  templ.name = procedure.name.text;
  templ.span = procedure.name.span;
  for (const Declaration& declaration : program.shared) {
    if (declaration.is_thread_local) templ.params.push_back(templ.add_local(variable_of(declaration, options)));
  }
  templ.result_count = static_cast<std::uint32_t>(procedure.result_count + templ.params.size());
  for (std::size_t i = 0; i < procedure.locals.size(); ++i) {
    const VarId local = templ.add_local(variable_of(procedure.locals[i], options));
    if (i < procedure.parameters.size()) templ.params.push_back(local);
  }
  return templ;
}

// Fills in the locations and edges of one template.  First every step gets its location, in textual order; then the
// edges are made, which knows for each block where it goes on; jumps are completed at the end, when all labels have a
// location.
class ProcedureLowering {
 public:
  ProcedureLowering(const Program& program, std::size_t index, const Storage& storage, ErrorLabels& errors,
                    model::Program& output)
      : procedure_(program.procedures[index]),
        storage_(storage),
        errors_(errors),
        output_(output),
        id_(index),
        templ_(output.templ(id_)),
        expressions_(output.exprs, storage) {}

  void run() {
    place(procedure_.body);
    const LocId end = templ_.add_location({"end", procedure_.end, {}});
    templ_.entry = entry_of(procedure_.body, end);
    COHORT_EXPECT(templ_.entry == first_location, "steps are placed in textual order, the end behind them");
    lower_block(procedure_.body, end);
    lower_end(end);
  }

  // When all procedures have locations.
  void complete_jumps(const std::vector<std::unique_ptr<ProcedureLowering>>& procedures) {
    for (const Jump& jump : jumps_) {
      model::Edge& edge = templ_.edges[jump.edge];
      if (jump.starts_thread) {
        model::Spawn& spawn = edge.actions.front().spawns.front();
        spawn.location = procedures[spawn.templ.value]->location_of_label(jump.label);
      } else {
        edge.target = location_of_label(jump.label);
      }
    }
  }

 private:
  // An edge whose target, or whose new thread's location, is that of a label.
  struct Jump {
    std::size_t edge;
    std::string label;
    bool starts_thread;
  };

  // ---- locations

  void place(const Block& block) {
    for (const Statement& statement : block) {
      if (!makes_step(statement)) continue;
      const std::string* label = statement.labels.empty() ? nullptr : &statement.labels.front().text;
      add_step(&statement, statement.span, label);
      if (const auto* conditional = std::get_if<If>(&statement.content)) {
        for (const Branch& branch : conditional->branches) {
          if (&branch != &conditional->branches.front()) add_step(&branch, branch.span, nullptr);
          place(branch.body);
        }
        place(conditional->otherwise);
      } else if (const auto* loop = std::get_if<While>(&statement.content)) {
        place(loop->branch.body);
      }
    }
  }

  // `node` is the statement or branch that the step belongs to.
  void add_step(const void* node, const SourceSpan& span, const std::string* label) {
    const std::string name = label != nullptr ? *label : line_name(span);
    steps_.emplace(node, templ_.add_location({name, span, {}}));
  }

  // "line 12" for the first step in a line, "line 12:7" for the others.
  std::string line_name(const SourceSpan& span) {
    const bool first = lines_.insert(span.line).second;
    return first ? fmt::format("line {}", span.line) : fmt::format("line {}:{}", span.line, span.column);
  }

  LocId step_of(const void* node) const {
    const auto found = steps_.find(node);
    COHORT_EXPECT(found != steps_.end(), "every step was placed");
    return found->second;
  }

  void bind_label(const Name& label, LocId location) {
    const auto [known, fresh] = labels_.emplace(label.text, location);
    COHORT_EXPECT(fresh || known->second == location, "labels of a procedure differ");
    if (!fresh) return;
    if (!errors_.contains(label.text)) return;
    errors_.meet(label.text);
    model::Location& place = templ_.locations[location.value];
    if (place.error) return;
    place.label = label.text;
    place.error = output_.add_property({model::Property::Kind::ErrorLabel, label.text, label.span, {}, {}});
  }

  LocId location_of_label(const std::string& label) const {
    const auto found = labels_.find(label);
    COHORT_EXPECT(found != labels_.end(), "every label that is jumped to was resolved");
    return found->second;
  }

  // ---- edges

  // Where the block starts, when it goes on at `exit`.
  LocId entry_of(const Block& block, LocId exit) const {
    const auto first = std::find_if(block.begin(), block.end(), makes_step);
    return first == block.end() ? exit : step_of(&*first);
  }

  void lower_block(const Block& block, LocId exit) {
    std::vector<LocId> entries(block.size() + 1, exit);
    for (std::size_t i = block.size(); i-- > 0;) {
      entries[i] = makes_step(block[i]) ? step_of(&block[i]) : entries[i + 1];
    }
    for (std::size_t i = 0; i < block.size(); ++i) {
      for (const Name& label : block[i].labels) bind_label(label, entries[i]);
      const Step step{block[i], entries[i], entries[i + 1]};
      std::visit([&](const auto& content) { lower_content(content, step); }, block[i].content);
    }
  }

  struct Step {
    const Statement& statement;
    LocId source;
    LocId next;
  };

  // An action of the procedure's statements: subject to its `enforce`, and to `condition` where there is one.
  Action action(const SourceSpan& span, const std::string& text, std::optional<ExprId> condition = {}) {
    Action result;
    result.span = span;
    result.text = text;
    ExprId guard = condition ? *condition : output_.exprs.truth();
    for (const Expression& enforced : procedure_.enforced) {
      guard = output_.exprs.conj(expressions_.lower(enforced), guard);
    }
    if (!output_.exprs.is_true(guard)) result.guard = guard;
    return result;
  }

  Action action(const Step& step, std::optional<ExprId> condition = {}) {
    return action(step.statement.span, step.statement.text, condition);
  }

  // Whether the edge was made: one that is never enabled is not.
  bool add_edge(LocId source, LocId target, Action action) {
    if (action.guard && output_.exprs.is_false(*action.guard)) return false;
    templ_.edges.push_back({source, target, {std::move(action)}});
    return true;
  }

  void add_jump(const Step& step, Action action, const Name& label, bool starts_thread) {
    if (add_edge(step.source, step.next, std::move(action))) {
      jumps_.push_back({templ_.edges.size() - 1, label.text, starts_thread});
    }
  }

  void lower_content(const Declare&, const Step&) {}
  void lower_content(const Enforce&, const Step&) {}

  void lower_content(const Skip&, const Step& step) { add_edge(step.source, step.next, action(step)); }

  void lower_content(const EndThread&, const Step& step) {
    Action end = action(step);
    end.ends_thread = true;
    add_edge(step.source, step.next, std::move(end));
  }

  void lower_content(const AtomicBegin&, const Step& step) { lower_atomic(step, model::AtomicChange::Enter); }
  void lower_content(const AtomicEnd&, const Step& step) { lower_atomic(step, model::AtomicChange::Exit); }

  void lower_atomic(const Step& step, model::AtomicChange change) {
    Action atomic = action(step);
    atomic.atomic = change;
    add_edge(step.source, step.next, std::move(atomic));
  }

  void lower_content(const Goto& content, const Step& step) {
    for (const Name& label : content.labels) add_jump(step, action(step), label, false);
  }

  void lower_content(const Assume& content, const Step& step) {
    add_edge(step.source, step.next, action(step, expressions_.lower(content.condition)));
  }

  void lower_content(const AbortIf& content, const Step& step) {
    add_edge(step.source, step.next, action(step, negated(content.condition)));
  }

  ExprId negated(const Expression& condition) { return output_.exprs.negate(expressions_.lower(condition)); }

  void lower_content(const Assert& content, const Step& step) {
    const SourceSpan& span = step.statement.span;
    const auto property = output_.add_property({model::Property::Kind::Assertion, step.statement.text, span, {}, {}});
    add_edge(step.source, step.next, action(step, expressions_.lower(content.condition)));
    Action failure = action(step, negated(content.condition));
    const LocId error(templ_.locations.size());
    if (!add_edge(step.source, error, std::move(failure))) return;
    const std::string& name = templ_.locations[step.source.value].label;
    templ_.add_location({fmt::format("{} failed", name), span, property});
  }

  void lower_content(const Assignment& content, const Step& step) {
    Action assignment = action(step);
    for (std::size_t i = 0; i < content.targets.size(); ++i) {
      if (content.targets[i].reference.kind == Reference::Kind::Discard) continue;
      assignment.assigns.push_back({storage_.of(content.targets[i].reference), expressions_.lower(content.values[i])});
    }
    if (content.constraint) expressions_.lower_conjuncts(*content.constraint, assignment.constraint);
    add_edge(step.source, step.next, std::move(assignment));
  }

  void lower_content(const Dead& content, const Step& step) {
    Action havoc = action(step);
    std::unordered_set<std::string> seen;
    for (const Target& variable : content.variables) {
      if (!seen.insert(variable.name.text).second) continue;
      havoc.assigns.push_back({storage_.of(variable.reference), output_.exprs.nondet(model::Type::boolean())});
    }
    add_edge(step.source, step.next, std::move(havoc));
  }

  // ---- procedures and threads

  LValue thread_local_place(std::size_t index) const {
    LValue place;
    place.kind = LValue::Kind::Local;
    place.var = VarId(index);
    return place;
  }

  std::vector<ExprId> thread_local_values() {
    std::vector<ExprId> values;
    for (std::size_t i = 0; i < storage_.thread_locals(); ++i) {
      values.push_back(output_.exprs.local(VarId(i), model::Type::boolean()));
    }
    return values;
  }

  void lower_content(const CallStatement& content, const Step& step) {
    model::Call call;
    call.callee = TemplateId(content.procedure);
    call.args = thread_local_values();
    for (const Expression& argument : content.arguments) call.args.push_back(expressions_.lower(argument));
    for (std::size_t i = 0; i < storage_.thread_locals(); ++i) call.results.emplace_back(thread_local_place(i));
    for (const Target& target : content.targets) {
      const bool discarded = target.reference.kind == Reference::Kind::Discard;
      call.results.push_back(discarded ? std::nullopt : std::optional(storage_.of(target.reference)));
      // A result that goes to a thread_local variable replaces what the callee left there.
      for (std::size_t i = 0; i < storage_.thread_locals() && !discarded; ++i) {
        const LValue& place = *call.results.back();
        if (place.kind == LValue::Kind::Local && place.var == VarId(i)) call.results[i].reset();
      }
    }
    call.results.resize(output_.templ(call.callee).result_count);
    Action enter = action(step);
    enter.call = std::move(call);
    add_edge(step.source, step.next, std::move(enter));
  }

  void lower_content(const ReturnStatement& content, const Step& step) {
    Action leave = action(step);
    leave.ret = model::Return{thread_local_values()};
    for (const Expression& value : content.values) leave.ret->values.push_back(expressions_.lower(value));
    add_edge(step.source, step.next, std::move(leave));
  }

  void lower_end(LocId end) {
    Action leave;
    leave.span = procedure_.end;
    leave.text = "end";
    leave.ret = model::Return{thread_local_values()};
    for (std::size_t i = 0; i < procedure_.result_count; ++i) {
      leave.ret->values.push_back(output_.exprs.nondet(model::Type::boolean()));
    }
    add_edge(end, end, std::move(leave));
  }

  void lower_content(const StartProcedure& content, const Step& step) {
    const TemplateId callee(content.procedure);
    Action start = action(step);
    model::Spawn& spawn = start.spawns.emplace_back();
    spawn.templ = callee;
    spawn.location = first_location;
    const std::vector<VarId>& params = output_.templ(callee).params;
    for (std::size_t i = 0; i < content.arguments.size(); ++i) {
      LValue target;
      target.kind = LValue::Kind::Local;
      target.var = params.at(storage_.thread_locals() + i);
      spawn.locals.push_back({target, expressions_.lower(content.arguments[i])});
    }
    add_edge(step.source, step.next, std::move(start));
  }

  void lower_content(const StartAtLabel& content, const Step& step) {
    for (std::size_t i = 0; i < content.labels.size(); ++i) {
      Action start = action(step);
      model::Spawn& spawn = start.spawns.emplace_back();
      spawn.templ = TemplateId(content.procedures[i]);
      spawn.copies_locals = spawn.templ == id_;
      // All that the creator has of the other procedure's locals.
      for (std::size_t own = 0; own < storage_.thread_locals() && !spawn.copies_locals; ++own) {
        spawn.locals.push_back({thread_local_place(own), output_.exprs.local(VarId(own), model::Type::boolean())});
      }
      add_jump(step, std::move(start), content.labels[i], true);
    }
  }

  // ---- branches

  // One decision: to `then` under the condition, to `otherwise` under its negation.
  void lower_decision(const Branch& branch, LocId source, LocId then, LocId otherwise) {
    add_edge(source, then, action(branch.span, branch.text, expressions_.lower(branch.condition)));
    add_edge(source, otherwise, action(branch.span, branch.text, negated(branch.condition)));
  }

  void lower_content(const If& content, const Step& step) {
    LocId source = step.source;
    for (std::size_t i = 0; i < content.branches.size(); ++i) {
      const Branch& branch = content.branches[i];
      const bool last = i + 1 == content.branches.size();
      const LocId otherwise = last ? entry_of(content.otherwise, step.next) : step_of(&content.branches[i + 1]);
      lower_decision(branch, source, entry_of(branch.body, step.next), otherwise);
      lower_block(branch.body, step.next);
      source = otherwise;
    }
    lower_block(content.otherwise, step.next);
  }

  void lower_content(const While& content, const Step& step) {
    lower_decision(content.branch, step.source, entry_of(content.branch.body, step.source), step.next);
    lower_block(content.branch.body, step.source);
  }

  const Procedure& procedure_;
  const Storage& storage_;
  ErrorLabels& errors_;
  model::Program& output_;
  TemplateId id_;
  model::Template& templ_;
  ExpressionLowering expressions_;
  std::unordered_map<const void*, LocId> steps_;
  std::unordered_set<std::uint32_t> lines_;
  std::unordered_map<std::string, LocId> labels_;
  std::vector<Jump> jumps_;
};

}  // namespace

model::Program lower(const Program& program, const Options& options) {
  model::Program output;
  output.name = program.file->name();
  const Storage storage(program);
  for (const Declaration& declaration : program.shared) {
    if (!declaration.is_thread_local) output.add_shared(variable_of(declaration, options));
  }
  for (const Procedure& procedure : program.procedures) output.add_template(head_of(program, procedure, options));
  ErrorLabels errors(options);
  std::vector<std::unique_ptr<ProcedureLowering>> procedures;
  for (std::size_t i = 0; i < program.procedures.size(); ++i) {
    procedures.push_back(std::make_unique<ProcedureLowering>(program, i, storage, errors, output));
    procedures.back()->run();
    if (program.procedures[i].name.text == "main") output.initial.push_back({TemplateId(i), first_location, 1});
  }
  for (const auto& procedure : procedures) procedure->complete_jumps(procedures);
  COHORT_EXPECT(output.initial.size() == 1, "a resolved program has one procedure main");
  errors.expect_all_met(program.file);
  return output;
}

}  // namespace cohort::frontend::bp
