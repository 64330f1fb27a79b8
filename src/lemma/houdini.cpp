#include "lemma/houdini.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "lemma/facts.hpp"
#include "lemma/queries.hpp"
#include "lemma/sampling.hpp"

namespace cohort::lemma {

using model::Command;
using model::Property;
using smt::Answer;

std::optional<std::string> unseen_property(const model::Program& program) {
  for (const Property& property : program.properties) {
    if (property.kind == Property::Kind::Deadlock) return "it does not look for deadlocks";
    if (property.kind != Property::Kind::Condition) continue;
    bool whole = false;
    model::for_each_node(program.exprs, *property.condition, [&](const model::Expr& node, model::ExprId) {
      const bool own = node.op == model::Op::LocalVar || node.op == model::Op::PassiveVar;
      whole = whole || own || node.op == model::Op::ForallThread || node.op == model::Op::ExistsThread ||
              node.op == model::Op::RemoteVar || node.op == model::Op::AtLocation;
    });
    if (whole) return "it takes no properties that quantify over threads";
  }
  return std::nullopt;
}

class Houdini::Search {
 public:
  Search(Env& env, const model::Commands& commands, const HoudiniOptions& options)
      : env_(env),
        commands_(commands),
        options_(options),
        alphabet_(commands, options.views),
        grammar_(commands, alphabet_, options.grammar, options_.census.ghosts),
        facts_(commands, alphabet_, grammar_),
        queries_(env, alphabet_, facts_, options_.census) {
    // A system with fewer threads than a configuration has is taken to have threads that never move beside them.
    std::uint64_t threads = 0;
    for (const std::uint32_t count : alphabet_.needed()) threads += count;
    std::size_t movers = 0;
    for (std::size_t i = 0; i < commands.all().size(); ++i) movers = std::max(movers, alphabet_.movers(i).size());
    options_.census.most_threads = std::max<std::uint64_t>(options_.census.most_threads, threads + movers);
  }

  HoudiniResult run();

  const Alphabet& alphabet() const { return alphabet_; }
  const Atoms& atoms() const { return facts_.atoms(); }

 private:
  struct Known {
    Clause clause;
    std::uint64_t checked_at = 0;
  };
  using Key = std::tuple<std::size_t, std::vector<SpotId>, std::vector<SpotId>, std::vector<std::uint32_t>>;

  // Each returns false when the search must end; `end_` says how.
  bool start();
  bool close();
  bool collect();
  bool refine(Known& known);
  bool exclude_violations();
  bool exclude_faults(const View& view);
  bool exclude_properties();
  bool exclude_cover(const Property& property);
  bool exclude_together(std::vector<SpotId> threads, const std::optional<model::ExprId>& condition);

  bool is_stale(const Known& known) const;
  bool reaches_error() const;
  bool stop(HoudiniResult::Outcome outcome, std::string reason) {
    end_.outcome = outcome;
    end_.reason = std::move(reason);
    return false;
  }
  bool stopped() { return stop(HoudiniResult::Outcome::Stopped, queries_.reason()); }
  bool not_proved(std::string reason) { return stop(HoudiniResult::Outcome::NotProved, std::move(reason)); }
  // Lets states that satisfy the query into the view until there are none.
  template <class Ask>
  bool saturate(const View& view, Ask&& ask);

  Env& env_;
  const model::Commands& commands_;
  HoudiniOptions options_;
  Alphabet alphabet_;
  Grammar grammar_;
  Facts facts_;
  Queries queries_;
  std::vector<Known> clauses_;
  std::set<Key> keys_;
  std::size_t views_collected_ = 0;
  HoudiniResult end_;
};

HoudiniResult Houdini::Search::run() {
  absorb_random_runs(env_, commands_, alphabet_, grammar_, options_.random_steps, facts_);
  const std::uint64_t by_runs = facts_.killed();
  const bool inductive = start() && close();
  if (inductive && exclude_violations()) end_.outcome = HoudiniResult::Outcome::Proved;
  end_.inductive = inductive;
  if (inductive) {
    end_.invariant.views = options_.views;
    for (const auto& [view, entry] : facts_.all()) end_.invariant.facts.emplace(view, entry.strongest);
  }
  env_.statistics.set("views", std::uint64_t{facts_.all().size()});
  env_.statistics.set("clauses", std::uint64_t{clauses_.size()});
  env_.statistics.add("queries", queries_.checks());
  env_.statistics.set("candidates killed by runs", by_runs);
  env_.statistics.set("candidates killed by models", facts_.killed() - by_runs);
  return std::move(end_);
}

bool Houdini::Search::reaches_error() const {
  return std::any_of(facts_.reached().spots().begin(), facts_.reached().spots().end(), [&](SpotId spot) {
    const auto& place = alphabet_.spot(spot).place;
    return place && commands_.error(*place);
  });
}

template <class Ask>
bool Houdini::Search::saturate(const View& view, Ask&& ask) {
  for (;;) {
    if (env_.poll_now("lemma-saturate")) return stop(HoudiniResult::Outcome::Stopped, env_.describe_stop());
    const Answer answer = ask();
    if (answer == Answer::Unknown) return stopped();
    if (answer == Answer::Unsatisfiable) return true;
    const bool changed = facts_.absorb(view, queries_.sample());
    COHORT_EXPECT(changed, "a model that falsifies the facts of a view takes some away");
    if (options_.stop_at_errors && reaches_error()) return not_proved("an error location may be reached");
  }
}

bool Houdini::Search::start() {
  if (options_.stop_at_errors && reaches_error()) return not_proved("an error location is reached");
  for (const View& view : alphabet_.initial()) {
    if (!saturate(view, [&] { return queries_.initial(view); })) return false;
  }
  return true;
}

// New clauses, after views have come within reach.
bool Houdini::Search::collect() {
  for (std::size_t command = 0; command < commands_.all().size(); ++command) {
    if (env_.poll_now("lemma-clauses")) return stop(HoudiniResult::Outcome::Stopped, env_.describe_stop());
    for_each_clause(alphabet_, facts_.reached(), command, [&](Clause clause) {
      Key key(clause.command, clause.before, clause.after, clause.seen);
      if (keys_.insert(std::move(key)).second) clauses_.push_back({std::move(clause), 0});
    });
  }
  return true;
}

bool Houdini::Search::is_stale(const Known& known) const {
  return std::any_of(known.clause.hypotheses.begin(), known.clause.hypotheses.end(), [&](const auto& members) {
    return facts_.find(view_of(known.clause.before, members))->changed_at > known.checked_at;
  });
}

bool Houdini::Search::refine(Known& known) {
  const std::uint64_t now = facts_.now();
  const View view = view_of(known.clause.after, known.clause.seen);
  const bool done = saturate(view, [&, first = true]() mutable {
    const Answer answer = first ? queries_.clause(known.clause) : queries_.again();
    first = false;
    return answer;
  });
  queries_.end();
  // The head may be a hypothesis, too: then it changed in between, and the clause is stale at once.
  known.checked_at = now;
  return done;
}

bool Houdini::Search::close() {
  for (;;) {
    const std::size_t views = facts_.all().size();
    if (views != views_collected_) {
      views_collected_ = views;
      if (!collect()) return false;
    }
    bool stale = false;
    for (Known& known : clauses_) {
      if (!is_stale(known)) continue;
      stale = true;
      if (!refine(known)) return false;
      env_.report_progress([&] {
        return fmt::format("{} views, {} clauses, {} queries", facts_.all().size(), clauses_.size(), queries_.checks());
      });
    }
    if (!stale && facts_.all().size() == views_collected_) return true;
  }
}

bool Houdini::Search::exclude_violations() {
  if (reaches_error()) return not_proved("an error location may be reached");
  for (const auto& [view, entry] : facts_.all()) {
    if (!exclude_faults(view)) return false;
  }
  return exclude_properties();
}

// Steps that go wrong; where that only blocks them, integers that leave 64 bits are still beyond what is known.
bool Houdini::Search::exclude_faults(const View& view) {
  for (std::size_t i = 0; i < view.size(); ++i) {
    const auto& place = alphabet_.spot(view[i]).place;
    if (!place || (i > 0 && view[i] == view[i - 1])) continue;
    const auto is_held_up = [&](SpotId other) { return alphabet_.is_atomic(other); };
    const auto atomic = std::count_if(view.begin(), view.end(), is_held_up);
    if (atomic > (alphabet_.is_atomic(view[i]) ? 1 : 0)) continue;
    for (const std::uint32_t command : commands_.from(*place)) {
      if (env_.poll_now("lemma-faults")) return stop(HoudiniResult::Outcome::Stopped, env_.describe_stop());
      const Answer answer = queries_.fault(view, i, command);
      if (answer == Answer::Unknown) return stopped();
      if (answer == Answer::Satisfiable)
        return not_proved(fmt::format("a step at {} may fault", alphabet_.name(view[i])));
    }
  }
  return true;
}

bool Houdini::Search::exclude_properties() {
  for (const Property& property : commands_.program().properties) {
    if (property.kind == Property::Kind::Cover && !exclude_cover(property)) return false;
    if (property.kind != Property::Kind::Condition) continue;
    if (!exclude_together({}, property.condition)) return false;
  }
  return true;
}

// Distinct threads at certain locations.  With more of them than a view has, all views of them are assumed; with fewer,
// every way to fill up a view is looked at.
bool Houdini::Search::exclude_cover(const Property& property) {
  // A thread may be at a location inside an atomic section or not.
  std::vector<std::vector<SpotId>> choices{{}};
  for (const auto& [templ, location] : property.threads) {
    std::vector<std::vector<SpotId>> longer;
    for (const bool atomic : {false, true}) {
      const auto place = commands_.find({templ, location, atomic});
      if (!place) continue;
      for (std::vector<SpotId> choice : choices) {
        choice.push_back(alphabet_.at(*place));
        longer.push_back(std::move(choice));
      }
    }
    choices = std::move(longer);
  }
  for (const std::vector<SpotId>& threads : choices) {
    if (!exclude_together(threads, property.condition)) return false;
  }
  return true;
}

bool Houdini::Search::exclude_together(std::vector<SpotId> threads, const std::optional<model::ExprId>& condition) {
  if (env_.poll_now("lemma-exclude")) return stop(HoudiniResult::Outcome::Stopped, env_.describe_stop());
  if (!alphabet_.possible(threads)) return true;
  const std::vector<std::uint32_t>& needed = alphabet_.needed();
  std::vector<std::uint32_t> present(needed.size(), 0);
  for (const SpotId spot : threads) ++present[alphabet_.class_of(spot)];
  for (std::size_t one = 0; one < needed.size(); ++one) {
    if (present[one] >= needed[one]) continue;
    for (const SpotId spot : facts_.reached().spots()) {
      if (alphabet_.class_of(spot) != one) continue;
      std::vector<SpotId> more = threads;
      more.push_back(spot);
      if (!exclude_together(std::move(more), condition)) return false;
    }
    return true;
  }
  const Answer answer = queries_.together(threads, condition);
  if (answer == Answer::Unknown) return stopped();
  if (answer == Answer::Satisfiable) return not_proved("a bad state of several threads may be reached");
  return true;
}

Houdini::Houdini(Env& env, const model::Commands& commands, const HoudiniOptions& options)
    : search_(std::make_unique<Search>(env, commands, options)) {
  COHORT_EXPECT(options.views.threads >= 1, "a view has a thread");
  COHORT_EXPECT(!unseen_property(commands.program()), "the properties can be seen by views");
}

Houdini::~Houdini() = default;

HoudiniResult Houdini::run() {
  return search_->run();
}

const Alphabet& Houdini::alphabet() const {
  return search_->alphabet();
}

const Atoms& Houdini::atoms() const {
  return search_->atoms();
}

}  // namespace cohort::lemma
