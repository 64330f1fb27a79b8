// A program seen as a vector addition system with states (STAR paper, sections 2.4 and 3.1) extended by broadcasts,
// made on demand.
//
// A *control state* is the shared state together with what only one thread can be: the thread inside an atomic section,
// if there is one, and the location of a thread that there is exactly one of (the thread `net` of a Petri net).  All
// other threads are anonymous and counted by *place*, their local state.  A *rule* leads from one control state to
// another, consumes and produces threads at places and may broadcast: then every thread that it does not consume moves
// to one of the places that passive() names.
//
// Keeping the atomic thread in the control state is what makes atomic sections monotone: more threads never disable a
// rule.  At most one thread is inside a section, so nothing is lost.
//
// Rules come from one of two sources.  A *table program* (no local variables, every edge guarded by a value of the one
// shared variable: thread transition systems and Petri nets) has all its rules listed at once.  Any other program is
// asked for the successors of a thread state when a configuration first occupies it, through the thread system.
//
// Rules and tokens live in arenas; views into them are valid until the next call that can make new rules.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/unbounded/configuration.hpp"
#include "model/pair_table.hpp"
#include "model/program.hpp"
#include "model/property.hpp"
#include "model/thread_system.hpp"

namespace cohort::engine::unbounded {

using RuleId = std::uint32_t;
constexpr std::uint32_t none = UINT32_MAX;

struct Rule {
  ControlId from = 0;
  ControlId to = 0;
  std::uint32_t pre_begin = 0, pre_count = 0;
  std::uint32_t post_begin = 0, post_count = 0;
  std::uint32_t broadcast = none;
  bool faults = false;  // a violation instead of a successor
  // How the rule reads as a step of the program.  `active` is none when the active thread is part of the control state.
  model::EdgeRef edge;
  Place active = none;
  Place active_after = none;  // none: in the control state, or ended
  bool ends = false;
};

// What only one thread can be, besides the shared state.
struct Control {
  model::SharedId shared = 0;
  model::LocalId holder = model::no_id;  // the thread inside an atomic section
  model::LocId single;                   // location of the thread that exists once (table programs)

  bool operator==(const Control&) const = default;
};

class CounterSystem {
 public:
  // With `env`, throws Stopped at its limits.
  explicit CounterSystem(const model::Program& program, Env* env = nullptr);

  // What keeps a program from being seen this way, in a sentence; none: nothing.
  static std::optional<std::string> refuses(const model::Program& program);
  // Which properties the engines of this folder look for.
  static bool judges(model::PropertyKind kind);

  const model::Program& program() const { return *program_; }
  bool is_table() const { return is_table_; }

  const std::vector<Configuration>& initial() const { return initial_; }
  std::size_t control_count() const { return controls_.size(); }
  std::size_t place_count() const;
  std::size_t rule_count() const { return rules_.size(); }
  const Control& control(ControlId id) const { return controls_[id]; }

  const Rule& rule(RuleId id) const { return rules_[id]; }
  TokenView pre(const Rule& rule) const { return {arena_.data() + rule.pre_begin, rule.pre_count}; }
  TokenView post(const Rule& rule) const { return {arena_.data() + rule.post_begin, rule.post_count}; }

  // Appends the rules enabled in a configuration; a broadcast counts as enabled (see passive()).
  void enabled(ControlId control, TokenView tokens, std::vector<RuleId>& result);
  // Makes the rules that a thread at `place` can begin in this control state known; enabled() does so by itself.
  void expand(ControlId control, Place place);
  // From here on nothing new is made: all rules that can matter are known (Possible knows them), so that several
  // threads may read.
  void freeze() { frozen_ = true; }
  // The known rules that leave a control state.
  const std::vector<RuleId>& leaving(ControlId control) const { return leaving_[control]; }

  // Where a passive thread at `place` may go in a broadcast; empty: it blocks the step.
  std::span<const Place> passive(std::uint32_t broadcast, Place place);
  bool has_broadcasts() const { return has_broadcasts_; }

  // The property that a configuration violates by itself.
  std::optional<model::PropertyId> violated(ControlId control, TokenView tokens) const;
  // Does being at this place violate a property?
  std::optional<model::PropertyId> error_at(Place place) const;
  std::optional<model::PropertyId> error_at_control(ControlId control) const { return control_facts_[control].error; }
  // The properties of kind Cover (and shared conditions, which need no threads) whose condition holds in the control
  // state.
  const std::vector<model::PropertyId>& cover_candidates(ControlId control) const {
    return control_facts_[control].covers;
  }

  model::ThreadState thread_state(Place place) const;
  model::ThreadState holder_state(ControlId control) const;
  model::ThreadState single_state(ControlId control) const;
  bool has_single() const { return single_.has_value(); }
  model::Valuation shared_state(ControlId control) const;
  // The program's place for this template and location; table programs only.
  Place place_of(model::TemplateId templ, model::LocId location) const;

 private:
  struct ControlFacts {
    std::optional<model::PropertyId> error;
    std::vector<model::PropertyId> covers;
  };
  struct ControlHash {
    std::size_t operator()(const Control& control) const noexcept;
  };
  struct Draft {
    ControlId from = 0;
    ControlId to = 0;
    Tokens pre;
    Tokens post;
    std::uint32_t broadcast = none;
    bool faults = false;
    model::EdgeRef edge;
    Place active = none;
    Place active_after = none;
    bool ends = false;
  };

  void build_table();
  void add_table_edge(model::TemplateId templ, std::uint32_t edge);
  std::uint32_t add_table_broadcast(const model::Action& action);
  void file_table_rules();
  void build_initial();
  void add_initial(std::vector<Configuration>& partial, const model::InitialThreads& group);

  ControlId intern_control(const Control& control);
  ControlFacts facts_of(const Control& control) const;
  void expand_holder(ControlId control);
  void add_transitions(ControlId control, model::LocalId local, Place active);
  Draft draft_of(ControlId control, model::LocalId local, Place active,
                 const model::ThreadSystem::Transition& transition);
  RuleId add_rule(const Draft& draft);
  std::vector<RuleId>& row(ControlId control, Place trigger);
  bool covers_property(ControlId control, TokenView tokens, const model::Property& property) const;

  const model::Program* program_;
  bool frozen_ = false;
  bool is_table_ = false;
  bool has_broadcasts_ = false;
  std::optional<model::TemplateId> single_;
  std::unique_ptr<model::ThreadSystem> threads_;  // unless is_table_

  std::vector<Configuration> initial_;
  std::vector<Control> controls_;
  std::vector<ControlFacts> control_facts_;
  std::unordered_map<Control, ControlId, ControlHash> control_index_;
  std::vector<bool> holder_expanded_;
  std::vector<std::uint32_t> template_base_;  // table programs: first place of each template
  std::vector<std::uint32_t> template_of_;    // and back

  std::vector<Rule> rules_;
  std::vector<Token> arena_;
  std::vector<std::vector<RuleId>> leaving_;
  std::vector<std::vector<RuleId>> free_;  // rules of a control state that consume nothing
  model::PairTable row_index_;             // (control, trigger) to an index in rows_
  std::vector<std::vector<RuleId>> rows_;
  model::PairTable expanded_;  // (control, place) pairs asked for already
  std::vector<std::unordered_map<Place, std::vector<Place>>> table_broadcasts_;
  Place passive_itself_ = 0;
};

// Does every edge of the program only compare and set the one shared variable, with no other data anywhere?
bool is_table_program(const model::Program& program);

}  // namespace cohort::engine::unbounded
