// A net as it was read from PNML, before it becomes a program: what questions about it need to look up.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/env.hpp"
#include "base/source.hpp"
#include "frontend/net.hpp"

namespace cohort::frontend::pnml {

struct NetParts {
  using Place = NetBuilder::Place;

  struct Transition {
    std::string label;
    SourceSpan span;
    std::vector<NetBuilder::Effect> effects;
  };

  NetBuilder builder;  // has the places with their tokens, and no transitions yet
  std::vector<Transition> transitions{};
  std::unordered_map<std::string, Place> places{};              // by id
  std::unordered_map<std::string, std::vector<Place>> named{};  // by name
  std::unordered_map<std::string, std::size_t> transition_ids{};
  std::vector<std::uint64_t> tokens{};  // at the start, by place
};

// The place of a byte of the text.
SourceSpan span_at(const SourceFilePtr& file, std::size_t offset);

NetParts read_parts(const SourceFilePtr& file, Env* env = nullptr);

}  // namespace cohort::frontend::pnml
