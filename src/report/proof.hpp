// What a proof says of each place of the control flow: which values variables have there, how many threads can be there
// at a time, or which facts hold.  Read off the certificate of SAFE.
#pragma once

#include <string>
#include <vector>

#include "report/flow_graph.hpp"
#include "result/certificate.hpp"

namespace cohort::report {

struct PlaceFacts {
  std::vector<std::string> facts;
  std::string count;  // "at most 1 thread", "any number of threads"; empty: not known
};

struct Proof {
  std::string words;                            // what kind of proof it is; empty: it says nothing of places
  std::vector<std::vector<PlaceFacts>> places;  // by graph and node
};

Proof proof_of(const model::Program& program, const result::Certificate& certificate,
               const std::vector<FlowGraph>& graphs);

}  // namespace cohort::report
