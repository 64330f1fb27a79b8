#!/usr/bin/env python3
"""Compares the recipes of CONTRIBUTING.md with the part of the project that each names as its example: every file of the list
exists and speaks of the example, and every file that must know of the example (it includes its headers, links its library or
names it in a table) is on the list."""
import re
import sys
from pathlib import Path

# What a file says that has to be touched when the part is added; tests of other parts may use it, and are not asked.
MENTIONS = {
    "Adding a front end": (r"frontend/{0}\b|frontend_{0}\b", ["src", "tests/CMakeLists.txt"]),
    "Adding an engine with one switch": (r"engine/{0}\b|engine_{0}\b|\"{1}\"", ["src/CMakeLists.txt", "src/engine", "src/strategy", "src/cli", "src/report", "src/load", "tests/CMakeLists.txt"]),
    "Adding a pass": (r"passes/{0}\.hpp", ["src/model/passes"]),
}


def files_below(root, places):
    for place in places:
        path = root / place
        yield from [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())


def check(root, title, text):
    example = re.search(r"As was done for: `(\w+)`", text)[1]
    listed = [path.replace("<name>", example) for path in re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)]
    pattern, places = MENTIONS[title]
    spelled = re.compile(pattern.format(example, example.replace("_", "-")))
    faults = []
    for path in listed:
        place = root / path
        if not place.exists():
            faults.append(f"{title}: {path} does not exist")
        elif place.is_file() and example not in str(path) and example not in place.read_text() and example.replace("_", "-") not in place.read_text():
            faults.append(f"{title}: {path} does not speak of {example}")
    for file in files_below(root, places):
        name = str(file.relative_to(root))
        if any(name == path or (path.endswith("/") and name.startswith(path)) for path in listed):
            continue
        if spelled.search(file.read_text(errors="replace")):
            faults.append(f"{title}: {name} has to be touched, too, and is not on the list")
    return faults


def main():
    root = Path(sys.argv[1])
    recipes = (root / "CONTRIBUTING.md").read_text().split("\n### ")[1:]
    recipes = {part.split("\n")[0]: part.split("\n## ")[0] for part in recipes}
    faults = [f"CONTRIBUTING.md has no recipe \"{title}\"" for title in MENTIONS if title not in recipes]
    for title in MENTIONS:
        if title in recipes:
            faults += check(root, title, recipes[title])
    print("\n".join(faults) if faults else "the recipes are complete")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
