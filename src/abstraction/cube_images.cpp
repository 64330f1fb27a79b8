#include "abstraction/cube_images.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::abstraction {

using model::Command;
using model::TemplateId;

namespace {

// A value that is not settled yet.
constexpr char open_bit = '?';

}  // namespace

void CubeImages::use_steps(const std::vector<BroadcastStep>* steps) {
  COHORT_EXPECT(steps == nullptr || steps->size() == commands().all().size(), "there is a step for each command");
  steps_ = steps;
  posts_.clear();
  passives_.clear();
}

void CubeImages::reset(bool ask_unaffected) {
  Oracle::reset(ask_unaffected);
  posts_.clear();
  passives_.clear();
}

// Where a predicate's value stands among those of its scope.
std::size_t CubeImages::position(std::size_t predicate) const {
  const auto& scope =
      predicates_[predicate].is_shared() ? predicates_.shared() : predicates_.of(predicates_[predicate].templ);
  return static_cast<std::size_t>(std::find(scope.begin(), scope.end(), predicate) - scope.begin());
}

// Null: the literal speaks of no thread that is in view.
const Bits* CubeImages::bits_of(const Moment& moment, const Literal& literal) const {
  const Predicate& predicate = predicates_[literal.predicate];
  const bool after = literal.role == Role::ActiveAfter || literal.role == Role::PassiveAfter;
  if (predicate.is_shared()) return after ? &moment.shared_after : &moment.shared_before;
  const bool passive = literal.role == Role::PassiveBefore || literal.role == Role::PassiveAfter;
  if (passive) {
    if (moment.passive != predicate.templ) return nullptr;
    return after ? &moment.passive_after : &moment.passive_before;
  }
  COHORT_EXPECT(moment.active == predicate.templ, "a cube speaks of the thread that steps by its own predicates");
  return after ? &moment.active_after : &moment.active_before;
}

// Do all values of a cube stand as it forbids them?  A value that is open, or not known, does not.
bool CubeImages::is_forbidden(const std::vector<Cube>& cubes, const Moment& moment) const {
  return std::any_of(cubes.begin(), cubes.end(), [&](const Cube& cube) {
    return std::all_of(cube.begin(), cube.end(), [&](const Literal& literal) {
      const Bits* bits = bits_of(moment, literal);
      const std::size_t at = position(literal.predicate);
      return bits != nullptr && at < bits->size() && (*bits)[at] == (literal.value ? '1' : '0');
    });
  });
}

// Every way to settle the open values from number `next` on that no cube forbids.
template <class Visit>
void CubeImages::assign(const std::vector<Cube>& cubes, const std::vector<std::pair<Bits*, std::size_t>>& open,
                        std::size_t next, Moment& moment, Visit&& visit) const {
  if (is_forbidden(cubes, moment)) return;
  if (next == open.size()) {
    visit();
    return;
  }
  char& bit = (*open[next].first)[open[next].second];
  for (const char value : {'0', '1'}) {
    bit = value;
    assign(cubes, open, next + 1, moment, visit);
  }
  bit = open_bit;
}

const std::vector<Successor>& CubeImages::post(std::uint32_t index, SharedState shared, ThreadState self) {
  if (steps_ == nullptr) return Oracle::post(index, shared, self);
  const auto [it, fresh] = posts_.try_emplace(std::tuple(index, shared, self));
  if (!fresh) return it->second;
  const Command& command = commands().all()[index];
  const BroadcastStep& step = (*steps_)[index];
  Moment moment;
  moment.active = commands().place(command.from).templ;
  moment.shared_before = moment.shared_after = states().bits(shared);
  moment.active_before = moment.active_after = states().bits(self);
  std::vector<std::pair<Bits*, std::size_t>> open;
  for (const std::size_t predicate : step.own) {
    Bits* bits = predicates_[predicate].is_shared() ? &moment.shared_after : &moment.active_after;
    const std::size_t at = position(predicate);
    (*bits)[at] = open_bit;
    open.emplace_back(bits, at);
  }
  std::vector<Successor> results;
  assign(step.forbidden, open, 0, moment, [&] {
    Successor successor{states().shared(moment.shared_after), absent, {}};
    if (command.to) successor.self = states().thread(*command.to, moment.active_after);
    add_children(index, moment, successor, results);
  });
  std::sort(results.begin(), results.end());
  it->second = std::move(results);
  return it->second;
}

// The successor with every way in which its next new thread may begin.
void CubeImages::add_children(std::uint32_t index, const Moment& moment, const Successor& successor,
                              std::vector<Successor>& results) {
  const Command& command = commands().all()[index];
  const std::size_t child = successor.children.size();
  if (child == command.children.size()) {
    results.push_back(successor);
    return;
  }
  const auto& values = (*steps_)[index].children[child];
  std::vector<Bits> starts{Bits(values.size(), '0')};
  for (std::size_t i = 0; i < values.size(); ++i) {
    char settled = open_bit;
    if (values[i].constant) settled = *values[i].constant ? '1' : '0';
    if (values[i].creator) {
      const Bits& creator =
          predicates_[values[i].creator->predicate].is_shared() ? moment.shared_after : moment.active_after;
      const bool truth = creator[position(values[i].creator->predicate)] == '1';
      settled = truth == values[i].creator->value ? '1' : '0';
    }
    const std::size_t count = starts.size();
    for (std::size_t k = 0; k < count; ++k) {
      starts[k][i] = settled == open_bit ? '0' : settled;
      if (settled != open_bit) continue;
      starts.push_back(starts[k]);
      starts.back()[i] = '1';
    }
  }
  for (const Bits& bits : starts) {
    Successor extended = successor;
    extended.children.push_back(states().thread(command.children[child].place, bits));
    add_children(index, moment, extended, results);
  }
}

const std::vector<ThreadState>& CubeImages::passive(std::uint32_t index, SharedState shared, ThreadState self,
                                                    std::uint32_t number, ThreadState other) {
  if (steps_ == nullptr) return Oracle::passive(index, shared, self, number, other);
  const auto [it, fresh] = passives_.try_emplace(std::tuple(index, shared, self, number, other));
  if (!fresh) return it->second;
  const Successor successor = post(index, shared, self)[number];
  const BroadcastStep& step = (*steps_)[index];
  const model::PlaceId place = states().place(other);
  Moment moment;
  moment.active = commands().place(commands().all()[index].from).templ;
  moment.passive = commands().place(place).templ;
  moment.shared_before = states().bits(shared);
  moment.shared_after = states().bits(successor.shared);
  moment.active_before = states().bits(self);
  if (successor.self != absent) moment.active_after = states().bits(successor.self);
  moment.passive_before = moment.passive_after = states().bits(other);
  std::vector<std::pair<Bits*, std::size_t>> open;
  for (const std::size_t predicate : step.others) {
    if (predicates_[predicate].templ != *moment.passive) continue;
    const std::size_t at = position(predicate);
    moment.passive_after[at] = open_bit;
    open.emplace_back(&moment.passive_after, at);
  }
  std::vector<ThreadState> results;
  assign(step.forbidden, open, 0, moment, [&] { results.push_back(states().thread(place, moment.passive_after)); });
  std::sort(results.begin(), results.end());
  it->second = std::move(results);
  return it->second;
}

}  // namespace cohort::abstraction
