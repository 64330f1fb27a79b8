#include "model/analysis/dependence.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

#include "base/contract.hpp"
#include "model/analysis/components.hpp"
#include "model/analysis/may_fault.hpp"

namespace cohort::model {

namespace {

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
  close_futures(program);
  compare_with_everything();
  cut_cycles(program);
  compare_with_each();
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
  const BitSet none(bits_);
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
      facts.reads.insert(place_bit(templ));
      facts.writes.insert(place_bit(templ));
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
        facts.reads.insert(shared_bit(node.var));
        facts.future.reads.insert(shared_bit(node.var));
        break;
      case Op::LocalVar: facts.reads.insert(local_bit(templ, node.var)); break;
      case Op::PassiveVar: facts.future.reads.insert(local_bit(node.templ, node.var)); break;
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
        facts.writes.insert(shared_bit(assign.target.var));
        facts.future.writes.insert(shared_bit(assign.target.var));
        if (watched_[assign.target.var.value]) facts.candidate = false;
        break;
      case LValue::Kind::Local: facts.writes.insert(local_bit(templ, assign.target.var)); break;
      case LValue::Kind::Passive: facts.future.writes.insert(local_bit(assign.target.templ, assign.target.var)); break;
      case LValue::Kind::Remote: touch_all(program, templ, facts); break;
    }
  }
}

void Dependence::collect_others(const Program& program, TemplateId templ, const Action& action, Facts& facts) {
  // A thread that appears or goes is seen by whoever looks at the locals or places of its template.
  const auto appears_or_goes = [&](TemplateId which) {
    for (std::size_t v = 0; v < program.templ(which).locals.size(); ++v)
      facts.writes.insert(local_bit(which, VarId(v)));
    facts.writes.insert(place_bit(which));
  };
  for (const Take& take : action.takes) {
    facts.future.reads.insert(place_bit(take.templ));
    facts.future.writes.insert(place_bit(take.templ));
  }
  for (const PassiveMove& move : action.moves) {
    facts.future.reads.insert(place_bit(move.templ));
    facts.future.writes.insert(place_bit(move.templ));
  }
  for (const Spawn& spawn : action.spawns) {
    facts.spawns = facts.future.spawns = true;
    appears_or_goes(spawn.templ);
    for (const Assign& assign : spawn.locals) collect_expression(program, templ, assign.value, facts);
    if (spawn.copies_locals) {
      for (std::size_t v = 0; v < program.templ(templ).locals.size(); ++v)
        facts.reads.insert(local_bit(templ, VarId(v)));
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
    facts.future.reads.insert(place_bit(TemplateId(t)));
    facts.future.writes.insert(place_bit(TemplateId(t)));
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
  for (std::size_t t = 0; t < program.templates.size(); ++t) {
    const TemplateId templ(t);
    for (const Edge& edge : program.templates[t].edges) {
      const Node source = node(templ, edge.source);
      result.push_back({source, node(templ, edge.target)});
      for (const Action& action : edge.actions) {
        for (const Spawn& spawn : action.spawns) result.push_back({source, node(spawn.templ, spawn.location)});
      }
    }
  }
  return result;
}

void Dependence::compare_with_everything() {
  Future everything = nothing();
  for (const Facts& facts : facts_) add(everything, facts.future);
  for (Facts& facts : facts_) facts.always_independent = independent(facts, everything);
}

void Dependence::compare_with_each() {
  std::map<std::tuple<BitSet, BitSet, bool, bool>, std::uint32_t> numbers;
  std::vector<const Future*> futures;
  for (const Facts& facts : facts_) {
    const Future& future = facts.future;
    const auto [it, added] = numbers.try_emplace(std::tuple(future.reads, future.writes, future.spawns, future.ends),
                                                 static_cast<std::uint32_t>(futures.size()));
    if (added) futures.push_back(&future);
    future_ids_.push_back(it->second);
  }
  commuting_.assign(facts_.size(), BitSet(futures.size()));
  for (std::size_t node = 0; node < facts_.size(); ++node) {
    for (std::size_t future = 0; future < futures.size(); ++future) {
      if (independent(facts_[node], *futures[future])) commuting_[node].insert(future);
    }
  }
}

// Cycles are cut at one location after the other: in each strongly connected part of what is left, the location that
// costs least is made no candidate, and the parts of the rest are looked for again.
void Dependence::cut_cycles(const Program& program) {
  std::vector<std::vector<Node>> leaving(facts_.size());
  for (const Link& link : links(program)) leaving[link.source].push_back(link.target);
  std::vector<Node> all(facts_.size());
  std::iota(all.begin(), all.end(), Node{0});
  std::vector<std::vector<Node>> open{all};
  while (!open.empty()) {
    const std::vector<Node> nodes = std::move(open.back());
    open.pop_back();
    for (std::vector<Node>& part : cyclic_parts(leaving, nodes)) {
      const Node cut = *std::max_element(part.begin(), part.end(), [&](Node a, Node b) {
        return cut_preference(a, leaving[a]) < cut_preference(b, leaving[b]);
      });
      facts_[cut].candidate = false;
      leaving[cut].clear();
      open.push_back(std::move(part));
    }
  }
}

// Greater is better.  A location whose step is not independent anyway is hardly ever expanded alone, so nothing is lost
// there; otherwise the end of a loop is taken.
std::pair<int, std::size_t> Dependence::cut_preference(Node node, const std::vector<Node>& targets) const {
  const Facts& facts = facts_[node];
  if (!facts.always_independent) return {facts.spawns ? 3 : 2, facts_.size() - node};
  const bool leads_back = std::any_of(targets.begin(), targets.end(), [&](Node t) { return t <= node; });
  return {leads_back ? 1 : 0, node};
}

// The strongly connected parts of the graph between `nodes` that have a cycle.  Links that leave locations which are no
// candidates do not count.
std::vector<std::vector<Dependence::Node>> Dependence::cyclic_parts(const std::vector<std::vector<Node>>& leaving,
                                                                    const std::vector<Node>& nodes) const {
  BitSet inside(facts_.size());
  std::vector<Node> roots;
  for (const Node node : nodes) {
    if (!facts_[node].candidate) continue;
    inside.insert(node);
    roots.push_back(node);
  }
  const auto successors = [&](Node node) {
    std::vector<Node> result;
    std::copy_if(leaving[node].begin(), leaving[node].end(), std::back_inserter(result),
                 [&](Node to) { return inside.contains(to); });
    return result;
  };
  std::vector<std::vector<Node>> parts;
  for_each_component(facts_.size(), roots, successors, [&](auto component) {
    if (component.cyclic) parts.push_back(std::move(component.members));
  });
  return parts;
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
      const bool new_reads = total.reads.unite(more.reads);
      const bool new_writes = total.writes.unite(more.writes);
      total.spawns = total.spawns || more.spawns;
      total.ends = total.ends || more.ends;
      grew = grew || new_flags || new_reads || new_writes;
    }
  }
}

Dependence::Future Dependence::nothing() const {
  const BitSet none(bits_);
  return {none, none, false, false};
}

void Dependence::add(Future& total, const Future& more) {
  total.reads.unite(more.reads);
  total.writes.unite(more.writes);
  total.spawns = total.spawns || more.spawns;
  total.ends = total.ends || more.ends;
}

bool Dependence::independent(const Facts& facts, const Future& others) {
  if (facts.writes.meets(others.reads) || facts.writes.meets(others.writes) || facts.reads.meets(others.writes))
    return false;
  if (facts.spawns && (others.spawns || others.ends)) return false;
  return !(facts.ends && others.spawns);
}

bool Dependence::sees_shared(const Future& others, VarId variable) const {
  return watched_[variable.value] || others.reads.contains(shared_bit(variable)) ||
         others.writes.contains(shared_bit(variable));
}

bool Dependence::sees_locals(const Future& others, TemplateId templ) const {
  const std::size_t end = templ.value + 1 < first_local_.size() ? first_local_[templ.value + 1] : first_place_;
  for (std::size_t bit = first_local_[templ.value]; bit < end; ++bit) {
    if (others.reads.contains(bit) || others.writes.contains(bit)) return true;
  }
  return others.reads.contains(place_bit(templ)) || others.writes.contains(place_bit(templ));
}

}  // namespace cohort::model
