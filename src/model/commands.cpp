// Composition by forward substitution: `values` holds, for each variable that an earlier action of the edge assigned,
// what it is worth now in terms of the state before the edge.  An array has a list of writes; an element that is read
// is the last write to an equal index, else the element of the state before.  Expressions are hash-consed, so composed
// ones share their parts, though printed as trees they could be large.
#include "model/commands.hpp"
#include "model/analysis/visit.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/passive.hpp"

namespace cohort::model {

namespace {

// Those which speak of threads other than the executing and the passive one.
bool looks_at_threads(Op op) {
  switch (op) {
    case Op::RemoteVar:
    case Op::Self:
    case Op::BoundThread:
    case Op::AtLocation:
    case Op::ForallThread:
    case Op::ExistsThread: return true;
    default: return false;
  }
}

std::optional<std::string> refusal_of(const Program& program, const Action& action) {
  std::optional<std::string> result;
  const auto say = [&](std::string_view what) {
    if (result) return;
    const std::string place = to_string(action.span);
    result = place.empty() ? fmt::format("it takes no {}", what) : fmt::format("it takes no {} ({})", what, place);
  };
  for_each_node(program.exprs, action, [&](const Expr& node, ExprId) {
    if (looks_at_threads(node.op)) say("steps that look at other threads by reference");
    if (node.type.kind() == Type::Kind::ThreadRef) say("references to threads");
  });
  for (const Assign& assign : action.assigns) {
    if (assign.target.kind == LValue::Kind::Remote) say("steps that write to other threads by reference");
  }
  return result;
}

bool has_reference(const std::vector<Variable>& variables) {
  return std::any_of(variables.begin(), variables.end(),
                     [](const Variable& variable) { return variable.type.kind() == Type::Kind::ThreadRef; });
}

}  // namespace

bool Command::writes_shared() const {
  return std::any_of(assigns.begin(), assigns.end(),
                     [](const Assign& assign) { return assign.target.kind == LValue::Kind::Shared; });
}

std::optional<std::string> Commands::refuses(const Program& program) {
  if (has_reference(program.shared)) return "it takes no references to threads";
  if (const auto what = first_tie(program)) {
    return fmt::format("it takes no steps that tie several passive threads to each other: {}", *what);
  }
  if (const auto what = first_foreign_passive(program)) {
    return fmt::format("it takes no passive variables of other templates: {}", *what);
  }
  for (const Template& templ : program.templates) {
    if (has_reference(templ.locals)) return "it takes no references to threads";
    for (const Edge& edge : templ.edges) {
      std::size_t movers = 1;
      for (const Action& action : edge.actions) movers += action.spawns.size() + action.takes.size();
      if (movers > most_movers) return fmt::format("it takes no steps that move more than {} threads", most_movers);
      for (const Action& action : edge.actions) {
        if (action.call || action.ret) return "it takes no calls";
        if (auto refusal = refusal_of(program, action)) return refusal;
      }
    }
  }
  return std::nullopt;
}

// The values of variables after the actions so far.
class Commands::Composer {
 public:
  Composer(Program& program, EdgeRef edge) : program_(program), pool_(program.exprs), edge_(edge) {
    command_.edge = edge;
    command_.guard = pool_.truth();
  }

  Command take() {
    for (const auto& [key, writes] : values_) {
      for (const Write& write : writes) {
        command_.assigns.push_back({{.kind = key.first, .var = key.second, .index = write.index}, write.value});
      }
    }
    return std::move(command_);
  }

  bool ends() const { return ends_; }

  // The flag after the action.
  bool run(const Action& action, bool atomic, Commands& commands) {
    before_ = values_;
    if (action.guard) {
      const ExprId guard = now(*action.guard);
      evaluate(guard, std::nullopt);
      command_.guard = pool_.conj(command_.guard, guard);
    }
    for (const Spawn& spawn : action.spawns) add_child(spawn, commands);
    for (const Take& take : action.takes) {
      CommandTake taken{commands.reach({take.templ, take.from, false}), std::nullopt};
      if (take.to) taken.to = commands.reach({take.templ, *take.to, false});
      command_.takes.push_back(taken);
    }
    for (const Assign& assign : action.assigns) {
      if (assign.target.kind != LValue::Kind::Passive) perform(assign);
    }
    if (is_broadcast(pool_, action)) broadcast(action, commands);
    for (const ExprId conjunct : action.constraint) {
      const ExprId composed = now(conjunct);
      if (mentions(pool_, conjunct, Op::PassiveVar)) {
        command_.passive_conjuncts.push_back(composed);
      } else {
        evaluate(composed, std::nullopt);
        command_.guard = pool_.conj(command_.guard, composed);
      }
    }
    ends_ = ends_ || action.ends_thread;
    if (action.ends_thread) return false;
    return action.atomic == AtomicChange::None ? atomic : action.atomic == AtomicChange::Enter;
  }

 private:
  struct Write {
    std::optional<ExprId> index;
    ExprId value;
  };
  using Key = std::pair<LValue::Kind, VarId>;
  using Values = std::map<Key, std::vector<Write>>;

  const Variable& variable(LValue::Kind kind, VarId var) const {
    return kind == LValue::Kind::Shared ? program_.shared[var.value] : program_.templ(edge_.templ).local(var);
  }

  void evaluate(ExprId what, std::optional<Type> kept) {
    if (pool_[what].op == Op::Const && !kept) return;
    command_.evaluations.push_back({command_.guard, what, kept});
  }

  // The value as a variable of this type keeps it, where it fits.
  ExprId kept(ExprId value, const Type& type) {
    const Type& own = pool_[value].type;
    if (type.kind() != Type::Kind::Int || own == type) return value;
    if (own.kind() == Type::Kind::Bool) return pool_.unary(Op::Cast, value, type);
    if (pool_[value].op == Op::Const) return pool_.constant(type.wrap(pool_[value].value), type);
    return pool_.unary(Op::Cast, value, type);
  }

  // Reads `target` of the values before the action and stores into those after it.
  void perform(const Assign& assign) {
    const LValue& target = assign.target;
    const Type& type = variable(target.kind, target.var).type;
    Write write{std::nullopt, {}};
    if (target.index) {
      write.index = now(*target.index);
      evaluate(*write.index, Type::range(0, Value{type.array_size()} - 1));
    }
    const ExprId value = now(assign.value);
    evaluate(value, type.kind() == Type::Kind::Range ? std::optional(type.element()) : std::nullopt);
    write.value = kept(value, type.element());
    store(values_[{target.kind, target.var}], write);
  }

  void store(std::vector<Write>& writes, const Write& write) {
    if (!write.index) {
      writes.assign(1, write);
      return;
    }
    std::erase_if(writes, [&](const Write& old) { return old.index == write.index; });
    writes.push_back(write);
  }

  // `expr` of the action over the state before the edge: unprimed variables are worth what they were before the action,
  // primed ones what they are after its assignments.
  ExprId now(ExprId expr) {
    const auto replace = [&](ExprId id, ExprId& result) {
      const Expr node = pool_[id];
      if (node.op == Op::Nondet) {
        result = id;
        return true;
      }
      if (node.op == Op::PassiveVar) {
        result = passive_value(node);
        return true;
      }
      if (node.op != Op::SharedVar && node.op != Op::LocalVar) return false;
      result = value_of(node);
      return true;
    };
    return pool_.rewrite(expr, replace);
  }

  ExprId value_of(const Expr& node) {
    const LValue::Kind kind = node.op == Op::SharedVar ? LValue::Kind::Shared : LValue::Kind::Local;
    const Values& values = node.primed ? values_ : before_;
    const auto it = values.find({kind, node.var});
    if (node.args.empty()) {
      if (it != values.end()) return it->second.front().value;
      return node.op == Op::SharedVar ? pool_.shared(node.var, node.type) : pool_.local(node.var, node.type);
    }
    const ExprId index = now(node.args[0]);
    ExprId result = pool_.element(node.op, node.var, variable(kind, node.var).type, index);
    if (it == values.end()) return result;
    for (const Write& write : it->second) result = overwritten(result, index, write);
    return result;
  }

  ExprId overwritten(ExprId old, ExprId index, const Write& write) {
    if (index == *write.index) return write.value;
    if (pool_[index].op == Op::Const && pool_[*write.index].op == Op::Const) {
      return pool_[index].value == pool_[*write.index].value ? write.value : old;
    }
    const ExprId same = pool_.binary(Op::Eq, index, *write.index, Type::boolean());
    return pool_.ite(same, write.value, old);
  }

  ExprId passive_value(const Expr& node) {
    const std::optional<ExprId> index = node.args.empty() ? std::nullopt : std::optional(now(node.args[0]));
    Expr before = node;
    before.primed = false;
    if (index) before.args = {*index};
    ExprId result = pool_.add(std::move(before));
    if (!node.primed) return result;
    for (const Assign& assign : command_.passive_assigns) {
      if (assign.target.var != node.var) continue;
      result = index ? overwritten(result, *index, {assign.target.index, assign.value}) : assign.value;
    }
    return result;
  }

  void add_child(const Spawn& spawn, Commands& commands) {
    CommandChild child{commands.reach({spawn.templ, spawn.location, false}), spawn.copies_locals, {}};
    if (spawn.copies_locals) {
      for (const auto& [key, writes] : values_) {
        if (key.first != LValue::Kind::Local) continue;
        for (const Write& write : writes) {
          child.assigns.push_back({{.kind = key.first, .var = key.second, .index = write.index}, write.value});
        }
      }
    }
    for (const Assign& assign : spawn.locals) {
      const Type& type = program_.templ(spawn.templ).local(assign.target.var).type;
      Assign composed = assign;
      if (composed.target.index) composed.target.index = now(*composed.target.index);
      composed.value = kept(now(assign.value), type.element());
      child.assigns.push_back(composed);
    }
    command_.children.push_back(std::move(child));
  }

  void broadcast(const Action& action, Commands& commands) {
    command_.broadcasts = true;
    for (const Assign& assign : action.assigns) {
      if (assign.target.kind != LValue::Kind::Passive) continue;
      const Type& type = variable(LValue::Kind::Local, assign.target.var).type;
      Assign composed = assign;
      if (composed.target.index) composed.target.index = now(*composed.target.index);
      composed.value = kept(now(assign.value), type.element());
      command_.passive_assigns.push_back(composed);
    }
    for (const PassiveMove& move : action.moves) {
      const PlaceId from = commands.reach({move.templ, move.from, false});
      const PlaceId to = commands.reach({move.templ, move.to, false});
      const auto same = [&](const CommandMove& other) { return other.from == from; };
      const auto it = std::find_if(command_.moves.begin(), command_.moves.end(), same);
      if (it == command_.moves.end()) {
        command_.moves.push_back({from, {to}});
      } else {
        it->to.push_back(to);
      }
    }
  }

  Program& program_;
  ExprPool& pool_;
  EdgeRef edge_;
  Command command_;
  Values values_;
  Values before_;
  bool ends_ = false;
};

Commands::Commands(const Program& program) : program_(program) {
  COHORT_EXPECT(!refuses(program), "the program can be put into commands");
  for (const InitialThreads& group : program_.initial) reach({group.templ, group.location, false});
  std::vector<OutEdges> out_edges;
  for (const Template& templ : program_.templates) out_edges.emplace_back(templ);
  // Composition reaches more places; their edges follow.
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place place = places_[i];
    for (const std::uint32_t edge : out_edges[place.templ.value].of(place.location)) {
      compose(PlaceId(i), {place.templ, edge});
    }
  }
}

std::optional<PlaceId> Commands::find(const Place& place) const {
  const auto it = numbers_.find(place);
  return it == numbers_.end() ? std::nullopt : std::optional(it->second);
}

PlaceId Commands::reach(Place place) {
  if (const auto known = find(place)) return *known;
  const PlaceId id(places_.size());
  numbers_.emplace(place, id);
  places_.push_back(place);
  leaving_.emplace_back();
  return id;
}

void Commands::compose(PlaceId from, EdgeRef ref) {
  const Edge& edge = program_.edge(ref);
  Composer composer(program_, ref);
  bool atomic = places_[from.value].atomic;
  for (const Action& action : edge.actions) atomic = composer.run(action, atomic, *this);
  Command command = composer.take();
  command.from = from;
  if (!composer.ends()) command.to = reach({ref.templ, edge.target, atomic});
  leaving_[from.value].push_back(static_cast<std::uint32_t>(commands_.size()));
  commands_.push_back(std::move(command));
}

std::optional<PropertyId> Commands::error(PlaceId place) const {
  const Place& at = places_[place.value];
  return program_.templ(at.templ).locations[at.location.value].error;
}

std::string Commands::name(PlaceId id) const {
  const Place& at = places_[id.value];
  const Template& templ = program_.templ(at.templ);
  const Location& location = templ.locations[at.location.value];
  std::string result = location.label.empty() ? fmt::format("{}.{}", templ.name, at.location.value)
                                              : fmt::format("{}.{}", templ.name, location.label);
  if (const std::string place = to_string(location.span); !place.empty()) result += fmt::format(" ({})", place);
  return result;
}

}  // namespace cohort::model
