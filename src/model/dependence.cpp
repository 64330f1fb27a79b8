#include "model/dependence.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::model {

namespace {

void set_bit(Dependence::Bits& bits, std::size_t index) {
  bits[index / 64] |= std::uint64_t{1} << (index % 64);
}

bool get_bit(const Dependence::Bits& bits, std::size_t index) {
  return ((bits[index / 64] >> (index % 64)) & 1U) != 0;
}

bool meet(const Dependence::Bits& a, const Dependence::Bits& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
}

// Returns whether anything was new.
bool unite(Dependence::Bits& total, const Dependence::Bits& more) {
  bool grew = false;
  for (std::size_t i = 0; i < total.size(); ++i) {
    grew = grew || (more[i] & ~total[i]) != 0;
    total[i] |= more[i];
  }
  return grew;
}

// Errs on the side of yes: everything but comparisons and wrap-around arithmetic of plain variables.
bool may_fault(const Expr& node) {
  switch (node.op) {
    case Op::Div:
    case Op::Mod:
    case Op::Shl:
    case Op::Shr: return true;
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Neg: return node.type.kind() != Type::Kind::Int;
    case Op::SharedVar:
    case Op::LocalVar:
    case Op::PassiveVar: return !node.args.empty();
    default: return false;
  }
}

bool may_fault(const Program& program, const Template& templ, const Action& action) {
  bool found = false;
  const auto look_at = [&](ExprId root) {
    for_each_node(program.exprs, root, [&](const Expr& node, ExprId) { found = found || may_fault(node); });
  };
  if (action.guard) look_at(*action.guard);
  for (const ExprId conjunct : action.constraint) look_at(conjunct);
  for (const Assign& assign : action.assigns) {
    look_at(assign.value);
    if (assign.target.kind == LValue::Kind::Remote) continue;
    const bool is_shared = assign.target.kind == LValue::Kind::Shared;
    const Variable& variable = is_shared ? program.shared[assign.target.var.value] : templ.local(assign.target.var);
    found = found || assign.target.index.has_value() || variable.type.kind() == Type::Kind::Range;
  }
  for (const Spawn& spawn : action.spawns) {
    for (const Assign& assign : spawn.locals) look_at(assign.value);
  }
  return found;
}

bool refers_to_threads(const Expr& node) {
  return node.op == Op::Self || node.op == Op::RemoteVar || node.op == Op::AtLocation || node.op == Op::ForallThread ||
         node.op == Op::ExistsThread || node.op == Op::BoundThread;
}

}  // namespace

Dependence::Dependence(const Program& program) {
  COHORT_EXPECT(is_flat(program), "calls are inlined before steps are compared");
  number(program);
  find_watched(program);
  collect(program);
  mark_cycles(program);
  close_futures(program);
}

void Dependence::number(const Program& program) {
  bits_ = program.shared.size();
  std::size_t nodes = 0;
  for (const Template& templ : program.templates) {
    first_node_.push_back(nodes);
    nodes += templ.locations.size();
    first_local_.push_back(bits_);
    bits_ += templ.locals.size();
  }
  first_place_ = bits_;
  bits_ += program.templates.size();
  facts_.resize(nodes);
  const Bits none((bits_ + 63) / 64, 0);
  for (Facts& facts : facts_) {
    facts.reads = facts.writes = none;
    facts.future.reads = facts.future.writes = none;
  }
}

void Dependence::find_watched(const Program& program) {
  watched_.assign(program.shared.size(), false);
  for (const Property& property : program.properties) {
    if (!property.condition) continue;
    for_each_node(program.exprs, *property.condition, [&](const Expr& node, ExprId) {
      if (node.op == Op::SharedVar) watched_[node.var.value] = true;
      watches_threads_ = watches_threads_ || refers_to_threads(node);
    });
  }
}

void Dependence::collect(const Program& program) {
  for (std::size_t t = 0; t < program.templates.size(); ++t) {
    const TemplateId templ(t);
    for (const Edge& edge : program.templates[t].edges) {
      Facts& facts = facts_[node(templ, edge.source)];
      // Every step reads and writes where the thread itself is; that matters to those who move other threads.
      set_bit(facts.reads, place_bit(templ));
      set_bit(facts.writes, place_bit(templ));
      collect(program, templ, edge, facts);
      if (visible(program, templ, edge)) facts.candidate = false;
    }
  }
}

void Dependence::collect(const Program& program, TemplateId templ, const Edge& edge, Facts& facts) {
  AtomicChange atomic = AtomicChange::None;
  for (const Action& action : edge.actions) {
    if (action.guard) collect_expression(program, templ, *action.guard, facts);
    for (const ExprId conjunct : action.constraint) collect_expression(program, templ, conjunct, facts);
    collect_targets(program, templ, action, facts);
    collect_others(program, templ, action, facts);
    if (action.atomic != AtomicChange::None) atomic = action.atomic;
    if (is_broadcast(program.exprs, action) || !action.takes.empty()) facts.candidate = false;
    if (may_fault(program, program.templ(templ), action)) facts.candidate = false;
  }
  if (atomic == AtomicChange::Enter) facts.candidate = false;
}

void Dependence::collect_expression(const Program& program, TemplateId templ, ExprId root, Facts& facts) {
  for_each_node(program.exprs, root, [&](const Expr& node, ExprId) {
    switch (node.op) {
      case Op::SharedVar:
        set_bit(facts.reads, shared_bit(node.var));
        set_bit(facts.future.reads, shared_bit(node.var));
        break;
      case Op::LocalVar: set_bit(facts.reads, local_bit(templ, node.var)); break;
      case Op::PassiveVar: set_bit(facts.future.reads, local_bit(templ, node.var)); break;
      default:
        if (refers_to_threads(node)) touch_all(program, templ, facts);
    }
  });
}

void Dependence::collect_targets(const Program& program, TemplateId templ, const Action& action, Facts& facts) {
  for (const Assign& assign : action.assigns) {
    collect_expression(program, templ, assign.value, facts);
    if (assign.target.index) collect_expression(program, templ, *assign.target.index, facts);
    switch (assign.target.kind) {
      case LValue::Kind::Shared:
        set_bit(facts.writes, shared_bit(assign.target.var));
        set_bit(facts.future.writes, shared_bit(assign.target.var));
        if (watched_[assign.target.var.value]) facts.candidate = false;
        break;
      case LValue::Kind::Local: set_bit(facts.writes, local_bit(templ, assign.target.var)); break;
      case LValue::Kind::Passive: set_bit(facts.future.writes, local_bit(templ, assign.target.var)); break;
      case LValue::Kind::Remote: touch_all(program, templ, facts); break;
    }
  }
}

void Dependence::collect_others(const Program& program, TemplateId templ, const Action& action, Facts& facts) {
  // A thread that appears or goes is seen by whoever looks at the locals or places of its template.
  const auto appears_or_goes = [&](TemplateId which) {
    for (std::size_t v = 0; v < program.templ(which).locals.size(); ++v)
      set_bit(facts.writes, local_bit(which, VarId(v)));
    set_bit(facts.writes, place_bit(which));
  };
  for (const Take& take : action.takes) {
    set_bit(facts.future.reads, place_bit(take.templ));
    set_bit(facts.future.writes, place_bit(take.templ));
  }
  for (const PassiveMove& move : action.moves) {
    set_bit(facts.future.reads, place_bit(move.templ));
    set_bit(facts.future.writes, place_bit(move.templ));
  }
  for (const Spawn& spawn : action.spawns) {
    facts.spawns = facts.future.spawns = true;
    appears_or_goes(spawn.templ);
    for (const Assign& assign : spawn.locals) collect_expression(program, templ, assign.value, facts);
    if (spawn.copies_locals) {
      for (std::size_t v = 0; v < program.templ(templ).locals.size(); ++v)
        set_bit(facts.reads, local_bit(templ, VarId(v)));
    }
  }
  if (action.ends_thread) {
    facts.ends = facts.future.ends = true;
    appears_or_goes(templ);
  }
}

void Dependence::touch_all(const Program& program, TemplateId /*templ*/, Facts& facts) {
  facts.candidate = false;
  for (std::size_t t = 0; t < program.templates.size(); ++t) {
    set_bit(facts.future.reads, place_bit(TemplateId(t)));
    set_bit(facts.future.writes, place_bit(TemplateId(t)));
  }
}

bool Dependence::watched_place(const Program& program, TemplateId templ, LocId location) const {
  if (program.templ(templ).locations[location.value].error) return true;
  return std::any_of(program.properties.begin(), program.properties.end(), [&](const Property& property) {
    return std::find(property.threads.begin(), property.threads.end(), std::pair(templ, location)) !=
           property.threads.end();
  });
}

bool Dependence::visible(const Program& program, TemplateId templ, const Edge& edge) const {
  if (watches_threads_ || watched_place(program, templ, edge.source) || watched_place(program, templ, edge.target))
    return true;
  for (const Action& action : edge.actions) {
    for (const Spawn& spawn : action.spawns) {
      if (watched_place(program, spawn.templ, spawn.location)) return true;
    }
  }
  return false;
}

std::vector<Dependence::Link> Dependence::links(const Program& program) const {
  std::vector<Link> result;
  std::size_t number = 0;
  for (std::size_t t = 0; t < program.templates.size(); ++t) {
    const TemplateId templ(t);
    for (const Edge& edge : program.templates[t].edges) {
      const std::size_t source = node(templ, edge.source);
      result.push_back({source, node(templ, edge.target), number});
      for (const Action& action : edge.actions) {
        for (const Spawn& spawn : action.spawns) result.push_back({source, node(spawn.templ, spawn.location), number});
      }
      ++number;
    }
  }
  return result;
}

// A depth-first search marks the links that lead back into the path it is on; without them the graph has no cycle.
void Dependence::mark_cycles(const Program& program) {
  const std::vector<Link> all = links(program);
  std::vector<std::vector<std::size_t>> leaving(facts_.size());
  for (const Link& link : all) leaving[link.source].push_back(link.target);
  enum class Colour : std::uint8_t { White, OnPath, Done };
  std::vector<Colour> colour(facts_.size(), Colour::White);
  struct Step {
    std::size_t node;
    std::size_t next = 0;
  };
  const auto search_from = [&](std::size_t root) {
    if (colour[root] != Colour::White) return;
    std::vector<Step> path{{root}};
    colour[root] = Colour::OnPath;
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next == leaving[step.node].size()) {
        colour[step.node] = Colour::Done;
        path.pop_back();
        continue;
      }
      const std::size_t target = leaving[step.node][step.next++];
      if (colour[target] == Colour::OnPath) {
        facts_[step.node].candidate = false;
      } else if (colour[target] == Colour::White) {
        colour[target] = Colour::OnPath;
        path.push_back({target});
      }
    }
  };
  for (std::size_t t = 0; t < program.templates.size(); ++t)
    search_from(node(TemplateId(t), program.templates[t].entry));
  for (std::size_t n = 0; n < facts_.size(); ++n) search_from(n);
}

void Dependence::close_futures(const Program& program) {
  const std::vector<Link> all = links(program);
  for (bool grew = true; grew;) {
    grew = false;
    // Backwards, since most links lead from earlier to later locations.
    for (auto link = all.rbegin(); link != all.rend(); ++link) {
      Future& total = facts_[link->source].future;
      const Future& more = facts_[link->target].future;
      const bool new_flags = (more.spawns && !total.spawns) || (more.ends && !total.ends);
      const bool new_reads = unite(total.reads, more.reads);
      const bool new_writes = unite(total.writes, more.writes);
      total.spawns = total.spawns || more.spawns;
      total.ends = total.ends || more.ends;
      grew = grew || new_flags || new_reads || new_writes;
    }
  }
}

Dependence::Future Dependence::nothing() const {
  const Bits none((bits_ + 63) / 64, 0);
  return {none, none, false, false};
}

void Dependence::add(Future& total, const Future& more) {
  unite(total.reads, more.reads);
  unite(total.writes, more.writes);
  total.spawns = total.spawns || more.spawns;
  total.ends = total.ends || more.ends;
}

bool Dependence::independent(TemplateId templ, LocId location, const Future& others) const {
  const Facts& facts = facts_[node(templ, location)];
  if (meet(facts.writes, others.reads) || meet(facts.writes, others.writes) || meet(facts.reads, others.writes))
    return false;
  if (facts.spawns && (others.spawns || others.ends)) return false;
  return !(facts.ends && others.spawns);
}

bool Dependence::sees_shared(const Future& others, VarId variable) const {
  return watched_[variable.value] || get_bit(others.reads, shared_bit(variable)) ||
         get_bit(others.writes, shared_bit(variable));
}

bool Dependence::sees_locals(const Future& others, TemplateId templ) const {
  const std::size_t end = templ.value + 1 < first_local_.size() ? first_local_[templ.value + 1] : first_place_;
  for (std::size_t bit = first_local_[templ.value]; bit < end; ++bit) {
    if (get_bit(others.reads, bit) || get_bit(others.writes, bit)) return true;
  }
  return get_bit(others.reads, place_bit(templ)) || get_bit(others.writes, place_bit(templ));
}

}  // namespace cohort::model
