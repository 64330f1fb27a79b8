#include "engine/pointer/closed_views.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::engine::pointer {

namespace {

constexpr std::uint64_t most_starts = 1U << 20U;

std::vector<std::uint32_t> all_but(std::size_t members, std::size_t missing) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t member = 0; member < members; ++member) {
    if (member != missing) result.push_back(member);
  }
  return result;
}

}  // namespace

ClosedViews::ClosedViews(Env& env, const Layout& layout, std::size_t k, bool forgets_inactive)
    : env_(env),
      layout_(layout),
      k_(k),
      activity_(forgets_inactive ? Activity(layout) : Activity::everything(layout)),
      parts_(std::make_unique<Parts>(layout, find_queues(layout))),
      steps_(std::make_unique<PartSteps>(*parts_)) {
  COHORT_EXPECT(k >= 1 && layout.processes() == k + 1, "a view has a member, and the layout has room for a guest");
}

bool ClosedViews::stop(Outcome outcome, std::string reason) {
  outcome_ = outcome;
  reason_ = std::move(reason);
  return false;
}

void ClosedViews::reset(Part& part, std::size_t members) const {
  for (std::size_t member = 0; member < members; ++member) activity_.reset(part, member);
}

// At the start: does the value of this cell matter, or will it be reset anyway?
bool ClosedViews::matters(std::size_t cell) const {
  if (cell < layout_.shared_count()) return true;
  const std::size_t var = (cell - layout_.shared_count()) % layout_.block() - 1;
  if (activity_.ever_active(layout_.program().initial.front().location.value, var)) return true;
  bool mentioned = false;
  if (const auto& condition = layout_.program().initial_condition) {
    for_each_node(layout_.program().exprs, *condition, [&](const model::Expr& node, model::ExprId) {
      mentioned = mentioned || (node.op == model::Op::RemoteVar && node.var.value == var);
    });
  }
  return mentioned;
}

bool ClosedViews::enumerate(Part& part, std::size_t cell, std::uint64_t& tried) {
  const std::size_t end = layout_.location_cell(k_ - 1) + layout_.block();
  if (cell == end) {
    if (env_.stop_requested("pointer-search")) return stop(Outcome::Stopped, env_.describe_stop());
    const auto& condition = layout_.program().initial_condition;
    if (condition && !steps_->may_hold(part, k_, *condition)) return true;
    return add(part);
  }
  if (++tried > most_starts) return stop(Outcome::MayBeBad, "there are too many ways to start");
  const CellType& type = layout_.type(cell);
  const bool shared = cell < layout_.shared_count();
  if (!shared && (cell - layout_.shared_count()) % layout_.block() == 0) return enumerate(part, cell + 1, tried);
  const std::size_t local = shared ? 0 : (cell - layout_.shared_count()) % layout_.block() - 1;
  const model::Variable& variable = shared ? layout_.program().shared[cell] : layout_.templ().locals[local];
  std::vector<Cell> values;
  if (!variable.initial.empty()) {
    for (const model::Value value : variable.initial) values.push_back(static_cast<Cell>(value - type.lo));
  } else if (!matters(cell)) {
    values.push_back(type.default_cell);
  } else if (type.pointer) {
    for (std::size_t member = 0; member <= k_; ++member) values.push_back(static_cast<Cell>(member));
    values.push_back(outside);
  } else {
    for (std::uint32_t value = 0; value < type.values; ++value) values.push_back(static_cast<Cell>(value));
  }
  for (const Cell value : values) {
    part[cell] = value;
    if (!enumerate(part, cell + 1, tried)) return false;
  }
  return true;
}

// Where a pointer that is a predecessor later may lead anywhere at the start, ranks say nothing.
bool ClosedViews::start() {
  for (const Queue& queue : parts_->queues()) {
    for (const std::size_t var : queue.predecessors) {
      const bool null = layout_.templ().locals[var].initial == std::vector<model::Value>{0};
      if (null || !activity_.ever_active(layout_.program().initial.front().location.value, var)) continue;
      parts_ = std::make_unique<Parts>(layout_, std::vector<Queue>{});
      steps_ = std::make_unique<PartSteps>(*parts_);
      return start();
    }
  }
  Part part(parts_->size(k_), 0);
  for (std::size_t member = 0; member < k_; ++member) {
    part[layout_.location_cell(member)] = static_cast<Cell>(layout_.program().initial.front().location.value);
  }
  std::uint64_t tried = 0;
  return enumerate(part, 0, tried);
}

bool ClosedViews::add(Part view) {
  reset(view, k_);
  if (!parts_->is_ordered(view, k_)) return true;
  const auto [it, fresh] = views_.insert(parts_->canonical(view, k_));
  if (!fresh) return true;
  open_.push_back(&*it);
  const model::Program& program = layout_.program();
  for (std::size_t member = 0; member < k_; ++member) {
    const Cell location = (*it)[layout_.location_cell(member)];
    if (layout_.templ().locations[location].error) {
      return stop(Outcome::MayBeBad, fmt::format("'{}' may be reached", layout_.templ().locations[location].label));
    }
  }
  for (const model::Property& property : program.properties) {
    if (property.condition && steps_->may_be_bad(*it, k_, *property.condition)) {
      return stop(Outcome::MayBeBad, fmt::format("'{}' may be violated", property.text));
    }
  }
  return true;
}

std::vector<Part> ClosedViews::arrangements(const Part& view) const {
  std::vector<std::uint32_t> order(k_);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<Part> result;
  do {
    result.push_back(parts_->project(view, k_, order));
  } while (std::next_permutation(order.begin(), order.end()));
  return result;
}

// All parts that the view is in together with what is known so far.
bool ClosedViews::extend(const Part& view) {
  const auto beginning = [&](const Part& part) { return parts_->project(part, k_, all_but(k_, k_ - 1)); };
  const std::vector<Part> arranged = arrangements(view);
  for (const Part& part : arranged) by_beginning_[beginning(part)].push_back(part);
  for (const Part& one : arranged) {
    for (const Part& other : by_beginning_[beginning(one)]) {
      bool goes_on = true;
      parts_->join(one, other, k_, [&](const Part& joined) { goes_on = goes_on && look_at(joined); });
      if (!goes_on) return false;
    }
  }
  return true;
}

bool ClosedViews::look_at(const Part& joined) {
  if (env_.stop_requested("pointer-search")) return stop(Outcome::Stopped, env_.describe_stop());
  // The two that it was made of are views for sure.
  for (std::size_t missing = 0; missing + 2 < k_ + 1; ++missing) {
    const Part seen = parts_->project(joined, k_ + 1, all_but(k_ + 1, missing));
    if (!views_.contains(parts_->canonical(seen, k_))) return true;
  }
  const auto [it, fresh] = looked_at_.insert(parts_->canonical(joined, k_ + 1));
  if (!fresh) return true;
  std::vector<Part> after;
  for (std::uint32_t stepper = 0; stepper <= k_; ++stepper) {
    const Cell location = (*it)[layout_.location_cell(stepper)];
    for (const model::Edge& edge : layout_.templ().edges) {
      if (edge.source.value != location) continue;
      for (std::uint32_t guest = 0; guest <= k_; ++guest) {
        steps_->step(*it, k_ + 1, edge, stepper, guest, after);
        if (steps_->may_fault()) return stop(Outcome::MayBeBad, "a step may fault");
      }
    }
  }
  return std::all_of(after.begin(), after.end(), [&](Part& view) { return add(std::move(view)); });
}

ClosedViews::Outcome ClosedViews::run() {
  if (!start()) return outcome_;
  while (!open_.empty()) {
    const Part view = *open_.back();
    open_.pop_back();
    if (!extend(view)) return outcome_;
    env_.report_progress([&] { return fmt::format("{} views of {} processes", views_.size(), k_); });
  }
  return outcome_;
}

bool ClosedViews::contains(const model::State& state, const std::vector<std::uint32_t>& processes) const {
  COHORT_EXPECT(processes.size() == k_, "a view has k members");
  Part part;
  std::vector<Cell> renamed(state.threads.size() + 1, outside);
  renamed[0] = 0;
  for (std::size_t i = 0; i < k_; ++i) renamed[processes[i] + 1] = static_cast<Cell>(i + 1);
  const auto put = [&](model::Value value, const CellType& type) {
    part.push_back(type.pointer ? renamed[static_cast<std::size_t>(value)] : static_cast<Cell>(value - type.lo));
  };
  for (std::size_t var = 0; var < layout_.shared_count(); ++var) put(state.shared[var], layout_.shared(var));
  for (const std::uint32_t process : processes) {
    const model::ThreadState& thread = *state.threads[process];
    part.push_back(static_cast<Cell>(thread.location.value));
    for (std::size_t var = 0; var < thread.locals.size(); ++var) put(thread.locals[var], layout_.local(var));
  }
  reset(part, k_);
  const std::size_t cells = part.size();
  part.resize(parts_->size(k_), 0);
  part = parts_->canonical(part, k_);
  // Of the views with these cells in this arrangement, whatever the ranks.
  return std::any_of(views_.begin(), views_.end(), [&](const Part& view) {
    const std::vector<Part> all = arrangements(view);
    return std::any_of(all.begin(), all.end(), [&](const Part& one) {
      return std::equal(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(cells), part.begin());
    });
  });
}

}  // namespace cohort::engine::pointer
