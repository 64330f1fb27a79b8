#include "lemma/houdini.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "lemma/facts.hpp"
#include "lemma/queries.hpp"
#include "lemma/sampling.hpp"

namespace cohort::lemma {

using smt::Answer;

class Houdini::Search {
 public:
  Search(Env& env, const model::Commands& commands, const HoudiniOptions& options)
      : env_(env),
        commands_(commands),
        options_(options),
        alphabet_(commands, options.views),
        grammar_(commands, alphabet_, options.grammar, options_.census.ghosts),
        facts_(
            commands, alphabet_, [this](const View& view) { return candidates(view); },
            [this](const View& view) { return grammar_.dimensions(view); }),
        queries_(env, alphabet_, facts_, options_.census, options.logic) {
    // A system with fewer threads than a configuration has is taken to have threads that never move beside them.
    std::uint64_t threads = 0;
    for (const std::uint32_t count : alphabet_.needed()) threads += count;
    std::size_t movers = 0;
    for (std::size_t i = 0; i < commands.all().size(); ++i) movers = std::max(movers, alphabet_.movers(i).size());
    options_.census.most_threads = std::max<std::uint64_t>(options_.census.most_threads, threads + movers);
  }

  HoudiniResult run();
  HoudiniResult go_on();

  const Alphabet& alphabet() const { return alphabet_; }
  const Atoms& atoms() const { return facts_.atoms(); }

 private:
  struct Known {
    Clause clause;
    std::uint64_t checked_at = 0;
  };
  using Key = std::tuple<std::size_t, std::vector<SpotId>, std::vector<SpotId>, std::vector<std::uint32_t>>;

  std::vector<Atom> candidates(const View& view) const {
    if (!options_.candidates) return grammar_.candidates(view);
    const auto it = options_.candidates->find(view);
    return it == options_.candidates->end() ? std::vector<Atom>{} : it->second;
  }
  // Each returns false when the search must end; `end_` says how.
  bool start();
  bool close();
  bool collect();
  bool refine(Known& known);
  bool exclude_violations();
  bool is_stale(const Known& known) const;
  bool reaches_error() const;
  bool stop(HoudiniResult::Outcome outcome, std::string reason) {
    end_.outcome = outcome;
    end_.reason = std::move(reason);
    return false;
  }
  bool stopped() { return stop(HoudiniResult::Outcome::Stopped, queries_.reason()); }
  bool not_proved(std::string reason) { return stop(HoudiniResult::Outcome::NotProved, std::move(reason)); }
  void describe();
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
  bool end_at_errors_ = false;
  HoudiniResult end_;
};

HoudiniResult Houdini::Search::run() {
  if (options_.processor_seconds) queries_.limit(*options_.processor_seconds);
  absorb_random_runs(env_, commands_, alphabet_, grammar_, options_.random_steps, facts_);
  const std::uint64_t by_runs = facts_.killed();
  const bool inductive = start() && close();
  if (inductive && exclude_violations()) end_.outcome = HoudiniResult::Outcome::Proved;
  if (inductive) describe();
  env_.statistics.set("views", std::uint64_t{facts_.all().size()});
  env_.statistics.set("clauses", std::uint64_t{clauses_.size()});
  env_.statistics.add("queries", queries_.checks());
  env_.statistics.set("candidates killed by runs", by_runs);
  env_.statistics.set("candidates killed by models", facts_.killed() - by_runs);
  return std::move(end_);
}

void Houdini::Search::describe() {
  end_.inductive = true;
  end_.invariant.views = options_.views;
  for (const auto& [view, entry] : facts_.all()) end_.invariant.facts.emplace(view, entry.strongest);
}

HoudiniResult Houdini::Search::go_on() {
  const std::uint64_t before = queries_.checks();
  end_ = {};
  options_.stop_at_errors = false;
  end_at_errors_ = true;
  std::erase_if(clauses_, [&](const Known& known) { return at_error(alphabet_, known.clause.before); });
  const bool inductive = start() && close();
  if (inductive) {
    end_.outcome = HoudiniResult::Outcome::NotProved;
    describe();
  }
  env_.statistics.add("queries", queries_.checks() - before);
  return std::move(end_);
}

bool Houdini::Search::reaches_error() const {
  const std::set<SpotId>& spots = facts_.reached().spots();
  return at_error(alphabet_, {spots.begin(), spots.end()});
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
    if (queries_.used_up()) return stopped();
    for_each_clause(alphabet_, facts_.reached(), command, [&](Clause clause) {
      if (end_at_errors_ && at_error(alphabet_, clause.before)) return;
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
  if (done) known.checked_at = now;
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
  return for_each_obligation(alphabet_, facts_.reached(), [&](const Obligation& obligation) {
    if (obligation.command ? env_.poll_now("lemma-faults") : env_.poll_now("lemma-exclude"))
      return stop(HoudiniResult::Outcome::Stopped, env_.describe_stop());
    const Answer answer = queries_.possible(obligation);
    if (answer == Answer::Unknown) return stopped();
    return answer == Answer::Unsatisfiable || not_proved(obligation.otherwise);
  });
}

Houdini::Houdini(Env& env, const model::Commands& commands, const HoudiniOptions& options)
    : search_(std::make_unique<Search>(env, commands, options)) {
  COHORT_EXPECT(options.views.threads >= 1, "a view has a thread");
  COHORT_EXPECT(!unseen_property(commands.program()), "the properties can be seen by views");
}

Houdini::~Houdini() = default;

HoudiniResult Houdini::go_on() {
  return search_->go_on();
}

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
