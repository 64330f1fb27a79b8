// A node becomes a location and its edges.  Outside of atomic sections each access to a shared variable is an edge of
// its own, left to right as C evaluates them, with temporaries in between; the last one joins the use of the value
// where that touches nothing shared itself (a branch, a store to a local).  Everything else stays one action an edge:
// merging what nobody can observe is the business of the model's passes.
//
// An access through a pointer becomes one edge for each variable it may lead to.  Where it leads nowhere, or an
// operation is undefined, the execution ends or, if faults are asked for, goes to an error; the unmodelled is cut.
#include "frontend/c/lower/emit.hpp"

#include <algorithm>
#include <functional>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/c/lower/cells.hpp"
#include "frontend/c/lower/havoc.hpp"
#include "frontend/c/lower/loads.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/races.hpp"
#include "frontend/c/lower/sections.hpp"
#include "frontend/c/lower/survey.hpp"
#include "frontend/c/lower/threads.hpp"
#include "model/passes/undefined_ends.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using model::Action;
using model::ExprId;
using model::LocId;

namespace {

const model::Type wide = model::Type::fixed(64, true);

struct Context {
  Expressions expressions;
  ExprId guard;
  std::vector<model::Assign> effects{};
  std::optional<Piece> unwritten{};  // what the node copies was never written
};

class BodyEmitter {
 public:
  BodyEmitter(Flat& flat, BodyId id, Resolver& resolver, Layout& layout, Memory& memory, const Nameless& nameless,
              Races& races, model::Program& program, const std::vector<LocId>& entries)
      : flat_(flat),
        id_(id),
        body_(flat.bodies[id.value]),
        resolver_(resolver),
        layout_(layout),
        memory_(memory),
        nameless_(nameless),
        races_(races),
        program_(program),
        cells_(flat, layout, memory, program),
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
      copied_.reset();
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
    flat_.calls.set({model::TemplateId(id_.value), static_cast<std::uint32_t>(templ().edges.size())}, node_->call);
    templ().edges.push_back({source_, target, {std::move(action)}});
  }

  LocId add_location(std::optional<model::PropertyId> error = std::nullopt) {
    // What a node of a loop where a thread waits becomes is in the loop, too.
    return templ().add_location({.label = "", .span = node_->span, .error = error, .waits = !error && node_->spins});
  }

  LocId error_location(model::Property::Kind kind, const std::string& message) {
    const std::string text = node_->text.empty() ? message : fmt::format("{}: {}", message, node_->text);
    return add_location(program_.add_property({.kind = kind, .text = text, .span = node_->span, .words = message}));
  }

  // An execution that goes wrong under this condition; without a kind: something that is not modelled.
  void go_wrong(ExprId condition, std::optional<Wrong> kind, const std::string& message) {
    if (pool().is_false(condition)) return;
    if (!kind) {
      add_edge(error_location(model::Property::Kind::Cut, message), {.guard = condition});
    } else if (flat_.options.asks_for(*kind)) {
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
    return std::ranges::any_of(resolver_.groups(access), [&](GroupId group) { return memory_.is_shared(group); });
  }

  // Follows each way the access may lead; the rest goes wrong.
  void follow(AccessId access, Context context, const std::function<void(Context, const Spot&)>& go) {
    const Resolved resolved = resolver_.resolve(access, context.expressions);
    // Where the access leads is not a question if its index cannot be computed.
    settle(context);
    ExprId nowhere = context.guard;
    for (const auto& [guard, what] : resolved.unmodelled) {
      go_wrong(pool().conj(context.guard, guard), std::nullopt, what);
      nowhere = pool().conj(nowhere, pool().negate(guard));
    }
    for (const Spot& spot : resolved.spots) {
      Context way = context;
      way.guard = pool().conj(context.guard, spot.guard);
      nowhere = pool().conj(nowhere, pool().negate(spot.guard));
      const Variable* freed = flat_.options.asks_for(Wrong::Fault) ? memory_.freed(spot.inst) : nullptr;
      if (freed != nullptr) {
        const ExprId gone = cells_.read(*freed, freed->type.is_array() ? spot.outer : std::nullopt);
        go_wrong(pool().conj(way.guard, gone), Wrong::Fault, "an access to an object that has been freed");
        way.guard = pool().conj(way.guard, pool().negate(gone));
      }
      if (const auto inside = within_extent(access, spot, way.expressions)) {
        go_wrong(pool().conj(way.guard, pool().negate(*inside)), Wrong::Fault, resolved.fault);
        way.guard = pool().conj(way.guard, *inside);
      }
      if (!pool().is_false(way.guard)) go(std::move(way), spot);
    }
    go_wrong(nowhere, Wrong::Fault, resolved.fault);
  }

  // Does what is accessed exist, of an object whose size is known at run time only?
  std::optional<ExprId> within_extent(AccessId id, const Spot& spot, Expressions& expressions) {
    const Inst& inst = flat_.inst(spot.inst);
    if (!inst.extent) return std::nullopt;
    const Access& access = flat_.access(id);
    const auto constant = [&](std::int64_t value) { return expressions.constant(value, wide); };
    ExprId end = expressions.arithmetic(model::Op::Sub, expressions.convert(expressions.address(access), wide),
                                        constant(layout_.address_of(spot.inst)), wide);
    if (inst.is_pool) {
      const auto slot = static_cast<std::int64_t>(size_of(flat_.unit, flat_.unit.type(inst.type).target));
      end = expressions.arithmetic(model::Op::Mod, end, constant(slot), wide);
    }
    const auto size = static_cast<std::int64_t>(size_of(flat_.unit, access.type));
    end = expressions.arithmetic(model::Op::Add, end, constant(size), wide);
    const Variable& extent = memory_.variable(layout_.groups_of(*inst.extent).front());
    const ExprId bytes = cells_.read(extent, extent.type.is_array() ? spot.outer : std::nullopt);
    return expressions.compare(model::Op::Le, end, expressions.convert(bytes, wide));
  }

  // Like follow; where races are looked for, the thread first goes to a place that says which cell it is about to
  // access.
  void announce(AccessId access, bool writes, Context context, const std::function<void(Context, const Spot&)>& go) {
    const bool is_plain = is_plain_access(flat_, *node_, access, in_section());
    follow(access, std::move(context), [&](Context way, const Spot& spot) {
      const bool announces = announces_ && memory_.is_shared(spot.pieces.front().group) &&
                             std::any_of(spot.pieces.begin(), spot.pieces.end(),
                                         [&](const Piece& piece) { return races_.can_race(piece.group, is_plain); });
      if (!announces) return go(std::move(way), spot);
      Races::Place place = race_place(writes, is_plain);
      place.is_volatile = flat_.unit.type(flat_.access(access).type).is_volatile;
      const model::Type type = memory_.variable(spot.pieces.front().group).type;
      const std::uint32_t elements = spot.is_open() ? type.array_size() : 1;
      if (elements > Races::most_elements) {
        throw_unsupported(node_->span, fmt::format("races on arrays of more than {} elements", Races::most_elements));
      }
      const LocId source = source_;
      for (std::uint32_t i = 0; i < elements; ++i) {
        Context there = way;
        Spot here = spot;
        if (spot.is_open()) {
          const ExprId index = *spot.pieces.front().index;
          const model::Type number = pool()[index].type;
          const ExprId element = there.expressions.constant(i, number);
          there.guard = pool().conj(way.guard, there.expressions.compare(model::Op::Eq, index, element));
          for (Piece& piece : here.pieces) piece.index = there.expressions.constant(i + piece.delta, number);
        }
        if (pool().is_false(there.guard)) continue;
        source_ = source;
        go_to(place, there.guard);
        for (const Piece& piece : spot.pieces) {
          if (!piece.is_whole) place.bits = {piece.shift, piece.shift + piece.width};
          races_.add(layout_.location(piece.group), piece.element.value_or(i + piece.delta), place);
        }
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
      const LocId source = source_;
      if (spot.pieces.size() > 1) fill_in(spot, way);
      const Variable* flag = spot.pieces.size() == 1 ? memory_.flag(spot.pieces.front().group) : nullptr;
      if (flag != nullptr) {
        Context unwritten = way;
        const Piece& piece = spot.pieces.front();
        const ExprId written = cells_.read(*flag, piece.index);
        unwritten.guard = pool().conj(way.guard, pool().negate(written));
        const bool is_copy = load == copied_ && spot.is_whole() && !resolver_.is_changed_from_outside(piece.group);
        if (is_copy) unwritten.unwritten = piece;
        const ExprId cell = is_copy ? cells_.read(piece) : choose(piece, unwritten);
        unwritten.expressions.set_load(load, cells_.part(spot, cell, unwritten.expressions));
        expand(loads, index + 1, std::move(unwritten), finish);
        way.guard = pool().conj(way.guard, written);
      }
      way.expressions.set_load(load, cells_.read(spot, way.expressions));
      expand(loads, index + 1, std::move(way), finish);
      source_ = source;
    });
  }

  // A value for a scalar that was never written, which it has from now on.
  ExprId choose(const Piece& piece, Context& context) {
    const Variable variable = memory_.variable(piece.group);
    const ExprId choice = pool().nondet(variable.type.element());
    context.effects.push_back({Cells::target(variable, piece.index), choice});
    context.effects.push_back({Cells::target(*memory_.flag(piece.group), piece.index), pool().truth()});
    return choice;
  }

  // Chooses values for those scalars of the spot that may not have been written, one after the other, not together.
  void fill_in(const Spot& spot, const Context& way) {
    for (const Piece& piece : spot.pieces) {
      const Variable* flag = memory_.flag(piece.group);
      if (flag == nullptr) continue;
      const Variable variable = memory_.variable(piece.group);
      const ExprId written = cells_.read(*flag, piece.index);
      const LocId after = add_location();
      add_edge(after, {.guard = pool().conj(way.guard, written)});
      Action choose{.guard = pool().conj(way.guard, pool().negate(written))};
      choose.assigns.push_back({Cells::target(variable, piece.index), pool().nondet(variable.type.element())});
      choose.assigns.push_back({Cells::target(*flag, piece.index), pool().truth()});
      add_edge(after, std::move(choose));
      source_ = after;
    }
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
    if (load == copied_) return false;
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
      const bool is_address = nameless_.may_be_address(resolver_.points_to().targets(steps[i]));
      const model::VarId temporary = memory_.temporary(id_, type, i, is_address);
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
      case Node::Kind::Havoc: emit_havoc(); break;
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
      if (node_->violation != Wrong::Assertion) end_undefined(pool().truth(), node_->message);
      return;
    }
    const auto kind = is_cut ? model::Property::Kind::Cut : model::Property::Kind::Assertion;
    std::string text = is_cut || node_->text.empty() ? node_->message : node_->text;
    // What fails in an assertion stands there; what is wrong with a lock does not.
    const bool speaks = !is_cut && node_->violation != Wrong::Assertion;
    if (speaks && !node_->text.empty()) text = node_->message + ": " + node_->text;
    templ().locations[source_.value].error =
        program_.add_property({.kind = kind, .text = text, .span = node_->span, .words = speaks ? node_->message : ""});
  }

  void emit_assign() {
    Context context = this->context();
    const Term& term = flat_.term(node_->term);
    if (term.op == Op::Load && !is_shared(term.access)) copied_ = node_->term;
    const std::vector<TermId> loads = split(is_shared(node_->access), context);
    expand(loads, 0, std::move(context), [&](Context way) {
      const ExprId known = way.expressions.value(node_->term);
      settle(way);
      announce(node_->access, true, std::move(way), [&](Context there, const Spot& spot) {
        if (changes_constant(flat_, *node_, spot.inst))
          return go_wrong(there.guard, Wrong::Fault, "a write to a constant");
        if (there.unwritten && spot.is_whole() && memory_.flag(spot.pieces.front().group) != nullptr) {
          return forget(there, spot.pieces.front());
        }
        const ExprId value = there.unwritten ? choose(*there.unwritten, there) : known;
        if (spot.pieces.size() > 1) return store_pieces(there, spot, value);
        const Piece& piece = spot.pieces.front();
        const Variable* flag = memory_.flag(piece.group);
        if (spot.is_whole()) return store(there, there.guard, piece, value, flag);
        const ExprId written = flag != nullptr ? cells_.read(*flag, piece.index) : pool().truth();
        const auto change = [&](ExprId cell, ExprId guard) {
          store(there, pool().conj(there.guard, guard), piece, cells_.with_piece(piece, cell, value, there.expressions),
                flag);
        };
        change(cells_.read(piece), written);
        if (flag == nullptr) return;
        change(pool().nondet(memory_.variable(piece.group).type.element()), pool().negate(written));
      });
    });
  }

  void store(Context& context, ExprId guard, const Piece& piece, ExprId value, const Variable* flag) {
    const Variable variable = memory_.variable(piece.group);
    Action action{.guard = guard};
    action.assigns.push_back(
        {Cells::target(variable, piece.index), context.expressions.convert(value, variable.type.element())});
    if (flag != nullptr) action.assigns.push_back({Cells::target(*flag, piece.index), pool().truth()});
    Cells::add_effects(context.effects, action);
    const LocId source = source_;
    Action look{.guard = guard};
    if ((depth_ & outside) != 0 &&
        cells_.keep_neighbours(id_, piece, resolver_.neighbours(piece.group), look, action)) {
      action.guard.reset();
      const LocId after = add_location();
      add_edge(after, std::move(look));
      source_ = after;
    }
    add_edge(next(0), std::move(action));
    source_ = source;
  }

  // A copy of what was never written is as good as never written.
  void forget(Context& context, const Piece& piece) {
    Action action{.guard = context.guard, .assigns = context.effects};
    action.assigns.push_back({Cells::target(*memory_.flag(piece.group), piece.index), pool().falsity()});
    add_edge(next(0), std::move(action));
  }

  void store_pieces(Context& context, const Spot& spot, ExprId value) {
    const LocId source = source_;
    Spot partly = spot;
    std::erase_if(partly.pieces, [&](const Piece& piece) { return cells_.fills_scalar(piece); });
    fill_in(partly, context);
    Action action{.guard = context.guard};
    for (const Piece& piece : spot.pieces) {
      const Variable variable = memory_.variable(piece.group);
      const ExprId changed = cells_.with_piece(piece, cells_.read(piece), value, context.expressions);
      action.assigns.push_back(
          {Cells::target(variable, piece.index), context.expressions.convert(changed, variable.type.element())});
      const Variable* flag = memory_.flag(piece.group);
      if (flag != nullptr) action.assigns.push_back({Cells::target(*flag, piece.index), pool().truth()});
    }
    Cells::add_effects(context.effects, action);
    add_edge(next(0), std::move(action));
    source_ = source;
  }

  void emit_branch() {
    Context context = this->context();
    const std::vector<TermId> loads = split(false, context);
    expand(loads, 0, std::move(context), [&](Context way) {
      const ExprId condition = way.expressions.truth(node_->term);
      settle(way);
      const auto go = [&](LocId to, ExprId guard) {
        Action action{.guard = pool().conj(way.guard, guard)};
        Cells::add_effects(way.effects, action);
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
      Cells::add_effects(way.effects, action);
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
    cells_.begin_life(node_->inst, node_->element, node_->zeroed, action);
    add_edge(next(0), std::move(action));
  }

  // Does it make a difference that the object has been freed?
  bool is_missed(InstId inst) { return flat_.options.asks_for(Wrong::Fault) || flat_.inst(inst).freed.has_value(); }

  // Where faults and races are not looked for and nothing is handed out again, freeing changes nothing.
  void emit_free() {
    const std::set<InstId> objects = resolver_.heap_objects(node_->term);
    const bool matters = flat_.options.asks_for(Wrong::Fault) ||
                         std::any_of(objects.begin(), objects.end(), [&](InstId inst) { return is_missed(inst); });
    if (!matters && !announces_) return add_edge(next(0), {});
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
      for (const InstId inst : objects) {
        const ir::Type& object = flat_.unit.type(flat_.inst(inst).type);
        const bool is_pool = flat_.inst(inst).is_pool;
        const std::uint64_t count = is_pool ? object.count : 1;
        for (std::uint64_t i = 0; i < count; ++i) {
          const std::uint64_t offset = is_pool ? i * size_of(flat_.unit, object.target) : 0;
          const ExprId here = is_at(layout_.address_of(inst) + static_cast<std::int64_t>(offset));
          nowhere = pool().conj(nowhere, pool().negate(here));
          ExprId guard = pool().conj(way.guard, here);
          if (announces_) guard = announce_free(inst, i, count, guard);
          if (is_missed(inst)) {
            free_object(inst, is_pool ? std::optional(i) : std::nullopt, guard);
          } else {
            add_edge(next(0), {.guard = guard});
          }
          source_ = source;
        }
      }
      if (resolver_.may_be_foreign(node_->term)) {
        const ExprId here = resolver_.in_foreign(pointer, way.expressions);
        add_edge(next(0), {.guard = pool().conj(way.guard, here)});
        nowhere = pool().conj(nowhere, pool().negate(here));
      }
      go_wrong(nowhere, Wrong::Fault, "something is freed that was not allocated");
    });
  }

  void emit_havoc() {
    Context context = this->context();
    const std::vector<TermId> loads = split(true, context);
    const Havoc havoc(flat_, id_, *node_, resolver_, layout_, memory_, program_);
    const LocId entry = havoc.emit(next(0));
    expand(loads, 0, std::move(context), [&](Context way) {
      const model::Assign start = havoc.set_position(way.expressions.value(node_->term), way.expressions);
      settle(way);
      Action action{.guard = way.guard, .assigns = {start}};
      Cells::add_effects(way.effects, action);
      add_edge(entry, std::move(action));
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
    const ExprId gone = cells_.read(freed, index);
    go_wrong(pool().conj(guard, gone), Wrong::Fault, "an object is freed twice");
    Action action{.guard = pool().conj(guard, pool().negate(gone))};
    action.assigns.push_back({Cells::target(freed, index), pool().truth()});
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
      go_wrong(nowhere, std::nullopt, "a thread whose start routine is not known");
    });
  }

  void give(InstId inst, ExprId value, Action& action, model::Spawn& spawn, Expressions& expressions) {
    const auto& groups = layout_.groups_of(inst);
    COHORT_EXPECT(groups.size() == 1, "a thread is given scalars");
    const Variable variable = memory_.variable(groups.front());
    const model::Assign assign{Cells::target(variable, std::nullopt), expressions.convert(value, variable.type)};
    (variable.is_shared ? action.assigns : spawn.locals).push_back(assign);
  }

  Flat& flat_;
  const BodyId id_;
  const Body& body_;
  Resolver& resolver_;
  Layout& layout_;
  Memory& memory_;
  const Nameless& nameless_;
  Races& races_;
  model::Program& program_;
  const Cells cells_;
  const std::vector<LocId>& entries_;
  const std::vector<Depths> depths_;
  bool announces_;  // accesses lead through places that races are about
  std::vector<LocId> locations_;
  const Node* node_ = nullptr;
  std::optional<TermId> copied_;  // what the node stores as it is, where nobody else sees it being read
  LocId source_{};
  Depths depth_ = 0;
};

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
  Memory memory(flat, layout, sharing, std::move(flagged), stores_into_pointers(flat, points_to, layout), program);
  const Nameless nameless(flat, points_to, sharing, layout);
  Resolver resolver(flat, points_to, layout, memory, program);
  Races races = flat.options.asks_for(Wrong::Race) ? Races(flat, resolver) : Races();
  for (std::size_t i = 0; i < flat.bodies.size(); ++i) {
    BodyEmitter(flat, BodyId(i), resolver, layout, memory, nameless, races, program, entries).run(locations[i]);
  }
  races.declare(program, layout, flat);
  model::Atlas atlas;
  flat.calls.write(atlas);
  if (const auto heap = memory.heap(nameless, points_to)) heap->write(atlas);
  program.atlas = memory.atlas(std::move(atlas));
  if (flat.options.asks_for(Wrong::Fault) && takes_stack_addresses(flat)) {
    program.assumptions.emplace_back(
        "objects on a stack live as long as their thread: that one is used after its block or function is not seen");
  }
  if (flat.options.asks_for(Wrong::Deadlock)) {
    program.add_property({.kind = model::Property::Kind::Deadlock, .text = "threads wait for ever"});
  }
  return program;
}

}  // namespace cohort::frontend::c::lower
