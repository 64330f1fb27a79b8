#include "engine/symbolic/image.hpp"

#include "base/contract.hpp"
#include "engine/symbolic/splice.hpp"

namespace cohort::engine::symbolic {

ThreadImages::ThreadImages(const Encoding& encoding, const Transitions& transitions, SetTable& sets,
                           std::size_t loose_parts)
    : encoding_(&encoding), transitions_(&transitions), sets_(&sets), ties_(encoding, sets, loose_parts) {
  most_children_ = encoding.children();
  std::vector<dd::Var> variables;
  for (std::uint32_t number = 0; number < encoding.members(); ++number) {
    for (const dd::Var variable : encoding.member_vars(number)) variables.push_back(variable);
  }
  for (std::uint32_t number = 0; number < most_children_; ++number) {
    for (const dd::Var variable : encoding.child_vars(number)) variables.push_back(variable);
  }
  thread_vars_ = dd::VarSet(std::move(variables));
}

const std::vector<ThreadOutcome>& ThreadImages::by_local(Mover mover, std::uint32_t room) {
  const auto [it, added] = by_local_.try_emplace({room, 0, mover});
  if (!added) return it->second;
  std::vector<ThreadOutcome> outcomes;
  const Place place = place_of(mover);
  for (const EdgeRelation& edge : transitions_->from(place.templ, place.location)) {
    if (edge.touches_shared) continue;
    ++figures_.images;
    const dd::Bdd after = image(*encoding_, ties_.led_by(mover.set, mover.member), edge.main);
    add_threads(edge, after, mover, room, {.edge = &edge}, outcomes);
  }
  std::erase_if(outcomes, [&](const ThreadOutcome& o) { return o.sets.size() == 1 && o.sets[0] == mover.set; });
  return it->second = std::move(outcomes);
}

const std::vector<ThreadOutcome>& ThreadImages::by_pair(SharedSet shared, Mover mover, std::uint32_t room) {
  const auto [it, added] = by_pair_.try_emplace({room, shared, mover});
  if (!added) return it->second;
  std::vector<ThreadOutcome> outcomes;
  const Place place = place_of(mover);
  dd::Bdd before;
  for (const EdgeRelation& edge : transitions_->from(place.templ, place.location)) {
    if (!edge.touches_shared) continue;
    if (before.is_false()) before = states(shared, mover);
    ++figures_.images;
    count_cofactors(edge, sets_->shared_bdd(shared));
    const dd::Bdd after = image(*encoding_, before, edge.main);
    if (after.is_false()) continue;
    if (edge.broadcast) {
      broadcast(edge, after, mover, room, outcomes);
    } else {
      add_products(edge, after, mover, room, no_passive, outcomes);
    }
  }
  std::erase_if(outcomes, [&](const ThreadOutcome& o) {
    return o.shared == shared && o.sets.size() == 1 && o.sets[0] == mover.set && o.passive == no_passive;
  });
  return it->second = std::move(outcomes);
}

void ThreadImages::broadcast(const EdgeRelation& edge, const dd::Bdd& states, Mover mover, std::uint32_t room,
                             std::vector<ThreadOutcome>& outcomes) {
  const BroadcastPart& part = *edge.broadcast;
  const dd::Bdd steps = states & part.active.bdd;
  std::vector<dd::Var> others;
  for (const dd::Var variable : dd::support(steps)) {
    if (!part.deciding.contains(variable)) others.push_back(variable);
  }
  // Active valuations by the relation they decide for the passive threads.
  std::unordered_map<dd::Bdd, dd::Bdd> valuations;
  dd::for_each_assignment(dd::exists(steps, dd::VarSet(others)), part.deciding, [&](const dd::Assignment& values) {
    valuations[dd::cofactor(part.passive, values)] |= dd::cube(values);
    return true;
  });
  for (const auto& [relation, deciding] : valuations) {
    const dd::Bdd active = encoding_->after_to_before(dd::and_exists(steps, deciding, part.active.modified));
    const dd::Bdd after = move_members(edge, active, mover, relation);
    add_products(edge, image(*encoding_, after, edge.rest), mover, room, intern_passive(edge, relation), outcomes);
  }
}

dd::Bdd ThreadImages::move_members(const EdgeRelation& edge, dd::Bdd states, Mover mover, const dd::Bdd& relation) {
  for (const Ties::Block& block : ties_.blocks_led_by(mover.set, mover.member)) {
    if (block.number == 0 || sets_->place_at(block.place).templ != edge.ref.templ) continue;
    states = move_member(edge, states, block.number, relation);
  }
  return states;
}

dd::Bdd ThreadImages::move_member(const EdgeRelation& edge, const dd::Bdd& states, std::uint32_t member,
                                  const dd::Bdd& relation) {
  // The copies of the member stand in for the locals meanwhile, and those for the member's.
  const auto exchanged = [&](const dd::Bdd& f) { return member == 0 ? f : ties_.exchange(0, member)(f); };
  const dd::Bdd before = encoding_->local_to_passive(exchanged(states));
  const dd::Bdd after = dd::and_exists(before, relation, edge.broadcast->passive_modified);
  return exchanged(encoding_->passive_to_local(encoding_->after_to_before(after)));
}

void ThreadImages::add_products(const EdgeRelation& edge, const dd::Bdd& after, Mover mover, std::uint32_t room,
                                std::uint32_t passive, std::vector<ThreadOutcome>& outcomes) {
  if (after.is_false()) return;
  ThreadOutcome partial{.edge = &edge, .passive = passive};
  if (!edge.may_splice) {
    partial.shared = sets_->shared(dd::exists(after, thread_vars_));
    add_threads(edge, dd::exists(after, encoding_->shared_vars()), mover, room, partial, outcomes);
    return;
  }
  // The locals of a thread that ends tie nothing.
  const dd::Bdd visible = edge.ends ? dd::exists(after, encoding_->local_vars()) : after;
  std::vector<dd::Var> used;
  for (const Product& product : split(visible, encoding_->shared_vars(), thread_vars_, used)) {
    partial.shared = sets_->shared(product.first);
    add_threads(edge, product.second, mover, room, partial, outcomes);
  }
  if (!used.empty()) record_splice(edge, used.size());
}

void ThreadImages::add_threads(const EdgeRelation& edge, dd::Bdd after, Mover mover, std::uint32_t room,
                               const ThreadOutcome& partial, std::vector<ThreadOutcome>& outcomes) {
  if (after.is_false()) return;
  const std::size_t kept = std::min<std::size_t>(edge.children.size(), room);
  std::vector<dd::Var> gone;
  for (std::size_t number = kept; number < edge.children.size(); ++number) {
    for (const dd::Var variable : encoding_->child_vars(number)) gone.push_back(variable);
  }
  if (edge.ends)
    gone.insert(gone.end(), encoding_->local_vars().variables().begin(), encoding_->local_vars().variables().end());
  after = dd::exists(after, dd::VarSet(gone));

  Place place = place_of(mover);
  place.location = edge.target;
  if (edge.atomic != model::AtomicChange::None) place.atomic = edge.atomic == model::AtomicChange::Enter;
  const PlaceId own = sets_->place(place);
  if (kept == 0 && sets_->width(mover.set) == 1) {
    outcomes.push_back(partial);
    if (!edge.ends) outcomes.back().sets = {sets_->local(own, after)};
    return;
  }

  std::vector<Ties::Block> blocks = ties_.blocks_led_by(mover.set, mover.member);
  blocks[0].place = own;
  if (edge.ends) blocks.erase(blocks.begin());
  for (std::size_t number = 0; number < kept; ++number) {
    const PlaceId where = sets_->place({edge.children[number].templ, edge.children[number].location, false});
    blocks.push_back({ties_.child_block(number), where});
  }
  for (auto& sets : ties_.pack(after, blocks)) {
    outcomes.push_back(partial);
    outcomes.back().sets = std::move(sets);
  }
}

std::uint32_t ThreadImages::intern_passive(const EdgeRelation& edge, const dd::Bdd& relation) {
  const auto [it, added] =
      passive_index_.try_emplace({&edge, relation.id()}, static_cast<std::uint32_t>(passives_.size()));
  if (added) passives_.push_back({&edge, relation});
  return it->second;
}

const std::vector<LocalSet>& ThreadImages::passive_image(std::uint32_t passive, LocalSet local) {
  const auto [it, added] = passive_images_.try_emplace((std::uint64_t{passive} << 32U) | local);
  if (!added) return it->second;
  const Passive& step = passives_[passive];
  const std::vector<Ties::Block> blocks = ties_.blocks_led_by(local, 0);
  dd::Bdd after = sets_->local_bdd(local);
  for (const Ties::Block& block : blocks) {
    if (sets_->place_at(block.place).templ != step.edge->ref.templ) continue;
    after = move_member(*step.edge, after, block.number, step.relation);
  }
  if (!after.is_false()) it->second = ties_.pack_whole(after, blocks);
  return it->second;
}

std::optional<LocalSet> ThreadImages::only_local_successor(LocalSet local) {
  const auto& outcomes = by_local({local, 0}, 0);
  if (outcomes.size() != 1 || outcomes[0].sets.size() != 1) return std::nullopt;
  return outcomes[0].sets[0];
}

dd::Bdd ThreadImages::enabled(SharedSet shared, Mover mover) {
  const Place place = place_of(mover);
  dd::Bdd some;
  for (const EdgeRelation& edge : transitions_->from(place.templ, place.location)) {
    COHORT_EXPECT(!edge.broadcast, "whether a broadcast can happen depends on the passive threads");
    some |= edge.enabled;
  }
  return some & states(shared, mover);
}

void ThreadImages::count_cofactors(const EdgeRelation& edge, const dd::Bdd& shared) {
  for (const dd::Var candidate : edge.splice_candidates) {
    ++figures_.candidates;
    const bool both =
        !dd::cofactor(shared, candidate, false).is_false() && !dd::cofactor(shared, candidate, true).is_false();
    if (both) ++figures_.satisfiable_twice;
  }
}

void ThreadImages::record_splice(const EdgeRelation& edge, std::size_t variables) {
  ++figures_.splices;
  figures_.edges.insert(edge.ref);
  if (figures_.variable_counts.size() <= variables) figures_.variable_counts.resize(variables + 1, 0);
  ++figures_.variable_counts[variables];
}

}  // namespace cohort::engine::symbolic
