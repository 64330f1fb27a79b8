#include "frontend/c/lower/emit_body.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "frontend/c/lower/havoc.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/survey.hpp"
#include "frontend/c/lower/threads.hpp"
#include "model/passes/undefined_ends.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using model::Action;

namespace {

class BodyEmitter : private AccessSteps {
 public:
  BodyEmitter(const Emission& emission, BodyId id, const std::vector<LocId>& locations,
              const std::vector<LocId>& entries)
      : AccessSteps(emission, id, locations), entries_(entries) {}

  void run() {
    const std::vector<Depths> depths = section_depths(body_);
    for (std::size_t i = 0; i < body_.nodes.size(); ++i) {
      if (depths[i] == 0) continue;  // unreachable
      stand_at(NodeId(i), depths[i]);
      emit_node();
    }
  }

 private:
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

  const std::vector<LocId>& entries_;
};

}  // namespace

void emit_body(const Emission& emission, BodyId id, const std::vector<model::LocId>& locations,
               const std::vector<model::LocId>& entries) {
  COHORT_EXPECT(entries.size() == emission.flat.bodies.size(), "every body has an entry, for whoever creates a thread");
  BodyEmitter(emission, id, locations, entries).run();
}

}  // namespace cohort::frontend::c::lower
