#include "model/dependence.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "base/contract.hpp"
#include "model/access.hpp"

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
    if (can_fault(program, program.templ(templ), action)) facts.candidate = false;
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
  for (std::size_t t = 0; t < program.templates.size(); ++t) {
    const TemplateId templ(t);
    for (const Edge& edge : program.templates[t].edges) {
      const std::size_t source = node(templ, edge.source);
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
  std::map<std::tuple<Bits, Bits, bool, bool>, std::uint32_t> numbers;
  std::vector<const Future*> futures;
  for (const Facts& facts : facts_) {
    const Future& future = facts.future;
    const auto [it, added] = numbers.try_emplace(std::tuple(future.reads, future.writes, future.spawns, future.ends),
                                                 static_cast<std::uint32_t>(futures.size()));
    if (added) futures.push_back(&future);
    future_ids_.push_back(it->second);
  }
  row_ = (futures.size() + 63) / 64;
  commuting_.assign(facts_.size() * row_, 0);
  for (std::size_t node = 0; node < facts_.size(); ++node) {
    for (std::size_t future = 0; future < futures.size(); ++future) {
      if (independent(facts_[node], *futures[future]))
        commuting_[node * row_ + future / 64] |= std::uint64_t{1} << (future % 64);
    }
  }
}

// Cycles are cut at one location after the other: in each strongly connected part of what is left, the location that
// costs least is made no candidate, and the parts of the rest are looked for again.
void Dependence::cut_cycles(const Program& program) {
  std::vector<std::vector<std::size_t>> leaving(facts_.size());
  for (const Link& link : links(program)) leaving[link.source].push_back(link.target);
  std::vector<std::size_t> all(facts_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> open{all};
  while (!open.empty()) {
    const std::vector<std::size_t> nodes = std::move(open.back());
    open.pop_back();
    for (std::vector<std::size_t>& part : cyclic_parts(leaving, nodes)) {
      const std::size_t cut = *std::max_element(part.begin(), part.end(), [&](std::size_t a, std::size_t b) {
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
std::pair<int, std::size_t> Dependence::cut_preference(std::size_t node,
                                                       const std::vector<std::size_t>& targets) const {
  const Facts& facts = facts_[node];
  if (!facts.always_independent) return {facts.spawns ? 3 : 2, facts_.size() - node};
  const bool leads_back = std::any_of(targets.begin(), targets.end(), [&](std::size_t t) { return t <= node; });
  return {leads_back ? 1 : 0, node};
}

// The strongly connected parts of the graph between `nodes` that have a cycle, by Tarjan's algorithm without recursion.
// Links that leave locations which are no candidates do not count.
std::vector<std::vector<std::size_t>> Dependence::cyclic_parts(const std::vector<std::vector<std::size_t>>& leaving,
                                                               const std::vector<std::size_t>& nodes) const {
  constexpr std::size_t unseen = SIZE_MAX;
  constexpr std::size_t outside = SIZE_MAX - 1;
  std::vector<std::size_t> low(facts_.size(), outside);
  for (const std::size_t node : nodes) low[node] = facts_[node].candidate ? unseen : outside;
  std::vector<std::vector<std::size_t>> parts;
  std::vector<std::size_t> stack;
  std::size_t counter = 0;
  struct Step {
    std::size_t node;
    std::size_t number;
    std::size_t next = 0;
  };
  std::vector<Step> path;
  const auto enter = [&](std::size_t node) {
    path.push_back({node, counter});
    low[node] = counter++;
    stack.push_back(node);
  };
  for (const std::size_t root : nodes) {
    if (low[root] != unseen) continue;
    enter(root);
    while (!path.empty()) {
      const std::size_t node = path.back().node;
      if (path.back().next < leaving[node].size()) {
        const std::size_t target = leaving[node][path.back().next++];
        if (low[target] == unseen) {
          enter(target);
        } else if (low[target] != outside) {
          low[node] = std::min(low[node], low[target]);
        }
        continue;
      }
      const std::size_t number = path.back().number;
      path.pop_back();
      if (!path.empty()) low[path.back().node] = std::min(low[path.back().node], low[node]);
      if (low[node] != number) continue;
      const auto first = std::find(stack.begin(), stack.end(), node);
      std::vector<std::size_t> part(first, stack.end());
      stack.erase(first, stack.end());
      for (const std::size_t member : part) low[member] = outside;
      const auto& own = leaving[node];
      if (part.size() > 1 || std::find(own.begin(), own.end(), node) != own.end()) parts.push_back(std::move(part));
    }
  }
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

bool Dependence::independent(const Facts& facts, const Future& others) {
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
