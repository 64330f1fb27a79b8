#include "result/omega_threads.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "model/eval.hpp"

namespace cohort::result {

using model::ThreadState;
using model::Valuation;
using nlohmann::json;

namespace {

// Places the groups of initial threads one after the other.
class Placement {
 public:
  Placement(const model::Stepper& stepper, const VisitInitial& visit)
      : stepper_(stepper), program_(stepper.program()), visit_(visit) {}

  void place(const Valuation& shared, const OmegaThreads& threads, std::size_t index) const {
    if (index == program_.initial.size()) {
      visit_(shared, threads);
      return;
    }
    const model::InitialThreads& group = program_.initial[index];
    std::vector<ThreadState> starts;
    for (Valuation& locals : stepper_.initial_valuations(program_.templ(group.templ).locals)) {
      starts.push_back({group.templ, group.location, false, std::move(locals)});
    }
    if (!group.count) {
      OmegaThreads more = threads;
      for (const ThreadState& start : starts) add(more, start, omega);
      place(shared, more, index + 1);
      return;
    }
    choose(shared, threads, index, starts, 0, *group.count);
  }

 private:
  void choose(const Valuation& shared, const OmegaThreads& threads, std::size_t index,
              const std::vector<ThreadState>& starts, std::size_t from, std::uint32_t remaining) const {
    if (remaining == 0) {
      place(shared, threads, index + 1);
      return;
    }
    // With one way to start, all threads of the group start that way.
    const std::uint32_t batch = starts.size() - from == 1 ? remaining : 1;
    for (std::size_t i = from; i < starts.size(); ++i) {
      OmegaThreads more = threads;
      add(more, starts[i], batch);
      choose(shared, more, index, starts, i, remaining - batch);
    }
  }

  const model::Stepper& stepper_;
  const model::Program& program_;
  const VisitInitial& visit_;
};

}  // namespace

bool covers(const OmegaThreads& larger, const OmegaThreads& smaller) {
  return std::all_of(smaller.begin(), smaller.end(), [&](const auto& cell) {
    const auto it = larger.find(cell.first);
    return it != larger.end() && it->second >= cell.second;
  });
}

void add(OmegaThreads& threads, const ThreadState& thread, std::uint64_t count) {
  std::uint64_t& present = threads[thread];
  present = present == omega || count == omega ? omega : present + count;
}

void remove(OmegaThreads& threads, const ThreadState& thread) {
  const auto it = threads.find(thread);
  COHORT_EXPECT(it != threads.end(), "the thread that is removed is there");
  if (it->second != omega && --it->second == 0) threads.erase(it);
}

void for_each_initial(const model::Stepper& stepper, const VisitInitial& visit) {
  const model::Program& program = stepper.program();
  const Placement placement(stepper, visit);
  for (const Valuation& shared : stepper.initial_valuations(program.shared)) {
    if (program.initial_condition && !holds_in(program, *program.initial_condition, shared)) continue;
    placement.place(shared, {}, 0);
  }
}

std::vector<Valuation> shared_states_from_json(const model::Program& program, const json& table) {
  std::vector<Valuation> states;
  for (const json& values : table) {
    states.push_back(values.get<Valuation>());
    if (states.back().size() != program.shared_slots()) throw Refuted{"a shared state has the wrong number of values"};
  }
  return states;
}

std::vector<ThreadState> thread_states_from_json(const model::Program& program, const json& table) {
  std::vector<ThreadState> states;
  for (const json& local : table) {
    const model::TemplateId templ{local.at("template").get<std::size_t>()};
    const model::LocId location{local.at("location").get<std::size_t>()};
    states.push_back({templ, location, local.at("atomic").get<bool>(), local.at("values").get<Valuation>()});
    const bool exists = templ.value < program.templates.size() &&
                        location.value < program.templ(templ).locations.size() &&
                        states.back().locals.size() == program.templ(templ).local_slots();
    if (!exists) throw Refuted{"a local state does not fit the program"};
  }
  return states;
}

json thread_states_to_json(const std::vector<ThreadState>& states) {
  json table = json::array();
  for (const ThreadState& state : states) {
    table.push_back({{"template", state.templ.value},
                     {"location", state.location.value},
                     {"atomic", state.atomic},
                     {"values", state.locals}});
  }
  return table;
}

bool holds_in(const model::Program& program, model::ExprId condition, const Valuation& shared) {
  for (const model::Op op : {model::Op::ForallThread, model::Op::ExistsThread}) {
    if (mentions(program.exprs, condition, op)) throw Refuted{"a condition speaks of several threads"};
  }
  model::EvalContext context;
  context.program = &program;
  context.shared = context.shared_after = &shared;
  return model::holds(context, condition);
}

}  // namespace cohort::result
