#include "lemma/ranges.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>

#include "base/contract.hpp"
#include "lemma/obligations.hpp"
#include "model/analysis/may_fault.hpp"
#include "model/analysis/solitude.hpp"
#include "model/analysis/thread_limits.hpp"

namespace cohort::lemma {

using model::Assign;
using model::Command;
using model::Expr;
using model::ExprId;
using model::Op;
using model::PlaceId;
using model::Property;
using model::TemplateId;
using model::Value;
using model::VarId;

namespace {

// Cells of all places together, and times that a command is looked at, both times cells: beyond, it gives up.
constexpr std::size_t most_cells = std::size_t{1} << 20U;
constexpr std::uint64_t most_work = 30'000'000;
// A range that grew so often goes to the next landmark, and later to the end of its type.
constexpr unsigned patience = 4;
constexpr unsigned long_patience = 24;
constexpr unsigned rounds_back = 2;
constexpr std::size_t most_landmarks = 64;
constexpr Wide most_gaps = 16;

}  // namespace

Ranges::Ranges(Env& env, const model::Commands& commands)
    : env_(env), commands_(commands), cells_(commands.program()), limits_(model::thread_limits(commands)) {
  COHORT_EXPECT(!unseen_property(commands.program()), "the properties can be seen by views");
  const model::Program& program = commands.program();
  boxes_.resize(commands.places().size());
  dead_.assign(commands.all().size(), false);
  if (!fits()) return;
  writes_.assign(program.templates.size(), std::vector<std::optional<Range>>(cells_.shared_count()));
  const model::Solitude solitude(program, &env_);
  for (const model::Place& place : commands.places())
    closed_.push_back(place.atomic || solitude.alone(place.templ, place.location));
  const auto types = [](const std::vector<model::Variable>& variables, const auto& group) {
    std::vector<Range> result;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Cells::Group& cells = group(VarId(i));
      result.insert(result.end(), cells.count, all_of(cells.type));
    }
    return result;
  };
  shared_types_ = types(program.shared, [&](VarId var) { return cells_.shared(var); });
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    const TemplateId templ(i);
    local_types_.push_back(types(program.templates[i].locals, [&](VarId var) { return cells_.local(templ, var); }));
  }
  find_landmarks();
  find_dependents();
  complete_ = ascend() && descend();
  if (!complete_) return;
  for (std::size_t i = 0; i < commands.all().size(); ++i) {
    const Command& command = commands.all()[i];
    const auto& box = boxes_[command.from.value];
    auto entered = enter(command, boxes_);
    dead_[i] = !box || ((!entered || !after(command, *entered)) && !may_go_wrong(command, *box));
  }
}

bool Ranges::fits() {
  std::size_t cells = 0;
  for (const model::Place& place : commands_.places()) {
    cells += cells_.shared_count() + cells_.local_count(place.templ);
    if (cells > most_cells) return false;
  }
  return true;
}

// Constants of the program and their neighbours.
void Ranges::find_landmarks() {
  std::set<Wide> found{-1, 0, 1};
  const model::ExprPool& exprs = commands_.program().exprs;
  for (std::size_t i = 0; i < exprs.size() && found.size() < most_landmarks; ++i) {
    const Expr& node = exprs[ExprId(i)];
    if (node.op != Op::Const || node.type.is_bool()) continue;
    for (const int offset : {-1, 0, 1}) found.insert(Wide{node.value} + offset);
  }
  landmarks_.assign(found.begin(), found.end());
}

void Ranges::find_dependents() {
  dependents_.resize(commands_.places().size());
  for (std::size_t i = 0; i < commands_.all().size(); ++i) {
    const Command& command = commands_.all()[i];
    for (const model::CommandTake& take : command.takes) dependents_[take.from.value].push_back(i);
    for (const model::CommandMove& move : command.moves) dependents_[move.from.value].push_back(i);
    if (command.passive_assigns.empty()) continue;
    for (std::size_t place = 0; place < dependents_.size(); ++place) {
      if (commands_.places()[place].templ == command.edge.templ) dependents_[place].push_back(i);
    }
  }
}

std::vector<Range> Ranges::initial(const std::vector<model::Variable>& variables) const {
  std::vector<Range> result;
  for (const model::Variable& variable : variables) {
    const bool summary = variable.type.slots() > Cells::most_elements;
    const std::uint32_t count = summary ? 1 : variable.type.slots();
    const std::size_t first = result.size();
    if (variable.initial.empty()) {
      result.insert(result.end(), count, all_of(variable.type.element()));
    } else {
      result.insert(result.end(), count, exactly(variable.initial[0]));
    }
    for (std::size_t element = 1; element < variable.initial.size(); ++element) {
      Range& cell = result[first + (summary ? 0 : element)];
      cell = summary ? join(cell, exactly(variable.initial[element])) : exactly(variable.initial[element]);
    }
  }
  return result;
}

void Ranges::begin(const Sink& sink) const {
  const model::Program& program = commands_.program();
  for (const model::InitialThreads& group : program.initial) {
    const auto place = commands_.find({group.templ, group.location, false});
    COHORT_EXPECT(place, "threads start at a place within reach");
    sink.arrive(place->value, plain_box(initial(program.shared), initial(program.templ(group.templ).locals)));
  }
}

std::optional<Range> Ranges::written_by_others(std::size_t place, std::uint32_t cell, const Writes& writes) const {
  std::optional<Range> result;
  if (closed_[place]) return result;
  const TemplateId own = commands_.places()[place].templ;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const auto& written = writes[i][cell];
    if (!written || (TemplateId(i) == own && limits_[i] == 1)) continue;
    result = result ? join(*result, *written) : *written;
  }
  return result;
}

void Ranges::interfere(std::size_t place, Box& box, const Writes& writes) const {
  for (std::uint32_t cell = 0; cell < box.shared.size(); ++cell) {
    const auto written = written_by_others(place, cell, writes);
    if (!written) continue;
    box.shared[cell] = join(box.shared[cell], *written);
    box.part(cell);
  }
}

bool Ranges::assign(const std::vector<Assign>& assigns, Glance& before, TemplateId owner, Box& target) const {
  const model::Program& program = commands_.program();
  for (const Assign& one : assigns) {
    const bool shared = one.target.kind == model::LValue::Kind::Shared;
    const model::Variable& variable =
        shared ? program.shared[one.target.var.value] : program.templ(owner).local(one.target.var);
    const Cells::Group& group = shared ? cells_.shared(one.target.var) : cells_.local(owner, one.target.var);
    auto value = before.range(one.value);
    if (value) value = meet(*value, all_of(group.type));
    const auto selected = before.select(group, one.target.index, variable.type.slots());
    if (!value || !selected) return false;
    std::vector<Range>& values = shared ? target.shared : target.locals;
    for (std::uint32_t cell = selected->first; cell <= selected->last; ++cell) {
      values[cell] = selected->certain ? *value : join(values[cell], *value);
    }
  }
  return true;
}

// Two variables are equal afterwards if they get, or keep, the same value: that of variables that were equal, those
// plus the same constant, or that of one expression.
void Ranges::follow_equalities(const Command& command, Glance& glance, const Box& before, Box& result) const {
  using Key = std::tuple<int, std::uint32_t, std::uint32_t, std::uint32_t>;
  const model::ExprPool& exprs = commands_.program().exprs;
  const auto cells = static_cast<std::uint32_t>(before.same.size());
  std::vector<Key> keys;
  for (std::uint32_t cell = 0; cell < cells; ++cell) keys.emplace_back(0, before.same[cell], 0, 0);
  for (const Assign& one : command.assigns) {
    const bool shared = one.target.kind == model::LValue::Kind::Shared;
    const Cells::Group& group =
        shared ? cells_.shared(one.target.var) : cells_.local(command.edge.templ, one.target.var);
    const std::uint32_t first = group.first + (shared ? 0 : cells_.shared_count());
    if (one.target.index) {
      for (std::uint32_t cell = first; cell < first + group.count; ++cell) keys[cell] = Key(3, cell, 0, 0);
      continue;
    }
    const Expr& node = exprs[one.value];
    const auto copied = glance.cell_of(one.value);
    const bool adds = (node.op == Op::Add || node.op == Op::Sub) && exprs[node.args[1]].op == Op::Const;
    const auto base = adds ? glance.cell_of(node.args[0]) : std::nullopt;
    if (copied) {
      keys[first] = Key(0, before.same[*copied], 0, 0);
    } else if (base && node.type.kind() == model::Type::Kind::Int) {
      const std::uint32_t kind = node.type.width() * 4 + (node.type.is_signed() ? 2 : 0) + (node.op == Op::Add ? 1 : 0);
      keys[first] = Key(1, before.same[*base], node.args[1].value, kind);
    } else {
      keys[first] = Key(2, one.value.value, 0, 0);
    }
  }
  std::map<Key, std::uint32_t> classes;
  for (std::uint32_t cell = 0; cell < cells; ++cell)
    result.same[cell] = classes.emplace(keys[cell], cell).first->second;
}

std::optional<Box> Ranges::enter(const Command& command, const Boxes& boxes) const {
  const auto& box = boxes[command.from.value];
  if (!box) return std::nullopt;
  const bool all_there = std::all_of(command.takes.begin(), command.takes.end(), [&](const model::CommandTake& take) {
    return boxes[take.from.value].has_value();
  });
  if (!all_there) return std::nullopt;
  Box before = *box;
  Glance glance(cells_, command.edge.templ, before);
  // The second time with what the first said of later conjuncts.
  if (!glance.assume(command.guard, true) || !glance.assume(command.guard, true)) return std::nullopt;
  return before;
}

std::optional<Box> Ranges::after(const Command& command, Box& before) const {
  Box result = before;
  Glance glance(cells_, command.edge.templ, before);
  if (!assign(command.assigns, glance, command.edge.templ, result)) return std::nullopt;
  follow_equalities(command, glance, before, result);
  return result;
}

void Ranges::affect_others(const Command& command, Box& before, const Box& result, const Boxes& boxes,
                           const Sink& sink) const {
  const TemplateId templ = command.edge.templ;
  for (const model::CommandChild& child : command.children) {
    const TemplateId owner = commands_.place(child.place).templ;
    Box box = plain_box(result.shared,
                        child.copies_locals ? before.locals : initial(commands_.program().templ(owner).locals));
    Glance glance(cells_, templ, before);
    if (assign(child.assigns, glance, owner, box)) sink.arrive(child.place.value, box);
  }
  for (const model::CommandTake& take : command.takes) {
    if (take.to) sink.arrive(take.to->value, plain_box(result.shared, boxes[take.from.value]->locals));
  }
  if (!command.broadcasts) return;
  for (std::size_t place = 0; place < boxes.size(); ++place) {
    if (!boxes[place] || commands_.places()[place].atomic) continue;
    Box other = plain_box(result.shared, boxes[place]->locals);
    if (commands_.places()[place].templ == templ && !command.passive_assigns.empty()) {
      Glance glance(cells_, templ, before, &*boxes[place]);
      // Where a value always goes wrong nobody is at the place.
      if (!assign(command.passive_assigns, glance, templ, other)) continue;
      sink.arrive(place, other);
    }
    for (const model::CommandMove& move : command.moves) {
      if (move.from.value != place) continue;
      for (const PlaceId to : move.to) sink.arrive(to.value, other);
    }
  }
}

void Ranges::run(std::size_t index, const Boxes& boxes, const Sink& sink) const {
  const Command& command = commands_.all()[index];
  auto before = enter(command, boxes);
  if (!before) return;
  const auto result = after(command, *before);
  if (!result) return;
  for (const Assign& one : command.assigns) {
    if (one.target.kind != model::LValue::Kind::Shared) continue;
    const Cells::Group& group = cells_.shared(one.target.var);
    for (std::uint32_t cell = group.first; cell < group.first + group.count; ++cell)
      sink.write(command.edge.templ, cell, result->shared[cell]);
  }
  if (command.to) sink.arrive(command.to->value, *result);
  affect_others(command, *before, *result, boxes, sink);
}

// Until nothing grows any more, place by place.
bool Ranges::ascend() {
  std::vector<unsigned> visits(boxes_.size(), 0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, unsigned> write_visits;
  std::deque<std::size_t> queue;
  std::vector<bool> queued(boxes_.size(), false);
  const auto enqueue = [&](std::size_t place) {
    if (!queued[place]) queue.push_back(place);
    queued[place] = true;
  };
  const auto widened = [&](const Range& old, const Range& now, unsigned visit, const Range& all) {
    if (visit < patience || old == now) return now;
    return widen(old, now, visit < long_patience ? landmarks_ : std::vector<Wide>{}, all);
  };
  const auto grow = [&](std::size_t place, const Box& more) {
    std::optional<Box>& box = boxes_[place];
    if (!box) {
      box = more;
    } else {
      Box joined = join(*box, more);
      if (joined == *box) return;
      const unsigned visit = ++visits[place];
      const auto& locals = local_types_[commands_.places()[place].templ.value];
      for (std::size_t i = 0; i < joined.shared.size(); ++i)
        joined.shared[i] = widened(box->shared[i], joined.shared[i], visit, shared_types_[i]);
      for (std::size_t i = 0; i < joined.locals.size(); ++i)
        joined.locals[i] = widened(box->locals[i], joined.locals[i], visit, locals[i]);
      box = std::move(joined);
    }
    enqueue(place);
    for (const std::size_t dependent : dependents_[place]) {
      const std::size_t from = commands_.all()[dependent].from.value;
      if (boxes_[from]) enqueue(from);
    }
  };
  Sink sink;
  sink.arrive = [&](std::size_t place, const Box& arriving) {
    Box box = arriving;
    interfere(place, box, writes_);
    grow(place, box);
  };
  sink.write = [&](TemplateId templ, std::uint32_t cell, const Range& value) {
    std::optional<Range>& written = writes_[templ.value][cell];
    if (written && is_within(value, *written)) return;
    const unsigned visit = ++write_visits[{templ.value, cell}];
    written = written ? widened(*written, join(*written, value), visit, shared_types_[cell]) : value;
    for (std::size_t place = 0; place < boxes_.size(); ++place) {
      if (!boxes_[place] || !written_by_others(place, cell, writes_)) continue;
      Box box = *boxes_[place];
      interfere(place, box, writes_);
      grow(place, box);
    }
  };
  begin(sink);
  std::uint64_t work = 0;
  while (!queue.empty()) {
    const std::size_t place = queue.front();
    queue.pop_front();
    queued[place] = false;
    for (const std::uint32_t command : commands_.from(PlaceId(place))) {
      if (env_.poll_now("lemma-ranges")) return false;
      work += 1 + boxes_[place]->same.size();
      if (work > most_work) return false;
      run(command, boxes_, sink);
    }
  }
  return true;
}

// What comes of the states in the boxes, each of which holds of every state.
bool Ranges::descend() {
  for (unsigned round = 0; round < rounds_back; ++round) {
    Boxes boxes(boxes_.size());
    Writes writes(writes_.size(), std::vector<std::optional<Range>>(cells_.shared_count()));
    Sink sink;
    sink.arrive = [&](std::size_t place, const Box& box) {
      boxes[place] = boxes[place] ? join(*boxes[place], box) : box;
    };
    sink.write = [&](TemplateId templ, std::uint32_t cell, const Range& value) {
      std::optional<Range>& written = writes[templ.value][cell];
      written = written ? join(*written, value) : value;
    };
    begin(sink);
    for (std::size_t i = 0; i < commands_.all().size(); ++i) {
      if (env_.poll_now("lemma-ranges")) return false;
      run(i, boxes_, sink);
    }
    for (std::size_t place = 0; place < boxes.size(); ++place) {
      if (boxes[place]) interfere(place, *boxes[place], writes);
    }
    boxes_ = std::move(boxes);
    writes_ = std::move(writes);
  }
  return true;
}

std::vector<Range> Ranges::anywhere() const {
  std::vector<Range> result = initial(commands_.program().shared);
  for (const auto& of_template : writes_) {
    for (std::size_t cell = 0; cell < result.size(); ++cell) {
      if (of_template[cell]) result[cell] = join(result[cell], *of_template[cell]);
    }
  }
  return result;
}

bool Ranges::may_go_wrong(const Command& command, const Box& before) const {
  const model::Program& program = commands_.program();
  const bool faults_count = program.faults == model::FaultPolicy::Violation;
  const TemplateId templ = command.edge.templ;
  const auto is_wrong = [&](Box& box, ExprId what, const std::optional<model::Type>& kept) {
    Glance glance(cells_, templ, box);
    const auto value = glance.range(what);
    const bool leaves = value && kept && !is_within(*value, all_of(kept->element()));
    return glance.may_overflow() || (faults_count && (glance.may_fault() || leaves));
  };
  for (const model::Evaluation& evaluation : command.evaluations) {
    Box box = before;
    Glance glance(cells_, templ, box);
    if (!glance.assume(evaluation.when, true)) continue;
    if (is_wrong(box, evaluation.what, evaluation.kept)) return true;
  }
  Box box = before;
  Glance glance(cells_, templ, box);
  if (!glance.assume(command.guard, true)) return false;
  for (const model::CommandChild& child : command.children) {
    const model::Template& owner = program.templ(commands_.place(child.place).templ);
    for (const Assign& one : child.assigns) {
      if (is_wrong(box, one.value, owner.local(one.target.var).type)) return true;
      if (one.target.index && model::may_fault(program.exprs, *one.target.index)) return true;
    }
  }
  const auto passive = [&](ExprId expr) { return model::may_fault(program.exprs, expr); };
  return std::any_of(command.passive_conjuncts.begin(), command.passive_conjuncts.end(), passive) ||
         std::any_of(command.passive_assigns.begin(), command.passive_assigns.end(), [&](const Assign& one) {
           return model::may_fault(program.exprs, one.target, program.templ(templ).local(one.target.var).type,
                                   one.value);
         });
}

bool Ranges::may_hold(ExprId condition, std::vector<Range> shared) const {
  Box box = plain_box(std::move(shared), {});
  Glance look(cells_, TemplateId(std::size_t{0}), box);
  look.range(condition);
  if (look.may_fault() || look.may_overflow()) return true;
  return look.assume(condition, true) && look.assume(condition, true);
}

// Threads at these locations, inside atomic sections or not, see what every one of them knows of the shared variables.
bool Ranges::may_be_covered(const Property& property) const {
  std::vector<std::uint64_t> needed(limits_.size(), 0);
  std::vector<std::vector<Range>> choices{anywhere()};
  for (const auto& [templ, location] : property.threads) {
    if (limits_[templ.value] && ++needed[templ.value] > *limits_[templ.value]) return false;
    std::vector<std::vector<Range>> longer;
    for (const bool atomic : {false, true}) {
      const auto place = commands_.find({templ, location, atomic});
      if (!place || !boxes_[place->value]) continue;
      for (const std::vector<Range>& choice : choices) {
        std::vector<Range> both;
        for (std::size_t cell = 0; cell < choice.size(); ++cell) {
          const auto common = meet(choice[cell], boxes_[place->value]->shared[cell]);
          if (!common) break;
          both.push_back(*common);
        }
        if (both.size() == choice.size()) longer.push_back(std::move(both));
      }
    }
    choices = std::move(longer);
  }
  return std::any_of(choices.begin(), choices.end(), [&](const std::vector<Range>& shared) {
    return !property.condition || may_hold(*property.condition, shared);
  });
}

std::optional<std::string> Ranges::allowed_violation() const {
  COHORT_EXPECT(complete_, "the ranges were found");
  for (std::size_t place = 0; place < boxes_.size(); ++place) {
    if (boxes_[place] && commands_.error(PlaceId(place))) return "an error location may be reached";
  }
  for (const Command& command : commands_.all()) {
    const auto& box = boxes_[command.from.value];
    if (box && may_go_wrong(command, *box)) return "a step at " + commands_.name(command.from) + " may fault";
  }
  for (const Property& property : commands_.program().properties) {
    const bool holds = property.kind == Property::Kind::Cover       ? may_be_covered(property)
                       : property.kind == Property::Kind::Condition ? may_hold(*property.condition, anywhere())
                                                                    : false;
    if (holds) return "a bad state of several threads may be reached";
  }
  return std::nullopt;
}

void Ranges::add_facts(const std::vector<model::Variable>& variables, const std::vector<Range>& values, Var at,
                       std::vector<Atom>& atoms) const {
  std::size_t cell = 0;
  for (const model::Variable& variable : variables) {
    if (variable.type.slots() > Cells::most_elements) {
      ++cell;
      continue;
    }
    const Range all = all_of(variable.type.element());
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i, ++cell) {
      const Range& range = values[cell];
      at.slot = variable.slot + i;
      if (range.lo > all.lo) atoms.push_back({.kind = Atom::Kind::Lower, .x = at, .c = static_cast<Value>(range.lo)});
      if (range.hi < all.hi) atoms.push_back({.kind = Atom::Kind::Upper, .x = at, .c = static_cast<Value>(range.hi)});
      if (range.modulus > 1 && !range.is_constant())
        atoms.push_back({.kind = Atom::Kind::Congruent,
                         .x = at,
                         .c = static_cast<Value>(range.rest),
                         .modulus = static_cast<Value>(range.modulus)});
      if (!range.listed || range.hi - range.lo > most_gaps + smt::max_listed) continue;
      for (Wide value = range.lo; value < range.hi; ++value) {
        if (!range.contains(value))
          atoms.push_back({.kind = Atom::Kind::Other, .x = at, .c = static_cast<Value>(value)});
      }
    }
  }
}

// By cell; those of large arrays have no variable that atoms could speak of, and are equal to nothing.
std::vector<Var> Ranges::variables_of(TemplateId templ) const {
  std::vector<Var> result;
  const auto add = [&](const std::vector<model::Variable>& variables, int position) {
    for (const model::Variable& variable : variables) {
      const std::uint32_t count = variable.type.slots() > Cells::most_elements ? 1 : variable.type.slots();
      for (std::uint32_t i = 0; i < count; ++i) result.push_back({position, variable.slot + i});
    }
  };
  add(commands_.program().shared, Var::shared);
  add(commands_.program().templ(templ).locals, 0);
  return result;
}

std::map<View, std::vector<Atom>> Ranges::facts(const Alphabet& alphabet) const {
  COHORT_EXPECT(complete_, "the ranges were found");
  COHORT_EXPECT(alphabet.options().threads == 1 && !alphabet.options().singles, "a view has one thread");
  const model::Program& program = commands_.program();
  std::map<View, std::vector<Atom>> result;
  for (SpotId id = 0; id < alphabet.spots().size(); ++id) {
    const Spot& spot = alphabet.spot(id);
    std::vector<Atom> atoms;
    if (!spot.place) {
      add_facts(program.shared, anywhere(), {Var::shared, 0}, atoms);
    } else if (const auto& box = boxes_[spot.place->value]) {
      add_facts(program.shared, box->shared, {Var::shared, 0}, atoms);
      add_facts(program.templ(spot.templ).locals, box->locals, {0, 0}, atoms);
      const std::vector<Var> variables = variables_of(spot.templ);
      for (std::uint32_t cell = 0; cell < box->same.size(); ++cell) {
        const Var x = variables[cell];
        const Var y = variables[box->same[cell]];
        if (x == y) continue;
        atoms.push_back({.kind = Atom::Kind::Difference, .x = x, .y = y});
        atoms.push_back({.kind = Atom::Kind::Difference, .x = y, .y = x});
      }
    } else {
      continue;
    }
    result.emplace(View{id}, std::move(atoms));
  }
  return result;
}

model::Program without_dead_code(const model::Commands& commands, const Ranges& ranges) {
  COHORT_EXPECT(ranges.complete(), "the ranges were found");
  model::Program program = commands.program();
  std::vector<std::vector<bool>> dead;
  for (const model::Template& templ : program.templates) dead.emplace_back(templ.edges.size(), true);
  for (std::size_t i = 0; i < commands.all().size(); ++i) {
    const model::EdgeRef& edge = commands.all()[i].edge;
    if (!ranges.is_dead(i)) dead[edge.templ.value][edge.edge] = false;
  }
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    std::vector<model::Edge> edges;
    for (std::size_t j = 0; j < dead[i].size(); ++j) {
      if (!dead[i][j]) edges.push_back(std::move(program.templates[i].edges[j]));
    }
    program.templates[i].edges = std::move(edges);
  }
  return program;
}

}  // namespace cohort::lemma
