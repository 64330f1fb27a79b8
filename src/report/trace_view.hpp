// A run told step by step: who moves, where in the source, and only what changes.  Text and JSON are two renderings of
// this view. Threads are named T0, T1, ... in the order of their creation, and keep their names along the whole run;
// the processes of a `.red` file are P1, P2, ..., as the paper counts them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/run.hpp"

namespace cohort::report {

// A scalar: a variable, or one element of an array.
struct NamedValue {
  std::string name;   // `x`, or `x[2]`; of `q[].id` that is `q[].id[2]`
  std::string shown;  // for people: `q[2].id`
  model::Value value = 0;
  bool internal = false;              // nobody wrote it
  bool is_reference = false;          // to a thread, or NULL
  std::optional<std::string> thread;  // a reference to a thread: its name
  std::string text;                   // for people: the number, the thread's name or NULL
};

struct ThreadView {
  std::string name;
  model::ThreadState state;
  std::vector<NamedValue> locals;
};

// New values of variables: of the shared ones (no thread), or of one thread.
struct Changes {
  std::string thread;
  std::vector<NamedValue> values;
};

// A thread that was moved by another one's step.
struct MovedThread {
  std::string thread;
  model::LocId location;
  std::string label;  // of the location
};

struct StepView {
  std::string thread;
  model::EdgeRef edge;
  SourceSpan span;
  std::string statement;
  std::string branch;     // where it leads, if the same statement could lead elsewhere: the label of a location
  std::string mode;       // the mode that it leads to, if that is another one
  bool switches = false;  // another thread made the step before
  bool violates = false;  // it leads to an error location
  bool enters_atomic = false;
  bool leaves_atomic = false;
  std::vector<Changes> changes;  // shared variables first, then the thread that moves, then the others by name
  std::vector<ThreadView> created;
  std::vector<std::string> ended;
  std::vector<MovedThread> moved;
  std::optional<model::FaultKind> fault;
};

struct TraceView {
  std::vector<NamedValue> shared;
  std::vector<ThreadView> threads;
  std::vector<StepView> steps;
};

std::string thread_name(const model::Program& program, std::uint32_t number);

// Are the locations of the program modes that processes are in, which people know by their names?
bool has_modes(const model::Program& program);

TraceView view_of(const model::Program& program, const model::Run& run);

// Builds the view step by step, for those who make the run as they go.
class Narrator {
 public:
  Narrator(const model::Program& program, const model::State& initial);

  // The state and its threads as they are now.
  const model::State& state() const { return state_; }
  std::vector<NamedValue> shared() const;
  std::vector<ThreadView> threads() const;
  // The slot of a thread alive; none when no thread alive has this name.
  std::optional<std::size_t> slot_of(const std::string& name) const;
  const std::string& name_of(std::size_t slot) const;
  // A scalar of a variable with this value, as threads are called now.
  NamedValue named(const model::Variable& variable, std::uint32_t element, model::Value value) const;

  // Tells a step that is possible in the current state, without taking it.
  StepView tell(const model::Transition& step) const;
  // Takes it.
  void advance(const model::Transition& step);

 private:
  std::vector<std::string> names_after(const model::Transition& step) const;
  std::vector<NamedValue> values_of(const std::vector<model::Variable>& variables, const model::Valuation& values,
                                    const std::vector<std::string>& names) const;
  std::vector<NamedValue> differences(const std::vector<model::Variable>& variables, const model::Valuation& before,
                                      const model::Valuation& after, const std::vector<std::string>& names) const;
  ThreadView thread_view(const model::ThreadState& thread, const std::string& name,
                         const std::vector<std::string>& names) const;
  void tell_thread(std::size_t slot, const model::Transition& step, const std::vector<std::string>& names,
                   StepView& view) const;

  const model::Program* program_;
  model::State state_;
  std::vector<std::string> names_;  // of the thread that is or was last in each slot
  std::uint32_t next_name_ = 0;
  std::optional<std::string> last_mover_;
};

}  // namespace cohort::report
