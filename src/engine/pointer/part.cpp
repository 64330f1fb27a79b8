#include "engine/pointer/part.hpp"

#include <algorithm>
#include <numeric>

#include "base/contract.hpp"

namespace cohort::engine::pointer {

using model::Assign;
using model::ExprId;
using model::LValue;
using model::Op;

namespace {

bool stores(const Assign& assign, LValue::Kind kind, std::size_t var) {
  return assign.target.kind == kind && assign.target.var.value == var;
}

// What one edge does to a tail and to a local, action by action.
struct Trail {
  bool enqueues = false;      // it stores the process in the tail
  bool clears_tail = false;   // before that, or in its stead
  bool takes_tail = false;    // the local is given the tail's value, before it is stored to
  bool clears_local = false;  // the local is NULL last
  bool other = false;         // something else happens to one of them
};

class Finder {
 public:
  explicit Finder(const Layout& layout) : layout_(layout), exprs_(layout.program().exprs) {}

  bool is_tail(std::size_t var) const {
    if (!layout_.shared(var).pointer) return false;
    const model::Variable& variable = layout_.program().shared[var];
    if (variable.initial != std::vector<model::Value>{0}) return false;
    bool enqueues = false;
    for (const model::Edge& edge : layout_.templ().edges) {
      for (const model::Action& action : edge.actions) {
        for (const Assign& assign : action.assigns) {
          if (!stores(assign, LValue::Kind::Shared, var)) continue;
          if (is_self(assign.value)) {
            enqueues = true;
          } else if (!is_null(assign.value)) {
            return false;
          }
        }
      }
    }
    return enqueues;
  }

  bool is_predecessor(std::size_t tail, std::size_t var) const {
    if (!layout_.local(var).pointer) return false;
    const model::Variable& variable = layout_.templ().locals[var];
    // What is never read before it is written is reset to NULL at the start.
    const bool starts_null = variable.initial == std::vector<model::Value>{0} || variable.initial.empty();
    bool ever = false;
    for (const model::Edge& edge : layout_.templ().edges) {
      const Trail trail = follow(edge, tail, var);
      if (trail.other || (trail.takes_tail && !trail.enqueues)) return false;
      if (trail.enqueues && !trail.takes_tail && !trail.clears_local) return false;
      ever = ever || trail.takes_tail;
    }
    return ever && starts_null;
  }

 private:
  bool is_self(ExprId id) const { return exprs_[id].op == Op::Self; }
  bool is_null(ExprId id) const { return exprs_[id].op == Op::Const && exprs_[id].value == 0; }

  Trail follow(const model::Edge& edge, std::size_t tail, std::size_t var) const {
    Trail trail;
    for (const model::Action& action : edge.actions) {
      // Of several assignments in one action all see the state before.
      const bool alone = action.assigns.size() == 1;
      for (const Assign& assign : action.assigns) {
        if (stores(assign, LValue::Kind::Shared, tail)) {
          if (!alone || trail.enqueues || trail.clears_tail) trail.other = true;
          (is_null(assign.value) ? trail.clears_tail : trail.enqueues) = true;
        } else if (stores(assign, LValue::Kind::Local, var)) {
          const model::Expr& value = exprs_[assign.value];
          const bool takes = value.op == Op::SharedVar && value.var.value == tail && !value.primed;
          if (!alone || trail.takes_tail || trail.clears_local) trail.other = true;
          if (takes && !trail.enqueues && !trail.clears_tail) {
            trail.takes_tail = true;
          } else if (is_null(assign.value)) {
            trail.clears_local = true;
          } else {
            trail.other = true;
          }
        } else if (stores(assign, LValue::Kind::Remote, var)) {
          trail.other = true;
        }
      }
    }
    return trail;
  }

  const Layout& layout_;
  const model::ExprPool& exprs_;
};

}  // namespace

std::vector<Queue> find_queues(const Layout& layout) {
  const Finder finder(layout);
  std::vector<Queue> queues;
  for (std::size_t var = 0; var < layout.shared_count(); ++var) {
    if (!finder.is_tail(var)) continue;
    Queue queue{var, {}};
    for (std::size_t local = 0; local < layout.templ().locals.size(); ++local) {
      if (finder.is_predecessor(var, local)) queue.predecessors.push_back(local);
    }
    queues.push_back(std::move(queue));
  }
  return queues;
}

void Parts::compress_ranks(Part& part, std::size_t members) const {
  for (std::size_t queue = 0; queue < queues_.size(); ++queue) {
    std::vector<Cell> ranks;
    for (std::size_t member = 0; member < members; ++member) {
      const Cell rank = part[rank_cell(members, member, queue)];
      if (rank != 0) ranks.push_back(rank);
    }
    std::sort(ranks.begin(), ranks.end());
    for (std::size_t member = 0; member < members; ++member) {
      Cell& rank = part[rank_cell(members, member, queue)];
      if (rank == 0) continue;
      rank = static_cast<Cell>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin() + 1);
    }
  }
}

Part Parts::project(const Part& part, std::size_t members, const std::vector<std::uint32_t>& chosen) const {
  std::vector<Cell> renamed(members + 1, outside);
  renamed[0] = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) renamed[chosen[i] + 1] = static_cast<Cell>(i + 1);
  Part result;
  result.reserve(size(chosen.size()));
  const auto put = [&](std::size_t from, bool pointer) {
    const Cell cell = part[from];
    result.push_back(pointer && cell != outside ? renamed[cell] : cell);
  };
  for (std::size_t var = 0; var < layout_.shared_count(); ++var) put(var, layout_.shared(var).pointer);
  for (const std::uint32_t member : chosen) {
    const std::size_t location = layout_.location_cell(member);
    put(location, false);
    for (std::size_t var = 0; var + 1 < layout_.block(); ++var) put(location + 1 + var, layout_.local(var).pointer);
  }
  for (const std::uint32_t member : chosen) {
    for (std::size_t queue = 0; queue < queues_.size(); ++queue) {
      result.push_back(part[rank_cell(members, member, queue)]);
    }
  }
  compress_ranks(result, chosen.size());
  return result;
}

Part Parts::canonical(const Part& part, std::size_t members) const {
  std::vector<std::uint32_t> order(members);
  std::iota(order.begin(), order.end(), 0U);
  Part best = part;
  while (std::next_permutation(order.begin(), order.end())) best = std::min(best, project(part, members, order));
  return best;
}

bool Parts::is_ordered(const Part& part, std::size_t members) const {
  for (std::size_t index = 0; index < queues_.size(); ++index) {
    const Queue& queue = queues_[index];
    const auto rank = [&](std::size_t member) { return part[rank_cell(members, member, index)]; };
    const Cell tail = part[queue.tail];
    if (tail != 0 && tail != outside) {
      for (std::size_t member = 0; member < members; ++member) {
        if (rank(member) > rank(tail - 1U)) return false;
      }
      if (rank(tail - 1U) == 0) return false;
    }
    for (const std::size_t var : queue.predecessors) {
      for (std::size_t member = 0; member < members; ++member) {
        const Cell before = part[layout_.local_cell(member, var)];
        if (before == 0) continue;
        if (rank(member) == 0) return false;
        if (before == outside || before == member + 1) continue;
        const Cell least = rank(before - 1U);
        if (least == 0) return false;
        for (std::size_t other = 0; other < members; ++other) {
          if (least < rank(other) && rank(other) < rank(member)) return false;
        }
      }
    }
  }
  return true;
}

void Parts::enqueue(Part& part, std::size_t members, std::size_t member, std::size_t queue) const {
  part[rank_cell(members, member, queue)] = static_cast<Cell>(members + 1);
  compress_ranks(part, members);
}

// Everything but the pointers of the last two to each other, and their order in queues.
std::optional<Part> Parts::combine(const Part& one, const Part& other, std::size_t members) const {
  const auto last = static_cast<Cell>(members);
  const std::size_t common = layout_.location_cell(members - 1);
  Part result(size(members + 1), 0);
  for (std::size_t cell = 0; cell < common; ++cell) {
    if (!is_pointer(cell)) {
      if (one[cell] != other[cell]) return std::nullopt;
      result[cell] = one[cell];
      continue;
    }
    const bool to_one = one[cell] == last;
    const bool to_other = other[cell] == last;
    if (to_one && to_other) return std::nullopt;
    if ((to_one ? outside : one[cell]) != (to_other ? outside : other[cell])) return std::nullopt;
    result[cell] = to_one ? last : to_other ? static_cast<Cell>(last + 1) : one[cell];
  }
  for (std::size_t within = 0; within < layout_.block(); ++within) {
    result[common + within] = one[common + within];
    const Cell cell = other[common + within];
    const bool to_itself = is_pointer(common + within) && cell == last;
    result[layout_.location_cell(members) + within] = to_itself ? static_cast<Cell>(last + 1) : cell;
  }
  return result;
}

// Of the last two members: each may point to the other one instead.
std::vector<std::size_t> Parts::open_pointers(const Part& joined, std::size_t members) const {
  std::vector<std::size_t> result;
  const std::size_t end = layout_.location_cell(members - 1) + layout_.block();
  for (std::size_t cell = layout_.location_cell(members - 2); cell < end; ++cell) {
    if (is_pointer(cell) && joined[cell] == outside) result.push_back(cell);
  }
  return result;
}

// Ranks are doubled, so that there is room between them.
std::vector<Part> Parts::merge_ranks(const Part& base, const Part& one, const Part& other, std::size_t members) const {
  std::vector<Part> result{base};
  for (std::size_t queue = 0; queue < queues_.size(); ++queue) {
    const auto of = [&](const Part& part, std::size_t member) { return part[rank_cell(members, member, queue)]; };
    const Cell first = of(one, members - 1);
    const Cell second = of(other, members - 1);
    std::size_t below_first = 0;
    std::size_t below_second = 0;
    std::vector<std::pair<std::size_t, std::size_t>> common;  // of the members before the last: rank among them
    for (std::size_t member = 0; member + 1 < members; ++member) {
      const Cell in_one = of(one, member);
      const Cell in_other = of(other, member);
      if ((in_one == 0) != (in_other == 0)) return {};
      if (in_one == 0) continue;
      const std::size_t rank = in_one - (first != 0 && first < in_one ? 1U : 0U);
      if (rank != in_other - (second != 0 && second < in_other ? 1U : 0U)) return {};
      if (first > in_one) ++below_first;
      if (second > in_other) ++below_second;
      common.emplace_back(member, rank);
    }
    std::vector<Part> longer;
    for (const bool first_before_second : {true, false}) {
      const bool both = first != 0 && second != 0;
      if (both && below_first != below_second && (below_first < below_second) != first_before_second) continue;
      if (!both && !first_before_second) continue;
      for (Part part : result) {
        for (const auto& [member, rank] : common) {
          part[rank_cell(members + 1, member, queue)] = static_cast<Cell>(3 * rank);
        }
        if (first != 0) {
          const std::size_t rank = 3 * below_first + (first_before_second ? 1 : 2);
          part[rank_cell(members + 1, members - 1, queue)] = static_cast<Cell>(rank);
        }
        if (second != 0) {
          const std::size_t rank = 3 * below_second + (first_before_second ? 2 : 1);
          part[rank_cell(members + 1, members, queue)] = static_cast<Cell>(rank);
        }
        longer.push_back(std::move(part));
      }
    }
    result = std::move(longer);
  }
  for (Part& part : result) compress_ranks(part, members + 1);
  return result;
}

}  // namespace cohort::engine::pointer
