// The run of a program that people wrote, cut into stretches: steps of one thread in one statement, without another
// thread between them; and what each stretch did, in the terms of the program.  For programs whose front end says which
// variables people wrote (model/look.hpp).  What a story tells of them is story.hpp's business.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/eval.hpp"
#include "model/run.hpp"
#include "report/call_words.hpp"
#include "report/trace_view.hpp"

namespace cohort::report {

// Steps [first, last) of one thread in one statement.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
  bool begins = true;  // the statement; else another thread came between
  bool ends = true;    // the thread goes on with another statement, or ends
};

// A variable as people called it: variables of the same name have numbers in the model, `i#2`.
std::string written_name(const std::string& name);

// What a stretch did.
struct Effect {
  std::vector<std::pair<std::string, std::string>> created;  // threads: "T1", "running worker(&q)"
  std::vector<std::string> parts;                            // "q.head = &jobs[1]"
  std::optional<CallWords> call;                             // of the library
  std::set<std::pair<std::size_t, model::Value>> reads;      // shared slots and what was in them; only if told
  bool reads_foreign = false;                                // one of them another thread wrote
  bool only_reads = false;                                   // it did nothing that anybody could see
  bool only_locals = false;                                  // it changed nothing but variables of its own
  bool only_ends = false;                                    // the thread ended, and nothing else
  bool is_at_end = false;                                    // of the thread's routine, not a statement of it
  bool wakes_nobody = false;                                 // a signal that changed nothing
  bool violates = false;

  bool empty() const { return created.empty() && parts.empty(); }
};

class Stretches {
 public:
  Stretches(const model::Program& program, const model::Run& run);

  const std::vector<Stretch>& all() const { return stretches_; }
  const StepView& step(const Stretch& stretch) const { return view_.steps[stretch.first]; }
  const std::string& thread(std::size_t step) const { return view_.steps[step].thread; }

  Effect effect(const Stretch& stretch) const;
  // The values at the start that somebody reads before they are written, as `x = 1`.
  std::vector<std::string> start() const;
  // What the statement looked at, people's variables only: `x = 1`, those of all threads first.
  std::vector<std::string> seen(const Stretch& stretch) const;
  std::set<std::size_t> shared_changes(const Stretch& stretch) const;
  // Does it change an object of the library, as a lock, that only this thread sees?
  bool changes_own_object(const Stretch& stretch) const;
  // The thread that a call waits for, or has waited for, where threads are told apart by numbers; else empty.
  std::string joined(const Stretch& stretch) const;
  // The words of a call of the library with the objects that it was about, rather than as they are written.
  std::optional<CallWords> call(const Stretch& stretch) const;

 private:
  const model::State& before(std::size_t step) const;
  model::EvalContext context(std::size_t step) const;
  bool in_one_statement(std::size_t one, std::size_t other) const;
  void find_stretches();
  bool is_inside(const Stretch& stretch) const;
  bool is_later(const Stretch& stretch) const;
  std::string given_to(const ThreadView& thread, std::size_t step) const;
  std::string pointee_of(const std::string& pointer, const Stretch& stretch) const;
  bool is_variable(const std::string& name) const;
  std::string words(const Stretch& stretch, const CallWords& call) const;
  std::string violation(const Stretch& stretch) const;
  std::string atomicity(const Stretch& stretch) const;
  bool chooses(std::optional<model::ExprId> root) const;
  std::set<std::size_t> written(const Stretch& stretch, model::LValue::Kind kind) const;
  std::set<std::size_t> internal_reads(const Stretch& stretch) const;
  std::string scalar(const model::Variable& variable, std::uint32_t element, model::Value value) const;
  bool add_differences(const std::vector<model::Variable>& variables, const model::Valuation& from,
                       const model::Valuation& to, const std::set<std::size_t>& written,
                       std::vector<std::string>& parts) const;
  void add_changes(const Stretch& stretch, Effect& effect) const;
  void add_reads(const Stretch& stretch, Effect& effect) const;
  std::optional<std::string> writer(std::size_t slot, std::size_t step) const;
  std::optional<std::size_t> slot_read(model::EvalContext& context, const model::Expr& node, bool internal) const;
  template <class Visit>
  void for_each_value(std::size_t step, Visit&& visit) const;

  const model::Program& program_;
  const model::Run& run_;
  TraceView view_;
  std::set<std::size_t> unsignalled_;  // steps by which a wait ends of itself
  std::map<model::Value, std::string> numbered_;
  std::vector<Stretch> stretches_;
};

// The names of threads by the number that the front end gives each of them in a variable of its own; empty where it
// tells them apart in no such way.
std::map<model::Value, std::string> numbered_threads(const model::Program& program, const model::Run& run);

// The thread whose end a wait looks at that reads these slots of the shared valuation; empty: it looks at none, or
// threads have no numbers.
std::string awaited_thread(const model::Program& program, const std::map<model::Value, std::string>& numbered,
                           const std::set<std::size_t>& slots);

// The object of the library that lies in one of these slots of the shared valuation, as it is called at this moment:
// of `&p->lock`, written so, that is perhaps `accounts[1].lock`.  As written where that cannot be told.
std::string object_name(const model::Program& program, const std::set<std::size_t>& slots, const std::string& written);

}  // namespace cohort::report
