// Programs full of `*` have a successor for every choice, and the explicit tree drowns in them.  Here a label <S, {(pc,
// L, n)}> stands for all configurations whose shared state is in S and that have, for each entry, n threads at pc with
// locals in L; all of these are chosen independently of each other, so a label is a product.  The control (locations,
// the thread inside an atomic section) stays explicit.
//
// A step of one thread takes S x L by its relation to a set over the shared variables, its locals and those of a thread
// it creates, which is no product in general: it is split by cases on a variable until every part is one.  The parts
// are exact, so every configuration of a node has a predecessor in the parent's label.
//
// Acceleration.  Let label D descend from label A, S_A included in S_D, and the threads of A embed into those of D by
// inclusion of their locals.  The threads of D that the embedding leaves over can be repeated: take any d in D; it has
// a predecessor a in A, by steps w.  By the embedding, a together with any threads x from the left-over entries lies in
// D; call it d1 = a + x.  It has a predecessor a1 in A.  From a1, D is reached at d1 = a + x, and by monotonicity w
// leads from there to d + x.  Repeating the argument with d1 in the place of d adds left-over threads again, each time
// freely chosen from their entries.  So every configuration that D describes with omega for the left-over entries is
// covered.  Nothing else gets omega, so the construction stays exact.  docs/karp-miller.md has the argument in full.
//
// Entries with omega at one location are one entry, for any number of threads in L1 and any number in L2 are any number
// in their union; and a finite entry that an omega entry includes adds nothing.
//
// It ends: locals and shared states have finitely many sets, so labels are vectors over finitely many kinds of entries.
// As in the explicit construction, a node that an active one covers ends its branch, and a covered node that is not
// explored yet is dropped.
//
// Before the outcome is Covered, all steps of the active labels are computed once more and must be covered by active
// labels.  There the search for an embedding is exact: coverage through a label that was dropped later is transitive,
// while the greedy search that is enough elsewhere need not find it.
#include "engine/unbounded/symbolic_karp_miller.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/assignment.hpp"
#include "base/contract.hpp"

namespace cohort::engine::unbounded {

using dd::Bdd;

namespace {

void put(SymbolicLabel& label, SymbolicThreads threads) {
  for (SymbolicThreads& entry : label.threads) {
    if (!entry.same_place(threads)) continue;
    if (entry.count == omega && subset(threads.locals, entry.locals)) return;
    if (entry.locals == threads.locals) {
      entry.count = entry.count == omega || threads.count == omega ? omega : entry.count + threads.count;
      return;
    }
  }
  label.threads.push_back(std::move(threads));
}

bool has_holder(const SymbolicLabel& label) {
  return std::any_of(label.threads.begin(), label.threads.end(),
                     [](const SymbolicThreads& threads) { return threads.atomic; });
}

// One omega entry for each location, and nothing that it includes beside it.
void normalise(SymbolicLabel& label) {
  SymbolicLabel result{label.shared, {}};
  for (const SymbolicThreads& threads : label.threads) {
    if (threads.count != omega) continue;
    const auto same = std::find_if(result.threads.begin(), result.threads.end(),
                                   [&](const SymbolicThreads& entry) { return entry.same_place(threads); });
    if (same == result.threads.end()) {
      result.threads.push_back(threads);
    } else {
      same->locals |= threads.locals;
    }
  }
  for (const SymbolicThreads& threads : label.threads) {
    if (threads.count != omega) put(result, threads);
  }
  label = std::move(result);
}

// Splits a set into products over the three blocks of variables and calls visit(shared, locals, child) for each; false
// when visit says so.
template <class Visit>
bool for_each_product(const BooleanEncoding& encoding, const Bdd& set, Visit&& visit) {
  if (set.is_false()) return true;
  const Bdd without_child = exists(set, encoding.child_set());
  const Bdd shared = exists(without_child, encoding.local_set());
  const Bdd locals = exists(without_child, encoding.shared_set());
  const Bdd child = exists(exists(set, encoding.shared_set()), encoding.local_set());
  if ((shared & locals & child) == set) return visit(shared, locals, child);
  // A variable that has both values, best one whose value the other blocks depend on; there is one, or the set were a
  // product.
  std::optional<dd::Var> chosen;
  for (const dd::Var variable : support(set)) {
    const Bdd low = cofactor(set, variable, false);
    const Bdd high = cofactor(set, variable, true);
    if (low.is_false() || high.is_false()) continue;
    if (!chosen) chosen = variable;
    const dd::VarSet* block = encoding.shared_set().contains(variable)  ? &encoding.shared_set()
                              : encoding.local_set().contains(variable) ? &encoding.local_set()
                                                                        : &encoding.child_set();
    if (exists(low, *block) == exists(high, *block)) continue;
    chosen = variable;
    break;
  }
  COHORT_EXPECT(chosen.has_value(), "a set in which every variable has one value is a product");
  const Bdd literal = dd::cube({{*chosen, true}});
  return for_each_product(encoding, set & !literal, visit) && for_each_product(encoding, set & literal, visit);
}

}  // namespace

std::optional<std::vector<Count>> embed(const SymbolicLabel& smaller, const SymbolicLabel& larger) {
  // A thread inside an atomic section stops all others: configurations with and without one are not comparable.
  if (has_holder(smaller) != has_holder(larger)) return std::nullopt;
  std::vector<Count> used(larger.threads.size(), 0);
  for (const SymbolicThreads& wanted : smaller.threads) {
    Count left = wanted.count;
    const auto fits = [&](std::size_t i) {
      return larger.threads[i].same_place(wanted) && subset(wanted.locals, larger.threads[i].locals);
    };
    for (std::size_t i = 0; i < used.size() && left > 0; ++i) {
      if (larger.threads[i].count == omega && fits(i)) left = 0;
    }
    if (left == omega) return std::nullopt;
    // The entry with the same locals first: it is meant for these threads.
    for (const bool same : {true, false}) {
      for (std::size_t i = 0; i < used.size() && left > 0; ++i) {
        if (larger.threads[i].count == omega || (larger.threads[i].locals == wanted.locals) != same || !fits(i))
          continue;
        const Count taken = std::min(left, larger.threads[i].count - used[i]);
        used[i] += taken;
        left -= taken;
      }
    }
    if (left > 0) return std::nullopt;
  }
  return used;
}

bool embeds(const SymbolicLabel& smaller, const SymbolicLabel& larger) {
  if (has_holder(smaller) != has_holder(larger)) return false;
  const auto fits = [](const SymbolicThreads& wanted, const SymbolicThreads& place) {
    return place.same_place(wanted) && subset(wanted.locals, place.locals);
  };
  std::vector<const SymbolicThreads*> kinds;
  std::vector<std::uint64_t> items;
  for (const SymbolicThreads& wanted : smaller.threads) {
    const bool any = std::any_of(larger.threads.begin(), larger.threads.end(), [&](const SymbolicThreads& place) {
      return place.count == omega && fits(wanted, place);
    });
    if (any) continue;
    if (wanted.count == omega) return false;
    kinds.push_back(&wanted);
    items.push_back(wanted.count);
  }
  std::vector<std::uint64_t> room;
  for (const SymbolicThreads& place : larger.threads) room.push_back(place.count == omega ? 0 : place.count);
  return Assignment(items, room,
                    [&](std::size_t kind, std::size_t box) { return fits(*kinds[kind], larger.threads[box]); })
      .exists();
}

SymbolicKarpMiller::SymbolicKarpMiller(Env& env, const BooleanEncoding& encoding, bool stop_at_violation)
    : env_(&env), encoding_(&encoding), stop_at_violation_(stop_at_violation) {
  for (const model::Template& templ : encoding.program().templates) out_edges_.emplace_back(templ);
}

SymbolicLabel SymbolicKarpMiller::start() const {
  SymbolicLabel start{encoding_->initial_shared(), {}};
  for (const model::InitialThreads& group : encoding_->program().initial) {
    if (group.count == 0u) continue;
    put(start,
        {group.templ, group.location, false, encoding_->initial_locals(group.templ), group.count.value_or(omega)});
  }
  normalise(start);
  return start;
}

SymbolicKarpMiller::Outcome SymbolicKarpMiller::run() {
  SymbolicLabel first = start();
  if (first.shared.is_false()) return Outcome::Covered;
  try {
    if (add(std::move(first), no_node)) return Outcome::Violation;
    while (!stack_.empty()) {
      if (env_->poll_now("symbolic-karp-miller")) return Outcome::Stopped;
      env_->report_progress(
          [&] { return fmt::format("symbolic karp-miller: {} nodes, {} active", nodes_.size(), active_.size()); });
      const std::uint32_t node = stack_.back();
      stack_.pop_back();
      if (nodes_[node].active && expand(node)) return Outcome::Violation;
    }
    COHORT_EXPECT(!stop_at_violation_ || is_closed(), "the labels cover all that their steps lead to");
    if (env_->stop_reason() != StopReason::None) return Outcome::Stopped;
  } catch (const dd::OutOfMemory&) {
    return Outcome::Stopped;
  }
  env_->statistics.set("symbolic_tree_nodes", std::uint64_t{nodes_.size()});
  env_->statistics.set("symbolic_cover", std::uint64_t{active_.size()});
  return Outcome::Covered;
}

bool SymbolicKarpMiller::add(SymbolicLabel label, std::uint32_t parent) {
  const auto is_above = [](const SymbolicLabel& larger, const SymbolicLabel& smaller) {
    return subset(smaller.shared, larger.shared) && embed(smaller, larger).has_value();
  };
  for (const std::uint32_t other : active_) {
    if (is_above(nodes_[other].label, label)) return false;
  }
  if (parent != no_node) accelerate(label, parent);
  std::erase_if(active_, [&](std::uint32_t other) {
    if (!is_above(label, nodes_[other].label)) return false;
    nodes_[other].active = false;
    return true;
  });
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  const auto property = violated(label);
  nodes_.push_back({std::move(label), parent, true});
  active_.push_back(id);
  stack_.push_back(id);
  if (property && !bad_property_) bad_property_ = property;
  return property && stop_at_violation_;
}

void SymbolicKarpMiller::accelerate(SymbolicLabel& label, std::uint32_t parent) const {
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::uint32_t node = parent; node != no_node; node = nodes_[node].parent) {
      const SymbolicLabel& ancestor = nodes_[node].label;
      if (!subset(ancestor.shared, label.shared)) continue;
      const auto used = embed(ancestor, label);
      if (!used) continue;
      for (std::size_t i = 0; i < used->size(); ++i) {
        SymbolicThreads& entry = label.threads[i];
        if (entry.count == omega || (*used)[i] == entry.count) continue;
        COHORT_EXPECT(!entry.atomic, "the thread inside an atomic section is one by its nature");
        entry.count = omega;
        changed = true;
      }
      if (changed) {
        normalise(label);
        break;
      }
    }
  }
}

// Calls visit(child) for every label that one step leads to, until it returns true; then returns true.
template <class Visit>
bool SymbolicKarpMiller::for_each_child(const SymbolicLabel& label, Visit&& visit) const {
  const bool held = has_holder(label);
  for (std::size_t i = 0; i < label.threads.size(); ++i) {
    const SymbolicThreads& mover = label.threads[i];
    if (held && !mover.atomic) continue;
    SymbolicLabel rest = label;
    if (rest.threads[i].count != omega && --rest.threads[i].count == 0) {
      rest.threads.erase(rest.threads.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (const std::uint32_t number : out_edges_[mover.templ.value].of(mover.location)) {
      const model::EdgeRef ref{mover.templ, number};
      const SymbolicEdge& edge = encoding_->edge(ref);
      const Bdd reached = encoding_->image(ref, label.shared & mover.locals);
      const bool finished =
          for_each_product(*encoding_, reached, [&](const Bdd& shared, const Bdd& locals, const Bdd& created) {
            SymbolicLabel child{shared, rest.threads};
            if (!edge.ends) {
              const bool atomic = edge.atomic ? *edge.atomic == model::AtomicChange::Enter : mover.atomic;
              put(child, {mover.templ, edge.target, atomic, locals, 1});
            }
            if (edge.child) {
              put(child, {edge.child->first, edge.child->second, false, encoding_->child_to_local(created), 1});
            }
            normalise(child);
            return !visit(std::move(child));
          });
      if (!finished) return true;
    }
  }
  return false;
}

bool SymbolicKarpMiller::expand(std::uint32_t node) {
  bool violation = false;
  for_each_child(SymbolicLabel(nodes_[node].label), [&](SymbolicLabel child) {
    violation = add(std::move(child), node);
    return violation || !nodes_[node].active;
  });
  return violation;
}

bool SymbolicKarpMiller::is_closed() {
  const auto is_covered = [&](const SymbolicLabel& label) {
    return std::any_of(active_.begin(), active_.end(), [&](std::uint32_t node) {
      const SymbolicLabel& larger = nodes_[node].label;
      return subset(label.shared, larger.shared) && (embed(label, larger) || embeds(label, larger));
    });
  };
  if (!is_covered(start())) return false;
  for (const std::uint32_t node : active_) {
    const bool missing = for_each_child(nodes_[node].label, [&](const SymbolicLabel& child) {
      return !env_->poll_now("symbolic-karp-miller-check") && !is_covered(child);
    });
    if (missing) return false;
  }
  return true;
}

std::optional<model::PropertyId> SymbolicKarpMiller::violated(const SymbolicLabel& label) const {
  const model::Program& program = encoding_->program();
  for (const SymbolicThreads& threads : label.threads) {
    if (const auto error = program.templ(threads.templ).locations[threads.location.value].error) return error;
  }
  for (std::size_t i = 0; i < program.properties.size(); ++i) {
    const model::Property& property = program.properties[i];
    if (property.kind != model::Property::Kind::Cover && property.kind != model::Property::Kind::Condition) continue;
    if (property.condition && disjoint(label.shared, encoding_->shared_condition(*property.condition))) continue;
    const bool all = std::all_of(property.threads.begin(), property.threads.end(), [&](const auto& place) {
      std::uint64_t present = 0;
      for (const SymbolicThreads& threads : label.threads) {
        if (std::pair(threads.templ, threads.location) == place) present += threads.count;
      }
      return present >= static_cast<std::uint64_t>(std::count(property.threads.begin(), property.threads.end(), place));
    });
    if (all) return model::PropertyId(i);
  }
  return std::nullopt;
}

std::vector<const SymbolicLabel*> SymbolicKarpMiller::cover() const {
  std::vector<const SymbolicLabel*> labels;
  for (const std::uint32_t node : active_) labels.push_back(&nodes_[node].label);
  return labels;
}

}  // namespace cohort::engine::unbounded
