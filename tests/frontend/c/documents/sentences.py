#!/usr/bin/env python3
"""Every sentence of docs/c.md that a program can show is shown by a test.

sentences.txt has each sentence of the document (a row of a table counts as one), and under it, indented, what shows it:

    A thread that ends with `pthread_exit` ends alone.
        documents/steps.c ENDS_ALONE
        cases/grain.c 3
        cli/c_options_test.cpp FlagsOfCompilers
        test frontend_c.random_threads
        not shown: the reason why no program can show it

A sentence of the document that is not there fails, as does one there that the document no longer has, and a test that does not
exist: who changes a sentence looks at its tests.  Sections that tell of tests and measurements are left out (SKIPPED).
With --list the sentences that are missing are printed, ready to be filled in.

open.txt lists what came with other changes and has no test tied to it yet, a sentence or `function NAME` a line: it is to become empty.

Every row of docs/c-library.md needs a test, too: the function is called in one of the programs of these folders or in native/models.

usage: sentences.py DOCS [--list]"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = {"Tests", "What it decides"}
# Functions that no program of the tests calls, and why none is needed.
NOT_CALLED = {}


def sentences(path):
    section = ""
    with open(path) as file:
        text = file.read()
    for block in re.split(r"\n\s*\n", text):
        if block.startswith("#"):
            section = block.lstrip("# ").strip()
        elif section in SKIPPED:
            continue
        elif block.startswith("|"):
            yield from (" ".join(row.split()) for row in block.splitlines()[2:])
        else:
            yield from (part for item in re.split(r"\n(?=- )", block) for part in re.split(r"(?<=\.) (?=[A-Z`])", " ".join(item.split())))


def entries(path):
    """Sentence -> what shows it."""
    found, last = {}, None
    with open(path) as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            if line.startswith("    "):
                if last is None:
                    sys.exit(f"{path}:{number}: a test without a sentence")
                found[last].append(line.strip())
            else:
                last = line.strip()
                if last in found:
                    sys.exit(f"{path}:{number}: twice: {last}")
                found[last] = []
    return found


def cases(folder):
    """The names of the cases of each program of the tests."""
    known = {}
    for room in ("documents", "verdicts", "cases"):
        for name in os.listdir(os.path.join(folder, room)):
            if name.endswith(".c"):
                with open(os.path.join(folder, room, name)) as file:
                    known[f"{room}/{name}"] = set(re.findall(r"^// case (\w+)", file.read(), re.MULTILINE))
    return known


def problems_of(shown, known, tests):
    if not shown:
        yield "nothing shows it"
    for line in shown:
        words = line.split()
        if line.startswith("not shown: ") and len(words) > 3:
            continue
        if words[0].endswith("_test.cpp"):
            with open(os.path.join(HERE, "../../..", words[0])) as file:
                names = set(re.findall(r"^TEST(?:_F)?\(\w+, (\w+)\)", file.read(), re.MULTILINE))
            yield from (f"no such test: {words[0]} {name}" for name in words[1:] if name not in names)
        elif words[0] == "test" and len(words) == 2:
            if words[1] not in tests:
                yield f"no such test: {words[1]}"
        elif len(words) < 2 or words[0] not in known:
            yield f"not a program with cases: {line}"
        else:
            yield from (f"no such case: {words[0]} {case}" for case in words[1:] if case not in known[words[0]])


def functions_without_tests(path, folder):
    text = ""
    for room in ("documents", "verdicts", "cases", "native", "native/models", "language"):
        for name in os.listdir(os.path.join(folder, room)):
            if name.endswith((".c", ".py")) and name not in ("models.py", "sentences.py"):
                with open(os.path.join(folder, room, name)) as file:
                    text += file.read()
    with open(path) as file:
        for row in file:
            cells = [cell.strip(" `") for cell in row.split("|")]
            if len(cells) >= 5 and row.startswith("| `") and cells[1] not in NOT_CALLED and not re.search(rf"\b{re.escape(cells[1])}\b", text):
                yield cells[1]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    docs, folder = sys.argv[1], os.path.dirname(HERE)
    found, known = entries(os.path.join(HERE, "sentences.txt")), cases(folder)
    with open(os.path.join(folder, "../../CMakeLists.txt")) as file:
        tests = set(re.findall(r"add_test\(NAME ([\w.]+)", file.read()))
    wanted = list(sentences(os.path.join(docs, "c.md")))
    missing = [sentence for sentence in wanted if sentence not in found]
    if "--list" in sys.argv:
        print("\n\n".join(missing))
        return 0
    with open(os.path.join(HERE, "open.txt")) as file:
        still_open = {line.strip() for line in file}
    problems = [f"not in sentences.txt: {sentence}" for sentence in missing if sentence not in still_open]
    problems += [f"no longer in the document: {sentence}" for sentence in found if sentence not in wanted and sentence not in still_open]
    problems += [f"{what}: {sentence}" for sentence, shown in found.items() for what in problems_of(shown, known, tests)]
    problems += [f"no program of the tests calls {name}" for name in functions_without_tests(os.path.join(docs, "c-library.md"), folder)
                 if f"function {name}" not in still_open]
    print("\n".join(problems))
    print(f"{len(wanted)} sentences, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
