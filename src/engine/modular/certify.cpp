#include "engine/modular/certify.hpp"

#include <vector>

#include "engine/lemma_formula.hpp"

namespace cohort::engine::modular {

std::unique_ptr<result::Certificate> certify(const lemma::Alphabet& alphabet, const std::vector<lemma::Ghost>& ghosts,
                                             const lemma::Invariant& invariant) {
  const model::Commands& commands = alphabet.commands();
  std::vector<result::ModularCertificate::View> views;
  for (const auto& [view, atoms] : invariant.facts) {
    auto& entry = views.emplace_back();
    std::vector<model::TemplateId> templates;
    for (const lemma::SpotId id : view) {
      const lemma::Spot& spot = alphabet.spot(id);
      templates.push_back(spot.templ);
      const auto place = spot.place ? std::optional(commands.place(*spot.place)) : std::nullopt;
      entry.threads.push_back({spot.templ, place, spot.gone});
    }
    LemmaFormula writer(commands, templates);
    entry.formula = "(and true";
    for (const lemma::Atom& atom : atoms) entry.formula += ' ' + writer.write(atom);
    entry.formula += ')';
  }
  std::vector<result::ModularGhosts::Ghost> counters;
  for (const lemma::Ghost& ghost : ghosts) counters.push_back({ghost.initial, ghost.weights});
  return std::make_unique<result::ModularCertificate>(invariant.views.threads, invariant.views.singles,
                                                      std::move(views), std::move(counters));
}

}  // namespace cohort::engine::modular
