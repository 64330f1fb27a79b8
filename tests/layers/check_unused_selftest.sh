#!/bin/bash
# Plants functions that nothing calls, and functions that are called in odd ways, and expects check_unused.py to name the former alone.
# Usage: check_unused_selftest.sh LAYERS_FOLDER
set -euo pipefail
folder=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
failures=0

# expect NAMES CONTENT: a project with this one source and its main program has these functions without use, in the order of their names.
expect() {
  local wanted=$1 output
  rm -rf "$root/src"
  mkdir -p "$root/src/base"
  printf '%b' "$2" >"$root/src/base/a.cpp"
  output=$("$folder/check_unused.py" "$root" || true)
  output=$(sed -n 's/^src\/base\/a.cpp: \(.*\): nothing calls it.*/\1/p' <<<"$output" | tr '\n' ' ')
  if [[ ${output% } != "$wanted" ]]; then
    printf 'expected "%s", got "%s" in: %b\n' "$wanted" "${output% }" "$2"
    failures=$((failures + 1))
  fi
}

expect 'planted' 'int planted(int x) { return x; }\nint main() { return 0; }\n'
expect 'planted' 'struct A {\n  int planted() const { return 1; }\n};\nint main() { return 0; }\n'
expect 'planted' 'struct A {\n  A();\n  int planted();\n  int x_;\n};\nA::A() : x_{f()} {}\nint A::planted() { return x_; }\nint f() { return 1; }\nint main() {}\n'
expect 'planted' 'namespace n {\nstd::vector<int>& planted(int a = f());\n}\nint f() { return 1; }\nint main() {}\n'
expect 'planted' '// planted() is good\nint planted() { return 1; }\nint main() { say("planted by all"); }\n'
# Only itself, or each other.
expect 'planted' 'int planted(int x) { return x ? planted(x - 1) : 0; }\nint main() {}\n'
expect 'one other' 'int one(int x);\nint other(int x) { return one(x); }\nint one(int x) { return other(x); }\nint main() {}\n'
# Uses of every kind.
expect '' 'int f() { return 1; }\nint main() { return f(); }\n'
expect '' 'int f() { return 1; }\nint (*table[])() = {f};\nint main() {}\n'
expect '' 'int f() { return 1; }\nconst int x = f();\nint main() {}\n'
expect '' 'struct A {\n  A() : x_(f()) {}\n  int x_;\n};\nint f() { return 1; }\nint main() {}\n'
expect '' 'template <class T>\nint f(T x) { return [&] { return g(x); }(); }\nint g(int x) { return x; }\nint main() { return f(1); }\n'
expect '' 'struct B : A {\n  bool operator()(int x) { return f(x); }\n  bool f(int x) override { return x; }\n};\nint main() {}\n'
expect '' '#define TWICE(x) (f(x) + f(x))\nint f(int x) { return x; }\nint main() {}\n'
expect '' 'extern "C" int module_start() { return 1; }\nint main() { return look_up("module_start"); }\n'

((failures == 0)) || exit 1
echo "every planted function was named, and no other"
