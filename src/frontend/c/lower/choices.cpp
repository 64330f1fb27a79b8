// `x = nondet()` has four thousand million outcomes, of which a program often tells only a few apart.  Two exact
// reductions, for variables that no pointer reaches:
//
// (1) If x, and everything it is copied to, is only compared to constants, or stored where nobody reads, then two
// values with the same results of all these comparisons lead to the same behaviour: one value of each class is enough.
// The classes are intervals, which the comparisons split. (2) If every path from the choice comes to assumptions about
// x before anything else happens than private computation that cannot go wrong, only the values that survive on some
// path are possible: an interval, often a small one.
//
// (2) comes first, as it holds whatever x is used for later; of what it leaves, one of each class of (1) is taken.
#include "frontend/c/lower/choices.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/points_to.hpp"
#include "frontend/c/lower/propagate.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using TypeKind = ir::Type::Kind;

namespace {

constexpr std::uint64_t largest_interval = 256;

struct Interval {
  std::int64_t low = 0;
  std::int64_t high = 0;

  bool empty() const { return low > high; }
  // As an unsigned number it cannot overflow.
  std::uint64_t distance() const { return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low); }
  bool operator==(const Interval&) const = default;
};

std::optional<Interval> range_of(const ir::Type& type) {
  if (type.kind == TypeKind::Bool) return Interval{0, 1};
  if (type.kind != TypeKind::Int || type.width > 62) {
    if (type.kind == TypeKind::Int && type.is_signed) {
      return Interval{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    }
    return std::nullopt;
  }
  const std::int64_t size = std::int64_t{1} << type.width;
  return type.is_signed ? Interval{-size / 2, size / 2 - 1} : Interval{0, size - 1};
}

Op mirrored(Op op) {
  switch (op) {
    case Op::Lt: return Op::Gt;
    case Op::Le: return Op::Ge;
    case Op::Gt: return Op::Lt;
    case Op::Ge: return Op::Le;
    default: return op;
  }
}

bool is_comparison(Op op) {
  return op >= Op::Eq && op <= Op::Ge;
}

class Narrowing {
 public:
  explicit Narrowing(Flat& flat) : flat_(flat), points_to_(flat), taken_(seen_by_others(flat)) {
    for (const Body& body : flat.bodies) {
      for (const Node& node : body.nodes) {
        for_each_access(flat, node, [&](AccessId id, bool is_load) {
          if (is_load) read_.merge(points_to_.places(id));
          if (flat.access(id).inst && is_partial(flat, flat.access(id))) taken_[flat.access(id).inst->value] = true;
        });
        if (node.has_access && is_partial(flat, flat.access(node.access))) {
          taken_[flat.access(node.access).inst->value] = true;
        }
      }
    }
  }

  void run(const std::set<InstId>& unwritten) {
    for (Body& body : flat_.bodies) {
      for (Node& node : body.nodes) {
        if (node.kind == Node::Kind::Assign && flat_.term(node.term).op == Op::Nondet) narrow(body, node);
        if (node.kind == Node::Kind::Declare && unwritten.contains(node.inst)) choose_at_once(node);
      }
    }
  }

 private:
  struct Path {
    NodeId at;
    Interval interval;
    std::map<InstId, TermId> values;  // what temporaries hold, in terms of the chosen variable
    std::size_t steps = 0;
  };

  bool is_private(InstId id) const {
    const Inst& inst = flat_.inst(id);
    const bool is_own = inst.kind == Inst::Kind::Automatic || inst.kind == Inst::Kind::Thread;
    return is_own && !taken_[id.value] && is_scalar(flat_.unit.type(inst.type));
  }

  std::optional<InstId> variable(AccessId id) const {
    const Access& access = flat_.access(id);
    if (!access.inst || !access.indices.empty() || access.offset != 0 || !is_private(*access.inst)) return std::nullopt;
    return access.inst;
  }

  void narrow(const Body& body, Node& node) {
    const Term choice = flat_.term(node.term);
    const auto range = range_of(flat_.unit.type(choice.type));
    const auto chosen = variable(node.access);
    if (!range || !chosen || !choice.choices.empty()) return;
    if (range->distance() < largest_interval) return;
    auto values = surviving(body, node, *chosen, *range);
    if (const auto classes = distinguished(*chosen, *range)) values = values ? one_of_each(*values) : classes;
    if (!values) return;
    COHORT_EXPECT(!values->empty(), "some value is possible");
    COHORT_EXPECT(std::is_sorted(values->begin(), values->end()), "choices are sorted");
    COHORT_EXPECT(range->low <= values->front() && values->back() <= range->high, "choices are values of the type");
    Term narrowed = choice;
    narrowed.choices = std::move(*values);
    node.term = flat_.add(std::move(narrowed));
  }

  // A declared variable whose few distinguishable values can be chosen where its life begins needs no flag that says
  // whether it has been written.
  void choose_at_once(Node& node) {
    const ir::TypeId type = flat_.inst(node.inst).type;
    if (!is_private(node.inst)) return;
    const auto range = range_of(flat_.unit.type(type));
    const auto values = range ? distinguished(node.inst, *range) : std::nullopt;
    if (!values) return;
    COHORT_EXPECT(!values->empty() && std::is_sorted(values->begin(), values->end()),
                  "choices are sorted, and there are some");
    node.kind = Node::Kind::Assign;
    node.has_term = node.has_access = true;
    node.term = flat_.add(Term{.op = Op::Nondet, .type = type, .choices = *values, .span = node.span});
    node.access = flat_.whole(node.inst);
  }

  // (2): the values that some path leaves possible, if those are few.
  std::optional<std::vector<std::int64_t>> surviving(const Body& body, const Node& node, InstId chosen,
                                                     const Interval& range) {
    std::vector<Interval> left;
    COHORT_EXPECT(node.next.size() == 1 && !range.empty(), "a choice goes on, among some values");
    std::vector<Path> paths{{node.next[0], range, {}}};
    for (std::size_t rounds = 0; !paths.empty(); ++rounds) {
      if (rounds > 400 || paths.size() > 32) return std::nullopt;
      Path path = std::move(paths.back());
      paths.pop_back();
      if (path.interval.empty()) continue;
      if (!follow(body, chosen, path, paths)) left.push_back(path.interval);
    }
    std::set<std::int64_t> values;
    for (const Interval& interval : left) {
      if (interval.distance() >= largest_interval) return std::nullopt;
      for (std::uint64_t i = 0; i <= interval.distance(); ++i) {
        values.insert(interval.low + static_cast<std::int64_t>(i));
      }
    }
    if (values.empty()) values.insert(range.low);  // every path ends at an assumption
    return std::vector<std::int64_t>(values.begin(), values.end());
  }

  // Goes on along private computation; false where the path comes to something else.
  bool follow(const Body& body, InstId chosen, const Path& path, std::vector<Path>& paths) {
    const Node& node = body.nodes[path.at.value];
    Path next = path;
    if (++next.steps > 50) return false;
    switch (node.kind) {
      case Node::Kind::Skip: break;
      case Node::Kind::Declare: next.values.erase(node.inst); break;
      case Node::Kind::Assign: {
        const auto target = variable(node.access);
        if (!target || *target == chosen) return false;
        const TermId value = inline_values(node.term, path.values);
        if (!speaks_only_of(value, chosen) || matters(flat_, value)) return false;
        next.values[*target] = value;
        break;
      }
      case Node::Kind::Assume:
      case Node::Kind::Branch: {
        const TermId condition = inline_values(node.term, path.values);
        if (!speaks_only_of(condition, chosen) || matters(flat_, condition)) return false;
        if (node.kind == Node::Kind::Branch) {
          Path otherwise = next;
          otherwise.at = node.next[1];
          otherwise.interval = refine(path.interval, condition, chosen, false);
          paths.push_back(std::move(otherwise));
        }
        next.interval = refine(path.interval, condition, chosen, true);
        break;
      }
      case Node::Kind::EndProcess: return true;  // whatever the value was, nothing happens any more
      default: return false;
    }
    next.at = node.next[0];
    paths.push_back(std::move(next));
    return true;
  }

  TermId inline_values(TermId term, const std::map<InstId, TermId>& values) {
    return rewrite(flat_, term, [&](Term load) {
      const auto inst = variable(load.access);
      const auto known = inst ? values.find(*inst) : values.end();
      if (known == values.end()) return flat_.add(std::move(load));
      return fold(flat_, Term{.op = Op::Cast, .type = load.type, .args = {known->second}});
    });
  }

  bool speaks_only_of(TermId term, InstId chosen) const {
    bool result = true;
    for_each_access(flat_, term, [&](AccessId access, bool) { result = result && variable(access) == chosen; });
    return result && !mentions_choice(term);
  }

  bool mentions_choice(TermId id) const {
    const Term& term = flat_.term(id);
    return term.op == Op::Nondet ||
           std::any_of(term.args.begin(), term.args.end(), [&](TermId arg) { return mentions_choice(arg); });
  }

  // Is the term the value of the variable, whatever types it was widened to?
  bool is_value(TermId id, InstId chosen) const {
    const Term& term = flat_.term(id);
    if (term.op == Op::Load) return variable(term.access) == chosen;
    if (term.op != Op::Cast) return false;
    const auto from = range_of(flat_.type_of(term.args[0]));
    const auto to = range_of(flat_.unit.type(term.type));
    if (!from || !to || from->low < to->low || from->high > to->high) return false;
    return is_value(term.args[0], chosen);
  }

  Interval refine(Interval interval, TermId id, InstId chosen, bool holds) const {
    const Term& term = flat_.term(id);
    if (const auto value = number(flat_, id)) return (*value != 0) == holds ? interval : Interval{1, 0};
    if (term.op == Op::LogicalNot) return refine(interval, term.args[0], chosen, !holds);
    if ((term.op == Op::LogicalAnd && holds) || (term.op == Op::LogicalOr && !holds)) {
      return refine(refine(interval, term.args[0], chosen, holds), term.args[1], chosen, holds);
    }
    if (term.op == Op::Cast && !is_value(id, chosen)) {
      const Op inner = flat_.term(term.args[0]).op;
      return is_comparison(inner) || inner == Op::LogicalNot ? refine(interval, term.args[0], chosen, holds) : interval;
    }
    if (is_value(id, chosen)) return holds ? interval : clip(interval, Op::Eq, 0, true);
    if (term.op == Op::Ne && number(flat_, term.args[1]) == 0 && !is_value(term.args[0], chosen)) {
      return refine(interval, term.args[0], chosen, holds);
    }
    if (!is_comparison(term.op)) return interval;
    if (is_value(term.args[0], chosen)) {
      if (const auto bound = number(flat_, term.args[1])) return clip(interval, term.op, *bound, holds);
    } else if (is_value(term.args[1], chosen)) {
      if (const auto bound = number(flat_, term.args[0])) return clip(interval, mirrored(term.op), *bound, holds);
    }
    return interval;
  }

  static Interval clip(Interval interval, Op op, std::int64_t bound, bool holds) {
    constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    const auto at_most = [&](std::int64_t limit) { interval.high = std::min(interval.high, limit); };
    const auto at_least = [&](std::int64_t limit) { interval.low = std::max(interval.low, limit); };
    if (!holds) {
      switch (op) {
        case Op::Lt: op = Op::Ge; break;
        case Op::Le: op = Op::Gt; break;
        case Op::Gt: op = Op::Le; break;
        case Op::Ge: op = Op::Lt; break;
        case Op::Eq: op = Op::Ne; break;
        default: op = Op::Eq; break;
      }
    }
    switch (op) {
      case Op::Lt: bound == lowest ? at_most(lowest) : at_most(bound - 1); break;
      case Op::Le: at_most(bound); break;
      case Op::Gt: bound == highest ? at_least(highest) : at_least(bound + 1); break;
      case Op::Ge: at_least(bound); break;
      case Op::Eq:
        at_most(bound);
        at_least(bound);
        break;
      default: break;
    }
    return interval;
  }

  // (1): one value of each class that comparisons with constants can tell apart.
  std::optional<std::vector<std::int64_t>> distinguished(InstId chosen, const Interval& range) {
    copies_ = {chosen};
    splits_.clear();
    for (bool changed = true; changed;) {
      const std::size_t before = copies_.size();
      for (const Body& body : flat_.bodies) {
        for (const Node& node : body.nodes) {
          poll(flat_.options.env, "narrow-choices");
          if (!check(node)) return std::nullopt;
        }
      }
      changed = copies_.size() != before;
    }
    COHORT_EXPECT(range.low <= 0 && 0 <= range.high, "zero is a number of every type");
    // Of each class the number that is nearest to 0.
    std::vector<std::int64_t> values;
    std::int64_t low = range.low;
    const auto add = [&](std::int64_t high) { values.push_back(low > 0 ? low : high < 0 ? high : 0); };
    for (const std::int64_t split : splits_) {
      if (split <= range.low || split > range.high) continue;
      add(split - 1);
      low = split;
    }
    add(range.high);
    if (values.size() > largest_interval) return std::nullopt;
    return values;
  }

  // The first of each class.
  std::vector<std::int64_t> one_of_each(const std::vector<std::int64_t>& values) const {
    std::vector<std::int64_t> result;
    for (const std::int64_t value : values) {
      if (result.empty() || splits_.upper_bound(result.back()) != splits_.upper_bound(value)) result.push_back(value);
    }
    return result;
  }

  // Numbers on both sides of the split compare to the constant in another way.
  void split(Op op, std::int64_t constant) {
    if (op != Op::Le && op != Op::Gt) splits_.insert(constant);
    const bool is_last = constant == std::numeric_limits<std::int64_t>::max();
    if (op != Op::Lt && op != Op::Ge && !is_last) splits_.insert(constant + 1);
  }

  // Does nobody ever read what is stored there?
  bool is_unread(AccessId id) const {
    const std::set<Target> places = points_to_.places(id);
    return std::none_of(places.begin(), places.end(), [&](const Target& place) { return read_.contains(place); });
  }

  bool check(const Node& node) {
    if (node.kind == Node::Kind::Assign) {
      if (is_copy(node.term)) {
        const auto target = variable(node.access);
        if (!target && !is_unread(node.access)) return false;
        if (target) copies_.insert(*target);
      } else if (!compares(node.term, false)) {
        return false;
      }
    } else if (node.has_term &&
               !compares(node.term, node.kind == Node::Kind::Branch || node.kind == Node::Kind::Assume ||
                                        node.kind == Node::Kind::AtomicBegin)) {
      return false;
    }
    if (node.kind == Node::Kind::Spawn && !compares(node.argument, false)) return false;
    if (node.has_number && !compares(node.number, false)) return false;
    if (!node.has_access) return true;
    const Access& access = flat_.access(node.access);
    if (!access.inst && !compares(access.pointer, false)) return false;
    return std::all_of(access.indices.begin(), access.indices.end(),
                       [&](const Index& index) { return compares(index.term, false); });
  }

  bool is_copy(TermId id) const {
    return std::any_of(copies_.begin(), copies_.end(), [&](InstId inst) { return is_value(id, inst); });
  }

  // Do the copies occur in the term only as operands of comparisons with constants (or as conditions)?
  bool compares(TermId id, bool as_condition) {
    const Term& term = flat_.term(id);
    if (is_copy(id)) {
      if (as_condition) split(Op::Eq, 0);
      return as_condition;
    }
    if (is_comparison(term.op)) {
      for (const std::size_t side : {0, 1}) {
        if (!is_copy(term.args[side])) continue;
        const auto constant = number(flat_, term.args[1 - side]);
        if (constant) split(side == 0 ? term.op : mirrored(term.op), *constant);
        return constant.has_value();
      }
    }
    const bool logic = term.op == Op::LogicalNot || term.op == Op::LogicalAnd || term.op == Op::LogicalOr;
    for (std::size_t i = 0; i < term.args.size(); ++i) {
      if (!compares(term.args[i], logic || (term.op == Op::Conditional && i == 0))) return false;
    }
    if (term.op != Op::Load && term.op != Op::AddressOf) return true;
    const Access& access = flat_.access(term.access);
    if (access.inst && copies_.contains(*access.inst)) return false;
    if (!access.inst && !compares(access.pointer, false)) return false;
    return std::all_of(access.indices.begin(), access.indices.end(),
                       [&](const Index& index) { return compares(index.term, false); });
  }

  Flat& flat_;
  PointsTo points_to_;
  std::set<Target> read_;  // places that something may read
  std::vector<bool> taken_;
  std::set<InstId> copies_;
  std::set<std::int64_t> splits_;  // each tells the numbers below it from itself and those above
};

}  // namespace

void narrow_choices(Flat& flat, const std::set<InstId>& unwritten) {
  Narrowing(flat).run(unwritten);
}

}  // namespace cohort::frontend::c::lower
