#include "engine/explicit/wire.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/contract.hpp"

namespace cohort::engine::explicit_ {

using model::no_id;

namespace {

constexpr std::uint32_t unknown = UINT32_MAX;

std::uint64_t hash_values(const model::Valuation& values, std::uint64_t seed) {
  return XXH3_64bits_withSeed(values.data(), values.size() * sizeof(model::Value), seed);
}

void put_values(exchange::Bytes& out, const model::Valuation& values) {
  put_number(out, values.size());
  for (const model::Value value : values) put_value(out, value);
}

model::Valuation read_values(WireReader& in) {
  model::Valuation values(in.number());
  for (model::Value& value : values) value = in.value();
  return values;
}

void enter(std::vector<std::uint32_t>& table, std::uint64_t number, std::uint32_t own) {
  if (table.size() <= number) table.resize(number + 1, unknown);
  COHORT_EXPECT(table[number] == unknown, "a number is defined once");
  table[number] = own;
}

std::uint32_t look_up(const std::vector<std::uint32_t>& table, std::uint64_t number) {
  COHORT_EXPECT(number < table.size() && table[number] != unknown, "numbers are defined before they are used");
  return table[number];
}

// True the first time.
bool mark(std::vector<bool>& told, std::uint32_t number) {
  if (told.size() <= number) told.resize(std::size_t{number} + 1, false);
  if (told[number]) return false;
  told[number] = true;
  return true;
}

}  // namespace

std::uint64_t WireReader::number() {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    COHORT_EXPECT(next_ != end_, "a message is whole");
    const std::uint8_t byte = *next_++;
    number |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if ((byte & 0x80U) == 0) return number;
  }
  COHORT_UNREACHABLE("a number has at most ten bytes");
}

std::int64_t WireReader::value() {
  const std::uint64_t folded = number();
  return static_cast<std::int64_t>((folded >> 1U) ^ (~(folded & 1U) + 1));
}

std::string WireReader::text() {
  const std::uint64_t size = number();
  COHORT_EXPECT(size <= static_cast<std::uint64_t>(end_ - next_), "a message is whole");
  std::string text(next_, next_ + size);
  next_ += size;
  return text;
}

// Small negative numbers are short, too: the sign is the lowest bit.
void put_value(exchange::Bytes& out, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  put_number(out, value < 0 ? ~(bits << 1U) : bits << 1U);
}

Wire::Wire(model::ThreadSystem& system, std::uint32_t workers) : system_(system), numbers_(workers), told_(workers) {
  COHORT_EXPECT(workers >= 1, "somebody owns each state");
}

std::uint64_t Wire::shared_hash(model::SharedId id) {
  while (shared_hashes_.size() <= id) {
    const auto next = static_cast<model::SharedId>(shared_hashes_.size());
    shared_hashes_.push_back(hash_values(system_.shared(next), 1));
  }
  return shared_hashes_[id];
}

std::uint64_t Wire::local_hash(model::LocalId id) {
  while (local_hashes_.size() <= id) {
    const model::ThreadState& local = system_.local(static_cast<model::LocalId>(local_hashes_.size()));
    const std::uint64_t seed = (std::uint64_t{local.templ.value} << 33U) ^ (std::uint64_t{local.location.value} << 1U) ^
                               (local.atomic ? 1U : 0U);
    local_hashes_.push_back(hash_values(local.locals, seed + 2));
  }
  return local_hashes_[id];
}

// The sum over members does not depend on their order, which differs between workers.
std::uint32_t Wire::owner(const StateView& state) {
  std::uint64_t hash = shared_hash(state.shared);
  for (const Cell& member : state.members) {
    if (member.local != no_id) hash += local_hash(member.local) * member.count;
  }
  // The finaliser of MurmurHash3: neighbouring sums go to different workers.
  hash ^= hash >> 33U;
  hash *= 0xFF51AFD7ED558CCDULL;
  hash ^= hash >> 33U;
  return static_cast<std::uint32_t>(((hash & 0xFFFFFFFFU) * told_.size()) >> 32U);
}

void Wire::define(std::uint32_t to, exchange::Bytes& out, const StateView& state) {
  Told& told = told_[to];
  if (mark(told.shared, state.shared)) {
    out.push_back(static_cast<std::uint8_t>(Record::SharedState));
    put_number(out, state.shared);
    put_values(out, system_.shared(state.shared));
  }
  for (const Cell& member : state.members) {
    if (member.local == no_id || !mark(told.locals, member.local)) continue;
    const model::ThreadState& local = system_.local(member.local);
    out.push_back(static_cast<std::uint8_t>(Record::LocalState));
    put_number(out, member.local);
    put_number(out, local.templ.value);
    put_number(out, local.location.value);
    put_number(out, local.atomic ? 1 : 0);
    put_values(out, local.locals);
  }
}

void Wire::write_state(exchange::Bytes& out, const StateView& state) {
  put_number(out, state.shared);
  put_number(out, state.members.size());
  for (const Cell& member : state.members) {
    put_number(out, member.local == no_id ? 0 : std::uint64_t{member.local} + 1);
    if (member.local != no_id) put_number(out, member.count);
  }
}

void Wire::read_definition(std::uint32_t from, Record kind, WireReader& in) {
  COHORT_EXPECT(from < numbers_.size(), "messages come from workers");
  const std::uint64_t number = in.number();
  if (kind == Record::SharedState) {
    enter(numbers_[from].shared, number, system_.intern_shared(read_values(in)));
    return;
  }
  COHORT_EXPECT(kind == Record::LocalState, "shared and local states are defined");
  model::ThreadState local;
  local.templ = model::TemplateId(in.number());
  local.location = model::LocId(in.number());
  local.atomic = in.number() != 0;
  local.locals = read_values(in);
  enter(numbers_[from].locals, number, system_.intern_local(local));
}

StateView Wire::read(std::uint32_t from, WireReader& in) {
  COHORT_EXPECT(from < numbers_.size(), "messages come from workers");
  const Numbers& numbers = numbers_[from];
  StateView state{look_up(numbers.shared, in.number()), {}};
  members_.resize(in.number());
  for (Cell& member : members_) {
    const std::uint64_t number = in.number();
    member = number == 0 ? Cell{no_id, 1}
                         : Cell{look_up(numbers.locals, number - 1), static_cast<std::uint32_t>(in.number())};
  }
  state.members = members_;
  return state;
}

}  // namespace cohort::engine::explicit_
