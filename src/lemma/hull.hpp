// The equations that hold of all points seen so far (after Karr): the least space of the form  a1*x1 + .. + an*xn = b
// that has them.  It is found from states alone, with no guess which variables belong together: after the first point
// every variable has its value, and each further point outside costs one equation.  A space grows at most as often as
// it has dimensions, so models of a solver lead to the strongest inductive equations within a few questions
// (a best abstraction by models, after Reps, Sagiv and Yorsh).
//
// Variables wrap around.  An equation that a point breaks by a multiple of 2^w, where w is the least width among the
// types of its variables, is kept as one of remainders.
//
// Numbers stay small: an equation whose factors or bound grow too large is dropped, which weakens what is said.
#pragma once

#include <cstdint>
#include <vector>

#include "model/ids.hpp"
#include "model/type.hpp"

namespace cohort::lemma {

class Hull {
 public:
  // sum of factors[i] * x_i = bound, or if `modulus` is not 0 the remainders of both sides are equal.
  struct Equation {
    std::vector<model::Value> factors;
    model::Value bound = 0;
    model::Value modulus = 0;

    bool operator==(const Equation&) const = default;
  };

  // Of variables of these types.
  explicit Hull(std::vector<model::Type> types) : types_(std::move(types)) {}

  // Did the space grow?  The first point makes it.
  bool add(const std::vector<model::Value>& point);
  // Before the first point there is nothing to be said.
  const std::vector<Equation>& equations() const { return equations_; }

 private:
  void start(const std::vector<model::Value>& point);
  model::Value ring(const Equation& equation) const;

  std::vector<model::Type> types_;
  std::vector<Equation> equations_;
  bool started_ = false;
};

}  // namespace cohort::lemma
