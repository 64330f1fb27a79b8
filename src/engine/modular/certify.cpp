#include "engine/modular/certify.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "result/smtlib.hpp"

namespace cohort::engine::modular {

using lemma::Atom;
using lemma::Var;
using result::SmtLib;

namespace {

// Differences and sums of 64-bit numbers are exact in 68 bits, which hexadecimal digits can say.
std::string wide(const std::string& term) {
  return fmt::format("((_ sign_extend 4) {})", term);
}

std::string wide(model::Value value) {
  return fmt::format("#x{}{:016x}", value < 0 ? 'f' : '0', static_cast<std::uint64_t>(value));
}

std::string name(Var var) {
  return var.position == Var::shared ? SmtLib::shared_name(var.slot)
                                     : SmtLib::local_name(static_cast<std::size_t>(var.position), var.slot);
}

class Writer {
 public:
  Writer(const model::Commands& commands, const std::vector<model::TemplateId>& templates)
      : smtlib_(commands, true), templates_(templates) {}

  std::string write(const Atom& atom) {
    if (!atom.premise) return plain(atom);
    const auto& [var, value] = *atom.premise;
    return fmt::format("(=> (= {} {}) {})", name(var), SmtLib::literal(value), plain(atom));
  }

 private:
  std::string plain(const Atom& atom) {
    const std::string x = name(atom.x);
    const std::string y = name(atom.y);
    switch (atom.kind) {
      case Atom::Kind::Difference: return fmt::format("(bvsle {} (bvadd {} {}))", wide(x), wide(y), wide(atom.c));
      case Atom::Kind::Distinct: return fmt::format("(not (= {} (bvadd {} {})))", wide(x), wide(y), wide(atom.c));
      case Atom::Kind::Upper: return fmt::format("(bvsle {} {})", x, SmtLib::literal(atom.c));
      case Atom::Kind::Lower: return fmt::format("(bvsle {} {})", SmtLib::literal(atom.c), x);
      case Atom::Kind::Other: return fmt::format("(not (= {} {}))", x, SmtLib::literal(atom.c));
      case Atom::Kind::Congruent:
        return fmt::format("(= (bvsmod {} {}) {})", x, SmtLib::literal(atom.modulus), SmtLib::literal(atom.c));
      case Atom::Kind::Sum:
        return fmt::format("(bvsle (bvadd {} {}) (bvadd {} {}))", wide(x), wide(y), wide(name(atom.z)), wide(atom.c));
      case Atom::Kind::Formula: break;
    }
    const auto position = static_cast<std::size_t>(atom.x.position);
    const std::string holds = smtlib_.condition(atom.expr, position, templates_[position]);
    return atom.negated ? fmt::format("(not {})", holds) : holds;
  }

  SmtLib smtlib_;
  const std::vector<model::TemplateId>& templates_;
};

}  // namespace

std::unique_ptr<result::Certificate> certify(const model::Commands& commands, const lemma::Alphabet& alphabet,
                                             const lemma::Invariant& invariant) {
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
    Writer writer(commands, templates);
    entry.formula = "(and true";
    for (const Atom& atom : atoms) entry.formula += ' ' + writer.write(atom);
    entry.formula += ')';
  }
  return std::make_unique<result::ModularCertificate>(invariant.views.threads, invariant.views.singles,
                                                      std::move(views));
}

}  // namespace cohort::engine::modular
