#!/bin/bash
# Plants includes that layers.txt forbids, and some that it allows, and expects check_layers.sh to tell them apart.
# Usage: check_layers_selftest.sh LAYERS_FOLDER
set -euo pipefail
folder=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
failures=0

# expect WORD FILE INCLUDE_LINE [TEXT]: a tree with this one file passes or fails; a failure's message contains TEXT.
expect() {
  local wanted=$1 file=$2 line=$3 text=${4:-} verdict=allowed output
  rm -rf "$root/src"
  mkdir -p "$root/src/$(dirname "$file")"
  printf '#pragma once\n%s\n' "$line" >"$root/src/$file"
  output=$("$folder/check_layers.sh" "$root/src" "$folder/layers.txt") || verdict=forbidden
  if [[ $verdict != "$wanted" || $output != *"$text"* ]]; then
    printf '%s with %s: expected %s (%s), got %s: %s\n' "$file" "$line" "$wanted" "$text" "$verdict" "$output"
    failures=$((failures + 1))
  fi
}

expect allowed model/program.hpp '#include "base/source.hpp"'
expect allowed model/program.hpp '#include "model/type.hpp"'
expect allowed model/program.hpp '#include <vector>'
expect allowed engine/explicit/search.cpp '#include "result/trace.hpp"'
expect allowed engine/explicit/search.cpp '#include "engine/engine.hpp"'
expect allowed engine/explicit/search.cpp '#include "engine/explicit/store.hpp"'
expect allowed engine/registry.cpp '#include "engine/symbolic/engine.hpp"'
expect allowed engine/registry.cpp '#include "engine/engine.hpp"'
expect allowed dd/bdd.cpp '#include <bdd.h>'
expect allowed cli/main.cpp '#include "strategy/verify.hpp"'
expect allowed load/load.cpp '#include "frontend/bp/bp.hpp"'

expect forbidden base/env.cpp '#include "model/program.hpp"' 'base/env.cpp:2: base may not include "model/program.hpp"'
expect forbidden model/program.cpp '#include "result/trace.hpp"' 'model may not include'
expect forbidden frontend/bp/parser.cpp '#include "engine/engine.hpp"' 'frontend/bp may not include'
expect forbidden frontend/bp/parser.cpp '#include "result/verdict.hpp"' 'frontend/bp may not include'
expect forbidden frontend/bp/parser.cpp '#include "frontend/tts/parser.hpp"' 'frontend/bp may not include'
expect forbidden engine/explicit/search.cpp '#include "engine/symbolic/engine.hpp"' 'engine/explicit may not include'
expect forbidden engine/engine.hpp '#include "engine/symbolic/engine.hpp"' 'engine may not include'
expect forbidden engine/registry.cpp '#include "frontend/bp/parser.hpp"' 'engine/registry.cpp may not include'
expect forbidden engine/explicit/search.cpp '#include "frontend/bp/parser.hpp"' 'engine/explicit may not include'
expect forbidden result/replay.cpp '#include "engine/engine.hpp"' 'result may not include'
expect forbidden strategy/verify.cpp '#include "engine/symbolic/engine.hpp"' 'strategy may not include'
expect forbidden strategy/verify.cpp '#include "load/load.hpp"' 'strategy may not include'
expect forbidden report/json.cpp '#include "cli/options.hpp"' 'report may not include'
expect forbidden engine/symbolic/search.cpp '#include <bdd.h>' '<bdd.h> belongs to dd'
expect forbidden report/text.cpp '  #  include <CLI/CLI.hpp>' '<CLI/CLI.hpp> belongs to'
expect forbidden model/program.cpp '#include "type.hpp"' 'path from src'
expect forbidden model/program.cpp '#include "../base/env.hpp"' 'path from src'
expect forbidden utils/strings.cpp '#include <string>' 'no line in layers.txt'
expect forbidden model/program.cpp '#include "utils/strings.hpp"' 'in no folder of layers.txt'

((failures == 0)) || exit 1
echo "every planted include was judged right"
