// Who calls whom.  Starting a thread is no call: a procedure may start itself as a thread.
#pragma once

#include <cstddef>
#include <vector>

namespace cohort::frontend::bp {

class CallGraph {
 public:
  explicit CallGraph(std::size_t procedures) : calls_(procedures), called_(procedures, false) {}

  void add_call(std::size_t caller, std::size_t callee);
  bool is_called(std::size_t procedure) const { return called_[procedure]; }

  // May `caller` be waiting for `callee`, at whatever distance?
  bool reaches(std::size_t caller, std::size_t callee) const;

 private:
  std::vector<std::vector<std::size_t>> calls_;
  std::vector<bool> called_;
};

}  // namespace cohort::frontend::bp
