// The one intermediate form.  A Program has shared variables, templates (thread bodies and, before inlining,
// procedures), the threads that exist at the start, and the properties to check.  It is a plain value: passes copy it
// and change the copy.
//
// A step of a thread is one Edge, and an Edge is a sequence of Actions executed without interleaving.  Front ends make
// edges of exactly one action; passes concatenate actions instead of substituting expressions into each other, so that
// a choice made once stays one choice and every action keeps the way back to the edge it came from.
//
// Meaning of one action, in this order: the guard is evaluated in the state before; all right-hand sides read the state
// before; then the assignments happen at once; then every conjunct of the constraint must hold of the states before and
// after (primed). A false guard or conjunct blocks the step.  A conjunct over a passive thread must hold for each other
// thread of its template on its own, with that thread's values; with no other thread it holds (see passive.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "model/expr.hpp"
#include "model/ids.hpp"
#include "model/look.hpp"
#include "model/type.hpp"

namespace cohort::model {

struct Variable {
  std::string name;
  Type type = Type::boolean();
  // Empty: nondeterministic at the start.  One value: for every element.  Else one value an element.
  std::vector<Value> initial;
  SourceSpan span;
  std::uint32_t slot = 0;  // first slot in the valuation; set by add_shared and add_local
  Look look{};
};

struct Location {
  std::string label;  // as the user would name it, for traces and `reach`
  SourceSpan span;
  std::optional<PropertyId> error;  // reaching it violates this property
  // A thread that cannot move here waits for others (for a lock, for the end of a thread); one that cannot move
  // elsewhere has given up.  Only deadlocks make a difference between the two.
  bool waits = false;
};

struct LValue {
  enum class Kind : std::uint8_t { Shared, Local, Passive, Remote };

  Kind kind = Kind::Shared;
  VarId var;
  std::optional<ExprId> index;  // for arrays
  std::optional<ExprId> ref;    // Remote: the thread whose local is written
  TemplateId templ;             // Passive, Remote: the template of that thread
};

struct Assign {
  LValue target;
  ExprId value;
};

// Every other thread of `templ` at `from` goes to `to`; with several moves from one place, each thread chooses one of
// them.
struct PassiveMove {
  TemplateId templ;
  LocId from;
  LocId to;
};

// One other thread of `templ` at `from` goes to `to`, or ends.  Several takes need as many different threads, and
// happen before the moves.  This is the rendezvous of a Petri net transition that consumes several tokens.
struct Take {
  TemplateId templ;
  LocId from;
  std::optional<LocId> to;
};

// A new thread of `templ` at `location`.  Its locals are the creator's before the step (same template), or start as
// declared; then `locals` sets some of them (targets are locals of the new thread, values are over the creator's state
// before).
struct Spawn {
  TemplateId templ;
  LocId location;
  bool copies_locals = false;
  std::vector<Assign> locals;
};

struct Call {
  TemplateId callee;
  std::vector<ExprId> args;
  std::vector<std::optional<LValue>> results;  // nothing where a result is discarded
};

struct Return {
  std::vector<ExprId> values;
};

enum class AtomicChange : std::uint8_t { None, Enter, Exit };

// An edge of the program that was there before the passes.
struct EdgeRef {
  TemplateId templ;
  std::uint32_t edge = 0;

  auto operator<=>(const EdgeRef&) const = default;
};

struct Action {
  std::optional<ExprId> guard;  // none: true
  std::vector<Assign> assigns;
  std::vector<ExprId> constraint;
  std::vector<Take> takes;
  std::vector<PassiveMove> moves;
  std::vector<Spawn> spawns;  // an action that spawns assigns no locals
  std::optional<Call> call;   // only before inlining
  std::optional<Return> ret;  // only before inlining
  bool ends_thread = false;
  AtomicChange atomic = AtomicChange::None;
  SourceSpan span;
  std::string text;               // the statement as the user wrote it
  std::optional<EdgeRef> origin;  // set by passes; none: the action is a pass's own (a reset of dead variables)
};

struct Edge {
  LocId source;
  LocId target;
  std::vector<Action> actions;
};

struct Template {
  std::string name;
  std::vector<Variable> locals;
  std::vector<VarId> params;  // the locals that a call or spawn sets, in order
  std::uint32_t result_count = 0;
  std::vector<Location> locations;
  LocId entry;
  std::vector<Edge> edges;
  SourceSpan span;

  VarId add_local(Variable variable);
  LocId add_location(Location location);
  std::uint32_t local_slots() const;
  const Variable& local(VarId var) const { return locals[var.value]; }
};

struct InitialThreads {
  TemplateId templ;
  LocId location;
  // None: any number of threads; with a bound N on the threads alive, exactly as many as still fit.
  std::optional<std::uint32_t> count = 1;
};

struct Property {
  enum class Kind : std::uint8_t {
    Assertion,   // a location marked with it is reached
    ErrorLabel,  // likewise
    Cover,       // `condition` holds of the shared state while distinct threads occupy all `threads`
    Condition,   // `condition` (bad; may quantify over threads) holds
    Fault,       // a step runs into a fault (see Program::faults)
    Cut,         // not a violation: a location marked with it is where the model ends; what lies behind is not known
    Deadlock,    // some thread is alive, every one is at a location where it waits, and none can move
  };

  Kind kind = Kind::Assertion;
  std::string text;
  SourceSpan span;
  std::optional<ExprId> condition;
  std::vector<std::pair<TemplateId, LocId>> threads{};
  std::string words{};  // what its violation is called; empty: by its kind
};

// What a division by zero, an access through NULL, or a value outside its range means.
enum class FaultPolicy : std::uint8_t {
  Violation,  // a step that faults violates the property of kind Fault; a bad condition that faults counts as holding
  Drop,       // the step cannot be taken; the condition does not hold
};

struct Program {
  std::string name;
  std::vector<Variable> shared;
  std::vector<Template> templates;
  std::vector<InitialThreads> initial;
  std::optional<ExprId> initial_condition;  // over shared variables and quantified threads
  std::vector<Property> properties;
  FaultPolicy faults = FaultPolicy::Violation;
  std::vector<std::string> assumptions;  // what the front end took for granted: every verdict rests on it
  std::shared_ptr<const Atlas> atlas;    // none: no variable holds addresses
  ExprPool exprs;

  VarId add_shared(Variable variable);
  PropertyId add_property(Property property);
  TemplateId add_template(Template templ);
  std::uint32_t shared_slots() const;
  Template& templ(TemplateId id) { return templates[id.value]; }
  const Template& templ(TemplateId id) const { return templates[id.value]; }
  const Edge& edge(EdgeRef ref) const { return templates[ref.templ.value].edges[ref.edge]; }
};

// Does the action update or look at passive threads?
bool is_broadcast(const ExprPool& exprs, const Action& action);
// Does any action of the program refer to a thread by reference (remote reads, remote writes, Self)?
bool uses_thread_refs(const Program& program);
// Is there a property of kind Deadlock?  Then a spawn at the bound on threads blocks instead of doing nothing: a thread
// that was never created must not be waited for.
bool looks_for_deadlocks(const Program& program);
// Is every edge free of calls and returns?
bool is_flat(const Program& program);

// The number of threads of a program that creates none and says how many there are at the start.
std::optional<std::uint32_t> fixed_thread_count(const Program& program);

// Indices of the outgoing edges of each location of one template.
class OutEdges {
 public:
  explicit OutEdges(const Template& templ);
  const std::vector<std::uint32_t>& of(LocId location) const { return edges_[location.value]; }

 private:
  std::vector<std::vector<std::uint32_t>> edges_;
};

}  // namespace cohort::model
