// Inlining: from functions that call each other to one flat body for each thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// Objects that the models of threads share; they exist only where something looks at them.
struct ThreadTable {
  std::optional<InstId> finished;  // _Bool [number of threads]
  std::optional<InstId> results;   // void *[number of threads]
  bool numbers = false;            // a thread asks for its own number
  bool looked_at() const { return finished || results || numbers; }
};

class Inliner {
 public:
  explicit Inliner(Flat& flat) : flat_(flat) {}

  // The body of the threads that `function` starts; made when first asked for.
  BodyId body_of(ir::FunctionId function, bool is_main = false);

  // Reads the initialisers of all objects that there are, and of those that they mention.
  void read_initial_values();

  const ThreadTable& threads() const { return threads_; }
  // What was assumed, each with the first of the places where.
  std::vector<std::string> notes() const;
  // Functions whose address is taken somewhere, for calls through pointers and new threads.
  const std::vector<ir::FunctionId>& address_taken();
  bool fits(ir::FunctionId candidate, std::size_t args, ir::TypeId result) const;

 private:
  // Where a longjmp to a setjmp arrives: the number that tells it from others, and what the setjmp returns then.
  struct Landing {
    std::int64_t number = 0;
    InstId value{};
    NodeId node{};
  };
  struct Frame {
    ir::FunctionId function;
    Frame* caller = nullptr;
    std::map<ir::ObjectId, InstId> objects{};
    std::map<ir::ObjectId, TermId> constants{};  // parameters that are never assigned, given as constants
    std::optional<InstId> result{};
    NodeId return_to{};
    std::vector<TermId> variable_args{};  // what was given beyond the parameters, where the function looks at that
    std::uint32_t number = 0;             // of such a call
    bool in_library = false;
    bool is_plain = false;         // in the library, but what it accesses is the caller's
    bool is_told_as_call = false;  // its steps are told as what the user wrote: the call
    std::uint32_t first_statement = 0;
    std::uint32_t first_group = 0;
    SourceSpan span{};  // of the user's call, inside the library
    std::string text{};
    model::CallNotes::CallId call = model::CallNotes::outside;  // as traces show it
    std::vector<NodeId> starts{};                               // the translation of each node of the function
    std::set<ir::NodeId> pending{};                             // nodes that something leads to
    ir::NodeId at{};                                            // the node that is being translated
    std::map<ir::NodeId, Landing> landings{};
  };
  struct Leaf {
    std::int64_t offset = 0;
    ir::TypeId type;
    unsigned bits = 0;   // of a bit-field
    unsigned shift = 0;  // of a bit-field: which bit of a byte its first one is
  };

  Body& body() { return flat_.bodies[current_.value]; }
  NodeId new_node(const Frame& frame, const ir::Node& source, Node node);
  NodeId assign(const Frame& frame, const ir::Node& source, AccessId access, TermId value, NodeId next);
  NodeId cut(const Frame& frame, const ir::Node& source, std::string message);

  NodeId inline_function(Frame& frame);
  void translate(Frame& frame, ir::NodeId id);
  NodeId translate_assign(Frame& frame, const ir::Node& node, NodeId next);
  NodeId translate_call(Frame& frame, const ir::Node& node, NodeId next);
  NodeId call_function(Frame& frame, const ir::Node& node, ir::FunctionId callee, const std::vector<TermId>& args,
                       NodeId next);
  bool looks_at_detachment();
  std::optional<std::string> too_deep(const Frame& frame, const ir::Node& node, ir::FunctionId callee) const;
  std::vector<ir::FunctionId> callable(std::size_t args, ir::TypeId result);
  NodeId call_candidate(Frame& frame, const ir::Node& node, ir::FunctionId callee, const std::vector<TermId>& args,
                        ir::TypeId result, NodeId next);
  NodeId call_through_pointer(Frame& frame, const ir::Node& node, const std::vector<TermId>& args, NodeId next);
  NodeId call_intrinsic(Frame& frame, const ir::Node& node, ir::Intrinsic intrinsic, const std::vector<TermId>& args,
                        NodeId next);
  NodeId allocate(Frame& frame, const ir::Node& node, TermId size, bool zeroed, NodeId next);
  // inline_lives.cpp
  bool is_mortal(const Frame& frame, ir::ObjectId object) const;
  NodeId set_ended(Frame& frame, const ir::Node& node, ir::ObjectId object, bool ended, NodeId next);
  NodeId leave_frame(Frame& frame, const ir::Node& node, NodeId next);
  NodeId leave_frames(Frame& frame, const Frame* outermost, const ir::Node& node, NodeId next);
  NodeId own_number(Frame& frame, const ir::Node& node, NodeId next);
  NodeId look_at_thread(Frame& frame, const ir::Node& node, TermId handle, bool finished, NodeId next);
  NodeId call_bodiless(Frame& frame, const ir::Node& node, ir::FunctionId callee, const std::vector<TermId>& args,
                       NodeId next);
  std::optional<ir::FunctionId> model(std::string_view name) const;
  NodeId destroy_values(Frame& frame, const ir::Node& node, NodeId next);
  NodeId run_marked(Frame& frame, const ir::Node& node, bool before, NodeId next);
  NodeId finish_process(Frame& frame, const ir::Node& node, NodeId end);
  bool registers_handlers() const;
  NodeId give_arguments(Frame& frame, const ir::Node& node, NodeId next);
  std::optional<NodeId> call_scanf(Frame& frame, const ir::Node& node, const std::vector<TermId>& args, NodeId next);
  std::optional<NodeId> copy_memory(Frame& frame, const ir::Node& node, const std::string& name,
                                    const std::vector<TermId>& args, NodeId next);
  void add_note(const std::string& text, const SourceSpan& span);
  NodeId next_argument(Frame& frame, const ir::Node& node, TermId position, NodeId next);
  // inline_jumps.cpp
  bool is_set_jump(const ir::Node& node) const;
  Landing landing(Frame& frame, ir::NodeId call);
  NodeId set_jump(Frame& frame, const ir::Node& node, TermId buffer, NodeId next);
  NodeId long_jump(Frame& frame, const ir::Node& node, TermId buffer, TermId value);
  // inline_undefined.cpp
  NodeId call_undefined(Frame& frame, const ir::Node& node, ir::FunctionId callee, const std::vector<TermId>& args,
                        NodeId next);
  NodeId change_errno(Frame& frame, const ir::Node& node, NodeId next);
  NodeId change_argument(Frame& frame, const ir::Node& node, TermId pointer, NodeId next);
  NodeId call_back(Frame& frame, const ir::Node& node, TermId function, const std::vector<TermId>& given, NodeId next);
  NodeId call_with_any(Frame& frame, const ir::Node& node, ir::FunctionId function, const std::vector<TermId>& given,
                       NodeId next);
  NodeId give_any_arguments(Frame& frame, const ir::Node& node, NodeId next);
  NodeId any_result(Frame& frame, const ir::Node& node, const std::vector<TermId>& given, NodeId next);
  NodeId any_pointer(Frame& frame, const ir::Node& node, AccessId to, const std::vector<TermId>& given, NodeId next);
  NodeId either(Frame& frame, const ir::Node& node, NodeId one, NodeId other);
  std::vector<TermId> of_kind(const std::vector<TermId>& pointers, ir::TypeId type) const;
  std::vector<TermId> foreign_pointers(ir::TypeId type);
  bool compares_pointers();
  bool calls_undefined() const;
  std::string note_on_undefined() const;
  // copies.cpp
  std::optional<std::vector<Leaf>> named_region(TermId pointer, std::uint64_t size) const;
  std::optional<std::vector<Leaf>> typed_region(ir::ExprId given, std::uint64_t size) const;
  std::optional<std::vector<Leaf>> region(const ir::Node& node, const std::vector<TermId>& args, std::size_t pointers,
                                          std::uint64_t size) const;
  NodeId spawn(Frame& frame, const ir::Node& node, const std::vector<TermId>& args, NodeId next);
  NodeId finish_thread(Frame& frame, const ir::Node& node, std::optional<TermId> result);
  NodeId set_result(Frame& frame, const ir::Node& node, TermId value, NodeId next);
  NodeId copy_record(const Frame& frame, const ir::Node& node, AccessId to, TermId value, NodeId next);
  // Of what is used several times though C evaluates it once: the same with the help of temporaries, which save() sets.
  using Saved = std::vector<std::pair<InstId, TermId>>;
  TermId computed_once(const ir::Node& node, TermId term, Saved& saved);
  Access computed_once(const ir::Node& node, Access access, Saved& saved);
  NodeId save(const Frame& frame, const ir::Node& node, const Saved& saved, NodeId next);
  NodeId give(const Frame& frame, Frame& inner, const ir::Node& node, const Saved& given,
              NodeId next);  // inline_lives.cpp
  bool is_stable(TermId id);
  InstId new_temporary(std::string name, ir::TypeId type, const ir::Node& node);
  ir::TypeId not_atomic(ir::TypeId id) const;
  void collect_leaves(ir::TypeId type, std::int64_t offset, std::vector<Leaf>& leaves, bool with_padding = false) const;

  TermId clone(Frame& frame, ir::ExprId id);
  AccessId clone(Frame& frame, ir::PlaceId id);
  InstId instance(Frame& frame, ir::ObjectId object);
  InstId text_instance(const std::string& text, ir::ExprId id, const SourceSpan& span);
  TermId settled(TermId condition);
  bool is_modified(ir::ObjectId object);
  std::optional<std::string> unsupported_in(ir::ExprId id) const;
  std::optional<std::string> unsupported_in(ir::PlaceId id) const;
  std::string literal(const ir::Node& node, std::size_t arg) const;
  InstId thread_array(std::optional<InstId>& inst, const std::string& name, ir::TypeId element);

  Flat& flat_;
  BodyId current_{};
  ThreadTable threads_;
  std::map<ir::FunctionId, BodyId> bodies_;
  std::map<std::pair<BodyId, ir::ObjectId>, InstId> thread_objects_;
  std::map<ir::ExprId, InstId> texts_;
  std::map<InstId, TermId> observed_;  // temporaries that hold whether a thread has finished
  std::optional<std::vector<ir::FunctionId>> address_taken_;
  std::vector<bool> modified_;   // objects that are assigned by name or whose address is taken
  std::vector<bool> addressed_;  // objects whose address is taken
  std::vector<std::pair<std::string, std::vector<std::string>>> notes_;  // each with its places
  std::map<std::string, SourceSpan> undefined_;                          // functions that nobody defines, and a call
  std::optional<bool> compares_pointers_;
  std::optional<bool> looks_at_detachment_;
  std::uint32_t next_statement_ = 1;
  std::uint32_t next_group_ = 1;
  std::int64_t next_jump_ = 1;
  std::uint32_t next_variable_call_ = 1;
};

}  // namespace cohort::frontend::c::lower
