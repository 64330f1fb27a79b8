#include "model/heap.hpp"

#include <charconv>
#include <limits>
#include <string>

#include "base/contract.hpp"

namespace cohort::model {

namespace {

// Below the addresses of the calls (call_frames.cpp), where nothing lies.
constexpr Value address_of_heap = std::numeric_limits<Value>::min() / 2 - 1;

class Writer {
 public:
  void add(Value number) { text_ += std::to_string(number) + ' '; }
  void add(const std::vector<VarId>& variables) {
    add(static_cast<Value>(variables.size()));
    for (const VarId var : variables) add(Value{var.value});
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

class Reader {
 public:
  explicit Reader(const std::string& text) : at_(text.data()), end_(text.data() + text.size()) {}

  Value number() {
    Value result = 0;
    const auto [after, error] = std::from_chars(at_, end_, result);
    COHORT_EXPECT(error == std::errc() && after != end_, "numbers follow each other");
    at_ = after + 1;
    return result;
  }
  template <class Item, class Read>
  std::vector<Item> list(Read&& read) {
    std::vector<Item> items(static_cast<std::size_t>(number()));
    for (Item& item : items) item = read();
    return items;
  }
  std::vector<VarId> variables() {
    return list<VarId>([&] { return VarId(static_cast<std::uint32_t>(number())); });
  }

 private:
  const char* at_;
  const char* end_;
};

}  // namespace

void Heap::write(Atlas& atlas) const {
  Writer writer;
  writer.add(static_cast<Value>(families.size()));
  for (const Family& family : families) {
    COHORT_EXPECT(family.count > 0 && family.stride > 0, "a family has objects");
    writer.add(family.address);
    writer.add(family.stride);
    writer.add(Value{family.count});
    writer.add(family.columns);
    writer.add(family.comes_back ? 1 : 0);
  }
  writer.add(shared);
  writer.add(static_cast<Value>(locals.size()));
  for (const std::vector<VarId>& variables : locals) writer.add(variables);
  atlas.add_opaque(address_of_heap, writer.take());
}

std::optional<Heap> heap_of(const Program& program) {
  if (program.atlas == nullptr) return std::nullopt;
  const std::string text = program.atlas->name_of(address_of_heap, nullptr);
  if (text.empty()) return std::nullopt;
  Reader reader(text);
  Heap heap;
  heap.families = reader.list<Heap::Family>([&] {
    Heap::Family family;
    family.address = reader.number();
    family.stride = reader.number();
    family.count = static_cast<std::uint32_t>(reader.number());
    family.columns = reader.variables();
    family.comes_back = reader.number() != 0;
    return family;
  });
  heap.shared = reader.variables();
  heap.locals = reader.list<std::vector<VarId>>([&] { return reader.variables(); });
  return heap;
}

}  // namespace cohort::model
