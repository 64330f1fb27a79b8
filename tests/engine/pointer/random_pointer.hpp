// Random pointer algorithms, as text, so that the front end is exercised too.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace cohort::engine::pointer {

class RandomAlgorithm {
 public:
  explicit RandomAlgorithm(std::uint64_t seed) : random_(seed) {}

  std::string text(std::uint32_t processes) {
    processes_ = processes;
    names_processes_ = chance(5);
    calculates_ = chance(8);
    std::string result =
        "process count = " + std::to_string(processes) +
        ";\nglobal pointer g;\nglobal discrete d: 0..2;\nlocal pointer p, q;\nlocal discrete x: 0..2;\n";
    modes_ = 2 + below(2);
    for (std::size_t mode = 0; mode < modes_; ++mode) {
      result += "mode m" + std::to_string(mode) + (chance(8) ? " " + condition(true, 1) : " true") + " {\n";
      for (std::size_t i = 0, count = 1 + below(3); i < count; ++i) result += "  " + transition() + "\n";
      result += "}\n";
    }
    result += "initially " + start() + ";\n";
    result += std::string(chance(2) ? "risk " : "safe ") + goal() + ";\n";
    return result;
  }

 private:
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }
  const std::string& one_of(const std::vector<std::string>& choices) { return choices[below(choices.size())]; }

  std::string process_name() { return std::to_string(1 + below(processes_)); }

  // A pointer expression of an executing process.
  std::string pointer(std::size_t depth) {
    if (names_processes_ && chance(6)) return process_name();
    if (calculates_ && chance(5)) return "(P - 1)";
    if (depth > 0 && chance(3)) return one_of({"p", "q", "g"}) + "->" + one_of({"p", "q", "P", "g", "(p->q)"});
    return one_of({"p", "q", "g", "P", "NULL", "p"});
  }

  std::string number() {
    switch (below(6)) {
      case 0: return one_of({"p", "q", "g", "p->q"}) + "->" + one_of({"x", "x", "(x - d)", "mode"});
      case 4: return one_of({"mode", "mode[q]"});
      case 1: return "x + 1";
      case 2: return one_of({"x", "d"}) + " - d";
      case 3: return one_of({"0", "1", "2"});
      default: return one_of({"x", "d"});
    }
  }

  std::string condition(bool executing, std::size_t depth) {
    if (depth > 0 && chance(3)) {
      return "(" + condition(executing, depth - 1) + one_of({" and ", " or ", " && ", " || "}) +
             condition(executing, depth - 1) + ")";
    }
    if (chance(8)) return "not " + condition(executing, 0);
    if (chance(6))
      return one_of({"0 < q->mode <= 1", "mode[p] == m1", "m0 != mode[g]", "p->(x == d)", "0 <= p->x < d"});
    if (chance(3)) return one_of({"x", "d", "p->x"}) + one_of({" == ", " != ", " < "}) + one_of({"0", "1", "d"});
    return pointer(1) + one_of({" == ", " != "}) + pointer(0);
  }

  std::string transition() {
    std::string result = "when " + (chance(3) ? std::string("true") : condition(true, 1)) + " may ";
    for (std::size_t i = 0, count = below(3); i < count; ++i) {
      if (chance(2)) {
        result += one_of({"p", "q", "g", "p->q", "q->p", "g->q"}) + " = " + pointer(2) + "; ";
      } else {
        result += one_of({"x", "d", "p->x", "g->x"}) + " = " + number() + "; ";
      }
    }
    return result + "goto m" + std::to_string(below(modes_)) + ";";
  }

  std::string start() {
    std::string result = "(forall i: m0[i]";
    result += chance(3) ? "" : " and p[i] == " + one_of({"NULL", "NULL", "i"});
    result += chance(4) ? " and q[i] == p[i]" : " and q[i] == NULL";
    result += " and x[i] == 0)";
    result += chance(4) ? "" : " and g == " + (names_processes_ ? process_name() : "NULL");
    if (chance(6)) result += " and p[1] != p[2]";
    return result + " and d == 0";
  }

  std::string goal() {
    switch (below(5)) {
      case 0: return "exists i, j: i != j and m1[i] and m1[j] and p[i] == j";
      case 1: return "forall i: p[i] == NULL || p[i]->q != i";
      case 2: return "(m1[1] and x[1] == 2) or (m1[2] and x[2] == 2)";
      case 3: return "exists i: g == i and x[i] == d";
      default: return "p[1] == 2 and p[2] == 1";
    }
  }

  std::mt19937_64 random_;
  std::uint32_t processes_ = 2;
  std::size_t modes_ = 2;
  bool names_processes_ = false;
  bool calculates_ = false;
};

}  // namespace cohort::engine::pointer
