// Random Boolean programs, small enough to be explored state by state: shared and local variables, guards, parallel
// assignments with constraints over both states, choices, edges of several actions, new threads, threads that end,
// atomic sections and broadcasts. The same seed gives the same program.
#pragma once

#include <random>
#include <string>

#include <fmt/core.h>

#include "model/passive.hpp"
#include "model/program.hpp"

namespace cohort::testing {

struct RandomShape {
  bool broadcasts = true;
  bool spawns = true;
  bool atomic = true;
  bool two_templates = true;
  bool errors = true;
  bool covers = false;
  std::uint32_t max_shared = 3;
  std::uint32_t max_locals = 2;
  std::uint32_t max_locations = 5;
  std::uint32_t max_edges = 8;
};

class RandomBoolean {
 public:
  RandomBoolean(std::uint64_t seed, RandomShape shape) : random_(seed), shape_(shape) {}

  model::Program make() {
    program_ = {};
    program_.name = "random";
    const std::uint32_t shared = below(shape_.max_shared) + 1;
    for (std::uint32_t i = 0; i < shared; ++i) program_.add_shared(variable(fmt::format("s{}", i)));
    const std::uint32_t templates = shape_.two_templates ? below(2) + 1 : 1;
    for (std::uint32_t t = 0; t < templates; ++t) add_template(fmt::format("t{}", t));
    if (shape_.errors) add_error();
    for (std::uint32_t t = 0; t < templates; ++t) add_edges(model::TemplateId(t));
    for (std::uint32_t t = 0; t < templates; ++t) {
      if (t == 0 || chance(50)) program_.initial.push_back({model::TemplateId(t), model::LocId(0), below(2) + 1});
    }
    if (shape_.spawns && chance(30)) program_.initial.resize(1);
    if (shape_.covers) add_cover();
    return program_;
  }

 private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

  model::Variable variable(std::string name) {
    model::Variable result;
    result.name = std::move(name);
    if (chance(60)) result.initial = {chance(50) ? 1 : 0};
    return result;
  }

  void add_template(std::string name) {
    model::Template templ;
    templ.name = std::move(name);
    const std::uint32_t locals = below(shape_.max_locals + 1);
    for (std::uint32_t i = 0; i < locals; ++i) templ.add_local(variable(fmt::format("l{}", i)));
    const std::uint32_t locations = below(shape_.max_locations - 1) + 2;
    for (std::uint32_t i = 0; i < locations; ++i) templ.add_location({.label = fmt::format("L{}", i)});
    templ.entry = model::LocId(0);
    program_.add_template(std::move(templ));
  }

  void add_error() {
    const auto property = program_.add_property({.kind = model::Property::Kind::Assertion, .text = "error"});
    const auto templ = below(static_cast<std::uint32_t>(program_.templates.size()));
    program_.templates[templ].locations.back().error = property;
  }

  void add_cover() {
    model::Property property{.kind = model::Property::Kind::Cover, .text = "cover"};
    for (std::uint32_t i = below(2) + 1; i > 0; --i) {
      const auto templ = below(static_cast<std::uint32_t>(program_.templates.size()));
      const auto locations = static_cast<std::uint32_t>(program_.templates[templ].locations.size());
      property.threads.emplace_back(model::TemplateId(templ), model::LocId(below(locations)));
    }
    if (chance(50)) property.condition = program_.exprs.shared(model::VarId(0), model::Type::boolean());
    program_.add_property(std::move(property));
  }

  void add_edges(model::TemplateId templ) {
    const auto locations = static_cast<std::uint32_t>(program_.templ(templ).locations.size());
    const std::uint32_t edges = below(shape_.max_edges) + 2;
    for (std::uint32_t i = 0; i < edges; ++i) {
      model::Edge edge;
      // The first edges make a chain, so that most locations can be reached.
      edge.source = model::LocId(i + 1 < locations ? i : below(locations));
      edge.target = model::LocId(i + 1 < locations ? i + 1 : below(locations));
      bool broadcast = false;
      bool spawn = false;
      for (std::uint32_t n = chance(20) ? 2 : 1; n > 0; --n) edge.actions.push_back(action(templ, broadcast, spawn));
      program_.templ(templ).edges.push_back(std::move(edge));
    }
  }

  model::Action action(model::TemplateId templ, bool& broadcast, bool& spawn) {
    model::Action result;
    const auto locals = static_cast<std::uint32_t>(program_.templ(templ).locals.size());
    if (chance(50)) result.guard = expression(templ, 2, false, false);
    if (shape_.spawns && !spawn && chance(12)) {
      spawn = true;
      result.spawns.push_back(new_thread(templ));
    }
    for (std::uint32_t i = 0; i < program_.shared.size(); ++i) {
      if (chance(30))
        result.assigns.push_back({{model::LValue::Kind::Shared, model::VarId(i), {}, {}, {}}, value(templ, false)});
    }
    for (std::uint32_t i = 0; i < locals && result.spawns.empty(); ++i) {
      if (chance(35))
        result.assigns.push_back({{model::LValue::Kind::Local, model::VarId(i), {}, {}, {}}, value(templ, false)});
    }
    if (chance(25)) result.constraint.push_back(expression(templ, 2, true, false));
    if (shape_.broadcasts && !broadcast && locals > 0 && chance(15)) {
      broadcast = true;
      add_broadcast(templ, locals, result);
    }
    if (shape_.atomic && chance(12))
      result.atomic = chance(50) ? model::AtomicChange::Enter : model::AtomicChange::Exit;
    result.ends_thread = chance(5);
    return result;
  }

  void add_broadcast(model::TemplateId templ, std::uint32_t locals, model::Action& action) {
    for (std::uint32_t i = 0; i < locals; ++i) {
      if (chance(50))
        action.assigns.push_back({{model::LValue::Kind::Passive, model::VarId(i), {}, {}, templ}, value(templ, true)});
    }
    if (chance(50)) action.constraint.push_back(passive_conjunct(templ, locals));
  }

  // Mentions a passive variable for sure.
  model::ExprId passive_conjunct(model::TemplateId templ, std::uint32_t locals) {
    const model::VarId var(below(locals));
    const auto passive = model::passive_variable(program_.exprs, templ, var, model::Type::boolean(), chance(50));
    return program_.exprs.binary(chance(50) ? model::Op::Or : model::Op::Implies, passive,
                                 expression(templ, 1, true, true), model::Type::boolean());
  }

  model::Spawn new_thread(model::TemplateId creator) {
    model::Spawn spawn;
    spawn.templ =
        chance(60) ? creator : model::TemplateId(below(static_cast<std::uint32_t>(program_.templates.size())));
    const model::Template& templ = program_.templ(spawn.templ);
    spawn.location = model::LocId(below(static_cast<std::uint32_t>(templ.locations.size())));
    if (templ.locations[spawn.location.value].error) spawn.location = model::LocId(0);
    spawn.copies_locals = spawn.templ == creator && chance(70);
    for (std::uint32_t i = 0; i < templ.locals.size(); ++i) {
      if (chance(25))
        spawn.locals.push_back({{model::LValue::Kind::Local, model::VarId(i), {}, {}, {}}, value(creator, false)});
    }
    return spawn;
  }

  model::ExprId value(model::TemplateId templ, bool passive) {
    if (chance(25)) return program_.exprs.nondet(model::Type::boolean());
    if (chance(30)) return program_.exprs.boolean(chance(50));
    return expression(templ, 1, false, passive);
  }

  model::ExprId expression(model::TemplateId templ, std::uint32_t depth, bool primes, bool passive) {
    auto& exprs = program_.exprs;
    if (depth == 0 || chance(25)) return leaf(templ, primes, passive);
    const auto left = expression(templ, depth - 1, primes, passive);
    switch (below(6)) {
      case 0: return exprs.negate(left);
      case 1: return exprs.conj(left, expression(templ, depth - 1, primes, passive));
      case 2: return exprs.disj(left, expression(templ, depth - 1, primes, passive));
      case 3:
        return exprs.binary(model::Op::Xor, left, expression(templ, depth - 1, primes, passive),
                            model::Type::boolean());
      case 4:
        return exprs.binary(model::Op::Eq, left, expression(templ, depth - 1, primes, passive), model::Type::boolean());
      default: return left;
    }
  }

  model::ExprId leaf(model::TemplateId templ, bool primes, bool passive) {
    auto& exprs = program_.exprs;
    const auto locals = static_cast<std::uint32_t>(program_.templ(templ).locals.size());
    const bool primed = primes && chance(50);
    if (chance(10)) return exprs.nondet(model::Type::boolean());
    if (passive && locals > 0 && chance(40))
      return model::passive_variable(exprs, templ, model::VarId(below(locals)), model::Type::boolean(), primed);
    if (locals > 0 && chance(50)) return exprs.local(model::VarId(below(locals)), model::Type::boolean(), primed);
    return exprs.shared(model::VarId(below(static_cast<std::uint32_t>(program_.shared.size()))), model::Type::boolean(),
                        primed);
  }

  std::mt19937_64 random_;
  RandomShape shape_;
  model::Program program_;
};

}  // namespace cohort::testing
