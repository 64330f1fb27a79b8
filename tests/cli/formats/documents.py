#!/usr/bin/env python3
"""Every document that Cohort prints, of every input language and of every class of violation, against docs/schemas; SARIF logs and JUnit
reports of each class; and names that mean something to a format, in each of the formats.

Usage: documents.py COHORT     For the schema of SARIF see check.py: where it is absent, that is said, and logs are only read.
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[3]
COHORT = os.path.abspath(sys.argv[1])
EXAMPLES = ROOT / "examples"
failures = []

THREAD = "#include <pthread.h>\n#include <stdlib.h>\n#include <assert.h>\n#include <stdio.h>\nint x, y; int *p;\n"
TWO = "void *w(void *a) { %s return a; } int main(void) { pthread_t t; %s pthread_create(&t, 0, w, 0); %s pthread_join(t, 0); return 0; }\n"
# By class: what is asked, and a program.
CLASSES = {
    "assertion": ("assertions", THREAD + TWO % ("x = 1;", "", "assert(x == 0);")),
    "abort": ("abort", THREAD + TWO % ("if (x) abort();", "", "x = 1;")),
    "data-race": ("races", THREAD + TWO % ("x++;", "", "x = 2;")),
    "deadlock": ("deadlock", THREAD + "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n" + TWO % ("pthread_mutex_lock(&m);", "pthread_mutex_lock(&m);", "")),
    "unlock-not-held": ("locks", THREAD + "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n" + TWO % ("pthread_mutex_unlock(&m);", "", "pthread_mutex_lock(&m);")),
    "double-lock": ("locks", "#define _GNU_SOURCE\n" + THREAD + "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n" + TWO % ("pthread_mutex_lock(&m); pthread_mutex_lock(&m);", "", "")),
    "uninitialised-lock": ("locks", THREAD + "pthread_mutex_t *l;\n" + TWO % ("pthread_mutex_lock(l);", "l = malloc(sizeof *l); if (!l) return 0;", "")),
    "use-after-free": ("faults", THREAD + TWO % ("*p = 1;", "p = malloc(4); if (!p) return 0;", "free(p);")),
    "use-after-scope": ("faults", THREAD + "int *f(void) { int k = 1; return &k; }\n" + TWO % ("*p = 1;", "p = f();", "")),
    "double-free": ("faults", THREAD + TWO % ("free(p);", "p = malloc(4);", "free(p);")),
    "invalid-free": ("faults", THREAD + TWO % ("free(&x);", "", "")),
    "null-dereference": ("faults", THREAD + TWO % ("*p = 1;", "", "p = &x;")),
    "out-of-bounds": ("faults", THREAD + "int slots[3];\n" + TWO % ("slots[x] = 1;", "", "x = 3;")),
    "write-to-constant": ("faults", THREAD + TWO % ("char *s = \"text\"; s[0] = 'x';", "", "")),
    "division-by-zero": ("faults", THREAD + TWO % ("y = 1 / x;", "x = 1;", "x = 0;")),
    "invalid-shift": ("faults", THREAD + TWO % ("y = 1 << x;", "", "x = 40;")),
    "signed-overflow": ("overflow", THREAD + TWO % ("y = x + 1;", "", "x = 2147483647;")),
    "use-after-close": ("faults", THREAD + "FILE *f;\n" + TWO % ("fgetc(f);", "f = fopen(\"a\", \"r\"); if (!f) return 0;", "fclose(f);")),
}


def expect(holds, what):
    if not holds:
        failures.append(what)


def run(*arguments, folder=ROOT):
    return subprocess.run([COHORT, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=300, check=False)


def strict(schema):
    """Members that the schema does not describe are forbidden: what is written must be documented."""
    if isinstance(schema, dict):
        schema = {name: strict(value) for name, value in schema.items()}
        if isinstance(schema.get("properties"), dict) and schema.get("type") == "object" and "additionalProperties" not in schema:
            schema["additionalProperties"] = False
    elif isinstance(schema, list):
        schema = [strict(value) for value in schema]
    return schema


def validator(path):
    schema = json.loads(path.read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(strict(copy.deepcopy(schema)) if path.parent.name == "schemas" and path.parent.parent.name == "docs" else schema)


SCHEMAS = {path.name.removesuffix(".schema.json"): validator(path) for path in sorted((ROOT / "docs" / "schemas").glob("*.json"))}


def sarif_validator():
    for folder in (os.environ.get("COHORT_SCHEMAS", ""), ROOT.parent / "shared" / "schemas"):
        path = pathlib.Path(folder) / "sarif-schema-2.1.0.json"
        if str(folder) and path.exists():
            return validator(path)
    print("note: sarif-schema-2.1.0.json is absent: SARIF logs are not validated against it")
    return None


SARIF = sarif_validator()


def check(document, what):
    """Valid by the schema that it names; returns its name."""
    name = document.get("schema")
    if name not in SCHEMAS:
        failures.append(f"{what}: no schema {name}")
        return name
    error = jsonschema.exceptions.best_match(SCHEMAS[name].iter_errors(document))
    if error is not None:
        failures.append(f"{what}: {error.message} at {'/'.join(map(str, error.absolute_path))}")
    return name


def printed(arguments, what):
    done = run(*arguments, "--format", "json")
    try:
        document = json.loads(done.stdout)
    except json.JSONDecodeError:
        failures.append(f"{what}: no document: {done.stdout[:200]}{done.stderr[:200]}")
        return {}
    check(document, what)
    return document


def check_languages(seen):
    """One program of each language through every command that prints documents."""
    programs = [EXAMPLES / "bp" / "test_then_set.bp", EXAMPLES / "c" / "counter_lost_update.c", next((EXAMPLES / "pbmc").glob("peterson.pbmc")),
                sorted((EXAMPLES / "red").glob("*.red"))[0], sorted((EXAMPLES / "scpl").glob("*.scpl"))[0]]
    with tempfile.TemporaryDirectory(prefix="cohort-documents-") as name:
        folder = pathlib.Path(name)
        (folder / "a.tts").write_text("2 2\n0 0 -> 1 1\n1 0 -> 0 1\n")
        (folder / "a.spec").write_text("vars a b\nrules\na>=1 -> a'=a-1, b'=b+2;\ninit a=1, b=0\ntarget b>=2\n")
        (folder / "a.lola").write_text("PLACE a, b; MARKING a: 1; TRANSITION t CONSUME a: 1; PRODUCE b: 2;\n")
        programs += sorted(folder.glob("a.*"))
        for program in programs:
            for command in (["verify", program], ["verify", program, "--threads", "2"], ["verify", program, "--time-limit", "0"], ["reach", program],
                            ["reach", program, "--threads", "2"], ["cutoff", program], ["cover", program], ["cover", program, "--tree"],
                            ["simulate", program, "--random", "--steps", "5"]):
                limit = [] if "--time-limit" in command else ["--time-limit", "5"]
                document = printed([*command, *limit], " ".join(map(str, command)))
                seen.add((document.get("schema"), document.get("verdict") or (document.get("error") or {}).get("kind")))
        proof = folder / "proof.json"
        run("verify", EXAMPLES / "bp" / "test_and_set.bp", "--threads", "2", "--certificate", proof)
        seen.add((check(json.loads(proof.read_text()), "certificate"), None))
        summary = printed(["verify", "--each-file", *programs[:2], folder / "a.spec", "--time-limit", "10"], "summary")
        for part in summary.get("files", []):
            if part["document"]:
                check(part["document"], f"summary of {part['file']}")
        seen.add((summary.get("schema"), None))


def check_class(kind, asked, text, folder):
    program, sarif = folder / f"{kind}.c", folder / f"{kind}.sarif"
    program.write_text(text)
    document = printed(["verify", program, "--property", asked, "--sarif", sarif, "--time-limit", "60"], kind)
    found = (document.get("property") or {}).get("class")
    expect(found == kind, f"{kind}: the answer is {document.get('verdict')}, {found}")
    log = json.loads(sarif.read_text())
    if SARIF is not None:
        error = jsonschema.exceptions.best_match(SARIF.iter_errors(log))
        expect(error is None, f"{kind} (sarif): {error}")
    results = log["runs"][0]["results"]
    expect([one["ruleId"] for one in results] == [kind], f"{kind} (sarif): {results}")
    again = run("replay", program, folder / "trace.json") if (folder / "trace.json").write_text(json.dumps(document)) else None
    expect(again.returncode == 10, f"{kind}: the trace cannot be replayed: {again.stderr[:300]}")


HOSTILE = "a \"b\" <img src=x onerror='y'> & ]]> %41 \u00fc.c"


def check_names(folder):
    """A file whose name is markup, in every format."""
    program = folder / HOSTILE
    program.write_text(THREAD + "/* ]]> </script> \\ \" */ const char *s = \"</script> ]]> \\\" &amp;\";\n" + TWO % ("x = 1;", "", "assert(x == 0 && s);"))
    junit, dot, graphml, yml, page = (folder / f"hostile.{end}" for end in ("xml", "dot", "graphml", "yml", "html"))
    run("verify", "--each-file", program, "--junit", junit)
    cases = [case.get("name") for case in xml.etree.ElementTree.parse(junit).getroot().iter("testcase")]
    expect(len(cases) == 1 and cases[0].endswith(HOSTILE), f"JUnit: the name is {cases}")
    run("convert", program, "-o", dot)
    text = dot.read_text() if dot.exists() else ""
    expect(text.startswith("digraph") and balanced(text), f"DOT: quotes and braces do not match: {text[:300]}")
    run("verify", program, "--witness", graphml)
    files = [d.text for d in xml.etree.ElementTree.parse(graphml).getroot().iter("{http://graphml.graphdrawing.org/xmlns}data") if d.get("key") == "programfile"]
    expect(files and files[0].endswith(HOSTILE), f"GraphML: the file is {files}")
    run("verify", program, "--witness", yml)
    expect(run("replay", program, yml).returncode == 10, "the YAML witness of the file is followed")
    run("verify", program, "--report", page)
    text = page.read_text()
    expect(text.count("<script") == 2 and "<img" not in text, "HTML: the name is markup")


def balanced(text):
    """Is every brace of DOT outside of its strings closed, and every string?"""
    depth, quoted, escaped = 0, False, False
    for c in text:
        if quoted:
            if escaped:
                escaped = False
            elif c == "\\":
                escaped = True
            elif c == '"':
                quoted = False
        elif c == '"':
            quoted = True
        else:
            depth += {"{": 1, "}": -1}.get(c, 0)
    return depth == 0 and not quoted


def main():
    seen = set()
    check_languages(seen)
    for wanted in [("cohort-result-1", "SAFE"), ("cohort-result-1", "UNSAFE"), ("cohort-result-1", "UNKNOWN"), ("cohort-reach-1", None), ("cohort-cutoff-1", None),
                   ("cohort-cover-1", None), ("cohort-walk-1", None), ("cohort-summary-1", None), ("cohort-certificate-1", None)]:
        expect(wanted in seen, f"no document {wanted} was seen: {sorted(map(str, seen))}")
    with tempfile.TemporaryDirectory(prefix="cohort-documents-") as name:
        for kind, (asked, text) in CLASSES.items():
            check_class(kind, asked, text, pathlib.Path(name))
        check_names(pathlib.Path(name))
    for failure in failures:
        print(failure)
    print(f"{len(seen)} kinds of documents, {len(CLASSES)} classes: {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
