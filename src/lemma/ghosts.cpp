// Weights are guessed by following the control flow from the start of each template, where the weight is 0: a command
// that changes the variable by c leads to a place that is c heavier.  Where two ways disagree the first, shortest one
// counts; where threads end they weigh nothing.  A new thread weighs what its creator loses: who counts a reference and
// then creates the thread that holds it is lighter again afterwards.  Where that explains some command wrongly, the
// commands are also taken as equations between the weights of their places, solved one by one; the guess with fewer
// mistakes counts.
#include "lemma/ghosts.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>

#include "base/contract.hpp"

namespace cohort::lemma {

using model::Assign;
using model::Command;
using model::Expr;
using model::ExprId;
using model::Op;
using model::Program;
using model::Type;
using model::Value;
using model::VarId;

namespace {

constexpr std::size_t most_ghosts = 3;
constexpr std::size_t most_growing = 8;  // numbers that are tried in pairs
constexpr Value most_weight = 4;
constexpr std::size_t most_templates = 1024;
constexpr std::size_t most_solved = 500;  // commands whose weights are solved for, one by one
constexpr unsigned width = 48;  // holds every sum: of most_threads_alive threads of most_weight in each template

ExprId without_casts(const model::ExprPool& exprs, ExprId id) {
  while (exprs[id].op == Op::Cast && !exprs[exprs[id].args[0]].type.is_bool()) id = exprs[id].args[0];
  return id;
}

// The least number has no positive counterpart.
bool is_within(Value value, Value most) {
  return -most <= value && value <= most;
}

const Assign* assignment(const Command& command, VarId var) {
  for (const Assign& assign : command.assigns) {
    if (assign.target.kind == model::LValue::Kind::Shared && assign.target.var == var) return &assign;
  }
  return nullptr;
}

// What one shared variable goes through.
class Changes {
 public:
  Changes(const model::Commands& commands, VarId var)
      : commands_(commands), exprs_(commands.program().exprs), var_(var) {
    copies_.resize(commands.program().templates.size());
    for (const Command& command : commands.all()) {
      for (const Assign& assign : command.assigns) {
        if (assign.target.kind == model::LValue::Kind::Local && is_counter(assign.value))
          copies_[command.edge.templ.value].push_back(assign.target.var);
      }
    }
  }

  // By how much the command raises the variable; none: nobody knows.
  std::optional<Value> by(const Command& command) const {
    const Assign* assign = assignment(command, var_);
    if (assign == nullptr) return 0;
    return of_value(command, assign->value);
  }

  // Do some commands add a constant to it, and others take it away, or set it to something else?  A variable that only
  // grows says nothing of where threads are.
  bool count() const {
    bool adds = false;
    bool up = false;
    bool down = false;
    for (const Command& command : commands_.all()) {
      const Assign* assign = assignment(command, var_);
      if (assign == nullptr) continue;
      const auto change = by(command);
      const Op op = exprs_[without_casts(exprs_, assign->value)].op;
      adds = adds || (change.value_or(0) != 0 && (op == Op::Add || op == Op::Sub));
      up = up || !change || *change > 0;
      down = down || !change || *change < 0;
    }
    return adds && up && down;
  }

  // Is it set to 1 and back to 0, and to nothing else?
  bool is_flag() const {
    bool set = false;
    bool cleared = false;
    for (const Command& command : commands_.all()) {
      const Assign* assign = assignment(command, var_);
      if (assign == nullptr) continue;
      const Expr& value = exprs_[without_casts(exprs_, assign->value)];
      if (value.op != Op::Const || (value.value != 0 && value.value != 1)) return false;
      (value.value == 1 ? set : cleared) = true;
    }
    return set && cleared;
  }

  // By how much the command raises a flag, as far as its guard tells, or else if it changes it at all.
  Value of_flag(const Command& command) const {
    const Assign* assign = assignment(command, var_);
    if (assign == nullptr) return 0;
    const bool set = exprs_[without_casts(exprs_, assign->value)].value == 1;
    const auto before = required(command.guard);
    return before ? (set ? 1 : 0) - *before : (set ? 1 : -1);
  }

  // Is it raised by constants, and never changed otherwise?
  bool grows() const {
    bool raised = false;
    for (const Command& command : commands_.all()) {
      const auto change = by(command);
      if (!change || *change < 0) return false;
      raised = raised || *change > 0;
    }
    return raised;
  }

 private:
  bool is_counter(ExprId id) const {
    const Expr& node = exprs_[without_casts(exprs_, id)];
    return node.op == Op::SharedVar && node.var == var_ && node.args.empty();
  }

  // The variable itself, or a local that was read from it; whether it is still the same is for the proof to find out.
  bool stands_for(const Command& command, ExprId id) const {
    const Expr& node = exprs_[without_casts(exprs_, id)];
    if (node.op != Op::LocalVar || !node.args.empty()) return is_counter(id);
    const auto& copies = copies_[command.edge.templ.value];
    return std::find(copies.begin(), copies.end(), node.var) != copies.end();
  }

  std::optional<Value> of_value(const Command& command, ExprId id) const {
    id = without_casts(exprs_, id);
    const Expr& node = exprs_[id];
    if (stands_for(command, id)) return 0;
    if (node.op == Op::Add || node.op == Op::Sub) {
      const ExprId left = without_casts(exprs_, node.args[0]);
      const ExprId right = without_casts(exprs_, node.args[1]);
      if (exprs_[right].op == Op::Const && stands_for(command, left)) {
        const auto change = small(exprs_[right].value);
        return change && node.op == Op::Sub ? -*change : change;
      }
      if (node.op == Op::Add && exprs_[left].op == Op::Const && stands_for(command, right))
        return small(exprs_[left].value);
    }
    if (node.op == Op::Const) {
      const auto before = required(command.guard);
      if (before && is_within(node.value, 2 * most_weight)) return small(node.value - *before);
    }
    return std::nullopt;
  }

  static std::optional<Value> small(Value value) {
    return is_within(value, most_weight) ? std::optional(value) : std::nullopt;
  }

  // The value that the variable has where the guard holds.
  std::optional<Value> required(ExprId guard) const {
    const Expr& node = exprs_[guard];
    if (node.op == Op::And) {
      for (const ExprId arg : node.args) {
        if (const auto value = required(arg)) return value;
      }
      return std::nullopt;
    }
    const bool negated = node.op == Op::Not;
    const Expr& comparison = negated ? exprs_[node.args[0]] : node;
    if (comparison.op != (negated ? Op::Ne : Op::Eq)) return std::nullopt;
    const Expr& right = exprs_[without_casts(exprs_, comparison.args[1])];
    if (!is_counter(comparison.args[0]) || right.op != Op::Const || !is_within(right.value, most_weight))
      return std::nullopt;
    return right.value;
  }

  const model::Commands& commands_;
  const model::ExprPool& exprs_;
  VarId var_;
  std::vector<std::vector<VarId>> copies_;  // by template: locals that are assigned the variable
};

// By how much a command changes what the ghost explains; none: nobody knows.
using Change = std::function<std::optional<Value>(const Command&)>;

// Weights that are known so far.
class Guess {
 public:
  // `to_the_end`: threads keep what they weigh until they end.
  Guess(const model::Commands& commands, const Change& change, bool to_the_end = false)
      : commands_(commands), change_(change), to_the_end_(to_the_end) {
    for (const model::Template& templ : commands.program().templates) {
      weights_.emplace_back(templ.locations.size(), 0);
      known_.emplace_back(templ.locations.size(), false);
    }
    for (const Command& command : commands.all()) {
      for (const model::CommandMove& move : command.moves) {
        for (const model::PlaceId to : move.to) moved_.emplace_back(move.from, to);
      }
    }
    for (const model::InitialThreads& group : commands.program().initial) {
      if (const auto place = commands.find({group.templ, group.location, false})) reach(*place, 0);
    }
    for (const Command& command : commands.all()) {
      if (!command.to && !to_the_end) reach(command.from, 0);
    }
  }

  // Along the control flow, by the shortest ways.
  void follow() {
    propagate();
    for (const Command& command : commands_.all()) {
      for (const model::CommandChild& child : command.children) reach(child.place, 0);
    }
    propagate();
    for (std::size_t i = 0; i < commands_.places().size(); ++i) reach(model::PlaceId(i), 0);
    propagate();
  }

  // Whatever is determined by what is known, in any direction, before anything is taken for granted: first along
  // commands that create nobody, then what those that do leave open.
  void solve() {
    for (;;) {
      if (determine(false) || determine(true)) continue;
      if (!assume_nothing_given() && !assume_a_start()) break;
    }
  }

  // How many commands change the ghost by something else than what it should explain.
  std::size_t mistakes() const {
    return static_cast<std::size_t>(
        std::count_if(commands_.all().begin(), commands_.all().end(), [&](const Command& command) {
          const auto by = change_(command);
          if (!command.to && to_the_end_) return by.value_or(1) != 0;
          Value total = (command.to ? weight_of(*command.to) : 0) - weight_of(command.from);
          for (const model::CommandChild& child : command.children) total += weight_of(child.place);
          return by && *by != total;
        }));
  }

  // None: nobody weighs anything.
  std::optional<Weights> take() {
    const bool any = std::any_of(weights_.begin(), weights_.end(), [](const auto& of_template) {
      return std::any_of(of_template.begin(), of_template.end(), [](Value weight) { return weight != 0; });
    });
    return any ? std::optional(std::move(weights_)) : std::nullopt;
  }

 private:
  bool reach(model::PlaceId id, Value weight) {
    const model::Place& place = commands_.place(id);
    if (known_[place.templ.value][place.location.value]) return false;
    known_[place.templ.value][place.location.value] = true;
    weights_[place.templ.value][place.location.value] = weight;
    queue_.push_back(id);
    return true;
  }
  Value weight_of(model::PlaceId id) const {
    const model::Place& place = commands_.place(id);
    return weights_[place.templ.value][place.location.value];
  }
  bool is_known(model::PlaceId id) const {
    const model::Place& place = commands_.place(id);
    return known_[place.templ.value][place.location.value];
  }

  void propagate() {
    while (!queue_.empty()) {
      const model::PlaceId from = queue_.front();
      queue_.pop_front();
      for (const std::uint32_t index : commands_.from(from)) {
        const Command& command = commands_.all()[index];
        const auto by = change_(command);
        if (!by || !command.to) continue;
        const Value weight = weight_of(from) + *by;
        if (!is_within(weight, most_weight)) continue;
        // A creator that comes back lighter has handed its weight on.
        if (command.children.size() == 1 && is_known(*command.to)) {
          const Value given = weight - weight_of(*command.to);
          if (is_within(given, most_weight)) reach(command.children[0].place, given);
        }
        reach(*command.to, weight);
      }
      for (const auto& [one, other] : moved_) {
        if (one == from) reach(other, weight_of(from));
        if (other == from) reach(one, weight_of(from));
      }
    }
  }

  // One weight that is all that a command leaves open.
  bool determine(bool creating) {
    for (const auto& [one, other] : moved_) {
      if (is_known(one) && reach(other, weight_of(one))) return true;
      if (is_known(other) && reach(one, weight_of(other))) return true;
    }
    for (const Command& command : commands_.all()) {
      if (command.children.empty() == creating || !command.to) continue;
      const auto by = change_(command);
      if (!by) continue;
      // sum of factor * weight over the places = by
      std::vector<std::pair<model::PlaceId, Value>> terms{{*command.to, 1}, {command.from, -1}};
      for (const model::CommandChild& child : command.children) terms.emplace_back(child.place, 1);
      const std::pair<model::PlaceId, Value>* open = nullptr;
      bool several = false;
      Value rest = *by;
      for (const auto& term : terms) {
        if (is_known(term.first)) {
          rest -= term.second * weight_of(term.first);
        } else {
          several = several || open != nullptr;
          open = &term;
        }
      }
      if (open != nullptr && !several && is_within(rest, most_weight) && reach(open->first, open->second * rest)) {
        return true;
      }
    }
    return false;
  }

  // A creator keeps what it has.
  bool assume_nothing_given() {
    return std::any_of(commands_.all().begin(), commands_.all().end(), [&](const Command& command) {
      const auto by = change_(command);
      if (command.children.empty() || !command.to || !by || !is_known(command.from)) return false;
      const Value weight = weight_of(command.from) + *by;
      return is_within(weight, most_weight) && reach(*command.to, weight);
    });
  }

  bool assume_a_start() {
    for (const Command& command : commands_.all()) {
      for (const model::CommandChild& child : command.children) {
        if (reach(child.place, 0)) return true;
      }
    }
    for (std::size_t i = 0; i < commands_.places().size(); ++i) {
      if (reach(model::PlaceId(i), 0)) return true;
    }
    return false;
  }

  const model::Commands& commands_;
  const Change& change_;
  bool to_the_end_;
  Weights weights_;
  std::vector<std::vector<bool>> known_;
  std::deque<model::PlaceId> queue_;
  std::vector<std::pair<model::PlaceId, model::PlaceId>> moved_;  // places between which broadcasts move threads
};

std::optional<Weights> weights_of(const model::Commands& commands, const Change& change) {
  Guess followed(commands, change);
  followed.follow();
  const std::size_t mistakes = followed.mistakes();
  if (mistakes > 0 && commands.all().size() <= most_solved) {
    Guess solved(commands, change);
    solved.solve();
    if (solved.mistakes() < mistakes) return solved.take();
  }
  return followed.take();
}

Value weight_at(const model::Commands& commands, const Weights& weights, const std::optional<model::PlaceId>& id) {
  if (!id) return 0;
  const model::Place& place = commands.place(*id);
  return weights[place.templ.value][place.location.value];
}

// Broadcasts move threads between places of one weight only: how many they move, no constant says.
bool keeps_moved(const model::Commands& commands, const Weights& weights) {
  return std::all_of(commands.all().begin(), commands.all().end(), [&](const Command& command) {
    return std::all_of(command.moves.begin(), command.moves.end(), [&](const model::CommandMove& move) {
      return std::all_of(move.to.begin(), move.to.end(), [&](model::PlaceId to) {
        return weight_at(commands, weights, move.from) == weight_at(commands, weights, to);
      });
    });
  });
}

void count(Program& program, const model::Commands& commands, Ghost& ghost) {
  const Type type = Type::fixed(width, true);
  const std::string name = ghost.everywhere ? "threads" : "threads(" + program.shared[ghost.counter.value].name + ")";
  ghost.variable = program.add_shared({.name = name, .type = type, .initial = {ghost.initial}, .span = {}});
  std::vector<std::vector<bool>> done;
  for (const model::Template& templ : program.templates) done.emplace_back(templ.edges.size(), false);
  for (const Command& command : commands.all()) {
    // Commands of one edge, inside an atomic section or not, go from and to the same locations.
    if (done[command.edge.templ.value][command.edge.edge]) continue;
    done[command.edge.templ.value][command.edge.edge] = true;
    const auto at = [&](const std::optional<model::PlaceId>& id) { return weight_at(commands, ghost.weights, id); };
    Value by = at(command.to) - at(command.from);
    for (const model::CommandChild& child : command.children) by += at(child.place);
    for (const model::CommandTake& take : command.takes) by += at(take.to) - at(take.from);
    if (by == 0) continue;
    const ExprId old = program.exprs.shared(ghost.variable, type);
    const ExprId now = program.exprs.binary(Op::Add, old, program.exprs.constant(by, type), type);
    model::Action action;
    action.assigns.push_back({{.kind = model::LValue::Kind::Shared, .var = ghost.variable}, now});
    auto& actions = program.templates[command.edge.templ.value].edges[command.edge.edge].actions;
    actions.insert(actions.begin(), std::move(action));
  }
}

}  // namespace

std::vector<Combination> Census::combinations() const {
  std::vector<Combination> result;
  for (std::size_t i = 0; i < ghosts.size(); ++i) {
    result.push_back({i, i, 0, ghosts[i].weights, ghosts[i].initial});
    for (std::size_t j = 0; j < i; ++j) {
      for (const int sign : {-1, 1}) {
        Combination& sum = result.emplace_back(Combination{i, j, sign, ghosts[i].weights, ghosts[i].initial});
        sum.initial += sign * ghosts[j].initial;
        for (std::size_t templ = 0; templ < sum.weights.size(); ++templ) {
          for (std::size_t location = 0; location < sum.weights[templ].size(); ++location)
            sum.weights[templ][location] += sign * ghosts[j].weights[templ][location];
        }
      }
    }
  }
  return result;
}

Census::Range Census::range(const Alphabet& alphabet, const Combination& ghost,
                            const std::vector<SpotId>& threads) const {
  Range result{ghost.initial, ghost.initial};
  std::vector<std::uint64_t> all(ghost.weights.size(), 0);
  std::vector<std::uint64_t> alive(ghost.weights.size(), 0);
  for (const SpotId id : threads) {
    const Spot& spot = alphabet.spot(id);
    ++all[spot.templ.value];
    if (!spot.place) continue;
    ++alive[spot.templ.value];
    const Value weight = weight_at(alphabet.commands(), ghost.weights, spot.place);
    result.least += weight;
    result.most += weight;
  }
  for (std::size_t i = 0; i < ghost.weights.size(); ++i) {
    std::uint64_t others = most_threads - std::min(most_threads, alive[i]);
    if (const auto& limit = alphabet.limit(model::TemplateId(i)))
      others = std::min(others, *limit - std::min(*limit, all[i]));
    for (const bool up : {false, true}) {
      Value extreme = 0;  // a thread that is not running weighs nothing
      for (const Value weight : ghost.weights[i]) extreme = up ? std::max(extreme, weight) : std::min(extreme, weight);
      (up ? result.most : result.least) += extreme * static_cast<Value>(others);
    }
  }
  return result;
}

bool Census::counts_alive(const std::vector<std::optional<std::uint64_t>>& limits) const {
  return std::any_of(ghosts.begin(), ghosts.end(), [&](const Ghost& ghost) {
    for (std::size_t i = 0; i < ghost.weights.size(); ++i) {
      const auto& weights = ghost.weights[i];
      const bool weighs = std::any_of(weights.begin(), weights.end(), [](Value weight) { return weight != 0; });
      if (weighs && (!limits[i] || *limits[i] > most_threads)) return true;
    }
    return false;
  });
}

Instrumented instrument(const Program& program, std::vector<Ghost> ghosts) {
  Instrumented result{program, std::move(ghosts)};
  const model::Commands commands(program);
  for (Ghost& ghost : result.ghosts) {
    COHORT_EXPECT(keeps_moved(commands, ghost.weights), "a constant says how a step changes a ghost");
    for (const model::InitialThreads& group : program.initial) {
      COHORT_EXPECT(ghost.weights[group.templ.value][group.location.value] == 0, "threads at the start weigh nothing");
    }
    count(result.program, commands, ghost);
  }
  return result;
}

namespace {

// Tickets: two numbers of one type that start equal and only grow, where who raises the one raises the other later.
std::optional<Ghost> queue_of(const model::Commands& commands) {
  const Program& program = commands.program();
  std::vector<VarId> growing;
  for (std::size_t i = 0; i < program.shared.size(); ++i) {
    const model::Variable& variable = program.shared[i];
    const bool number = variable.type.kind() == Type::Kind::Int && !variable.type.is_array();
    if (!number || variable.type.width() > 32 || variable.initial.size() != 1) continue;
    if (Changes(commands, VarId(i)).grows()) growing.push_back(VarId(i));
  }
  if (growing.size() > most_growing) return std::nullopt;
  for (const VarId drawn : growing) {
    for (const VarId served : growing) {
      const model::Variable& front = program.shared[drawn.value];
      const model::Variable& back = program.shared[served.value];
      if (drawn == served || !(front.type == back.type) || front.initial != back.initial) continue;
      const Changes up(commands, drawn);
      const Changes down(commands, served);
      auto weights = weights_of(commands, [&](const Command& command) {
        return std::optional(up.by(command).value_or(0) - down.by(command).value_or(0));
      });
      if (!weights) continue;
      const bool natural = std::all_of(weights->begin(), weights->end(), [](const std::vector<Value>& of_template) {
        return std::all_of(of_template.begin(), of_template.end(), [](Value weight) { return weight >= 0; });
      });
      if (natural) return Ghost{{}, drawn, std::move(*weights), 0, served};
    }
  }
  return std::nullopt;
}

// Counters that every thread raises once, on its way: what one is ahead of another, and behind the number of threads
// that were created, is the number of threads in between, as those that ended have raised them all.  So to each of them
// who has raised it, and who is there at all.
std::vector<Ghost> of_progress(const model::Commands& commands) {
  const Program& program = commands.program();
  std::vector<Ghost> ghosts;
  if (commands.all().size() > most_solved) return ghosts;
  for (std::size_t i = 0; i < program.shared.size() && ghosts.size() < most_ghosts; ++i) {
    const model::Variable& variable = program.shared[i];
    const bool number = !variable.type.is_array() && !variable.type.is_bool() && variable.initial.size() == 1;
    if (!number || !is_within(variable.initial[0], INT32_MAX)) continue;
    const Changes changes(commands, VarId(i));
    if (!changes.grows()) continue;
    const Change change = [&](const Command& command) { return changes.by(command); };
    Guess guess(commands, change, true);
    guess.solve();
    if (guess.mistakes() > 0) continue;
    if (auto weights = guess.take()) ghosts.push_back({{}, VarId(i), std::move(*weights), variable.initial[0]});
  }
  if (ghosts.empty()) return ghosts;
  Ghost present{{}, ghosts[0].counter, {}, 0};
  present.everywhere = true;
  for (const model::Template& templ : program.templates) present.weights.emplace_back(templ.locations.size(), 1);
  for (const model::InitialThreads& group : program.initial) {
    present.weights[group.templ.value].assign(program.templ(group.templ).locations.size(), 0);
  }
  ghosts.push_back(std::move(present));
  return ghosts;
}

}  // namespace

Instrumented add_ghosts(const Program& program) {
  const model::Commands commands(program);
  std::vector<Ghost> ghosts;
  if (program.templates.size() > most_templates) return {program, {}};
  for (std::size_t i = 0; i < program.shared.size() && ghosts.size() < most_ghosts; ++i) {
    const model::Variable& variable = program.shared[i];
    if (variable.type.is_array() || variable.type.is_bool() || variable.initial.size() != 1) continue;
    if (!is_within(variable.initial[0], INT32_MAX)) continue;
    const Changes changes(commands, VarId(i));
    if (!changes.count()) continue;
    auto weights = weights_of(commands, [&](const Command& command) { return changes.by(command); });
    if (weights) ghosts.push_back({{}, VarId(i), std::move(*weights), variable.initial[0]});
  }
  // Beside counters, flags: the writer of a lock for readers and writers is counted as its readers are.
  const bool counts = !ghosts.empty();
  for (std::size_t i = 0; counts && i < program.shared.size() && ghosts.size() < most_ghosts; ++i) {
    const model::Variable& variable = program.shared[i];
    if (variable.type.is_array() || variable.type.is_bool() || variable.initial != std::vector<Value>{0}) continue;
    const Changes changes(commands, VarId(i));
    if (!changes.is_flag()) continue;
    auto weights =
        weights_of(commands, [&](const Command& command) { return std::optional(changes.of_flag(command)); });
    if (weights) ghosts.push_back({{}, VarId(i), std::move(*weights), 0});
  }
  if (ghosts.empty()) ghosts = of_progress(commands);
  if (auto queue = queue_of(commands)) ghosts.push_back(std::move(*queue));
  std::erase_if(ghosts, [&](const Ghost& ghost) { return !keeps_moved(commands, ghost.weights); });
  return instrument(program, std::move(ghosts));
}

}  // namespace cohort::lemma
