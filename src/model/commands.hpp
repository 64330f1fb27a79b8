// A flat program as guarded commands: what is left of its edges for methods that reason about one step as a whole
// (thread-modular proofs, predicate abstraction).  A command is
//     [guard] x1, .., xn := e1, .., en
// with every expression over the state *before* the step: the actions of the edge are composed by substitution, primed
// variables of constraints included, and what an action chose is one Nondet node, which stands for a fresh value of its
// type in each execution of the command.
//
// Use.  Commands owns a copy of the program, since composition makes new expressions; read ids in commands.program().
//     for (const Command& command : commands.all()) ...
// A thread is at a Place: a location, and whether it is inside an atomic section there.  Only places within reach of
// the control flow have a number.  Locals that matter at a place are LiveLocals' business (model/passes/liveness.hpp).
//
// Exactness.  In a state where no evaluation goes wrong, a thread at `from` can take the command with given choices iff
// `guard` holds (and other threads allow it: takes, passive conjuncts), and the result is what model/step.cpp computes.
// `evaluations` is everything that the step computes, each with the condition under which it gets there: the step
// faults iff one of them does (a `kept` type: also where the value is outside of it).  Commands of steps that look at
// other threads by reference or quantifier are not made; refuses() says so with the place.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/program.hpp"

namespace cohort::model {

using PlaceId = Id<struct PlaceTag>;

struct Place {
  TemplateId templ;
  LocId location;
  bool atomic = false;

  auto operator<=>(const Place&) const = default;
};

struct Evaluation {
  ExprId when;  // the guards before it hold
  ExprId what;
  std::optional<Type> kept;  // the value goes to a variable, or an index, of this type
};

// A thread that the command creates.  Its locals are the creator's before the step, or start as declared; then
// `assigns` (targets are its locals).
struct CommandChild {
  PlaceId place;
  bool copies_locals = false;
  std::vector<Assign> assigns;
};

// Another thread that the command moves from one place to another, or ends.
struct CommandTake {
  PlaceId from;
  std::optional<PlaceId> to;
};

// What happens to every other thread at `from`: it goes to one of `to`.
struct CommandMove {
  PlaceId from;
  std::vector<PlaceId> to;
};

struct Command {
  EdgeRef edge;
  PlaceId from;
  std::optional<PlaceId> to;  // none: the thread ends
  ExprId guard;
  std::vector<Evaluation> evaluations;
  // Of shared variables and locals.  In order: of two to one element of an array, the later counts.
  std::vector<Assign> assigns;
  std::vector<CommandChild> children;
  std::vector<CommandTake> takes;
  // A broadcast: every other thread of the template changes its locals (targets are of kind Passive) and must satisfy
  // the conjuncts, in which passive variables are those before; every other thread at a `from` moves.
  bool broadcasts = false;
  std::vector<Assign> passive_assigns;
  std::vector<ExprId> passive_conjuncts;
  std::vector<CommandMove> moves;

  bool writes_shared() const;
};

class Commands {
 public:
  // As many threads as a command moves at most: the active one, new ones and taken ones.  Whoever looks at a few
  // threads at a time looks at every choice of them.
  static constexpr std::size_t most_movers = 20;

  // None: the program can be put into this form.  Else what stands against it, in words.
  static std::optional<std::string> refuses(const Program& program);

  // `program` is flat and not refused.
  explicit Commands(const Program& program);

  const Program& program() const { return program_; }
  ExprPool& exprs() { return program_.exprs; }
  const std::vector<Place>& places() const { return places_; }
  const Place& place(PlaceId id) const { return places_[id.value]; }
  // None: not within reach.
  std::optional<PlaceId> find(const Place& place) const;
  const std::vector<Command>& all() const { return commands_; }
  // Of the commands that leave a place.
  const std::vector<std::uint32_t>& from(PlaceId place) const { return leaving_[place.value]; }
  // Reaching it violates a property: which.
  std::optional<PropertyId> error(PlaceId place) const;
  // As people name it: template, location and line.
  std::string name(PlaceId place) const;

 private:
  class Composer;

  PlaceId reach(Place place);
  void compose(PlaceId from, EdgeRef edge);

  Program program_;
  std::vector<Place> places_;
  std::map<Place, PlaceId> numbers_;
  std::vector<Command> commands_;
  std::vector<std::vector<std::uint32_t>> leaving_;
};

}  // namespace cohort::model
