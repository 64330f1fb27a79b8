// Ghost counters in a modular certificate, for its checker: variables that the program has not, whose values are sums
// over all threads.  A ghost is its initial value plus, for each thread that is running, the weight of the location
// where the thread is.  So a command changes it by what the threads that it moves weigh more than before, and with
// given threads in given places it is what these weigh, plus what all others can weigh at most and at least.  The same
// holds of sums and differences of two ghosts, whose weights are sums and differences.
//
// How many others there can be is known from the limit of a template; where it has none, at most `most_alive` threads
// exist at a time.  That is an assumption of the proof, and rests_on_assumption() says whether it was needed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/commands.hpp"

namespace cohort::result {

class ModularGhosts {
 public:
  static constexpr std::uint64_t most_alive = std::uint64_t{1} << 30U;
  static constexpr model::Value most_weight = 16;

  struct Ghost {
    model::Value initial = 0;
    std::vector<std::vector<model::Value>> weights;  // [template][location]
  };
  struct Member {
    model::TemplateId templ;
    std::optional<model::LocId> location;  // none: not running
  };

  ModularGhosts(const model::Commands& commands, std::vector<std::optional<std::uint64_t>> limits)
      : commands_(commands), limits_(std::move(limits)) {}

  static nlohmann::json to_json(const std::vector<Ghost>& ghosts);
  // Throws Refuted, Refused and Misshapen.
  void read(const nlohmann::json& list);

  std::size_t size() const { return ghosts_.size(); }
  // As formulas call the ghost, and the declarations of all.
  std::string name(std::size_t ghost) const;
  std::string declarations() const;
  // Names of terms after the command, and which ghosts it changes.
  std::vector<std::string> after(const model::Command& command) const;
  std::vector<std::string> changed_by(const model::Command& command) const;
  // What holds of the ghosts with these threads beside any others; and at the start.
  std::vector<std::string> axioms(const std::vector<Member>& threads) const;
  std::vector<std::string> at_start() const;
  bool rests_on_assumption() const;

 private:
  bool keeps_moved(const Ghost& ghost) const;
  model::Value change(const Ghost& ghost, const model::Command& command) const;
  // What holds of a term that is a sum over all threads in the way of a ghost.
  void add_axioms(const Ghost& ghost, const std::string& term, const std::vector<Member>& threads,
                  std::vector<std::string>& facts) const;

  const model::Commands& commands_;
  std::vector<std::optional<std::uint64_t>> limits_;  // by template
  std::vector<Ghost> ghosts_;
};

}  // namespace cohort::result
