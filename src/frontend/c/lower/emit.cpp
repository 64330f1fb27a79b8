// A node becomes a location and its edges.  Outside of atomic sections each access to a shared variable is an edge of
// its own, left to right as C evaluates them, with temporaries in between; the last one joins the use of the value
// where that touches nothing shared itself (a branch, a store to a local).  Everything else stays one action an edge:
// merging what nobody can observe is the business of the model's passes.
//
// An access through a pointer becomes one edge for each variable it may lead to.  Where it leads nowhere, or an
// operation is undefined, the execution ends, or goes to an error location if such faults are asked for; where it leads
// to something that is not modelled, it is cut.
#include "frontend/c/lower/emit.hpp"

#include <algorithm>
#include <functional>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/races.hpp"
#include "frontend/c/lower/resolve.hpp"
#include "frontend/c/lower/sections.hpp"
#include "frontend/c/lower/threads.hpp"
#include "model/passes/undefined_ends.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using model::Action;
using model::ExprId;
using model::LocId;

namespace {

// The loads of a term in the order in which they happen, without those that are done and what only they need.
class LoadFinder {
 public:
  LoadFinder(const Flat& flat, const std::set<TermId>& done) : flat_(flat), done_(done) {}

  void visit(TermId id) {
    const Term& term = flat_.term(id);
    if (done_.contains(id)) return;
    for (const TermId arg : term.args) visit(arg);
    if (term.op != Op::Load && term.op != Op::AddressOf) return;
    visit(flat_.access(term.access));
    if (term.op == Op::Load) loads_.push_back(id);
  }

  void visit(const Access& access) {
    if (!access.inst) visit(access.pointer);
    for (const Index& index : access.indices) visit(index.term);
  }

  std::vector<TermId> take() { return std::move(loads_); }

 private:
  const Flat& flat_;
  const std::set<TermId>& done_;
  std::vector<TermId> loads_;
};

struct Context {
  Expressions expressions;
  ExprId guard;
  std::vector<model::Assign> effects{};
};

class BodyEmitter {
 public:
  BodyEmitter(Flat& flat, BodyId id, Resolver& resolver, Layout& layout, Memory& memory, Races& races,
              model::Program& program, const std::vector<LocId>& entries)
      : flat_(flat),
        id_(id),
        body_(flat.bodies[id.value]),
        resolver_(resolver),
        layout_(layout),
        memory_(memory),
        races_(races),
        program_(program),
        entries_(entries),
        depths_(section_depths(body_)),
        announces_(races.are_wanted()) {}

  void run(const std::vector<LocId>& locations) {
    locations_ = locations;
    for (std::size_t i = 0; i < body_.nodes.size(); ++i) {
      if (depths_[i] == 0) continue;  // unreachable
      node_ = &body_.nodes[i];
      source_ = locations_[i];
      depth_ = depths_[i];
      emit_node();
    }
  }

 private:
  using Finish = std::function<void(Context)>;

  model::Template& templ() { return program_.templ(model::TemplateId(id_.value)); }
  model::ExprPool& pool() { return program_.exprs; }
  LocId next(std::size_t i) const { return locations_[node_->next[i].value]; }
  Context context() { return {Expressions(flat_, layout_, memory_, program_), pool().truth()}; }

  void add_edge(LocId target, Action action, const char* remark = "") {
    if (action.guard && pool().is_true(*action.guard)) action.guard.reset();
    if (action.guard && pool().is_false(*action.guard)) return;
    action.span = node_->span;
    action.text = node_->text + remark;
    templ().edges.push_back({source_, target, {std::move(action)}});
  }

  LocId add_location(std::optional<model::PropertyId> error = std::nullopt) {
    // What a node of a loop where a thread waits becomes is in the loop, too.
    return templ().add_location({.label = "", .span = node_->span, .error = error, .waits = !error && node_->spins});
  }

  LocId error_location(model::Property::Kind kind, const std::string& message) {
    const std::string text = node_->text.empty() ? message : fmt::format("{}: {}", message, node_->text);
    return add_location(program_.add_property({.kind = kind, .text = text, .span = node_->span}));
  }

  // An execution that goes wrong under this condition.
  void go_wrong(ExprId condition, const std::string& kind, const std::string& message) {
    if (pool().is_false(condition)) return;
    if (kind.empty()) {
      add_edge(error_location(model::Property::Kind::Cut, message), {.guard = condition});
    } else if (flat_.options.asks_for(kind)) {
      add_edge(error_location(model::Property::Kind::Assertion, message), {.guard = condition});
    } else {
      end_undefined(condition, message);
    }
  }

  // What is not asked for ends the execution.
  void end_undefined(ExprId condition, const std::string& message) {
    add_edge(error_location(model::Property::Kind::Cut, model::undefined_end_text(message)), {.guard = condition});
  }

  bool is_shared(AccessId access) {
    const auto groups = resolver_.groups(access);
    return std::any_of(groups.begin(), groups.end(), [&](GroupId group) { return memory_.is_shared(group); });
  }

  ExprId read(const Spot& spot) {
    const Variable& variable = memory_.variable(spot.group);
    return read(variable, spot.index);
  }

  // The bits that the spot is about, in the lowest places; what is above them is cut off by the type of the access.
  static ExprId part(const Spot& spot, ExprId cell, Expressions& expressions) {
    if (!spot.is_part) return cell;
    const model::Type wide = model::Type::fixed(64, true);
    const ExprId shift = expressions.constant(spot.shift, wide);
    const ExprId moved = expressions.convert(cell, wide);
    if (spot.shift == 0) return moved;
    return expressions.arithmetic(model::Op::Shr, moved, shift, wide);
  }

  // The whole scalar with the spot's bits replaced.
  ExprId with_part(const Spot& spot, ExprId cell, ExprId value, Expressions& expressions) {
    const model::Type wide = model::Type::fixed(64, true);
    const auto mask = static_cast<model::Value>((std::uint64_t{1} << spot.width) - 1);
    const auto combine = [&](model::Op op, ExprId left, ExprId right) { return pool().binary(op, left, right, wide); };
    const ExprId kept =
        combine(model::Op::BitAnd, expressions.convert(cell, wide),
                expressions.constant(~static_cast<model::Value>(std::uint64_t(mask) << spot.shift), wide));
    const ExprId bits = combine(model::Op::BitAnd, expressions.convert(value, wide), expressions.constant(mask, wide));
    const ExprId moved = combine(model::Op::Shl, bits, expressions.constant(spot.shift, wide));
    return combine(model::Op::BitOr, kept, moved);
  }

  ExprId read(const Variable& variable, std::optional<ExprId> index) {
    const auto op = variable.is_shared ? model::Op::SharedVar : model::Op::LocalVar;
    if (index) return pool().element(op, variable.var, variable.type, *index);
    return variable.is_shared ? pool().shared(variable.var, variable.type) : pool().local(variable.var, variable.type);
  }

  static model::LValue target(const Variable& variable, std::optional<ExprId> index) {
    return {.kind = variable.is_shared ? model::LValue::Kind::Shared : model::LValue::Kind::Local,
            .var = variable.var,
            .index = index};
  }

  // Follows each way the access may lead; the rest goes wrong.
  void follow(AccessId access, Context context, const std::function<void(Context, const Spot&)>& go) {
    const Resolved resolved = resolver_.resolve(access, context.expressions);
    // Where the access leads is not a question if its index cannot be computed.
    settle(context);
    ExprId nowhere = context.guard;
    for (const auto& [guard, what] : resolved.unmodelled) {
      go_wrong(pool().conj(context.guard, guard), "", what);
      nowhere = pool().conj(nowhere, pool().negate(guard));
    }
    for (const Spot& spot : resolved.spots) {
      Context way = context;
      way.guard = pool().conj(context.guard, spot.guard);
      nowhere = pool().conj(nowhere, pool().negate(spot.guard));
      if (const Variable* freed = memory_.freed(layout_.group(spot.group).inst)) {
        const ExprId gone = read(*freed, freed->type.is_array() ? spot.outer : std::nullopt);
        go_wrong(pool().conj(way.guard, gone), "fault", "an access to an object that has been freed");
        way.guard = pool().conj(way.guard, pool().negate(gone));
      }
      if (const auto inside = within_extent(spot, way.expressions)) {
        go_wrong(pool().conj(way.guard, pool().negate(*inside)), "fault", resolved.fault);
        way.guard = pool().conj(way.guard, *inside);
      }
      if (!pool().is_false(way.guard)) go(std::move(way), spot);
    }
    go_wrong(nowhere, "fault", resolved.fault);
  }

  // Does the element exist, of an object whose size is known at run time only?
  std::optional<ExprId> within_extent(const Spot& spot, Expressions& expressions) {
    const Group group = layout_.group(spot.group);
    const Inst& inst = flat_.inst(group.inst);
    if (!inst.extent) return std::nullopt;
    const model::Type wide = model::Type::fixed(64, true);
    const std::size_t outer = inst.is_pool ? 1 : 0;
    std::uint64_t inner = 1;
    for (std::size_t i = outer + 1; i < group.dimensions.size(); ++i) inner *= group.dimensions[i].count;
    const auto constant = [&](std::uint64_t value) {
      return expressions.constant(static_cast<model::Value>(value), wide);
    };
    ExprId element = expressions.convert(*spot.index, wide);
    element = expressions.arithmetic(model::Op::Div, element, constant(inner), wide);
    if (inst.is_pool) {
      element = expressions.arithmetic(model::Op::Mod, element, constant(group.dimensions[outer].count), wide);
    }
    element = expressions.arithmetic(model::Op::Add, element, constant(1), wide);
    const ExprId end = expressions.arithmetic(model::Op::Mul, element, constant(group.dimensions[outer].stride), wide);
    const Variable& extent = memory_.variable(layout_.groups_of(*inst.extent).front());
    const ExprId size = read(extent, extent.type.is_array() ? spot.outer : std::nullopt);
    return expressions.compare(model::Op::Le, end, expressions.convert(size, wide));
  }

  // Like follow; where races are looked for, the thread first goes to a place that says which cell it is about to
  // access.
  void announce(AccessId access, bool writes, Context context, const std::function<void(Context, const Spot&)>& go) {
    const bool is_plain = is_plain_access(flat_, *node_, access, in_section());
    follow(access, std::move(context), [&](Context way, const Spot& spot) {
      const bool announces = announces_ && memory_.is_shared(spot.group) && races_.can_race(spot.group, is_plain);
      if (!announces) return go(std::move(way), spot);
      Races::Place place = race_place(writes, is_plain);
      place.is_volatile = flat_.unit.type(flat_.access(access).type).is_volatile;
      if (spot.is_part) place.bits = {spot.shift, spot.shift + spot.width};
      const model::Type type = memory_.variable(spot.group).type;
      const std::uint32_t elements = spot.index ? type.array_size() : 1;
      if (elements > Races::most_elements) {
        throw_unsupported(node_->span, fmt::format("races on arrays of more than {} elements", Races::most_elements));
      }
      const LocId source = source_;
      for (std::uint32_t i = 0; i < elements; ++i) {
        Context there = way;
        Spot here = spot;
        if (spot.index) {
          const ExprId element = there.expressions.constant(i, pool()[*spot.index].type);
          there.guard = pool().conj(way.guard, there.expressions.compare(model::Op::Eq, *spot.index, element));
          here.index = element;
        }
        if (pool().is_false(there.guard)) continue;
        source_ = source;
        go_to(place, there.guard);
        races_.add(layout_.location(spot.group), i, place);
        go(std::move(there), here);
      }
      source_ = source;
    });
  }

  bool in_section() const { return (depth_ & outside) == 0; }

  Races::Place race_place(bool writes, bool is_plain) const {
    return {.templ = model::TemplateId(id_.value),
            .writes = writes,
            .is_atomic = !is_plain,
            .span = node_->span,
            .text = node_->text};
  }

  // A step to a place where the thread is about to access something.
  void go_to(Races::Place& place, ExprId guard) {
    place.location = add_location();
    add_edge(place.location, {.guard = guard});
    source_ = place.location;
  }

  // Performs the loads from number `index` on in this action, in every way they may lead, and finishes it.
  void expand(const std::vector<TermId>& loads, std::size_t index, Context context, const Finish& finish) {
    if (index == loads.size()) return finish(std::move(context));
    const TermId load = loads[index];
    announce(flat_.term(load).access, false, std::move(context), [&](Context way, const Spot& spot) {
      const Variable* flag = memory_.flag(spot.group);
      if (flag != nullptr) {
        Context unwritten = way;
        const Variable variable = memory_.variable(spot.group);
        const ExprId written = read(*flag, spot.index);
        const ExprId choice = pool().nondet(variable.type.element());
        unwritten.guard = pool().conj(way.guard, pool().negate(written));
        unwritten.effects.push_back({target(variable, spot.index), choice});
        unwritten.effects.push_back({target(*flag, spot.index), pool().truth()});
        unwritten.expressions.set_load(load, part(spot, choice, unwritten.expressions));
        expand(loads, index + 1, std::move(unwritten), finish);
        way.guard = pool().conj(way.guard, written);
      }
      way.expressions.set_load(load, part(spot, read(spot), way.expressions));
      expand(loads, index + 1, std::move(way), finish);
    });
  }

  // Turns the checks of the terms built since the last time into guards and into edges that go wrong.
  void settle(Context& context) {
    for (const Check& check : context.expressions.take_checks()) {
      go_wrong(pool().conj(context.guard, pool().negate(check.condition)), check.kind, check.message);
      context.guard = pool().conj(context.guard, check.condition);
    }
  }

  // The loads of the node that are not done, with those of the place it assigns last.
  std::vector<TermId> loads_of_node(const std::set<TermId>& done) const {
    LoadFinder finder(flat_, done);
    if (node_->has_term) finder.visit(node_->term);
    if (node_->kind == Node::Kind::Spawn) finder.visit(node_->argument);
    if (node_->has_number) finder.visit(node_->number);
    if (node_->has_access) finder.visit(flat_.access(node_->access));
    return finder.take();
  }

  // Outside of sections a shared load is a step.  A load that may find its variable unwritten chooses a value, and one
  // choice an action is enough: several would have to be enumerated together.
  bool needs_step(TermId load) {
    const AccessId access = flat_.term(load).access;
    if ((depth_ & outside) != 0 && is_shared(access)) return true;
    const auto groups = resolver_.groups(access);
    return std::any_of(groups.begin(), groups.end(), [&](GroupId group) { return memory_.flag(group) != nullptr; });
  }

  // Emits edges for the loads that must be steps of their own; returns those that are left for the last action, which
  // touches something shared itself or not.
  std::vector<TermId> split(bool shared_use, Context& context) {
    std::set<TermId> done;
    std::vector<TermId> steps;
    for (const TermId load : loads_of_node(done)) {
      if (needs_step(load)) steps.push_back(load);
    }
    if (!shared_use && !steps.empty() && node_->kind != Node::Kind::Spawn) steps.pop_back();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      LoadFinder finder(flat_, done);
      finder.visit(steps[i]);
      const model::Type type = memory_.type_of(flat_.term(steps[i]).type);
      const model::VarId temporary = memory_.temporary(id_, type, i);
      const LocId after = add_location();
      expand(finder.take(), 0, context, [&](Context way) {
        const ExprId value = way.expressions.value(steps[i]);
        settle(way);
        Action action{.guard = way.guard, .assigns = way.effects};
        action.assigns.push_back({{.kind = model::LValue::Kind::Local, .var = temporary}, value});
        add_edge(after, std::move(action));
      });
      source_ = after;
      done.insert(steps[i]);
      context.expressions.set_load(steps[i], pool().local(temporary, type));
    }
    return loads_of_node(done);
  }

  void emit_node() {
    switch (node_->kind) {
      case Node::Kind::Free: emit_free(); break;
      case Node::Kind::Skip:
        // What propagation found unreachable leads nowhere.
        if (!node_->next.empty()) add_edge(next(0), {});
        break;
      case Node::Kind::Assign: emit_assign(); break;
      case Node::Kind::Branch:
      case Node::Kind::Assume: emit_branch(); break;
      case Node::Kind::AtomicBegin: emit_begin(); break;
      case Node::Kind::AtomicEnd: emit_end(); break;
      case Node::Kind::Declare: emit_declare(); break;
      case Node::Kind::Spawn: emit_spawn(); break;
      case Node::Kind::Async:
        add_edge(next(0),
                 {.spawns = {{.templ = model::TemplateId(id_.value), .location = next(1), .copies_locals = true}}});
        break;
      case Node::Kind::EndThread:
      case Node::Kind::EndAsync: add_edge(source_, {.ends_thread = true}); break;
      // Nobody moves any more when the process has ended.
      case Node::Kind::EndProcess: add_edge(add_location(), {.atomic = model::AtomicChange::Enter}); break;
      case Node::Kind::Violation:
      case Node::Kind::Cut: emit_error(); break;
      case Node::Kind::Allocate: COHORT_UNREACHABLE("allocations have been resolved");
    }
  }

  void emit_error() {
    const bool is_cut = node_->kind == Node::Kind::Cut;
    if (!is_cut && !flat_.options.asks_for(node_->violation)) {
      // Who does not look for assertions has them checked by nobody: what fails ends the process.
      if (node_->violation != "assertion") end_undefined(pool().truth(), node_->message);
      return;
    }
    const auto kind = is_cut ? model::Property::Kind::Cut : model::Property::Kind::Assertion;
    std::string text = is_cut || node_->text.empty() ? node_->message : node_->text;
    // What fails in an assertion stands there; what is wrong with a lock does not.
    if (!is_cut && node_->violation != "assertion" && !node_->text.empty()) text = node_->message + ": " + node_->text;
    templ().locations[source_.value].error = program_.add_property({.kind = kind, .text = text, .span = node_->span});
  }

  void emit_assign() {
    Context context = this->context();
    const std::vector<TermId> loads = split(is_shared(node_->access), context);
    expand(loads, 0, std::move(context), [&](Context way) {
      const ExprId value = way.expressions.value(node_->term);
      settle(way);
      announce(node_->access, true, std::move(way), [&](Context there, const Spot& spot) {
        const Variable* flag = memory_.flag(spot.group);
        if (!spot.is_part) return store(there, there.guard, spot, value, flag);
        const Variable variable = memory_.variable(spot.group);
        const ExprId written = flag != nullptr ? read(*flag, spot.index) : pool().truth();
        const auto change = [&](ExprId cell, ExprId guard) {
          store(there, pool().conj(there.guard, guard), spot, with_part(spot, cell, value, there.expressions), flag);
        };
        change(read(spot), written);
        if (flag != nullptr) change(pool().nondet(variable.type.element()), pool().negate(written));
      });
    });
  }

  void store(Context& context, ExprId guard, const Spot& spot, ExprId value, const Variable* flag) {
    const Variable variable = memory_.variable(spot.group);
    Action action{.guard = guard};
    action.assigns.push_back(
        {target(variable, spot.index), context.expressions.convert(value, variable.type.element())});
    if (flag != nullptr) action.assigns.push_back({target(*flag, spot.index), pool().truth()});
    add_effects(context, action);
    add_edge(next(0), std::move(action));
  }

  // What the action stores anyway is not stored for the sake of a read before it.
  static void add_effects(const Context& context, Action& action) {
    for (const model::Assign& effect : context.effects) {
      const bool known = std::any_of(action.assigns.begin(), action.assigns.end(), [&](const model::Assign& other) {
        return other.target.kind == effect.target.kind && other.target.var == effect.target.var &&
               other.target.index == effect.target.index;
      });
      if (!known) action.assigns.push_back(effect);
    }
  }

  void emit_branch() {
    Context context = this->context();
    const std::vector<TermId> loads = split(false, context);
    expand(loads, 0, std::move(context), [&](Context way) {
      const ExprId condition = way.expressions.truth(node_->term);
      settle(way);
      const auto go = [&](LocId to, ExprId guard) {
        Action action{.guard = pool().conj(way.guard, guard)};
        add_effects(way, action);
        add_edge(to, std::move(action));
      };
      go(next(0), condition);
      if (node_->kind == Node::Kind::Branch) go(next(1), pool().negate(condition));
    });
  }

  void emit_begin() {
    const auto change = (depth_ & outside) != 0 ? model::AtomicChange::Enter : model::AtomicChange::None;
    if (!node_->has_term) return add_edge(next(0), {.atomic = change});
    templ().locations[source_.value].waits = true;
    // The look that ends the wait is one step with it; what races is the access that follows.
    announces_ = false;
    expand(loads_of_node({}), 0, context(), [&](Context way) {
      const ExprId condition = way.expressions.truth(node_->term);
      settle(way);
      Action action{.guard = pool().conj(way.guard, condition), .atomic = change};
      add_effects(way, action);
      add_edge(next(0), action);
      if (!node_->by_chance) return;
      action.guard = pool().conj(way.guard, pool().negate(condition));
      add_edge(next(0), std::move(action), " wakes up without a signal");
    });
    announces_ = races_.are_wanted();
  }

  void emit_end() {
    constexpr Depths once = outside << 1U;
    const bool leaves = (depth_ & once) != 0;
    if (leaves && (depth_ & ~(outside | once)) != 0) {
      throw_unsupported(node_->span, "the end of an atomic section that may or may not be inside another one");
    }
    add_edge(next(0), {.atomic = leaves ? model::AtomicChange::Exit : model::AtomicChange::None});
  }

  void emit_declare() {
    Action action;
    for (const GroupId group : layout_.groups_of(node_->inst)) {
      const Variable* flag = memory_.flag(group);
      if (flag == nullptr) continue;
      if (!flag->type.is_array()) {
        action.assigns.push_back({target(*flag, std::nullopt), pool().falsity()});
        continue;
      }
      for (std::uint32_t i = 0; i < flag->type.array_size(); ++i) {
        const ExprId index = pool().constant(i, model::Type::fixed(64, true));
        action.assigns.push_back({target(*flag, index), pool().falsity()});
      }
    }
    add_edge(next(0), std::move(action));
  }

  // Without a look at faults or races, freeing changes nothing: memory is not handed out again.
  void emit_free() {
    const bool sees_faults = flat_.options.asks_for("fault");
    if (!sees_faults && !announces_) return add_edge(next(0), {});
    Context context = this->context();
    const std::vector<TermId> loads = split(true, context);
    expand(loads, 0, std::move(context), [&](Context way) {
      const ExprId pointer = way.expressions.value(node_->term);
      const model::Type type = memory_.pointer_type();
      const auto is_at = [&](std::int64_t address) {
        return way.expressions.compare(model::Op::Eq, pointer, pool().constant(address, type));
      };
      settle(way);
      add_edge(next(0), {.guard = pool().conj(way.guard, is_at(0))});
      ExprId nowhere = pool().conj(way.guard, pool().negate(is_at(0)));
      const LocId source = source_;
      for (const InstId inst : resolver_.heap_objects(node_->term)) {
        const ir::Type& object = flat_.unit.type(flat_.inst(inst).type);
        const bool is_pool = flat_.inst(inst).is_pool;
        const std::uint64_t count = is_pool ? object.count : 1;
        for (std::uint64_t i = 0; i < count; ++i) {
          const std::uint64_t offset = is_pool ? i * size_of(flat_.unit, object.target) : 0;
          const ExprId here = is_at(layout_.address_of(inst) + static_cast<std::int64_t>(offset));
          nowhere = pool().conj(nowhere, pool().negate(here));
          ExprId guard = pool().conj(way.guard, here);
          if (announces_) guard = announce_free(inst, i, count, guard);
          if (sees_faults) {
            free_object(inst, is_pool ? std::optional(i) : std::nullopt, guard);
          } else {
            add_edge(next(0), {.guard = guard});
          }
          source_ = source;
        }
      }
      go_wrong(nowhere, "fault", "something is freed that was not allocated");
    });
  }

  // Whoever frees an object writes all of it.
  ExprId announce_free(InstId inst, std::uint64_t number, std::uint64_t count, ExprId guard) {
    Races::Place place = race_place(true, !in_section());
    bool races = false;
    for (const GroupId group : layout_.groups_of(inst)) {
      races = races || (memory_.is_shared(group) && races_.can_race(group, true));
    }
    if (!races) return guard;
    go_to(place, guard);
    for (const GroupId group : layout_.groups_of(inst)) {
      const std::uint64_t each = layout_.group(group).elements() / count;
      if (each * count > Races::most_elements) throw_unsupported(node_->span, "races on arrays of so many elements");
      for (std::uint64_t i = number * each; i < (number + 1) * each; ++i) {
        races_.add(layout_.location(group), static_cast<std::uint32_t>(i), place);
      }
    }
    return pool().truth();
  }

  void free_object(InstId inst, std::optional<std::uint64_t> number, ExprId guard) {
    const Variable freed = *memory_.freed(inst);
    std::optional<ExprId> index;
    if (number) index = pool().constant(static_cast<model::Value>(*number), model::Type::fixed(64, true));
    const ExprId gone = read(freed, index);
    go_wrong(pool().conj(guard, gone), "fault", "an object is freed twice");
    Action action{.guard = pool().conj(guard, pool().negate(gone))};
    action.assigns.push_back({target(freed, index), pool().truth()});
    add_edge(next(0), std::move(action));
  }

  void emit_spawn() {
    Context context = this->context();
    const std::vector<TermId> loads = split(false, context);
    expand(loads, 0, std::move(context), [&](Context way) {
      const ExprId routine = way.expressions.value(node_->term);
      const ExprId argument = way.expressions.value(node_->argument);
      std::optional<ExprId> number;
      if (node_->has_number) number = way.expressions.value(node_->number);
      settle(way);
      ExprId nowhere = way.guard;
      for (std::size_t i = 0; i < flat_.bodies.size(); ++i) {
        const Body& body = flat_.bodies[i];
        if (!may_start(flat_, *node_, body)) continue;
        const ExprId target = pool().constant(layout_.address_of(body.function), memory_.pointer_type());
        const ExprId chosen = way.expressions.compare(model::Op::Eq, routine, target);
        nowhere = pool().conj(nowhere, pool().negate(chosen));
        Action action{.guard = pool().conj(way.guard, chosen)};
        model::Spawn spawn{.templ = model::TemplateId(i), .location = entries_[i]};
        if (body.parameter) give(*body.parameter, argument, action, spawn, way.expressions);
        if (body.number && number) give(*body.number, *number, action, spawn, way.expressions);
        action.spawns.push_back(std::move(spawn));
        add_edge(next(0), std::move(action));
      }
      go_wrong(nowhere, "", "a thread whose start routine is not known");
    });
  }

  void give(InstId inst, ExprId value, Action& action, model::Spawn& spawn, Expressions& expressions) {
    const auto& groups = layout_.groups_of(inst);
    COHORT_EXPECT(groups.size() == 1, "a thread is given scalars");
    const Variable variable = memory_.variable(groups.front());
    const model::Assign assign{target(variable, std::nullopt), expressions.convert(value, variable.type)};
    (variable.is_shared ? action.assigns : spawn.locals).push_back(assign);
  }

  Flat& flat_;
  const BodyId id_;
  const Body& body_;
  Resolver& resolver_;
  Layout& layout_;
  Memory& memory_;
  Races& races_;
  model::Program& program_;
  const std::vector<LocId>& entries_;
  const std::vector<Depths> depths_;
  bool announces_;  // accesses lead through places that races are about
  std::vector<LocId> locations_;
  const Node* node_ = nullptr;
  LocId source_{};
  Depths depth_ = 0;
};

// Is the address of an object on a stack used as a value?
bool takes_stack_addresses(const Flat& flat) {
  bool found = false;
  for (const Body& body : flat.bodies) {
    for (const Node& node : body.nodes) {
      for_each_access(flat, node, [&](AccessId id, bool is_load) {
        const auto& inst = flat.access(id).inst;
        found = found || (!is_load && inst && flat.inst(*inst).kind == Inst::Kind::Automatic);
      });
    }
  }
  return found;
}

}  // namespace

model::Program emit(Flat& flat, const PointsTo& points_to, const Sharing& sharing, Layout& layout,
                    std::set<GroupId> flagged, const std::string& name) {
  model::Program program;
  program.name = name;
  program.faults = model::FaultPolicy::Drop;
  std::vector<std::vector<LocId>> locations;
  std::vector<LocId> entries;
  for (Body& body : flat.bodies) {
    bracket_groups(flat, body);
    model::Template templ;
    templ.name = body.name;
    auto& of_body = locations.emplace_back();
    for (const Node& node : body.nodes) {
      of_body.push_back(templ.add_location({.label = "", .span = node.span, .waits = node.spins}));
    }
    templ.entry = of_body[body.entry.value];
    entries.push_back(templ.entry);
    const model::TemplateId id = program.add_template(std::move(templ));
    if (body.is_main) program.initial.push_back({id, entries.back(), 1});
  }
  Memory memory(flat, layout, sharing, std::move(flagged), program);
  Resolver resolver(flat, points_to, layout, memory, program);
  Races races = flat.options.asks_for("race") ? Races(flat, resolver) : Races();
  for (std::size_t i = 0; i < flat.bodies.size(); ++i) {
    BodyEmitter(flat, BodyId(i), resolver, layout, memory, races, program, entries).run(locations[i]);
  }
  races.declare(program);
  if (flat.options.asks_for("fault") && takes_stack_addresses(flat)) {
    program.assumptions.emplace_back(
        "objects on a stack live as long as their thread: that one is used after its block or function is not seen");
  }
  if (flat.options.asks_for("deadlock")) {
    program.add_property({.kind = model::Property::Kind::Deadlock, .text = "threads wait for ever"});
  }
  return program;
}

}  // namespace cohort::frontend::c::lower
