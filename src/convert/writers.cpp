#include "convert/writers.hpp"

#include <algorithm>
#include <array>

#include "convert/bp.hpp"
#include "convert/dot.hpp"
#include "convert/murphi.hpp"
#include "convert/nets.hpp"
#include "convert/promela.hpp"
#include "convert/state_graph.hpp"
#include "convert/tts.hpp"

namespace cohort::convert {

namespace {

constexpr std::array table{
    Writer{".bp", "a Boolean program", false, false,
           [](const model::Program& program, std::uint32_t) { return to_bp(program); }},
    Writer{".m", "Murphi", true, false, to_murphi},
    Writer{".pml", "Promela", true, false, to_promela},
    Writer{".tts", "a thread transition system", false, false,
           [](const model::Program& program, std::uint32_t) { return to_tts(program); }},
    Writer{".spec", "a Petri net with transfers (MIST)", false, false,
           [](const model::Program& program, std::uint32_t) { return to_spec(program); }},
    Writer{".pnml", "a Petri net (PNML)", false, false,
           [](const model::Program& program, std::uint32_t) { return to_pnml(program); }},
    Writer{".states.dot", "Graphviz: all states", true, false, to_state_graph},
    Writer{".dot", "Graphviz: the control flow", false, true,
           [](const model::Program& program, std::uint32_t) { return to_dot(program); }},
};

}  // namespace

std::span<const Writer> writers() {
  return table;
}

const Writer* writer_for(std::string_view file_name) {
  const auto it = std::find_if(table.begin(), table.end(), [&](const Writer& writer) {
    return file_name.size() > writer.ending.size() && file_name.ends_with(writer.ending);
  });
  return it == table.end() ? nullptr : &*it;
}

}  // namespace cohort::convert
