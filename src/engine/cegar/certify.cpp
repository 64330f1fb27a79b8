// A thread that does not exist is one state here, and several in the certificate: not created yet, or ended, of each
// template of the crowd.  A view with such threads stands for all of these; those that the checker's alphabet does not
// have are left out.
#include "engine/cegar/certify.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "engine/lemma_formula.hpp"
#include "result/modular_certificate.hpp"
#include "result/smtlib.hpp"

namespace cohort::engine::cegar {

using abstraction::absent;
using abstraction::Bits;
using abstraction::Predicate;
using abstraction::SharedState;
using abstraction::ThreadState;
using lemma::Spot;
using lemma::SpotId;
using model::TemplateId;

namespace {

struct Member {
  SpotId spot;
  ThreadState state;

  auto operator<=>(const Member&) const = default;
};

class Certifier {
 public:
  Certifier(abstraction::Oracle& oracle, const abstraction::Predicates& predicates, const Layout& layout,
            const lemma::Houdini* houdini, const lemma::Invariant* invariant)
      : oracle_(oracle),
        predicates_(predicates),
        layout_(layout),
        houdini_(houdini),
        invariant_(invariant),
        alphabet_(oracle.commands(), {.threads = 2, .singles = true}) {
    // The crowd's threads that do not run, by template, and those of the single templates.
    not_running_.resize(oracle.commands().program().templates.size());
    for (SpotId id = 0; id < alphabet_.spots().size(); ++id) {
      const Spot& spot = alphabet_.spot(id);
      if (!spot.place) not_running_[spot.templ.value].push_back(id);
    }
  }

  std::unique_ptr<result::Certificate> run(const Views& views, const std::vector<lemma::Ghost>& ghosts) {
    for (const Views::View& view : views.views()) {
      const Views::Context& context = views.context(view.context);
      std::vector<Member> members;
      add_singles(context, 0, members, view);
    }
    std::vector<result::ModularCertificate::View> listed;
    for (const auto& [spots, cubes] : found_) {
      if (!is_excluded(spots)) listed.push_back(write(spots, cubes));
    }
    std::vector<result::ModularGhosts::Ghost> counters;
    for (const lemma::Ghost& ghost : ghosts) counters.push_back({ghost.initial, ghost.weights});
    return std::make_unique<result::ModularCertificate>(2, true, std::move(listed), std::move(counters));
  }

 private:
  struct Cube {
    SharedState shared;
    std::vector<ThreadState> threads;  // by position

    auto operator<=>(const Cube&) const = default;
  };

  std::vector<SpotId> spots_of(ThreadState state, TemplateId templ) const {
    if (state == absent) return not_running_[templ.value];
    return {alphabet_.at(oracle_.states().place(state))};
  }

  void add_singles(const Views::Context& context, std::size_t single, std::vector<Member>& members,
                   const Views::View& view) {
    if (single == layout_.singles.size()) {
      add_crowd(context, members, view);
      return;
    }
    for (const SpotId spot : spots_of(context.singles[single], layout_.singles[single].templ)) {
      members.push_back({spot, context.singles[single]});
      add_singles(context, single + 1, members, view);
      members.pop_back();
    }
  }

  std::vector<Member> crowd(ThreadState state) const {
    std::vector<Member> result;
    if (state != absent) return {{alphabet_.at(oracle_.states().place(state)), state}};
    for (std::size_t i = 0; i < not_running_.size(); ++i) {
      if (layout_.single_of[i]) continue;
      for (const SpotId spot : not_running_[i]) result.push_back({spot, absent});
    }
    return result;
  }

  // Where the crowd has fewer than two threads, the rest of the view must be absent.
  void add_crowd(const Views::Context& context, const std::vector<Member>& singles, const Views::View& view) {
    const std::uint32_t needed = alphabet_.needed()[0];
    const auto [one, other] = std::minmax(view.first, view.second);
    if (needed == 0) {
      if (other == absent) add(context.shared, singles);
      return;
    }
    for (const Member& last : crowd(other)) {
      std::vector<Member> members = singles;
      members.push_back(last);
      if (needed == 1) {
        if (one == absent) add(context.shared, members);
        continue;
      }
      for (const Member& first : crowd(one)) {
        members.push_back(first);
        add(context.shared, members);
        members.pop_back();
      }
    }
  }

  // In every order of threads at equal spots.
  void add(SharedState shared, std::vector<Member> members) {
    std::sort(members.begin(), members.end());
    std::vector<SpotId> spots;
    for (const Member& member : members) spots.push_back(member.spot);
    if (!alphabet_.possible(spots)) return;
    do {
      Cube cube{shared, {}};
      const bool in_order = std::is_sorted(members.begin(), members.end(), [](const Member& left, const Member& right) {
        return left.spot < right.spot;
      });
      if (!in_order) continue;
      for (const Member& member : members) cube.threads.push_back(member.state);
      found_[spots].insert(std::move(cube));
    } while (std::next_permutation(members.begin(), members.end()));
  }

  // ---- text

  std::string literal(result::SmtLib& smtlib, std::size_t predicate, std::size_t position, TemplateId templ, char bit) {
    const model::ExprId expr = predicates_[predicate].expr;
    const std::string wrong = smtlib.trouble(expr, position, templ);
    std::string holds = smtlib.condition(expr, position, templ);
    if (wrong != "false") holds = "(and " + holds + " (not " + wrong + "))";
    return bit == '1' ? holds : "(not " + holds + ")";
  }

  std::string write(const Cube& cube, result::SmtLib& smtlib, const std::vector<TemplateId>& templates) {
    std::string text = "(and true";
    const Bits& shared = oracle_.states().bits(cube.shared);
    for (std::size_t i = 0; i < shared.size(); ++i) {
      text += " " + literal(smtlib, predicates_.shared()[i], 0, templates[0], shared[i]);
    }
    for (std::size_t position = 0; position < cube.threads.size(); ++position) {
      if (cube.threads[position] == absent) continue;
      const Bits& bits = oracle_.states().bits(cube.threads[position]);
      for (std::size_t i = 0; i < bits.size(); ++i) {
        if (bits[i] == abstraction::unknown_bit) continue;
        const TemplateId templ = templates[position];
        text += " " + literal(smtlib, predicates_.of(templ)[i], position, templ, bits[i]);
      }
    }
    return text + ")";
  }

  result::ModularCertificate::View write(const std::vector<SpotId>& spots, const std::set<Cube>& cubes) {
    result::ModularCertificate::View view;
    std::vector<TemplateId> templates;
    for (const SpotId id : spots) {
      const Spot& spot = alphabet_.spot(id);
      templates.push_back(spot.templ);
      const auto place = spot.place ? std::optional(oracle_.commands().place(*spot.place)) : std::nullopt;
      view.threads.push_back({spot.templ, place, spot.gone});
    }
    result::SmtLib smtlib(oracle_.commands(), true);
    view.formula = "(and (or false";
    for (const Cube& cube : cubes) view.formula += " " + write(cube, smtlib, templates);
    view.formula += ")" + fixed_values() + lemmas(spots) + ")";
    return view;
  }

  // Of variables that nobody writes (RandomPrograms.VerdictsAreThoseOfBruteForce, seed 13).
  std::string fixed_values() const {
    std::string text;
    const auto& variables = oracle_.commands().program().shared;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (!oracle_.is_fixed(i)) continue;
      const auto& initial = variables[i].initial;
      for (std::uint32_t element = 0; element < variables[i].type.slots(); ++element) {
        const model::Value value = initial.size() == 1 ? initial.front() : initial[element];
        text += " (= " + result::SmtLib::shared_name(variables[i].slot + element) + " " +
                result::SmtLib::literal(value) + ")";
      }
    }
    return text;
  }

  // Do the lemmas say that two of these never meet?  What does not exist here may be known to have ended, or not to.
  bool is_excluded(const std::vector<SpotId>& spots) const {
    if (houdini_ == nullptr) return false;
    for (std::size_t i = 0; i < spots.size(); ++i) {
      for (std::size_t j = i + 1; j < spots.size(); ++j) {
        if (!invariant_->facts.contains(pair_of(spots[i], spots[j]))) return true;
      }
    }
    return false;
  }

  // The lemmas of each pair, whose positions in the pair's view become those in this one.
  std::string lemmas(const std::vector<SpotId>& spots) {
    std::string text;
    if (houdini_ == nullptr) return text;
    std::vector<TemplateId> templates;
    for (const SpotId id : spots) templates.push_back(alphabet_.spot(id).templ);
    LemmaFormula formula(oracle_.commands(), templates);
    for (std::size_t i = 0; i < spots.size(); ++i) {
      for (std::size_t j = 0; j < spots.size(); ++j) {
        const auto known = i == j ? invariant_->facts.end() : invariant_->facts.find(pair_of(spots[i], spots[j]));
        if (known == invariant_->facts.end()) continue;
        if (pair_of(spots[i], spots[j])[0] != in_houdini(spots[i])) continue;
        for (lemma::Atom atom : known->second) {
          move(atom, i, j);
          text += " " + formula.write(atom);
        }
      }
    }
    return text;
  }

  // Houdini's views have no singles, and an alphabet of their own.
  SpotId in_houdini(SpotId id) const {
    const Spot& spot = alphabet_.spot(id);
    const lemma::Alphabet& theirs = houdini_->alphabet();
    for (SpotId other = 0; other < theirs.spots().size(); ++other) {
      if (theirs.spot(other) == spot) return other;
    }
    COHORT_UNREACHABLE("both alphabets have the same spots");
  }

  lemma::View pair_of(SpotId one, SpotId other) const {
    lemma::View view{in_houdini(one), in_houdini(other)};
    std::sort(view.begin(), view.end());
    return view;
  }

  static void move(lemma::Atom& atom, std::size_t first, std::size_t second) {
    const auto renumber = [&](lemma::Var& var) {
      if (var.position != lemma::Var::shared) var.position = static_cast<int>(var.position == 0 ? first : second);
    };
    renumber(atom.x);
    renumber(atom.y);
    renumber(atom.z);
    if (atom.premise) renumber(atom.premise->first);
  }

  abstraction::Oracle& oracle_;
  const abstraction::Predicates& predicates_;
  const Layout& layout_;
  const lemma::Houdini* houdini_;
  const lemma::Invariant* invariant_;
  lemma::Alphabet alphabet_;
  std::vector<std::vector<SpotId>> not_running_;
  std::map<std::vector<SpotId>, std::set<Cube>> found_;
};

}  // namespace

std::unique_ptr<result::Certificate> certify(abstraction::Oracle& oracle, const abstraction::Predicates& predicates,
                                             const Layout& layout, const Views& views, const lemma::Houdini* houdini,
                                             const lemma::Invariant* invariant,
                                             const std::vector<lemma::Ghost>& ghosts) {
  COHORT_EXPECT((houdini == nullptr) == (invariant == nullptr), "lemmas come with their alphabet");
  return Certifier(oracle, predicates, layout, houdini, invariant).run(views, ghosts);
}

}  // namespace cohort::engine::cegar
