#!/usr/bin/env python3
"""Finds functions of src that nothing in src calls.  Usage: check_unused.py ROOT

The sources are read as tokens, not compiled, so that the check takes seconds.  A function counts as used where its name appears in src
outside its own declarations, in code that is not itself unused: two functions that only call each other are found, too.  Names stand for all
functions that share them, so an unused overload of a used name is not found; nothing that is used is reported, but for what outside
libraries call by name (CALLED_FROM_OUTSIDE) and what tests look at (FOR_TESTS)."""
import re
import sys
from collections import defaultdict
from pathlib import Path

# Names that a library calls by way of a base class or a template, each with the reason.
CALLED_FROM_OUTSIDE = {
    r"main": "the program starts there",
    r"(Visit|Traverse|Handle)[A-Z]\w*": "Clang calls its visitors and consumers",
}
# What only tests call, each with the reason; it must be in src, and a test must call it.
FOR_TESTS = {
    "certificate_kinds": "so that a test sees that every kind is damaged",
    "command_names": "so that a test sees that every command is documented",
    "collections": "so that a test sees that the garbage of diagrams was collected",
    "share_levels_from": "so that tests see small levels being shared",
    "to_u64": "so that tests compare counts with numbers",
    "power_of_two": "so that tests compare counts with numbers",
    "tts_init": "so that a written net can be read again where it starts",
}

TOKEN = re.compile(r'''
    //[^\n]*|/\*.*?\*/                                   # comments
  | R"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)"                # raw strings
  | "(?P<name>[A-Za-z_]\w*)"                            # a text that may be the name by which a module is asked
  | "(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'              # other texts and characters
  | ^[ \t]*\#[ \t]*(?:include|pragma)[^\n]*
  | (?P<word>[A-Za-z_]\w*)
  | (?P<number>\.?\d(?:[eEpP][+-]|'\d|[\w.])*)
  | (?P<sign>::|->|<=>|[{}()\[\];=:,<>*&~+\-!|/%^?.\#])
''', re.VERBOSE | re.DOTALL | re.MULTILINE)
NOT_A_TYPE = {"return", "co_return", "co_yield", "else", "case", "throw", "new", "delete", "goto", "sizeof", "do", "and", "or", "not", "if",
              "while", "for", "switch", "using", "define", "operator", "requires", "decltype", "alignas", "noexcept"}
KEYWORDS = NOT_A_TYPE | {"catch", "static_assert", "defined", "void", "int", "bool", "explicit", "const", "auto", "char", "unsigned"}


def tokens_of(text):
    return [(m.lastgroup, m.group(m.lastgroup)) for m in TOKEN.finditer(text) if m.lastgroup in ("word", "number", "sign", "name")]


class Uses:
    """Who declares a function, and who names it: `callers[name]` holds the functions whose bodies do, and None for any other place."""

    def __init__(self):
        self.declared = {}
        self.callers = defaultdict(set)

    def read(self, path, text):
        # Each open brace with what it opened: "scope" (namespace, class, enumeration) or "body"; the function that bodies belong to.
        opened, function, round_depth = [], None, 0
        statement, head_function, assigned = [], None, False
        tokens = tokens_of(text)
        for i, (kind, token) in enumerate(tokens):
            in_body = "body" in opened
            following = tokens[i + 1][1] if i + 1 < len(tokens) else ""
            if kind == "name":
                self.callers[token].add(None)
            elif kind == "word":
                before = tokens[i - 1] if i else ("sign", ";")
                if (not in_body and round_depth == 0 and not assigned and following == "(" and token not in KEYWORDS
                        and self.declares(tokens, i, before)):
                    if head_function is None:
                        self.declared.setdefault(token, path)
                        head_function = token
                    # A constructor's list of members may look like one more declaration.
                else:
                    self.callers[token].add(function if in_body else (head_function if round_depth == 0 and ":" in statement else None))
            if token == "(":
                round_depth += 1
            elif token == ")":
                round_depth -= 1
            elif token == "=" and round_depth == 0 and not in_body:
                assigned = True
            if token == "{":
                if not in_body and round_depth == 0 and self.is_scope(statement):
                    opened.append("scope")
                else:
                    # An initialiser `x{...}` of a constructor's list is a body of no consequence: it belongs to the same function.
                    if not in_body:
                        function = head_function or ("operator" if "operator" in statement else None)
                    opened.append("body")
            elif token == "}":
                if opened:
                    opened.pop()
            if "body" in opened:
                pass
            elif round_depth == 0 and (token == ";" or token == "{" or token == "}" and following not in (",", "{")):
                statement, head_function, assigned = [], None, False
            else:
                statement.append(token)

    @staticmethod
    def declares(tokens, i, before):
        kind, token = before
        while token == "::" and i >= 2 and tokens[i - 2][0] == "word":
            i -= 2
            kind, token = tokens[i - 1] if i else ("sign", ";")
        return (kind == "word" and token not in NOT_A_TYPE) or token in (">", "*", "&", "]")

    @staticmethod
    def is_scope(statement):
        words = set(statement)
        if "namespace" in words or "enum" in words:
            return True
        return bool(words & {"class", "struct", "union"}) and "(" not in words and "=" not in words or statement == ["extern"]

    def unused(self, is_root):
        """The declared functions that no chain of uses leads to."""
        live, pending = set(), [name for name in self.declared if is_root(name) or {None, "operator"} & self.callers[name]]
        calls = defaultdict(set)
        for name, callers in self.callers.items():
            for caller in callers:
                if name in self.declared and caller != name:
                    calls[caller].add(name)
        # Whoever is no declared function (a constructor, a name that was not understood) counts as used.
        for caller in list(calls):
            if caller is not None and caller not in self.declared:
                pending += calls[caller]
        while pending:
            name = pending.pop()
            if name not in live:
                live.add(name)
                pending += calls[name]
        return sorted(set(self.declared) - live)


def meant_for_outside(name):
    return any(re.fullmatch(pattern, name) for pattern in CALLED_FROM_OUTSIDE)


def unused_functions(root):
    uses = Uses()
    for path in sorted((root / "src").rglob("*.[ch]pp")):
        uses.read(path.relative_to(root), path.read_text())
    in_tests = set()
    for path in sorted((root / "tests").rglob("*.[ch]pp")):
        in_tests.update(re.findall(r"\w+", path.read_text()))
    for name, reason in FOR_TESTS.items():
        if in_tests and (name not in uses.declared or name not in in_tests):
            yield f"{name}: said to be there {reason}, but is not in src, or no test calls it"
    for name in uses.unused(lambda name: meant_for_outside(name) or name in FOR_TESTS):
        yield f"{uses.declared[name]}: {name}: nothing calls it" + (" but tests" if name in in_tests else "")


def main():
    root = Path(sys.argv[1])
    faults = list(unused_functions(root))
    print("\n".join(faults) or "every function is used")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
