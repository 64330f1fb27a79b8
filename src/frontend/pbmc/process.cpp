#include "frontend/pbmc/process.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/pbmc/expression.hpp"

namespace cohort::frontend::pbmc {

namespace {

using model::Action;
using model::AtomicChange;
using model::ExprId;
using model::LocId;

// First every step gets its location, in textual order; then the edges are made, which knows for each block where it
// goes on.
class BodyLowering {
 public:
  BodyLowering(const Process& process, const Scope& scope, const std::vector<Place>& places, model::Template& templ,
               model::Program& output)
      : process_(process), places_(places), templ_(templ), output_(output), expressions_(output.exprs, scope, true) {}

  void run() {
    place(process_.body);
    const LocId end = templ_.add_location({"end", process_.end, {}});
    if (!labelled_.contains("end")) labelled_["end"].insert(end);
    for (const std::string& label : pending_labels_) labelled_[label].insert(end);
    templ_.entry = entry_of(process_.body, end);
    for (const Place& place : places_) start_at(place);
    lower_block(process_.body, end);
  }

 private:
  // The outermost atomic block that is being lowered.
  struct Section {
    LocId entry;
    LocId exit;
    bool reentered = false;  // the entry may be reached from inside, with the section entered
  };

  // ---- locations

  void place(const Block& block) {
    for (const Statement& statement : block) {
      if (const auto* atomic = std::get_if<Atomic>(&statement.content)) {
        if (statement.label) {
          pending_label_ = statement.label->text;
          pending_labels_.push_back(pending_label_);
        }
        place(atomic->body);
        continue;
      }
      add_step(statement);
      if (const auto* conditional = std::get_if<If>(&statement.content)) {
        place(conditional->then);
        place(conditional->otherwise);
      } else if (const auto* loop = std::get_if<While>(&statement.content)) {
        place(loop->body);
      }
    }
  }

  void add_step(const Statement& statement) {
    std::string label = statement.label ? statement.label->text : std::exchange(pending_label_, {});
    pending_label_.clear();
    if (label.empty()) label = line_name(statement.span);
    const LocId step = templ_.add_location({std::move(label), statement.span, {}});
    steps_.emplace(&statement, step);
    if (statement.label) pending_labels_.push_back(statement.label->text);
    for (const std::string& name : pending_labels_) labelled_[name].insert(step);
    pending_labels_.clear();
  }

  bool is_at(const Place& place, LocId location) const { return labelled_.at(place.label).contains(location); }

  // Whether the process starts at the place.
  void start_at(const Place& place) {
    if (!labelled_.contains(place.label)) {
      throw_malformed(place.span,
                      fmt::format("no statement of '{}' has the label '{}'", process_.name.text, place.label));
    }
    output_.shared[place.var.value].initial = {is_at(place, templ_.entry) ? 1 : 0};
  }

  // A step into a place or out of it says so.
  void tell_places(LocId source, LocId target, Action& action) {
    for (const Place& place : places_) {
      const bool arrives = is_at(place, target);
      if (arrives == is_at(place, source)) continue;
      action.assigns.push_back(
          {{.kind = model::LValue::Kind::Shared, .var = place.var, .index = {}}, output_.exprs.boolean(arrives)});
    }
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

  // The statement that makes the block's first step.
  const Statement* first_step(const Block& block) const {
    for (const Statement& statement : block) {
      const auto* atomic = std::get_if<Atomic>(&statement.content);
      const Statement* first = atomic != nullptr ? first_step(atomic->body) : &statement;
      if (first != nullptr) return first;
    }
    return nullptr;
  }

  // Where the block starts, when it goes on at `exit`.
  LocId entry_of(const Block& block, LocId exit) const {
    const Statement* first = first_step(block);
    return first == nullptr ? exit : step_of(*first);
  }

  // ---- edges

  void lower_block(const Block& block, LocId exit) {
    std::vector<LocId> entries(block.size() + 1, exit);
    for (std::size_t i = block.size(); i-- > 0;) {
      const auto* atomic = std::get_if<Atomic>(&block[i].content);
      entries[i] = atomic != nullptr ? entry_of(atomic->body, entries[i + 1]) : step_of(block[i]);
    }
    for (std::size_t i = 0; i < block.size(); ++i) {
      const Step step{block[i], entries[i], entries[i + 1]};
      std::visit([&](const auto& content) { lower_content(content, step); }, block[i].content);
    }
  }

  struct Step {
    const Statement& statement;
    LocId source;
    LocId next;
  };

  AtomicChange change_between(LocId source, LocId target) const {
    if (!section_) return AtomicChange::None;
    const bool enters = source == section_->entry;
    if (target != section_->exit) return enters ? AtomicChange::Enter : AtomicChange::None;
    return enters && !section_->reentered ? AtomicChange::None : AtomicChange::Exit;
  }

  Action action(const Step& step, std::optional<ExprId> condition = {}) const {
    Action result;
    result.span = step.statement.span;
    result.text = step.statement.text;
    if (condition && !output_.exprs.is_true(*condition)) result.guard = condition;
    return result;
  }

  // Whether the edge was made: one that is never enabled is not.
  bool add_edge(LocId source, LocId target, Action action) {
    if (action.guard && output_.exprs.is_false(*action.guard)) return false;
    action.atomic = change_between(source, target);
    tell_places(source, target, action);
    templ_.edges.push_back({source, target, {std::move(action)}});
    return true;
  }

  void lower_content(const Skip&, const Step& step) { add_edge(step.source, step.next, action(step)); }

  void lower_content(const Assume& content, const Step& step) {
    add_edge(step.source, step.next, action(step, expressions_.boolean(content.condition)));
  }

  void lower_content(const Assert& content, const Step& step) {
    const SourceSpan& span = step.statement.span;
    const auto property = output_.add_property({model::Property::Kind::Assertion, step.statement.text, span, {}, {}});
    add_edge(step.source, step.next, action(step, expressions_.boolean(content.condition)));
    const ExprId failure = output_.exprs.negate(expressions_.boolean(content.condition));
    if (output_.exprs.is_false(failure)) return;
    const std::string name = fmt::format("{} failed", templ_.locations[step.source.value].label);
    const LocId error = templ_.add_location({name, span, property});
    add_edge(step.source, error, action(step, failure));
  }

  void lower_content(const Assignment& content, const Step& step) {
    std::optional<ExprId> guard;
    if (content.guard) guard = expressions_.boolean(*content.guard);
    Action assignment = action(step, guard);
    for (std::size_t i = 0; i < content.targets.size(); ++i) {
      const Target& target = content.targets[i];
      const model::LValue place = expressions_.target(target);
      for (const model::Assign& earlier : assignment.assigns) {
        if (!may_be_same(earlier.target, place)) continue;
        throw_malformed(target.name.span, fmt::format("'{}' may be assigned twice in one statement", target.name.text));
      }
      const model::Type type = expressions_.variable(target.name).type;
      assignment.assigns.push_back({place, expressions_.value(content.values[i], type)});
    }
    add_edge(step.source, step.next, std::move(assignment));
  }

  // Elements of an array differ for sure where their indices are different constants.
  bool may_be_same(const model::LValue& left, const model::LValue& right) const {
    if (left.kind != right.kind || left.var != right.var) return false;
    if (!left.index) return true;
    const auto is_constant = [&](ExprId index) { return output_.exprs[index].op == model::Op::Const; };
    return *left.index == *right.index || !is_constant(*left.index) || !is_constant(*right.index);
  }

  // One decision: to `then` under the condition, to `otherwise` under its negation, where each `*` is chosen anew.
  void lower_decision(const Expression& condition, const Step& step, LocId then, LocId otherwise) {
    add_edge(step.source, then, action(step, expressions_.boolean(condition)));
    add_edge(step.source, otherwise, action(step, output_.exprs.negate(expressions_.boolean(condition))));
  }

  void lower_content(const If& content, const Step& step) {
    lower_decision(content.condition, step, entry_of(content.then, step.next), entry_of(content.otherwise, step.next));
    lower_block(content.then, step.next);
    lower_block(content.otherwise, step.next);
  }

  void lower_content(const While& content, const Step& step) {
    lower_decision(content.condition, step, entry_of(content.body, step.source), step.next);
    lower_block(content.body, step.source);
  }

  void lower_content(const Atomic& content, const Step& step) {
    const Statement* first = first_step(content.body);
    if (section_ || first == nullptr) return lower_block(content.body, step.next);
    section_ = Section{step.source, step.next, std::holds_alternative<While>(first->content)};
    lower_block(content.body, step.next);
    section_.reset();
  }

  const Process& process_;
  const std::vector<Place>& places_;
  model::Template& templ_;
  model::Program& output_;
  ExpressionLowering expressions_;
  std::unordered_map<const Statement*, LocId> steps_;
  std::unordered_set<std::uint32_t> lines_;
  std::string pending_label_;  // of an atomic block: its first step takes it
  std::vector<std::string> pending_labels_;
  std::unordered_map<std::string, std::set<LocId>>
      labelled_;  // an atomic block's label and its first step's may differ
  std::optional<Section> section_;
};

}  // namespace

void lower_body(const Process& process, const Scope& scope, const std::vector<Place>& places, model::TemplateId id,
                model::Program& output) {
  // The properties and expressions of `output` grow while its templates stay where they are.
  BodyLowering(process, scope, places, output.templ(id), output).run();
}

}  // namespace cohort::frontend::pbmc
