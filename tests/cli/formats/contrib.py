#!/usr/bin/env python3
"""What contrib has works with the program as it is: the hook and the action's script are run, the matchers of editors find
the places in answers, and the tool-info module is asked what BenchExec asks of it (with stand-ins for BenchExec's own
modules, which Debian does not have).

Usage: contrib.py COHORT
"""
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import types

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
COHORT = os.path.abspath(sys.argv[1])
CONTRIB = os.path.join(ROOT, "contrib")
UNSAFE = "examples/c/race_flag.c"
SAFE = "examples/c/counter_mutex.c"


def run(*command, **variables):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, "COHORT": COHORT, **variables})


def check(condition, message):
    if not condition:
        sys.exit(message)


def check_hook():
    hook = os.path.join(CONTRIB, "pre-commit", "cohort-hook.sh")
    check(run(hook).returncode == 0, "the hook fails without files")
    check(run(hook, SAFE).returncode == 0, "the hook stops a safe file")
    check(run(hook, SAFE, UNSAFE, COHORT_OPTIONS="--property races").returncode == 10, "the hook lets a violation pass")
    check(run(hook, SAFE, COHORT_TIME="0").returncode == 0, "the hook stops what was not decided")


def check_action(folder):
    script = os.path.join(CONTRIB, "github-action", "verify.sh")
    outputs = os.path.join(folder, "outputs")
    variables = {"RUNNER_TEMP": folder, "GITHUB_OUTPUT": outputs}
    done = run(script, PATHS=f"{SAFE} {UNSAFE}", OPTIONS="--property races", **variables)
    check(done.returncode == 10, f"the action lets a violation pass: {done.stdout}{done.stderr}")
    with open(outputs, encoding="utf-8") as file:
        named = dict(line.strip().split("=", 1) for line in file)
    with open(named["sarif"], encoding="utf-8") as file:
        check(json.load(file)["runs"][0]["results"][0]["ruleId"] == "data-race", "the log has no race")
    check(os.path.exists(named["junit"]), "the action leaves no report")
    check(run(script, PATHS=SAFE, OPTIONS="--time-limit 0", **variables).returncode == 0, "UNKNOWN fails the action")
    check(run(script, PATHS=SAFE, OPTIONS="--time-limit 0", FAIL_ON_UNKNOWN="true", **variables).returncode == 5, "UNKNOWN passes")


def check_matchers(folder):
    with open(os.path.join(CONTRIB, "editors", "vscode-tasks.json"), encoding="utf-8") as file:
        matchers = json.load(file)["tasks"][0]["problemMatcher"]
    first, second = (matcher["pattern"] for matcher in matchers)
    answer = run(COHORT, "verify", "examples/c/counter_lost_update.c").stdout.split("\n")[0]
    match = re.match(first["regexp"], answer)
    check(match and match[first["file"]] == "examples/c/counter_lost_update.c" and match[first["line"]] == "21", f"no place in: {answer}")
    broken = os.path.join(folder, "broken.c")
    with open(broken, "w", encoding="utf-8") as file:
        file.write("int main(void) {\n  return 1 +;\n}\n")
    answer = run(COHORT, "verify", broken).stderr.split("\n")[0]
    match = re.match(second["regexp"], answer)
    check(match and match[second["file"]] == broken and match[second["line"]] == "2", f"no place in: {answer}")


def tool_info():
    """The module with stand-ins for what it imports."""
    package = types.ModuleType("benchexec")
    result = types.ModuleType("benchexec.result")
    for name, value in {"TRUE_PROP": "true", "FALSE_PROP": "false", "UNKNOWN": "unknown", "TIMEOUT": "TIMEOUT", "DONE": "done", "ERROR": "ERROR"}.items():
        setattr(result, "RESULT_" + name, value)
    tools = types.ModuleType("benchexec.tools")
    template = types.ModuleType("benchexec.tools.template")
    template.BaseTool2 = type("BaseTool2", (), {"_version_from_tool": lambda self, program: run(program, "--version").stdout.strip()})
    util = types.ModuleType("benchexec.tools.sv_benchmarks_util")
    util.ILP32, util.LP64 = "ILP32", "LP64"
    util.get_data_model_from_task = lambda task, models: models.get(task.options.get("data_model"))
    package.result, package.tools, tools.template = result, tools, template
    sys.modules.update({"benchexec": package, "benchexec.result": result, "benchexec.tools": tools,
                        "benchexec.tools.template": template, "benchexec.tools.sv_benchmarks_util": util})
    spec = importlib.util.spec_from_file_location("cohort_tool", os.path.join(CONTRIB, "benchexec", "cohort.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Tool()


def check_tool_info(folder):
    tool = tool_info()
    check(re.fullmatch(r"\d+\.\d+\.\d+", tool.version(COHORT)), f"no version: {tool.version(COHORT)}")
    prop = os.path.join(folder, "no-data-race.prp")
    with open(prop, "w", encoding="utf-8") as file:
        file.write("CHECK( init(main()), LTL(G ! data-race) )\n")
    limits = types.SimpleNamespace(cputime=60, cputime_hard=None)
    for program, expected in ((UNSAFE, "false(no-data-race)"), ("examples/c/race_free.c", "true")):
        task = types.SimpleNamespace(property_file=prop, options={"data_model": "ILP32"}, input_files_or_identifier=[program])
        done = run(*tool.cmdline(COHORT, ["--stats"], task, limits))
        output = done.stdout.split("\n")
        outcome = types.SimpleNamespace(output=output, was_timeout=False, exit_code=types.SimpleNamespace(value=done.returncode))
        check(tool.determine_result(outcome) == expected, f"{program}: {tool.determine_result(outcome)}\n{done.stdout}{done.stderr}")
        check(tool.get_value_from_output(output, "seconds") is not None, "no column for seconds")
    for code, expected in ((2, "ERROR (input)"), (5, "unknown"), (6, "ERROR (internal)"), (None, "ERROR")):
        outcome = types.SimpleNamespace(output=[], was_timeout=False, exit_code=types.SimpleNamespace(value=code))
        check(tool.determine_result(outcome) == expected, f"exit code {code}")


with tempfile.TemporaryDirectory(prefix="cohort-contrib-") as scratch:
    check_hook()
    check_action(scratch)
    check_matchers(scratch)
    check_tool_info(scratch)
print("hook, action, matchers and tool-info module work")
