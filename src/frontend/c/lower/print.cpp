#include "frontend/c/lower/print.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/c/ir/print.hpp"

namespace cohort::frontend::c::lower {

namespace {

using ir::Op;

class Printer {
 public:
  explicit Printer(const Flat& flat) : flat_(flat) {}

  std::string print() {
    for (const Body& body : flat_.bodies) {
      text_ += fmt::format("{} entry {}\n", body.name, body.entry.value);
      const std::vector<bool> reached = reachable(body);
      for (std::size_t i = 0; i < reached.size(); ++i) {
        if (reached[i]) text_ += fmt::format("  {}: {}\n", i, line(body.nodes[i]));
      }
    }
    return std::move(text_);
  }

 private:
  static std::vector<bool> reachable(const Body& body) {
    std::vector<bool> reached(body.nodes.size(), false);
    std::vector<NodeId> pending{body.entry};
    while (!pending.empty()) {
      const NodeId at = pending.back();
      pending.pop_back();
      if (reached[at.value]) continue;
      reached[at.value] = true;
      const auto& next = body.nodes[at.value].next;
      pending.insert(pending.end(), next.begin(), next.end());
    }
    return reached;
  }

  std::string term(TermId id) const {
    const Term& t = flat_.term(id);
    switch (t.op) {
      case Op::Const: return std::to_string(t.value);
      case Op::Nondet: return nondet(t);
      case Op::Load: return access(t.access);
      case Op::AddressOf: return "&" + access(t.access);
      case Op::FunctionAddr: return "&" + flat_.unit.function(t.function).name;
      case Op::Text: COHORT_UNREACHABLE("literals are objects in the flat form");
      case Op::Cast: return "(cast)" + term(t.args[0]);
      case Op::Neg:
      case Op::BitNot:
      case Op::LogicalNot: return ir::symbol(t.op) + term(t.args[0]);
      case Op::Conditional: return fmt::format("({} ? {} : {})", term(t.args[0]), term(t.args[1]), term(t.args[2]));
      default: return fmt::format("({} {} {})", term(t.args[0]), ir::symbol(t.op), term(t.args[1]));
    }
  }

  static std::string nondet(const Term& term) {
    if (term.choices.empty()) return "*";
    std::string text = "*{";
    for (std::size_t i = 0; i < term.choices.size(); ++i)
      text += fmt::format("{}{}", i > 0 ? "," : "", term.choices[i]);
    return text + "}";
  }

  std::string access(AccessId id) const {
    const Access& a = flat_.access(id);
    std::string text = a.inst ? flat_.inst(*a.inst).name : fmt::format("(*{})", term(a.pointer));
    if (a.offset != 0) text += fmt::format("+{}", a.offset);
    for (const Index& index : a.indices) text += fmt::format("[{}]", term(index.term));
    return text;
  }

  std::string line(const Node& node) const {
    std::string text = action(node);
    if (node.atomic_group != 0) text += fmt::format(" [atomic {}]", node.atomic_group);
    if (node.spins) text += " [waits]";
    if (!node.next.empty()) text += " ->";
    for (const NodeId next : node.next) text += fmt::format(" {}", next.value);
    return text;
  }

  std::string action(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::Skip: return "skip";
      case Node::Kind::Assign: return fmt::format("{} := {}", access(node.access), term(node.term));
      case Node::Kind::Branch: return "branch " + term(node.term);
      case Node::Kind::Declare: return "declare " + flat_.inst(node.inst).name;
      case Node::Kind::Assume: return "assume " + term(node.term);
      case Node::Kind::AtomicBegin: return node.has_term ? "begin when " + term(node.term) : "begin";
      case Node::Kind::AtomicEnd: return "end";
      case Node::Kind::Spawn: return spawn(node);
      case Node::Kind::EndThread: return "end thread";
      case Node::Kind::EndAsync: return "end async";
      case Node::Kind::EndProcess: return "end process";
      case Node::Kind::Async: return "async";
      case Node::Kind::Violation: return fmt::format("{}: {}", to_string(node.violation), node.message);
      case Node::Kind::Allocate: return fmt::format("{} := allocate {}", access(node.access), term(node.term));
      case Node::Kind::Free: return "free " + term(node.term);
      case Node::Kind::Havoc: return "havoc " + term(node.term);
      case Node::Kind::Cut: return "cut: " + node.message;
    }
    COHORT_UNREACHABLE("every kind of node has a text");
  }

  std::string spawn(const Node& node) const {
    std::string text = node.has_access ? access(node.access) + " := " : "";
    text += fmt::format("spawn {} ({})", term(node.term), term(node.argument));
    return node.has_number ? text + " as " + term(node.number) : text;
  }

  const Flat& flat_;
  std::string text_;
};

}  // namespace

std::string to_string(const Flat& flat) {
  return Printer(flat).print();
}

}  // namespace cohort::frontend::c::lower
