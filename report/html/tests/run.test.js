import assert from "node:assert/strict";
import { test } from "node:test";
import { highlight } from "../src/highlight.js";
import { Run, byOwner } from "../src/run.js";

const data = {
  initial: [["x", "0"]],
  places: [["T0", [0, 0]]],
  steps: [
    { thread: "T0", changes: [["x", "1"], ["T1.y", "0"]], moves: [["T0", [0, 1]], ["T1", [1, 0]]] },
    { thread: "T1", changes: [["T1.y", null]], moves: [["T1", null]] },
  ],
};

test("states follow from the changes", () => {
  const run = new Run(data);
  assert.equal(run.length, 2);
  assert.equal(run.values(-1).get("x"), "0");
  assert.equal(run.values(0).get("x"), "1");
  assert.equal(run.values(0).get("T1.y"), "0");
  assert.equal(run.values(1).has("T1.y"), false);
});

test("threads are where they went, until they end", () => {
  const run = new Run(data);
  assert.deepEqual([...run.crowd(-1, 0)], [[0, ["T0"]]]);
  assert.deepEqual([...run.crowd(0, 0)], [[1, ["T0"]]]);
  assert.deepEqual([...run.crowd(0, 1)], [[0, ["T1"]]]);
  assert.deepEqual([...run.crowd(1, 1)], []);
  assert.equal(run.latest(1).get("T0"), data.steps[0]);
});

test("variables are grouped by their owner", () => {
  const groups = byOwner(new Map([["x", "1"], ["T1.y", "2"], ["T1.z", "3"]]));
  assert.deepEqual(groups.map(([owner, members]) => [owner, members.length]), [["", 1], ["T1", 2]]);
});

test("lines are coloured, and nothing of them is lost", () => {
  const state = { comment: false };
  const lines = ["int x = 1; /* a", "b */ char *s = \"/*\"; // c", "'\\'' + 0x1f </script>"];
  const parts = lines.map((line) => highlight(line, state));
  assert.deepEqual(parts.map((line) => line.map(([, text]) => text).join("")), lines);
  assert.deepEqual(parts[0][0], ["k", "int"]);
  assert.equal(parts[1][0][0], "c");
  assert.ok(parts[1].some(([kind, text]) => kind === "s" && text === '"/*"'));
  assert.equal(state.comment, false);
});
