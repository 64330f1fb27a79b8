#include "lemma/horn.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "lemma/stage.hpp"
#include "model/passes/liveness.hpp"

namespace cohort::lemma {

using smt::Answer;
using smt::Datum;
using smt::SymbolicValuation;
using smt::Term;

namespace {

// Arrays with more elements are no arguments: what is read from them is any value.
constexpr std::uint32_t most_elements = 8;

}  // namespace

class HornRules::Maker {
 public:
  Maker(Env& env, const Known& known, const Census& census, bool use_facts)
      : env_(env),
        known_(known),
        commands_(known.alphabet.commands()),
        live_(commands_.program()),
        use_facts_(use_facts),
        stage_(known.alphabet, census, smt::Logic::Horn, env.limits.memory_limit().value_or(0)),
        context_(stage_.context()),
        system_(env, context_) {
    for (const auto& [view, facts] : known_.invariant.facts) {
      reached_.insert(view);
      if (!at_error(known_.alphabet, view)) declare(view);
    }
  }

  bool make() {
    for (const View& view : known_.alphabet.initial()) {
      if (env_.poll_now("lemma-horn")) return false;
      add_start(view);
    }
    for (const auto& [view, entry] : predicates_) add_orders(view);
    for (std::size_t command = 0; command < commands_.all().size(); ++command) {
      if (env_.poll_now("lemma-horn")) return false;
      for_each_clause(known_.alphabet, reached_, command, [&](const Clause& clause) {
        if (!at_error(known_.alphabet, clause.before)) add_step(clause);
      });
    }
    return for_each_obligation(known_.alphabet, reached_, [&](const Obligation& obligation) {
      if (env_.poll_now("lemma-horn")) return false;
      if (!at_error(known_.alphabet, obligation.threads)) add_obligation(obligation);
      return true;
    });
  }

  smt::HornSystem& system() { return system_; }

  std::map<View, std::vector<Atom>> candidates() const {
    std::map<View, std::vector<Atom>> result;
    for (const auto& [view, entry] : predicates_) {
      std::vector<Atom>& atoms = result[view] = known_.invariant.facts.at(view);
      for (const smt::LinearClause& clause : system_.model(entry.predicate)) {
        std::vector<Literal> literals;
        for (const smt::LinearLiteral& one : clause) {
          Literal& literal = literals.emplace_back(Literal{{}, one.relation, one.bound, one.modulus});
          for (const auto& [argument, factor] : one.terms) {
            literal.terms.emplace_back(entry.arguments[argument], factor);
          }
        }
        atoms.push_back(
            {.kind = Atom::Kind::Clause, .clause = std::make_shared<const std::vector<Literal>>(std::move(literals))});
      }
    }
    return result;
  }

 private:
  struct Entry {
    std::size_t predicate = 0;
    std::vector<Var> arguments;
    std::vector<model::TemplateId> templates;
  };

  // A state in which a view is looked at, by position.
  struct Look {
    const SymbolicValuation* shared = nullptr;
    std::vector<const SymbolicValuation*> locals;
  };

  void declare(const View& view) {
    Entry entry;
    std::vector<bool> is_boolean;
    const auto add = [&](int position, const model::Variable& variable) {
      if (variable.type.slots() > most_elements) return;
      for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
        entry.arguments.push_back({position, variable.slot + i});
        is_boolean.push_back(variable.type.element().is_bool());
      }
    };
    for (const model::Variable& variable : commands_.program().shared) add(Var::shared, variable);
    for (std::size_t position = 0; position < view.size(); ++position) {
      const Spot& spot = known_.alphabet.spot(view[position]);
      entry.templates.push_back(spot.templ);
      if (!spot.place) continue;
      const model::Template& templ = commands_.program().templ(spot.templ);
      const model::LocId location = commands_.place(*spot.place).location;
      for (std::size_t i = 0; i < templ.locals.size(); ++i) {
        if (live_.live(spot.templ, location, model::VarId(i))) add(static_cast<int>(position), templ.locals[i]);
      }
    }
    entry.predicate = system_.declare("view" + std::to_string(predicates_.size()), is_boolean);
    predicates_.emplace(view, std::move(entry));
  }

  // The predicate in this state; false at errors.
  Term instance(const View& view, const Look& look) {
    if (at_error(known_.alphabet, view)) return context_.falsity();
    const Entry& entry = predicates_.at(view);
    std::vector<Datum> arguments;
    for (const Var& var : entry.arguments) {
      const bool shared = var.position == Var::shared;
      const auto position = static_cast<std::size_t>(shared ? 0 : var.position);
      arguments.push_back(shared ? (*look.shared)[var.slot] : (*look.locals[position])[var.slot]);
    }
    return system_.apply(entry.predicate, arguments);
  }

  // Of a view of the configuration in the state before: the predicate and what is known.
  void assume(const std::vector<SpotId>& spots, const std::vector<std::uint32_t>& members, std::vector<Term>& body) {
    const View view = view_of(spots, members);
    const Entry& entry = predicates_.at(view);
    Look look{&stage_.shared().values, {}};
    for (const std::uint32_t member : members) {
      const smt::Unknowns& thread = stage_.thread(member, known_.alphabet.spot(spots[member]).templ);
      look.locals.push_back(&thread.values);
      body.push_back(thread.constraint);
    }
    body.push_back(instance(view, look));
    body.push_back(stage_.shared().constraint);
    if (!use_facts_) return;
    const Scenery scenery{look.shared, look.locals, entry.templates};
    for (const Atom& atom : known_.invariant.facts.at(view)) {
      body.push_back(known_.atoms.term(atom, scenery, stage_.translator(), stage_.terms()));
    }
    body.push_back(stage_.translator().numbers().take_side_conditions());
  }

  void add_start(const View& view) {
    Look look{&stage_.shared_at_start().values, {}};
    std::vector<Term> body{stage_.shared_at_start().constraint};
    for (std::size_t position = 0; position < view.size(); ++position) {
      const smt::Unknowns& thread = stage_.thread_at_start(position, known_.alphabet.spot(view[position]).templ);
      look.locals.push_back(&thread.values);
      body.push_back(thread.constraint);
    }
    system_.add(body, instance(view, look));
  }

  // Neighbours at equal spots may change places.
  void add_orders(const View& view) {
    for (std::size_t position = 1; position < view.size(); ++position) {
      if (view[position] != view[position - 1] || !known_.alphabet.spot(view[position]).place) continue;
      Look look{&stage_.shared().values, {}};
      std::vector<Term> body{stage_.shared().constraint};
      for (std::size_t i = 0; i < view.size(); ++i) {
        const smt::Unknowns& thread = stage_.thread(i, known_.alphabet.spot(view[i]).templ);
        look.locals.push_back(&thread.values);
        body.push_back(thread.constraint);
      }
      body.push_back(instance(view, look));
      std::swap(look.locals[position], look.locals[position - 1]);
      system_.add(body, instance(view, look));
    }
  }

  void add_step(const Clause& clause) {
    const Stage::Step step = stage_.step_of(clause);
    std::vector<Term> body = step.conditions;
    body.push_back(stage_.step(clause.command).constraint);
    const model::Command& command = commands_.all()[clause.command];
    if (command.broadcasts) {
      // The constraints of choices that passive threads make are few; all of them do no harm.
      for (const Term constraint : stage_.take_constraints()) body.push_back(constraint);
    }
    body.push_back(stage_.axioms(clause.before));
    for (const auto& members : clause.hypotheses) assume(clause.before, members, body);
    Look after{step.shared, {}};
    for (const std::uint32_t member : clause.seen) after.locals.push_back(step.locals[member]);
    const View head = view_of(clause.after, clause.seen);
    // Views that are out of reach in what is known stay so: that is an invariant, and the rule says nothing new.
    if (reached_.contains(head)) system_.add(body, instance(head, after));
  }

  void add_obligation(const Obligation& obligation) {
    std::vector<Term> body;
    if (obligation.command) {
      body.push_back(stage_.wrong(*obligation.command));
      body.push_back(stage_.step(*obligation.command).constraint);
    } else if (obligation.condition) {
      body.push_back(stage_.holds(*obligation.condition));
    }
    if (!body.empty() && context_.is_false(body[0])) return;
    body.push_back(stage_.axioms(obligation.threads));
    for (const auto& members : obligation.hypotheses) assume(obligation.threads, members, body);
    system_.add(body, context_.falsity());
  }

  Env& env_;
  const Known known_;
  const model::Commands& commands_;
  const model::LiveLocals live_;
  const bool use_facts_;
  Stage stage_;
  smt::Context& context_;
  smt::HornSystem system_;
  Reached reached_;
  std::map<View, Entry> predicates_;
};

HornRules::HornRules(Env& env, const Known& known, const Census& census, bool use_facts)
    : maker_(std::make_unique<Maker>(env, known, census, use_facts)), complete_(maker_->make()) {}

HornRules::~HornRules() = default;

std::size_t HornRules::size() const {
  return maker_->system().rules();
}

Answer HornRules::solve(const smt::HornSettings& settings, double seconds) {
  COHORT_EXPECT(complete_, "all rules are there");
  return maker_->system().solve(settings, seconds);
}

std::map<View, std::vector<Atom>> HornRules::candidates() const {
  return maker_->candidates();
}

}  // namespace cohort::lemma
