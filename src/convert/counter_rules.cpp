#include "convert/counter_rules.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/eval.hpp"
#include "model/thread_system.hpp"

namespace cohort::convert {

using model::LocalId;
using model::Property;
using model::SharedId;

namespace {

class Builder {
 public:
  explicit Builder(const model::Program& program) : program_(program), threads_(checked(program)) {
    inside_ = add_place("a thread inside an atomic section");
    rules_.bad = add_control("a violation");
  }

  CounterRules build() {
    start();
    while (!queue_.empty()) {
      const Index control = queue_.back();
      queue_.pop_back();
      queued_[control] = false;
      process(control);
    }
    for (Index control = 0; control < keys_.size(); ++control) {
      if (keys_[control]) add_violations(control);
    }
    return std::move(rules_);
  }

 private:
  using Index = CounterRules::Index;
  struct Key {
    SharedId shared = 0;
    LocalId holder = model::no_id;
    auto operator<=>(const Key&) const = default;
  };

  static const model::Program& checked(const model::Program& program) {
    if (model::uses_thread_refs(program)) {
      throw_unsupported({}, "threads that refer to each other cannot be written as rules over counters");
    }
    return program;
  }

  Index add_control(std::string text) {
    rules_.controls.push_back(std::move(text));
    keys_.emplace_back();
    possible_.emplace_back();
    done_.emplace_back();
    queued_.push_back(false);
    return static_cast<Index>(rules_.controls.size() - 1);
  }

  Index add_place(std::string text) {
    rules_.places.push_back(std::move(text));
    locals_.push_back(model::no_id);
    return static_cast<Index>(rules_.places.size() - 1);
  }

  std::string values_text(const std::vector<model::Variable>& variables, const model::Valuation& values) const {
    std::string text;
    for (const model::Variable& variable : variables) {
      for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
        text += fmt::format(" {}{}={}", variable.name, variable.type.is_array() ? fmt::format("[{}]", i) : "",
                            values[variable.slot + i]);
      }
    }
    return text;
  }

  std::string local_text(LocalId local) const {
    const model::ThreadState& state = threads_.local(local);
    const model::Template& templ = program_.templ(state.templ);
    const std::string& label = templ.locations[state.location.value].label;
    return fmt::format("{} {}{}", templ.name, label.empty() ? std::to_string(state.location.value) : label,
                       values_text(templ.locals, state.locals));
  }

  Index control(Key key) {
    const auto [entry, is_new] = controls_.try_emplace(key, static_cast<Index>(rules_.controls.size()));
    if (is_new) {
      std::string text = "shared" + values_text(program_.shared, threads_.shared(key.shared));
      if (key.holder != model::no_id) text += ", atomic " + local_text(key.holder);
      const Index index = add_control(std::move(text));
      keys_[index] = key;
      enqueue(index);
    }
    return entry->second;
  }

  Index place(LocalId local) {
    const auto [entry, is_new] = places_.try_emplace(local, static_cast<Index>(rules_.places.size()));
    if (is_new) locals_[add_place(local_text(local))] = local;
    return entry->second;
  }

  void enqueue(Index control) {
    if (queued_[control]) return;
    queued_[control] = true;
    queue_.push_back(control);
  }

  void allow(Index control, Index place) {
    if (possible_[control].insert(place).second) enqueue(control);
  }

  void start();
  void start_group(const model::InitialThreads& group);
  void process(Index control);
  void expand(Index control, LocalId local, Index active);
  void add_rule(CounterRules::Rule rule, std::uint32_t broadcast);
  void propagate(std::size_t rule);
  void add_violations(Index control);
  void add_cover(Index control, const Property& property, std::size_t index, std::vector<Index> chosen);
  bool holds(model::ExprId condition, SharedId shared) const;

  const model::Program& program_;
  model::ThreadSystem threads_;
  CounterRules rules_;
  Index inside_ = 0;
  std::map<Key, Index> controls_;
  std::map<LocalId, Index> places_;
  std::vector<std::optional<Key>> keys_;         // of controls; none for those that are no states of the program
  std::vector<LocalId> locals_;                  // of places
  std::map<Index, std::vector<Index>> choices_;  // places of threads that have not chosen their locals yet
  std::vector<std::set<Index>> possible_;
  std::vector<std::set<Index>> done_;
  std::vector<bool> queued_;
  std::vector<Index> queue_;
  std::vector<std::uint32_t> broadcasts_;  // of rules
  std::map<Index, std::vector<std::size_t>> leaving_;
};

bool Builder::holds(model::ExprId condition, SharedId shared) const {
  for (const model::Op op : {model::Op::ForallThread, model::Op::ExistsThread}) {
    if (mentions(program_.exprs, condition, op)) throw_unsupported({}, "a condition that quantifies over threads");
  }
  model::EvalContext context;
  context.program = &program_;
  context.shared = context.shared_after = &threads_.shared(shared);
  return model::holds(context, condition);
}

void Builder::start() {
  std::vector<Index> starts;
  for (const model::Valuation& values : threads_.stepper().initial_valuations(program_.shared)) {
    const SharedId shared = threads_.intern_shared(values);
    if (program_.initial_condition && !holds(*program_.initial_condition, shared)) continue;
    starts.push_back(control({shared, model::no_id}));
  }
  if (starts.size() == 1) {
    rules_.start = starts[0];
  } else {
    rules_.start = add_control("the start");
    for (const Index first : starts) {
      rules_.rules.push_back({.from = rules_.start, .to = first, .takes = {}, .gives = {}, .moves = {}});
      broadcasts_.push_back(model::no_id);
    }
  }
  for (const model::InitialThreads& group : program_.initial) start_group(group);
  for (const auto& [first, count] : rules_.initial) {
    for (const Index control : starts) allow(control, first);
  }
}

void Builder::start_group(const model::InitialThreads& group) {
  std::vector<Index> starts;
  for (const model::Valuation& values : threads_.stepper().initial_valuations(program_.templ(group.templ).locals)) {
    starts.push_back(place(threads_.intern_local({group.templ, group.location, false, values})));
  }
  Index first = starts[0];
  if (starts.size() > 1) {
    // The thread chooses its locals when it first moves, which is as good as at the start.
    first = add_place(fmt::format("{}, before its locals are chosen", program_.templ(group.templ).name));
    choices_[first] = starts;
  }
  for (auto& [place, count] : rules_.initial) {
    if (place != first) continue;
    // A fixed number beside any number of threads at one place: the fixed ones go there from a place of their own.
    if (count && group.count) {
      *count += *group.count;
      return;
    }
    const Index other = add_place("likewise");
    choices_[other] = {first};
    first = other;
    break;
  }
  rules_.initial.emplace_back(first, group.count);
}

void Builder::process(Index control) {
  if (!keys_[control]) return;
  const Key key = *keys_[control];
  for (const std::size_t rule : leaving_[control]) propagate(rule);
  const std::set<Index> places = possible_[control];
  for (const Index active : places) {
    if (!done_[control].insert(active).second) continue;
    if (key.holder != model::no_id) {
      if (active == inside_) expand(control, key.holder, inside_);
    } else if (choices_.contains(active)) {
      for (const Index chosen : choices_.at(active)) {
        add_rule({.from = control, .to = control, .takes = {active}, .gives = {chosen}, .moves = {}}, model::no_id);
      }
    } else if (locals_[active] != model::no_id) {
      expand(control, locals_[active], active);
    }
  }
}

void Builder::expand(Index from, LocalId local, Index active) {
  const auto found = threads_.successors(keys_[from]->shared, local);
  for (const auto& transition : std::vector<model::ThreadSystem::Transition>(found.begin(), found.end())) {
    CounterRules::Rule rule{.from = from, .to = rules_.bad, .takes = {active}, .gives = {}, .moves = {}};
    if (transition.faults) {
      rule.gives = {active};
      add_rule(std::move(rule), model::no_id);
      continue;
    }
    const bool enters = transition.local != model::no_id && threads_.is_atomic(transition.local);
    rule.to = control({transition.shared, enters ? transition.local : model::no_id});
    if (transition.local != model::no_id) rule.gives.push_back(enters ? inside_ : place(transition.local));
    if (transition.takes) {
      for (const model::Take& take : threads_.takes(local, transition)) {
        if (!program_.templ(take.templ).locals.empty()) {
          throw_unsupported(program_.templ(take.templ).span, "an action that takes along threads with local variables");
        }
        rule.takes.push_back(place(threads_.intern_local({take.templ, take.from, false, {}})));
        if (take.to) rule.gives.push_back(place(threads_.intern_local({take.templ, *take.to, false, {}})));
      }
    }
    if (transition.spawns != model::no_id) {
      for (const LocalId child : threads_.spawned(transition.spawns)) rule.gives.push_back(place(child));
    }
    add_rule(std::move(rule), transition.broadcast);
  }
}

void Builder::add_rule(CounterRules::Rule rule, std::uint32_t broadcast) {
  leaving_[rule.from].push_back(rules_.rules.size());
  rules_.rules.push_back(std::move(rule));
  broadcasts_.push_back(broadcast);
  propagate(rules_.rules.size() - 1);
}

// Whatever other threads could be before the rule, they could be after it, moved by its broadcast.
void Builder::propagate(std::size_t index) {
  const Index from = rules_.rules[index].from;
  const Index to = rules_.rules[index].to;
  for (const Index given : std::vector<Index>(rules_.rules[index].gives)) allow(to, given);
  const std::set<Index> others = possible_[from];
  for (const Index other : others) {
    const LocalId local = locals_[other];
    if (broadcasts_[index] == model::no_id || local == model::no_id) {
      if (other != inside_) allow(to, other);
      continue;
    }
    if (threads_.tied(broadcasts_[index]) > 0) throw_unsupported({}, "a broadcast that ties threads to each other");
    const auto after = threads_.passive_successors(broadcasts_[index], local);
    if (after.empty()) throw_unsupported({}, "a broadcast that a thread can block");
    const bool stays = after.size() == 1 && after[0] == local;
    for (const LocalId next : std::vector<LocalId>(after.begin(), after.end())) {
      const Index moved = place(next);
      allow(to, moved);
      auto& moves = rules_.rules[index].moves;
      if (!stays && std::find(moves.begin(), moves.end(), std::pair(other, moved)) == moves.end())
        moves.emplace_back(other, moved);
    }
  }
}

void Builder::add_violations(Index control) {
  const Key key = *keys_[control];
  const auto to_bad = [&](std::vector<Index> takes) {
    std::vector<Index> gives = takes;
    rules_.rules.push_back(
        {.from = control, .to = rules_.bad, .takes = std::move(takes), .gives = std::move(gives), .moves = {}});
  };
  if (key.holder != model::no_id && threads_.error(key.holder)) to_bad({inside_});
  for (const Index place : possible_[control]) {
    if (locals_[place] != model::no_id && threads_.error(locals_[place])) to_bad({place});
  }
  for (const Property& property : program_.properties) {
    if (property.kind != Property::Kind::Cover && property.kind != Property::Kind::Condition) continue;
    if (!property.condition || holds(*property.condition, key.shared)) add_cover(control, property, 0, {});
  }
}

// One rule for every choice of places for the wanted threads.
void Builder::add_cover(Index control, const Property& property, std::size_t index, std::vector<Index> chosen) {
  if (index == property.threads.size()) {
    rules_.rules.push_back({.from = control, .to = rules_.bad, .takes = chosen, .gives = chosen, .moves = {}});
    return;
  }
  const auto fits = [&](LocalId local) {
    if (local == model::no_id) return false;
    const model::ThreadState& state = threads_.local(local);
    return std::pair(state.templ, state.location) == property.threads[index];
  };
  for (const Index place : possible_[control]) {
    if (place == inside_) {
      const bool used = std::find(chosen.begin(), chosen.end(), inside_) != chosen.end();
      if (used || !fits(keys_[control]->holder)) continue;
    } else if (!fits(locals_[place])) {
      continue;
    }
    // Equal threads are asked for in ascending order of their places.
    const bool same = index > 0 && property.threads[index - 1] == property.threads[index];
    if (same && place < chosen.back()) continue;
    std::vector<Index> extended = chosen;
    extended.push_back(place);
    add_cover(control, property, index + 1, std::move(extended));
  }
}

}  // namespace

CounterRules counter_rules(const model::Program& program) {
  return Builder(program).build();
}

}  // namespace cohort::convert
