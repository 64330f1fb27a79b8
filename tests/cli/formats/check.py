#!/usr/bin/env python3
"""Every machine format that `cohort verify` writes, over the C examples and a few hostile files: JSON answers, errors and
events against docs/schemas, SARIF against its schema, witnesses against what is written down of their form here, and by
a consumer: a YAML witness of each violation is followed to a violation again, and each invariant of a correctness witness
is asserted in the program, which must stay safe.

Usage: check.py COHORT     The schema of SARIF is not part of the project: it is looked for in $COHORT_SCHEMAS and in
../shared/schemas, and where it is absent only the form that the checks below ask for is checked, which is said.
"""
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import jsonschema
import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
COHORT = os.path.abspath(sys.argv[1])
failures = []


def complain(what, message):
    failures.append(f"{what}: {message}")


def run(*arguments):
    return subprocess.run([COHORT, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


def strict(schema):
    """The schema with members that it does not describe forbidden: what is written must be documented."""
    if isinstance(schema, dict):
        schema = {name: strict(value) for name, value in schema.items()}
        if "properties" in schema and "type" in schema and "additionalProperties" not in schema:
            schema["additionalProperties"] = False
    elif isinstance(schema, list):
        schema = [strict(value) for value in schema]
    return schema


def load_schema(name):
    with open(os.path.join(ROOT, "docs", "schemas", name + ".schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(strict(copy.deepcopy(schema)))


def sarif_validator():
    for folder in (os.environ.get("COHORT_SCHEMAS", ""), os.path.join(ROOT, "..", "shared", "schemas")):
        path = os.path.join(folder, "sarif-schema-2.1.0.json")
        if folder and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                schema = json.load(file)
            return jsonschema.validators.validator_for(schema)(schema)
    print("note: sarif-schema-2.1.0.json is absent: SARIF logs are not validated against it, only by the checks here")
    return None


def validate(validator, document, what):
    if validator is None:
        return
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    if error is not None:
        complain(what, f"{error.message} at {'/'.join(map(str, error.absolute_path))}")


def check_sarif(document, what, unsafe):
    validate(SARIF, document, what)
    log = document["runs"][0]
    if len(log["results"]) != (1 if unsafe else 0):
        return complain(what, "one result for a violation, none otherwise")
    if not unsafe:
        return None
    result = log["results"][0]
    rule = log["tool"]["driver"]["rules"][result["ruleIndex"]]
    if rule["id"] != result["ruleId"]:
        complain(what, "ruleIndex and ruleId differ")
    flows = result["codeFlows"][0]["threadFlows"]
    ids = [flow["id"] for flow in flows]
    if len(set(ids)) != len(ids):
        complain(what, "two flows for one thread")
    orders = sorted(place["executionOrder"] for flow in flows for place in flow["locations"])
    if orders != list(range(1, len(orders) + 1)):
        complain(what, "the execution orders are not 1, 2, 3, ...")
    for flow in flows:
        own = [place["executionOrder"] for place in flow["locations"]]
        if own != sorted(own):
            complain(what, "a thread goes back in time")
        for place in flow["locations"]:
            if not place["location"]["message"]["text"].startswith(flow["id"] + ": "):
                complain(what, "a step is in the flow of another thread")
    return None


def check_graphml(path, what):
    name = "{http://graphml.graphdrawing.org/xmlns}"
    root = xml.etree.ElementTree.parse(path).getroot()
    declared = {key.get("id") for key in root.iter(name + "key")}
    graph = root.find(name + "graph")
    data = {node.get("key"): node.text for node in graph.findall(name + "data")}
    for key in ("witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash", "architecture", "creationtime"):
        if key not in data:
            complain(what, f"{key} is missing")
    used = {node.get("key") for node in root.iter(name + "data")}
    if not used <= declared:
        complain(what, f"keys without a declaration: {used - declared}")
    nodes = {node.get("id"): {d.get("key"): d.text for d in node} for node in graph.findall(name + "node")}
    entries = [node for node, members in nodes.items() if members.get("entry") == "true"]
    violations = [node for node, members in nodes.items() if members.get("violation") == "true"]
    if len(entries) != 1 or len(violations) != 1:
        return complain(what, "there is one entry and one violation")
    at, alive, entered = entries[0], {"0"}, set()
    for edge in graph.findall(name + "edge"):
        members = {d.get("key"): d.text for d in edge}
        if edge.get("source") != at:
            complain(what, "the edges are not one path")
        at = edge.get("target")
        if members["threadId"] not in alive:
            complain(what, f"thread {members['threadId']} moves before it is created")
        if "enterFunction" in members:
            entered.add(members["threadId"])
        elif members["threadId"] not in entered:
            complain(what, f"thread {members['threadId']} moves before it enters its function")
        if "createThread" in members:
            if members["createThread"] in alive:
                complain(what, "two threads have one id")
            alive.add(members["createThread"])
    if at != violations[0]:
        complain(what, "the path does not end in the violation")
    return None


def header(path):
    with open(path, encoding="utf-8") as file:
        return dict(re.findall(r"^// (expect|property|options): (.*)$", file.read(), re.M))


def check_unsafe(path, prop, folder):
    what = os.path.basename(path)
    files = {kind: os.path.join(folder, f"{what}.{kind}") for kind in ("sarif", "yml", "graphml", "ndjson")}
    options = ["--property", prop, "--format", "json"]
    answer = run("verify", path, *options, "--sarif", files["sarif"], "--witness", files["yml"], "--events", files["ndjson"])
    if answer.returncode != 10:
        return complain(what, f"expected UNSAFE: {answer.stdout[:300]}{answer.stderr[:300]}")
    document = json.loads(answer.stdout)
    validate(RESULT, document, what + " (json)")
    with open(files["sarif"], encoding="utf-8") as file:
        check_sarif(json.load(file), what + " (sarif)", True)
    with open(files["ndjson"], encoding="utf-8") as file:
        events = [json.loads(line) for line in file]
    for event in events:
        validate(EVENT, event, what + " (events)")
    if [events[0]["event"], events[-1]["event"]] != ["start", "answer"]:
        complain(what, "events begin with the start and end with the answer")
    with open(files["yml"], encoding="utf-8") as file:
        validate(WITNESS, yaml.safe_load(file), what + " (witness)")
    again = run("replay", path, files["yml"], "--time-limit", "60")
    if again.returncode != 10 or not again.stdout.startswith("UNSAFE"):
        complain(what, f"the witness cannot be followed: {again.stdout[:300]}{again.stderr[:300]}")
    run("verify", path, *options, "--witness", files["graphml"])
    check_graphml(files["graphml"], what + " (graphml)")
    return None


def check_invariants(path, folder):
    """Each invariant, asserted before the statement at its place, must hold of the program."""
    what = os.path.basename(path)
    witness = os.path.join(folder, what + ".yml")
    answer = run("verify", path, "--witness", witness, "--certificate", os.path.join(folder, "proof"), "--engine", "explicit")
    if answer.returncode != 0:
        return complain(what, f"expected SAFE: {answer.stdout[:300]}{answer.stderr[:300]}")
    with open(witness, encoding="utf-8") as file:
        document = yaml.safe_load(file)
    validate(WITNESS, document, what + " (witness)")
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        lines = file.read().split("\n")
    count = 0
    for entry in document[0]["content"]:
        invariant = entry["invariant"]
        at = invariant["location"]["line"] - 1
        lines[at] = f"assert({invariant['value']}); " + lines[at]
        count += 1
    copy_path = os.path.join(folder, "asserted.c")
    with open(copy_path, "w", encoding="utf-8") as file:
        file.write("\n".join(["#include <assert.h>", *lines]))
    checked = run("verify", copy_path, "--time-limit", "120")
    if checked.returncode != 0:
        complain(what, f"an invariant does not hold: {checked.stdout[:500]}{checked.stderr[:300]}")
    return count


def check_other_verdicts(folder):
    sarif = os.path.join(folder, "other.sarif")

    def written():
        with open(sarif, encoding="utf-8") as file:
            return json.load(file)

    answer = run("verify", "examples/bp/test_and_set.bp", "--threads", "2", "--format", "json", "--sarif", sarif)
    validate(RESULT, json.loads(answer.stdout), "SAFE (json)")
    check_sarif(written(), "SAFE (sarif)", False)
    answer = run("verify", "examples/bp/test_and_set.bp", "--time-limit", "0", "--format", "json", "--sarif", sarif)
    document = json.loads(answer.stdout)
    validate(RESULT, document, "UNKNOWN (json)")
    if document["verdict"] != "UNKNOWN":
        complain("UNKNOWN", "no time is enough to answer")
    check_sarif(written(), "UNKNOWN (sarif)", False)
    # Names that mean something to formats, and bytes that are no text.
    hostile = os.path.join(folder, 'a "b" <&> %41 \u00fc.bp')
    with open(hostile, "wb") as file:
        file.write(b"decl x := 0;\nvoid main() begin // \xff\xfe </script>\nassert(x);\nend\n")
    answer = run("verify", hostile, "--threads", "1", "--format", "json", "--sarif", sarif)
    validate(RESULT, json.loads(answer.stdout), "hostile name (json)")
    check_sarif(written(), "hostile name (sarif)", True)
    uri = written()["runs"][0]["artifacts"][0]["location"]["uri"]
    if "%2541" not in uri or "%C3%BC" not in uri or '"' in uri or " " in uri:
        complain("hostile name (sarif)", f"the name is not escaped: {uri}")


def check_errors(folder):
    broken = os.path.join(folder, "broken.c")
    with open(broken, "w", encoding="utf-8") as file:
        file.write("int main(void) { return 1 +; }\n")
    sarif = os.path.join(folder, "error.sarif")
    answer = run("verify", broken, "--format", "json", "--sarif", sarif)
    document = json.loads(answer.stdout)
    validate(ERROR, document, "a C program that is none")
    if answer.returncode != 2 or document["exit_code"] != 2 or document["error"].get("line") != 1 or not answer.stderr:
        complain("a C program that is none", f"the place is line 1, and the exit code is 2: {document}")
    with open(sarif, encoding="utf-8") as file:
        log = json.load(file)
    validate(SARIF, log, "a C program that is none (sarif)")
    if log["runs"][0]["invocations"][0]["executionSuccessful"]:
        complain("a C program that is none (sarif)", "that is no success")
    for arguments, kind in (
        (["verify", os.path.join(folder, "not-there.bp")], "malformed"),
        (["verify", "examples/bp/test_and_set.bp", "--processes", "2"], "usage"),
        (["verify", "README.md"], "usage"),
        (["reach", os.path.join(folder, "not-there.bp")], "malformed"),
        (["cutoff", os.path.join(folder, "not-there.bp")], "malformed"),
        (["simulate", os.path.join(folder, "not-there.bp")], "malformed"),
    ):
        answer = run(*arguments, "--format", "json")
        document = json.loads(answer.stdout)
        validate(ERROR, document, " ".join(arguments))
        if document["error"]["kind"] != kind or document["exit_code"] != answer.returncode:
            complain(" ".join(arguments), f"expected an error of kind {kind}: {document}")


RESULT = load_schema("cohort-result-1")
ERROR = load_schema("cohort-error-1")
EVENT = load_schema("cohort-event-1")
SARIF = sarif_validator()
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "witness.schema.json"), encoding="utf-8") as schema_file:
    WITNESS = jsonschema.Draft202012Validator(json.load(schema_file))

# One of each kind of violation, and of each way in which threads come together.
UNSAFE = ["bank_transfer_unlocked", "counter_lost_update", "deadlock_order", "double_checked_early", "fault_null",
          "fault_use_after_free", "heap_handover_early", "lock_dekker_hasty", "lock_queue_forgets", "lost_wakeup",
          "misuse_unlock", "overflow_sum", "queue_ring_early", "race_flag", "semaphore_too_many", "stack_push_lost"]
SAFE = ["counter_mutex", "lock_peterson", "lock_ticket", "producer_consumer"]


def main():
    with tempfile.TemporaryDirectory(prefix="cohort-formats-") as folder:
        for name in UNSAFE:
            path = f"examples/c/{name}.c"
            check_unsafe(path, header(os.path.join(ROOT, path)).get("property", "assertions"), folder)
        asserted = sum(check_invariants(f"examples/c/{name}.c", folder) or 0 for name in SAFE)
        if asserted < 4:
            complain("correctness witnesses", f"only {asserted} invariants were tried")
        check_other_verdicts(folder)
        check_errors(folder)
    for failure in failures:
        print(failure)
    print(f"{len(UNSAFE)} violations, {asserted} invariants: {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
