"""Tool-info module of Cohort for BenchExec: put it beside BenchExec's own, or name it by its path in a benchmark
definition.  The calls are those of SV-COMP: a property file, the data model, one C program."""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    REQUIRED_PATHS = ["bin", "lib"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("cohort", subdir="bin")

    def name(self):
        return "Cohort"

    def version(self, executable):
        # Below the version stand facts about the build.
        return self._version_from_tool(executable).split("\n")[0]

    def cmdline(self, executable, options, task, rlimits):
        arguments = [executable, "verify", *options]
        if task.property_file:
            arguments += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "--32", LP64: "--64"})
        if model and "--32" not in options and "--64" not in options:
            arguments.append(model)
        if rlimits.cputime_hard or rlimits.cputime:
            # A run that ends by itself can still say what it has established.
            arguments += ["--time-limit", str(max(1, int(0.98 * (rlimits.cputime or rlimits.cputime_hard))))]
        return [*arguments, *task.input_files_or_identifier]

    def determine_result(self, run):
        verdict = None
        for line in run.output:
            if line.startswith("VERDICT: "):
                verdict = line.strip()[len("VERDICT: "):]
        if verdict == "TRUE":
            return result.RESULT_TRUE_PROP
        if verdict is not None and verdict.startswith("FALSE(") and verdict.endswith(")"):
            return f"{result.RESULT_FALSE_PROP}({verdict[len('FALSE('):-1]})"
        if verdict is not None and verdict.startswith("UNKNOWN"):
            return result.RESULT_UNKNOWN
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        return {
            0: result.RESULT_DONE,
            1: "ERROR (usage)",
            2: "ERROR (input)",
            5: result.RESULT_UNKNOWN,
            6: "ERROR (internal)",
            10: result.RESULT_FALSE_PROP,
        }.get(run.exit_code.value, result.RESULT_ERROR)

    def get_value_from_output(self, output, identifier):
        # `--stats` prints one `key: value` line each.
        for line in output:
            if line.startswith(identifier + ": "):
                return line[len(identifier) + 2 :].strip()
        return None
