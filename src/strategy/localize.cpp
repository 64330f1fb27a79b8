// Localization by refinement (Kurshan's, with the choice of what to refine by minimisation).  At first every variable
// that may be hidden is (model/passes/hide.hpp), so that only control flow is left.  SAFE of such a program is SAFE of
// the one given.  A run to a violation is followed on the given program, edge by edge: if it goes through, that is a
// violation there; otherwise variables are shown until the edges can no longer be taken in their order.
//
// Which ones matters more than how many.  A run that leaves a loop of ten thousand rounds after the first is impossible
// because of the loop's counter; if it is impossible because of a lock, too, the lock must be shown and the counter
// must not, since with the counter there are ten thousand times as many states.  So all variables are shown at first,
// and then hidden again one by one as long as the run remains impossible, the costly ones first.  The cost of a
// variable is the number of values that are assigned to it, where these are constants; else it is guessed from the
// constants that it is seen together with.
//
// A second way to start hides only what is computed from choices of so many values that nobody enumerates them: there
// is no better one among the sets that engines take, so that nothing is shown later, and a run that cannot be followed
// ends it.  Programs look at the time, at random numbers or at their arguments, and are safe whatever these are.
//
// Progress: the sequence of edges that was followed is impossible from now on.  Following may give up on a part of the
// states that a choice leads to; that costs a better refinement or a violation found, never soundness.
#include "strategy/localize.hpp"
#include "model/analysis/visit.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "model/passes/hide.hpp"
#include "model/passes/simplify.hpp"
#include "model/run_choices.hpp"

namespace cohort::strategy {

using model::Program;
using model::Run;
using model::State;
using model::TemplateId;
using model::VariableSet;
using model::VarId;
using result::Result;
using result::Verdict;

namespace {

constexpr std::size_t most_states_followed = 64;
constexpr std::uint32_t few_threads = 3;
constexpr double share_of_few_threads = 0.2;  // of the time that is left
constexpr double patience = 300;              // seconds, where nobody set a limit

// A run of `program` by the threads and edges of `run`, if there is one that ends in a violation.
// Throws Stopped at the limits: a run of many threads is long to follow.
std::optional<Run> follow(Env& env, const Program& program, std::optional<std::uint32_t> bound, const Run& run) {
  struct Reached {
    State state;
    std::size_t parent = 0;
    model::Transition step;
  };
  const model::Interpreter interpreter = model::interpreter_for(program, bound, run, &env);
  std::vector<std::vector<Reached>> layers(1);
  for (State& state : interpreter.initial_states()) {
    if (state.threads.size() == run.initial.threads.size()) layers[0].push_back({std::move(state), 0, {}});
  }
  for (const model::Transition& wanted : run.steps) {
    env.poll("localize");
    std::vector<Reached> next;
    std::set<State> seen;
    for (std::size_t i = 0; i < layers.back().size() && next.size() < most_states_followed; ++i) {
      for (model::Transition& step : interpreter.successors(layers.back()[i].state, wanted.thread, wanted.edge)) {
        if (step.fault || !seen.insert(step.target).second) continue;
        State target = step.target;
        next.push_back({std::move(target), i, std::move(step)});
      }
    }
    if (next.empty()) return std::nullopt;
    layers.push_back(std::move(next));
  }
  for (std::size_t i = 0; i < layers.back().size(); ++i) {
    if (!interpreter.violated(layers.back()[i].state)) continue;
    Run result{.initial = {}, .steps = {}, .choices = run.choices};
    std::size_t at = i;
    for (std::size_t layer = layers.size() - 1; layer > 0; --layer) {
      Reached& reached = layers[layer][at];
      at = reached.parent;
      result.steps.push_back(std::move(reached.step));
    }
    result.initial = layers[0][at].state;
    std::reverse(result.steps.begin(), result.steps.end());
    return result;
  }
  return std::nullopt;
}

struct Candidate {
  std::optional<TemplateId> templ;  // none: a shared variable
  VarId var;
  std::uint64_t cost = 0;
};

bool is_in(const VariableSet& set, const Candidate& variable) {
  return variable.templ ? set.locals[variable.templ->value][variable.var.value] : set.shared[variable.var.value];
}

void put(VariableSet& set, const Candidate& variable, bool in) {
  if (variable.templ) {
    set.locals[variable.templ->value][variable.var.value] = in;
  } else {
    set.shared[variable.var.value] = in;
  }
}

// What a variable is assigned, and what it is seen together with.
class Costs {
 public:
  explicit Costs(const Program& program) : program_(program) {
    for (const auto& site : model::actions_of(program)) {
      model::for_each_root(site.action, [&](model::ExprId root) { see(site.templ, root); });
      for (const model::Assign& assign : site.action.assigns) add(site.templ, assign);
      for (const model::Spawn& spawn : site.action.spawns) {
        for (const model::Assign& assign : spawn.locals) add(spawn.templ, assign);
      }
    }
  }

  std::vector<Candidate> costly_first() const {
    std::vector<Candidate> result;
    for (std::size_t i = 0; i < program_.shared.size(); ++i) result.push_back(candidate({}, VarId(i)));
    for (std::size_t i = 0; i < program_.templates.size(); ++i) {
      for (std::size_t j = 0; j < program_.templates[i].locals.size(); ++j) {
        result.push_back(candidate(TemplateId(i), VarId(j)));
      }
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& left, const auto& right) { return left.cost > right.cost; });
    return result;
  }

 private:
  using Key = std::pair<std::optional<TemplateId>, VarId>;

  struct Facts {
    std::set<model::Value> assigned;  // constants
    bool computed = false;            // is something else assigned?
    std::uint64_t largest = 0;        // constant in an expression with the variable
  };

  void see(TemplateId templ, model::ExprId root) {
    std::uint64_t largest = 0;
    model::for_each_node(program_.exprs, root, [&](const model::Expr& node, model::ExprId) {
      if (node.op != model::Op::Const) return;
      largest = std::max(largest, static_cast<std::uint64_t>(node.value < 0 ? -(node.value + 1) : node.value));
    });
    model::for_each_node(program_.exprs, root, [&](const model::Expr& node, model::ExprId) {
      const bool shared = node.op == model::Op::SharedVar;
      if (!shared && node.op != model::Op::LocalVar) return;
      Facts& facts = facts_[{shared ? std::nullopt : std::optional(templ), node.var}];
      facts.largest = std::max(facts.largest, largest);
    });
  }

  void add(TemplateId owner, const model::Assign& assign) {
    const bool shared = assign.target.kind == model::LValue::Kind::Shared;
    Facts& facts = facts_[{shared ? std::nullopt : std::optional(owner), assign.target.var}];
    const model::Expr& value = program_.exprs[assign.value];
    if (value.op == model::Op::Const) {
      facts.assigned.insert(value.value);
    } else {
      facts.computed = true;
    }
  }

  // The values that the variable may have are guessed; only the order is used.
  Candidate candidate(std::optional<TemplateId> templ, VarId var) const {
    constexpr std::uint64_t many = UINT64_MAX / 1024;
    const model::Type& type = templ ? program_.templ(*templ).local(var).type : program_.shared[var.value].type;
    const auto it = facts_.find({templ, var});
    std::uint64_t values = 1;
    if (it != facts_.end()) {
      const Facts& facts = it->second;
      const std::uint64_t of_type = type.element().cardinality();
      values += facts.assigned.size();
      if (facts.computed) values = std::min(of_type == 0 ? many : of_type, std::min(many, facts.largest) + 256);
    }
    return {templ, var, std::min(values, many) * std::min<std::uint32_t>(type.slots(), 1000)};
  }

  const Program& program_;
  std::map<Key, Facts> facts_;
};

// Calls visit(place of the action, choice) for every choice that is too wide.
template <class Visit>
void for_each_wide_choice(const Program& program, Visit&& visit) {
  for (const auto& site : model::actions_of(program)) {
    model::for_each_node(program.exprs, site.action, [&](const model::Expr& node, model::ExprId id) {
      if (model::is_wide_choice(node)) visit(site.action.span, id);
    });
  }
}

VariableSet hidden_at_first(const Program& program, Start start, Env* env) {
  VariableSet hidden = VariableSet::of(program, start == Start::Everything);
  if (start == Start::Unknown) {
    for_each_wide_choice(program, [&](const SourceSpan&, model::ExprId choice) { hidden.left_alone.insert(choice); });
  }
  return close_hidden(program, std::move(hidden), env);
}

class Localization {
 public:
  Localization(Env& env, const engine::Task& task, const engine::Engine& prover, const engine::Engine& searcher,
               Start start)
      : env_(env),
        program_(task.program),
        prover_(prover),
        searcher_(searcher),
        bound_(task.bound),
        options_(task.options),
        candidates_(Costs(program_).costly_first()),
        hidden_(hidden_at_first(program_, start, &env)) {
    options_.order.reset();
    if (start == Start::Unknown) options_.sample_choices = false;
  }

  Result run() {
    for (;;) {
      const auto abstract = hide(program_, hidden_, &env_);
      if (!abstract) return Result::unknown("other threads or properties look at what would have to be hidden");
      const model::Simplified simplified = model::simplify(*abstract, {}, &env_);
      Found found;
      try {
        found = check(simplified.program);
      } catch (const InputError& refused) {
        if (hide_choices(refused)) continue;
        if (env_.stop_reason() == StopReason::None) throw;
        return Result::unknown(env_.describe_stop());
      }
      env_.statistics.set("refinements", refinements_);
      env_.statistics.set("hidden_variables", names_of_hidden());
      if (found.result.verdict != Verdict::Unsafe) return std::move(found.result);
      model::allow_choices(program_, *found.result.run);
      const Run run = model::lift(*abstract, found.bound, simplified, *found.result.run, &env_);
      if (auto real = follow(env_, program_, found.bound, run)) {
        // A bound that nobody asked for may have kept a thread from being created.
        if (found.bound != bound_) real = follow(env_, program_, bound_, run);
        if (!real) return Result::unknown("a violation was found only where threads are too many to be created");
        found.result.run = std::move(*real);
        return std::move(found.result);
      }
      if (env_.poll_now("localize-refine")) return Result::unknown(env_.describe_stop());
      if (!refine(found.bound, run)) return Result::unknown(undecided(found.result));
      ++refinements_;
    }
  }

 private:
  struct Found {
    Result result;
    std::optional<std::uint32_t> bound;
  };

  Found check(const Program& abstract) {
    if (!bound_) {
      // With much hidden, few threads violate soon, and numbers may grow for ever where a proof is tried.
      Env part = env_;
      const double now = env_.limits.elapsed_seconds();
      const double left = env_.limits.time_limit() ? *env_.limits.time_limit() - now : patience;
      part.limits.set_time_limit(now + share_of_few_threads * std::max(0.0, left));
      Found found = ask(part, searcher_, {abstract, few_threads, options_});
      if (found.result.verdict == Verdict::Unsafe) return found;
    }
    return ask(env_, prover_, {abstract, bound_, options_});
  }

  static Found ask(Env& env, const engine::Engine& engine, const engine::Task& task) {
    if (const auto refusal = engine.refuses(task)) return {Result::unknown(*refusal), task.bound};
    return {engine.check(env, task), task.bound};
  }

  bool is_possible(const VariableSet& hidden, std::optional<std::uint32_t> bound, const Run& run) {
    const auto abstract = hide(program_, hidden, &env_);
    return !abstract || follow(env_, *abstract, bound, run).has_value();
  }

  // The engine cannot enumerate a choice: those of the same place become hidden values.  False if there are none.
  bool hide_choices(const InputError& refused) {
    const std::size_t before = hidden_.left_alone.size();
    for_each_wide_choice(program_, [&](const SourceSpan& span, model::ExprId choice) {
      const SourceSpan& place = refused.span();
      if (span.file == place.file && span.line == place.line && span.column == place.column) {
        hidden_.left_alone.erase(choice);
      }
    });
    if (hidden_.left_alone.size() == before || env_.poll_now("localize-choices")) return false;
    hidden_ = close_hidden(program_, std::move(hidden_), &env_);
    return true;
  }

  std::string undecided(const Result& violated) const {
    std::string text = "no choice of hidden variables decides";
    if (!violated.property) return text;
    const model::Property& property = program_.properties[violated.property->value];
    const std::string place = property.span.known() ? fmt::format(" at {}", to_string(property.span)) : "";
    return fmt::format("{}: {}{}", text, property.text, place);
  }

  // Variables that are shown stay so.  False if no choice makes the run impossible.
  bool refine(std::optional<std::uint32_t> bound, const Run& run) {
    VariableSet hidden = VariableSet::of(program_, false);
    if (is_possible(close_hidden(program_, hidden, &env_), bound, run)) return false;
    for (const Candidate& variable : candidates_) {
      if (!is_in(hidden_, variable) || env_.poll_now("localize-hide")) continue;
      put(hidden, variable, true);
      if (is_possible(close_hidden(program_, hidden, &env_), bound, run)) put(hidden, variable, false);
    }
    hidden_ = close_hidden(program_, std::move(hidden), &env_);
    return true;
  }

  std::string names_of_hidden() const {
    std::string names;
    for (const Candidate& variable : candidates_) {
      if (!is_in(hidden_, variable)) continue;
      const auto& declared =
          variable.templ ? program_.templ(*variable.templ).local(variable.var) : program_.shared[variable.var.value];
      names += (names.empty() ? "" : ", ") + declared.name;
    }
    return names;
  }

  Env& env_;
  const Program& program_;
  const engine::Engine& prover_;
  const engine::Engine& searcher_;
  std::optional<std::uint32_t> bound_;
  engine::EngineOptions options_;
  std::vector<Candidate> candidates_;
  VariableSet hidden_;
  std::uint64_t refinements_ = 0;
};

class LocalizedEngine final : public engine::Engine {
 public:
  LocalizedEngine(const engine::Engine& prover, const engine::Engine& searcher, Start start)
      : prover_(prover), searcher_(searcher), start_(start) {}

  std::string_view name() const override { return prover_.name(); }
  std::string_view purpose() const override { return "Proofs on fewer variables, chosen by refinement."; }
  std::string_view fragment() const override { return "What the engine beneath takes when variables are hidden."; }
  option::Members knows(const engine::EngineOptions& options) const override { return prover_.knows(options); }
  bool judges(model::PropertyKind kind) const override { return prover_.judges(kind); }

  // What the engine beneath cannot take may be among what is hidden, so it is asked about the rest.
  std::optional<std::string> refuses(const engine::Task& task) const override {
    if (task.options.certificate) return "certificates speak of all variables";
    if (!model::can_hide(task.program)) return "no variable can be hidden";
    const auto& initial = task.program.initial;
    const bool any_number = std::any_of(initial.begin(), initial.end(), [](const auto& group) { return !group.count; });
    if (any_number && !task.bound) return "runs with any number of threads at the start are not followed";
    const auto abstract = hide(task.program, hidden_at_first(task.program, start_, nullptr));
    if (!abstract) return "other threads or properties look at what would have to be hidden";
    return prover_.refuses({*abstract, task.bound, task.options});
  }

  Result check(Env& env, const engine::Task& task) const override {
    try {
      return Localization(env, task, prover_, searcher_, start_).run();
    } catch (const Stopped& stopped) {
      return Result::unknown(stopped.what());
    }
  }

 private:
  const engine::Engine& prover_;
  const engine::Engine& searcher_;
  Start start_;
};

}  // namespace

std::unique_ptr<engine::Engine> localized(const engine::Engine& prover, const engine::Engine& searcher, Start start) {
  return std::make_unique<LocalizedEngine>(prover, searcher, start);
}

}  // namespace cohort::strategy
