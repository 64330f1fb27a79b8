#include "engine/symbolic/tie.hpp"

#include <algorithm>
#include <bit>

#include "base/contract.hpp"

namespace cohort::engine::symbolic {

namespace {

// Each member costs a variable for each local, also in programs that never tie so many.
constexpr std::uint32_t largest_tie = 16;

}  // namespace

std::uint32_t most_members(const model::Program& program, std::uint32_t bound) {
  for (const model::Template& templ : program.templates) {
    for (const model::Edge& edge : templ.edges) {
      for (const model::Action& action : edge.actions) {
        for (const model::Spawn& spawn : action.spawns) {
          const bool has_locals = !program.templ(spawn.templ).locals.empty();
          if (has_locals && (spawn.copies_locals || !spawn.locals.empty())) return std::clamp(bound, 1U, largest_tie);
        }
      }
    }
  }
  return 1;
}

Ties::Lists Ties::pack(const dd::Bdd& relation, const std::vector<Block>& blocks, std::size_t loose_parts) {
  COHORT_EXPECT(!relation.is_false(), "a symbolic state represents at least one state");
  Lists result{{}};
  for (const Part& part : parts(relation, blocks)) {
    const Lists own = pack_part(part, loose_parts);
    Lists longer;
    for (const auto& list : result) {
      for (const auto& more : own) {
        longer.push_back(list);
        longer.back().insert(longer.back().end(), more.begin(), more.end());
      }
    }
    result = std::move(longer);
  }
  return result;
}

std::vector<LocalSet> Ties::pack_whole(const dd::Bdd& relation, const std::vector<Block>& blocks) {
  Lists lists = pack(relation, blocks, 0);
  COHORT_EXPECT(lists.size() == 1, "a tied set holds all blocks");
  return std::move(lists[0]);
}

Ties::Lists Ties::pack_part(const Part& part, std::size_t loose_parts) {
  if (part.blocks.size() == 1) {
    const dd::Bdd own = to_members(part.blocks)(part.relation);
    return {{sets_->local(part.blocks[0].place, own)}};
  }
  const bool fits = part.blocks.size() <= encoding_->members();
  const std::vector<Block> rest(part.blocks.begin() + 1, part.blocks.end());
  const dd::VarSet& first = variables({part.blocks[0]});
  const dd::VarSet& others = variables(rest);
  std::vector<dd::Var> used;
  const auto products = fits ? split_within(part.relation, first, others, used, loose_parts)
                             : std::optional(split(part.relation, first, others, used));
  if (!products) return {{tie(part)}};
  Lists result;
  for (const Product& product : *products) {
    const LocalSet own = sets_->local(part.blocks[0].place, to_members({part.blocks[0]})(product.first));
    for (auto& list : pack(product.second, rest, loose_parts)) {
      list.push_back(own);
      result.push_back(std::move(list));
    }
  }
  return result;
}

std::vector<Ties::Part> Ties::parts(const dd::Bdd& relation, const std::vector<Block>& blocks) {
  std::vector<Part> result;
  std::vector<Block> left;
  dd::Bdd rest = relation;
  // Single blocks, of which there are most.
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::vector<Block> others = left;
    others.insert(others.end(), blocks.begin() + static_cast<std::ptrdiff_t>(i) + 1, blocks.end());
    const dd::Bdd own = dd::exists(rest, variables(others));
    const dd::Bdd without = dd::exists(rest, variables({blocks[i]}));
    if ((own & without) == rest) {
      result.push_back({{blocks[i]}, own});
      rest = without;
    } else {
      left.push_back(blocks[i]);
    }
  }
  while (!left.empty()) {
    const auto cut = first_part(rest, left);
    if (!cut) {
      result.push_back({left, rest});
      break;
    }
    result.push_back({cut->first, dd::exists(rest, variables(cut->second))});
    rest = dd::exists(rest, variables(cut->first));
    left = cut->second;
  }
  return result;
}

std::optional<std::pair<std::vector<Ties::Block>, std::vector<Ties::Block>>> Ties::first_part(
    const dd::Bdd& relation, const std::vector<Block>& blocks) {
  // Single blocks are gone, so a part has two at least, and leaves two.
  if (blocks.size() < 4 || blocks.size() > most_blocks) return std::nullopt;
  for (int size = 2; size + 2 <= static_cast<int>(blocks.size()); ++size) {
    for (std::uint32_t mask = 1; mask < 1U << blocks.size(); mask += 2) {
      if (std::popcount(mask) != size) continue;
      std::pair<std::vector<Block>, std::vector<Block>> cut;
      for (std::size_t i = 0; i < blocks.size(); ++i)
        ((mask >> i & 1U) != 0 ? cut.first : cut.second).push_back(blocks[i]);
      const dd::Bdd own = dd::exists(relation, variables(cut.second));
      const dd::Bdd others = dd::exists(relation, variables(cut.first));
      if ((own & others) == relation) return cut;
    }
  }
  return std::nullopt;
}

LocalSet Ties::tie(Part part) {
  std::stable_sort(part.blocks.begin(), part.blocks.end(),
                   [](const Block& a, const Block& b) { return a.place < b.place; });
  dd::Bdd relation = to_members(part.blocks)(part.relation);
  std::vector<PlaceId> places;
  for (const Block& block : part.blocks) places.push_back(block.place);
  for (std::uint32_t next = 1; next < places.size(); ++next) {
    dd::Bdd closed = relation;
    for (std::uint32_t before = next; before-- > 0 && places[before] == places[next];) {
      closed |= exchange(before, next)(relation);
    }
    relation = closed;
  }
  return sets_->tied(places, relation);
}

const dd::Bdd& Ties::led_by(LocalSet set, std::uint32_t member) {
  if (member == 0) return sets_->local_bdd(set);
  const auto [it, added] = led_by_.try_emplace({set, member});
  if (added) it->second = exchange(0, member)(sets_->local_bdd(set));
  return it->second;
}

std::vector<Ties::Block> Ties::blocks_led_by(LocalSet set, std::uint32_t member) const {
  const std::vector<PlaceId>& places = sets_->places_of(set);
  std::vector<Block> blocks;
  for (std::uint32_t i = 0; i < places.size(); ++i) blocks.push_back({i, places[i]});
  std::swap(blocks[0].place, blocks[member].place);
  return blocks;
}

dd::Bdd Ties::alone(const dd::Bdd& relation, std::size_t members, std::uint32_t member) {
  std::vector<Block> others;
  for (std::uint32_t i = 0; i < members; ++i) {
    if (i != member) others.push_back({i, 0});
  }
  const dd::Bdd own = dd::exists(relation, variables(others));
  return member == 0 ? own : exchange(0, member)(own);
}

const dd::Renaming& Ties::exchange(std::uint32_t a, std::uint32_t b) {
  const auto it = exchanges_.find({a, b});
  if (it != exchanges_.end()) return it->second;
  std::vector<std::pair<dd::Var, dd::Var>> pairs;
  for (std::uint32_t slot = 0; slot < encoding_->local_slots(); ++slot) {
    pairs.emplace_back(encoding_->member(a, slot), encoding_->member(b, slot));
    pairs.emplace_back(encoding_->member(b, slot), encoding_->member(a, slot));
  }
  return exchanges_.try_emplace({a, b}, std::move(pairs)).first->second;
}

std::vector<dd::Var> Ties::variables(std::uint32_t block) const {
  return block < encoding_->members() ? encoding_->member_vars(block)
                                      : encoding_->child_vars(block - encoding_->members());
}

const dd::VarSet& Ties::variables(const std::vector<Block>& blocks) {
  std::vector<std::uint32_t> numbers;
  for (const Block& block : blocks) numbers.push_back(block.number);
  const auto [it, added] = variables_.try_emplace(numbers);
  if (added) {
    std::vector<dd::Var> all;
    for (const std::uint32_t number : numbers) {
      const auto own = variables(number);
      all.insert(all.end(), own.begin(), own.end());
    }
    it->second = dd::VarSet(std::move(all));
  }
  return it->second;
}

const dd::Renaming& Ties::to_members(const std::vector<Block>& blocks) {
  std::vector<std::uint32_t> numbers;
  for (const Block& block : blocks) numbers.push_back(block.number);
  const auto it = to_members_.find(numbers);
  if (it != to_members_.end()) return it->second;
  std::vector<std::pair<dd::Var, dd::Var>> pairs;
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    const auto from = variables(numbers[i]);
    for (std::uint32_t slot = 0; slot < from.size(); ++slot) pairs.emplace_back(from[slot], encoding_->member(i, slot));
  }
  return to_members_.try_emplace(numbers, std::move(pairs)).first->second;
}

}  // namespace cohort::engine::symbolic
