// Lemmas as SMT-LIB text, for certificates: atoms over the threads of a view, in the notation of result/smtlib.hpp.
#pragma once

#include <string>
#include <vector>

#include "lemma/atom.hpp"
#include "model/commands.hpp"
#include "result/smtlib.hpp"

namespace cohort::engine {

class LemmaFormula {
 public:
  // `templates`: of the threads of the view, by position.
  LemmaFormula(const model::Commands& commands, std::vector<model::TemplateId> templates)
      : smtlib_(commands, true), templates_(std::move(templates)) {}

  std::string write(const lemma::Atom& atom);

 private:
  std::string plain(const lemma::Atom& atom);

  result::SmtLib smtlib_;
  std::vector<model::TemplateId> templates_;
};

}  // namespace cohort::engine
