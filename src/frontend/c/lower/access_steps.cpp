#include "frontend/c/lower/access_steps.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/c/lower/loads.hpp"
#include "model/passes/undefined_ends.hpp"

namespace cohort::frontend::c::lower {

using model::Action;
using model::ExprId;
using model::LocId;

namespace {

const model::Type wide = model::Type::fixed(64, true);

}  // namespace

AccessSteps::AccessSteps(const Emission& emission, BodyId id, const std::vector<LocId>& locations)
    : flat_(emission.flat),
      id_(id),
      body_(emission.flat.bodies[id.value]),
      resolver_(emission.resolver),
      layout_(emission.layout),
      memory_(emission.memory),
      races_(emission.races),
      program_(emission.program),
      cells_(flat_, layout_, memory_, program_),
      announces_(races_.are_wanted()),
      nameless_(emission.nameless),
      locations_(locations) {
  COHORT_EXPECT(locations_.size() == body_.nodes.size(), "every node of the body has its location");
}

void AccessSteps::stand_at(NodeId node, Depths depth) {
  COHORT_EXPECT(depth != 0, "only what is reachable becomes steps");
  node_ = &body_.nodes[node.value];
  source_ = locations_[node.value];
  depth_ = depth;
  copied_.reset();
}

void AccessSteps::add_edge(LocId target, Action action, const char* remark) {
  if (action.guard && pool().is_true(*action.guard)) action.guard.reset();
  if (action.guard && pool().is_false(*action.guard)) return;
  COHORT_EXPECT(target.value < templ().locations.size() && source_.value < templ().locations.size(),
                "an edge joins locations of the body's template");
  action.span = node_->span;
  action.text = node_->text + remark;
  flat_.calls.set({model::TemplateId(id_.value), static_cast<std::uint32_t>(templ().edges.size())}, node_->call);
  templ().edges.push_back({source_, target, {std::move(action)}});
}

LocId AccessSteps::add_location(std::optional<model::PropertyId> error) {
  // What a node of a loop where a thread waits becomes is in the loop, too.
  return templ().add_location({.label = "", .span = node_->span, .error = error, .waits = !error && node_->spins});
}

LocId AccessSteps::error_location(model::Property::Kind kind, const std::string& message) {
  const std::string text = node_->text.empty() ? message : fmt::format("{}: {}", message, node_->text);
  return add_location(program_.add_property({.kind = kind, .text = text, .span = node_->span, .words = message}));
}

void AccessSteps::go_wrong(ExprId condition, std::optional<Wrong> kind, const std::string& message) {
  if (pool().is_false(condition)) return;
  if (!kind) {
    add_edge(error_location(model::Property::Kind::Cut, message), {.guard = condition});
  } else if (flat_.options.asks_for(*kind)) {
    add_edge(error_location(model::Property::Kind::Assertion, message), {.guard = condition});
  } else {
    end_undefined(condition, message);
  }
}

void AccessSteps::end_undefined(ExprId condition, const std::string& message) {
  add_edge(error_location(model::Property::Kind::Cut, model::undefined_end_text(message)), {.guard = condition});
}

bool AccessSteps::is_shared(AccessId access) {
  return std::ranges::any_of(resolver_.groups(access), [&](GroupId group) { return memory_.is_shared(group); });
}

void AccessSteps::follow(AccessId access, Context context, const Go& go) {
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
      const bool has_ended = flat_.inst(spot.inst).ended.has_value();
      go_wrong(pool().conj(way.guard, gone), Wrong::Fault,
               has_ended ? "an access to a local that lives no more" : "an access to an object that has been freed");
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

std::optional<ExprId> AccessSteps::within_extent(AccessId id, const Spot& spot, Expressions& expressions) {
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

void AccessSteps::announce(AccessId access, bool writes, Context context, const Go& go) {
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

Races::Place AccessSteps::race_place(bool writes, bool is_plain) const {
  return {.templ = model::TemplateId(id_.value),
          .writes = writes,
          .is_atomic = !is_plain,
          .span = node_->span,
          .text = node_->text};
}

void AccessSteps::go_to(Races::Place& place, ExprId guard) {
  place.location = add_location();
  add_edge(place.location, {.guard = guard});
  source_ = place.location;
}

void AccessSteps::expand(const std::vector<TermId>& loads, std::size_t index, Context context, const Finish& finish) {
  COHORT_EXPECT(index <= loads.size(), "loads are performed one after the other");
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

ExprId AccessSteps::choose(const Piece& piece, Context& context) {
  const Variable variable = memory_.variable(piece.group);
  COHORT_EXPECT(memory_.flag(piece.group) != nullptr, "whether it was written is known of what is chosen");
  const ExprId choice = pool().nondet(variable.type.element());
  context.effects.push_back({Cells::target(variable, piece.index), choice});
  context.effects.push_back({Cells::target(*memory_.flag(piece.group), piece.index), pool().truth()});
  return choice;
}

void AccessSteps::fill_in(const Spot& spot, const Context& way) {
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

void AccessSteps::settle(Context& context) {
  for (const Check& check : context.expressions.take_checks()) {
    go_wrong(pool().conj(context.guard, pool().negate(check.condition)), check.kind, check.message);
    context.guard = pool().conj(context.guard, check.condition);
  }
}

std::vector<TermId> AccessSteps::loads_of_node(const std::set<TermId>& done) const {
  LoadFinder finder(flat_, done);
  if (node_->has_term) finder.visit(node_->term);
  if (node_->kind == Node::Kind::Spawn) finder.visit(node_->argument);
  if (node_->has_number) finder.visit(node_->number);
  if (node_->has_access) finder.visit(flat_.access(node_->access));
  return finder.take();
}

bool AccessSteps::needs_step(TermId load) {
  const AccessId access = flat_.term(load).access;
  if ((depth_ & outside) != 0 && is_shared(access)) return true;
  if (load == copied_) return false;
  const auto groups = resolver_.groups(access);
  return std::any_of(groups.begin(), groups.end(), [&](GroupId group) { return memory_.flag(group) != nullptr; });
}

std::vector<TermId> AccessSteps::split(bool shared_use, Context& context) {
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

}  // namespace cohort::frontend::c::lower
