// Where the objects of a function live: from their declaration on, or from where control jumps into their block, to
// where it leaves that, however it does (at its end, by break, continue or goto); a return ends all of them, which is
// left to lowering.  Only those whose address is taken can be used when they live no more, so only of these it is said.
//
// Invariant: wherever control is in a block, what has been declared there is alive.
#include "base/contract.hpp"
#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::Node;

void FunctionTranslator::enter_block(const clang::Stmt* block) {
  blocks_.push_back({block});
}

void FunctionTranslator::exit_block() {
  COHORT_EXPECT(!blocks_.empty(), "a block ends that has begun");
  end_lives(blocks_.size() - 1);
  blocks_.pop_back();
}

// Of what was declared in the blocks from this one on, the innermost first.
void FunctionTranslator::end_lives(std::size_t depth) {
  if (!flow_.reachable()) return;
  for (std::size_t i = blocks_.size(); i-- > depth;) {
    for (const ir::ObjectId object : blocks_[i].mortal) {
      Node end = node(Node::Kind::Leave);
      end.object = object;
      flow_.emit(std::move(end));
    }
  }
}

void FunctionTranslator::end_lives_towards(const clang::LabelDecl* label) {
  const auto& around = label_blocks_[label];
  std::size_t common = 0;
  while (common < std::min(around.size(), blocks_.size()) && around[common] == blocks_[common].statement) ++common;
  end_lives(common);
}

// At a label: whoever jumps into a block does not pass the declarations before it.
void FunctionTranslator::arrive() {
  for (const Block& block : blocks_) {
    for (const ir::ObjectId object : block.mortal) {
      Node begin = node(Node::Kind::Live);
      begin.object = object;
      flow_.emit(std::move(begin));
    }
  }
}

void FunctionTranslator::begin_life(ir::ObjectId object) {
  if (!file_.lives_matter || unit_.function(id_).is_library) return;
  Node begin = node(Node::Kind::Live);
  begin.object = object;
  flow_.emit(std::move(begin));
  mortal_.push_back(object);
  if (!blocks_.empty()) blocks_.back().mortal.push_back(object);
}

void FunctionTranslator::begin_life(const clang::VarDecl* variable) {
  if (addressed_.contains(variable)) begin_life(file_.declarations.object(variable));
}

}  // namespace cohort::frontend::c::parse
