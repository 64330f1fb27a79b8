// The Karp-Miller construction with sets of data: see symbolic_karp_miller.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/boolean_encoding.hpp"
#include "engine/unbounded/configuration.hpp"

namespace cohort::engine::unbounded {

// `count` threads at one location, each with any of these locals on its own.
struct SymbolicThreads {
  model::TemplateId templ;
  model::LocId location;
  bool atomic = false;
  dd::Bdd locals;
  Count count = 1;

  bool same_place(const SymbolicThreads& other) const {
    return templ == other.templ && location == other.location && atomic == other.atomic;
  }
};

struct SymbolicLabel {
  dd::Bdd shared;
  std::vector<SymbolicThreads> threads;
};

class SymbolicKarpMiller {
 public:
  enum class Outcome : std::uint8_t { Covered, Violation, Stopped };

  SymbolicKarpMiller(Env& env, const BooleanEncoding& encoding, bool stop_at_violation = true);

  Outcome run();

  std::vector<const SymbolicLabel*> cover() const;
  std::optional<model::PropertyId> bad_property() const { return bad_property_; }

 private:
  struct Node {
    SymbolicLabel label;
    std::uint32_t parent = 0;
    bool active = true;
  };
  static constexpr std::uint32_t no_node = UINT32_MAX;

  bool add(SymbolicLabel label, std::uint32_t parent);
  bool expand(std::uint32_t node);
  template <class Visit>
  bool for_each_child(const SymbolicLabel& label, Visit&& visit) const;
  SymbolicLabel start() const;
  // Do the active labels cover the start and whatever their own steps lead to?
  bool is_closed();
  void accelerate(SymbolicLabel& label, std::uint32_t parent) const;
  std::optional<model::PropertyId> violated(const SymbolicLabel& label) const;

  Env* env_;
  const BooleanEncoding* encoding_;
  bool stop_at_violation_;
  std::vector<model::OutEdges> out_edges_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> active_;
  std::vector<std::uint32_t> stack_;
  std::optional<model::PropertyId> bad_property_;
};

// How many threads of each entry of `larger` it takes to hold those of `smaller`, each in an entry that includes its
// locals; none: no way was found.
std::optional<std::vector<Count>> embed(const SymbolicLabel& smaller, const SymbolicLabel& larger);

// Whether there is a way; exact.
bool embeds(const SymbolicLabel& smaller, const SymbolicLabel& larger);

}  // namespace cohort::engine::unbounded
