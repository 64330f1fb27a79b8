// Ranges: thread-modular abstract interpretation, as the first look at a program before any solver is asked.  For each
// place it finds a Box of the shared variables and the locals of a thread there: intervals, short lists of values,
// remainders, equalities.  It holds for any number of threads.
//
// What a thread does to itself is followed along the commands.  What the others do to shared variables is
// *interference*: the values that commands of a template write to a cell, wherever their thread is.  At a place where
// others may move (outside of atomic sections, and where the thread is not known to be alone) a shared cell has the
// value it had when the thread came, or one that others write; of a template with one thread only, its own writes do
// not count.  Two cells that others may write are never known to be equal there.
//
// Soundness.  By induction over an execution: a state that a thread sees at its place was seen when it came there, by
// a command of its own, a creation, a take or a broadcast, each of which is followed with boxes that hold of the state
// before; or some cells have been written since, each last by a command whose box held of its state before.  Growing
// ranges are widened to the next constant of the program; two more rounds, each of which is sound by the same argument,
// take back what widening gave away.
//
// Cost: commands times cells for each round; without a solver, so milliseconds where Houdini needs seconds.  Rejected:
// octagons, which cost the square of the cells a step and whose facts Houdini's differences cover.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "lemma/atom.hpp"
#include "lemma/box.hpp"
#include "lemma/views.hpp"
#include "model/commands.hpp"

namespace cohort::lemma {

class Ranges {
 public:
  // `commands` outlives it.
  Ranges(Env& env, const model::Commands& commands);

  // Did it end?  If not (too large, or stopped by a limit), nothing is known.
  bool complete() const { return complete_; }
  const Cells& cells() const { return cells_; }
  // None: no thread ever gets there.
  const std::optional<Box>& at(model::PlaceId place) const { return boxes_[place.value]; }
  // Is there no state in which a thread takes the command, or goes wrong in it?
  bool is_dead(std::size_t command) const { return dead_[command]; }
  // The violation that the ranges do not exclude, in words; none: they prove the program safe.
  std::optional<std::string> allowed_violation() const;
  // What they say of each view of an alphabet with one thread in view.
  std::map<View, std::vector<Atom>> facts(const Alphabet& alphabet) const;

 private:
  using Boxes = std::vector<std::optional<Box>>;                  // by place
  using Writes = std::vector<std::vector<std::optional<Range>>>;  // [template][shared cell]
  // Where the results of commands go.
  struct Sink {
    std::function<void(std::size_t place, const Box&)> arrive;
    std::function<void(model::TemplateId, std::uint32_t cell, const Range&)> write;
  };

  bool fits();
  void find_landmarks();
  void find_dependents();
  bool ascend();
  bool descend();
  void begin(const Sink& sink) const;
  // The command in all boxes that it may meet.
  void run(std::size_t command, const Boxes& boxes, const Sink& sink) const;
  // What is left of the box where the command is taken; none: it is not.
  std::optional<Box> enter(const model::Command& command, const Boxes& boxes) const;
  // The active thread's box after the step; none: some value always goes wrong.
  std::optional<Box> after(const model::Command& command, Box& before) const;
  // Writes values over `before` to `target`, whose locals are those of `owner`.
  bool assign(const std::vector<model::Assign>& assigns, Glance& before, model::TemplateId owner, Box& target) const;
  void follow_equalities(const model::Command& command, Glance& glance, const Box& before, Box& result) const;
  void affect_others(const model::Command& command, Box& before, const Box& result, const Boxes& boxes,
                     const Sink& sink) const;
  // The value that others may have left in a cell while a thread is at the place; none: they do not write it.
  std::optional<Range> written_by_others(std::size_t place, std::uint32_t cell, const Writes& writes) const;
  void interfere(std::size_t place, Box& box, const Writes& writes) const;
  std::vector<Range> initial(const std::vector<model::Variable>& variables) const;
  // Of the shared cells, in whatever state.
  std::vector<Range> anywhere() const;
  bool may_go_wrong(const model::Command& command, const Box& before) const;
  bool may_hold(model::ExprId condition, std::vector<Range> shared) const;
  bool may_be_covered(const model::Property& property) const;
  void add_facts(const std::vector<model::Variable>& variables, const std::vector<Range>& values, Var at,
                 std::vector<Atom>& atoms) const;
  std::vector<Var> variables_of(model::TemplateId templ) const;

  Env& env_;
  const model::Commands& commands_;
  Cells cells_;
  std::vector<std::optional<std::uint64_t>> limits_;  // by template
  std::vector<bool> closed_;                          // by place: nobody else moves while a thread is there
  std::vector<std::vector<std::size_t>> dependents_;  // by place: commands of others that change a thread there
  std::vector<Wide> landmarks_;
  std::vector<Range> shared_types_;              // by cell
  std::vector<std::vector<Range>> local_types_;  // [template][cell]
  Boxes boxes_;
  Writes writes_;
  std::vector<bool> dead_;  // by command
  bool complete_ = false;
};

// The program without the edges that are never taken.
model::Program without_dead_code(const model::Commands& commands, const Ranges& ranges);

}  // namespace cohort::lemma
