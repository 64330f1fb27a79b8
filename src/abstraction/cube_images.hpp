// The images of a Cartesian abstraction: what the constraints of a Boolean broadcast program (cartesian.hpp) leave
// open, enumerated for the states that are met.  With them whatever searches by the oracle's exact images (views for
// any number of threads, counting for a few) searches the paper's abstraction instead, without a Boolean program being
// built.
//
// An image is larger than the exact one or equal to it, since a constraint forbids only what no concrete step has; so
// proofs over it are proofs.  Whether a command goes wrong, and what is possible at the start, is asked exactly.
//
// Cost: exponential in the predicates that a command changes, each cube cut off as soon as it is complete.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "abstraction/cartesian.hpp"
#include "abstraction/oracle.hpp"

namespace cohort::abstraction {

class CubeImages final : public Oracle {
 public:
  CubeImages(Env& env, model::Commands& commands, const Predicates& predicates)
      : Oracle(env, commands, predicates), predicates_(predicates) {}

  // From now on images are those of the steps, one for each command, which must outlive their use; null: exact ones.
  void use_steps(const std::vector<BroadcastStep>* steps);
  // Hides Oracle's: forgets the images, too.
  void reset(bool ask_unaffected);

  const std::vector<Successor>& post(std::uint32_t command, SharedState shared, ThreadState self) override;
  const std::vector<ThreadState>& passive(std::uint32_t command, SharedState shared, ThreadState self,
                                          std::uint32_t step, ThreadState other) override;

 private:
  // The values that literals speak of, as far as they are settled.
  struct Moment {
    Bits shared_before;
    Bits shared_after;
    Bits active_before;
    Bits active_after;
    Bits passive_before;
    Bits passive_after;
    model::TemplateId active;
    std::optional<model::TemplateId> passive;
  };

  std::size_t position(std::size_t predicate) const;
  const Bits* bits_of(const Moment& moment, const Literal& literal) const;
  bool is_forbidden(const std::vector<Cube>& cubes, const Moment& moment) const;
  template <class Visit>
  void assign(const std::vector<Cube>& cubes, const std::vector<std::pair<Bits*, std::size_t>>& open, std::size_t next,
              Moment& moment, Visit&& visit) const;
  void add_children(std::uint32_t command, const Moment& moment, const Successor& successor,
                    std::vector<Successor>& results);

  const Predicates& predicates_;
  const std::vector<BroadcastStep>* steps_ = nullptr;
  std::map<std::tuple<std::uint32_t, SharedState, ThreadState>, std::vector<Successor>> posts_;
  std::map<std::tuple<std::uint32_t, SharedState, ThreadState, std::uint32_t, ThreadState>, std::vector<ThreadState>>
      passives_;
};

}  // namespace cohort::abstraction
