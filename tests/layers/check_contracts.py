#!/usr/bin/env python3
"""Counts the contracts of each folder (COHORT_EXPECT, COHORT_UNREACHABLE, static_assert) per 1000 lines, and fails where a folder has
fewer than its floor, or a contract does not say in words what should hold.  Usage: check_contracts.py ROOT [--print]

Floors go up and never down: checkers and the lowering of C, on which every verdict rests, first."""
import re
import sys
from pathlib import Path

FLOORS = {
    "src/result": 17,
    "src/dd": 16,
    "src/smt": 10,
    "src/model": 10,
    "src/frontend/c/lower": 10,
    "src/engine/unbounded": 8,
    "src/engine/symbolic": 7,
    "src/engine/explicit": 9,
    "src/engine/bmc": 4,
    "src/engine/pointer": 4,
    "src/engine/cegar": 4,
    "src/strategy": 4,
    "src/lemma": 4,
    "src": 7,
}
CONTRACT = re.compile(r"\b(COHORT_EXPECT|COHORT_UNREACHABLE|static_assert)\(")
# A condition that is true as it stands says nothing.
EMPTY = re.compile(r"\bCOHORT_EXPECT\(\s*true\s*,|\bCOHORT_(EXPECT|UNREACHABLE)\([^\"]*\"\"\)")


def main():
    root = Path(sys.argv[1])
    faults = []
    for folder, floor in FLOORS.items():
        lines = contracts = 0
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            text = path.read_text()
            lines += text.count("\n")
            contracts += len(CONTRACT.findall(text))
            if EMPTY.search(text):
                faults.append(f"{path}: a contract that cannot be false, or that says nothing")
        density = 1000 * contracts / max(lines, 1)
        if "--print" in sys.argv:
            print(f"{folder:24} {lines:6} lines {contracts:4} contracts {density:5.1f} per 1000")
        if density < floor:
            faults.append(f"{folder}: {density:.1f} contracts per 1000 lines, and {floor} are the floor")
    print("\n".join(faults) or "contracts: as many as there should be")
    return 1 if faults else 0


sys.exit(main())
