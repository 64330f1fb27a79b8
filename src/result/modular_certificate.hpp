// The certificate of a thread-modular proof: an invariant over the shared variables and a few threads at a time.  For
// each view (which threads are where, with those not running) that can be reached it holds a formula in SMT-LIB over
// bit-vectors of 64 bits: g<i> is slot i of the shared variables, t<p>.<i> slot i of the thread at position p of the
// view.  Views that are not listed are claimed to be unreachable.
//
// The checker puts the program into commands, enumerates every way in which a command can change a view, and asks a
// solver of its own, as a child process, whether the formulas hold at the start, are kept, and exclude every violation.
// docs/modular.md has the conditions and why they suffice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/commands.hpp"
#include "result/certificate.hpp"
#include "result/checking.hpp"
#include "result/modular_ghosts.hpp"

namespace cohort::result {

class ModularCertificate : public Certificate {
 public:
  static constexpr std::string_view kind_name = "modular";

  struct Thread {
    model::TemplateId templ;
    std::optional<model::Place> place;  // none: not running
    bool ended = false;

    auto operator<=>(const Thread&) const = default;
  };
  struct View {
    std::vector<Thread> threads;
    std::string formula;
  };

  // `threads`: of the crowd in each view; `singles`: threads that are alone in their template are in every view.
  // Ghosts are called g<i> by formulas, from the number of shared slots of the program on.
  ModularCertificate(std::uint32_t threads, bool singles, std::vector<View> views,
                     std::vector<ModularGhosts::Ghost> ghosts = {})
      : threads_(threads), singles_(singles), views_(std::move(views)), ghosts_(std::move(ghosts)) {}

  std::string_view kind() const override { return kind_name; }
  nlohmann::json to_json(const model::Program& program) const override;

 private:
  std::uint32_t threads_;
  bool singles_;
  std::vector<View> views_;
  std::vector<ModularGhosts::Ghost> ghosts_;
};

extern const CertificateKind modular_kind;

}  // namespace cohort::result
