// Puts the data of the page into its parts, and lets buttons, keys and clicks move through the run.
import { get, make, row, token } from "./dom.js";
import { Graphs } from "./graph.js";
import { Lanes } from "./lanes.js";
import { Run } from "./run.js";
import { Sources } from "./sources.js";
import { showValues } from "./values.js";

const data = JSON.parse(get("data").textContent);

function list(id, items) {
  if (items.length === 0) return;
  get(id).hidden = false;
  for (const item of items) get(id).querySelector("ul").append(make("li", item));
}

function showVerdict() {
  get("headline").append(make("span", data.verdict, `badge ${data.verdict}`), " ", make("span", data.headline.slice(data.verdict.length).replace(/^:?\s*/, "")));
  document.title = `Cohort: ${data.verdict}`;
  if (data.violated) {
    get("violated").textContent = data.violated;
    get("violated").hidden = false;
  }
  get("made").textContent = data.made;
  list("assumed", data.assumed);
  list("tried", data.tried);
}

// As a sentence of its own, without the word that begins it in texts.
function sentence(reason) {
  return reason.replace(/^why: /, "");
}

function showReasons() {
  if (data.waiting.length > 0) {
    get("why").hidden = get("waiting").hidden = false;
    const head = row();
    // Who waits for conditions mostly holds nothing.
    const anybodyHolds = data.waiting.some(({ holds }) => holds.length > 0);
    for (const title of ["thread", "waits for", "at", ...(anybodyHolds ? ["holds"] : [])]) head.append(make("th", title));
    get("waiting").tHead.append(head);
    for (const { thread, wants, because, place, statement, holds } of data.waiting) {
      const who = make("td");
      who.append(token(thread));
      const cells = [[wants, because.join("; ")].filter((text) => text).join(": "), `${place}: ${statement}`, ...(anybodyHolds ? [holds.join(", ")] : [])];
      get("waiting").tBodies[0].append(row(who, ...cells));
    }
    list("why", data.why.filter((reason) => reason.startsWith("why: ")).map(sentence));
  } else {
    list("why", data.why.map(sentence));
  }
}

function showStatistics() {
  if (data.statistics.length === 0) return;
  get("statistics").hidden = false;
  for (const [key, value] of data.statistics) get("statistics").querySelector("tbody").append(row(key, value));
}

function showProof() {
  if (!data.proof) return;
  get("proof").hidden = false;
  get("proof-words").textContent = data.proof;
  for (const graph of data.graphs) {
    for (const node of graph.nodes) {
      if (node.facts.length === 0 && !node.count) continue;
      get("facts").tBodies[0].append(row(node.place, node.text, node.count, node.facts.join("; ")));
    }
  }
}

function showRounds() {
  if (data.rounds.length === 0) return;
  get("timeline").hidden = false;
  const most = Math.max(1, ...data.rounds.map((round) => round.predicates));
  for (const round of data.rounds) {
    const bar = make("span", undefined, "bar");
    bar.style.width = `${(8 * round.predicates) / most}rem`;
    const predicates = make("td");
    predicates.append(bar, String(round.predicates));
    get("rounds").tBodies[0].append(row(String(round.number), `${round.seconds.toFixed(2)} s`, predicates, round.outcome));
  }
}

function showRun(graphs, sources) {
  // Lanes in the order of creation, whoever moves first.
  data.threads.sort((one, other) => Number(one[0].slice(1)) - Number(other[0].slice(1)));
  const run = new Run(data);
  get("player").hidden = false;
  const lanes = new Lanes(run, (index) => go(index));
  let at = -1;
  get("slider").max = run.length;
  function go(index) {
    at = Math.max(-1, Math.min(run.length - 1, index));
    get("first").disabled = get("previous").disabled = at < 0;
    get("last").disabled = get("next").disabled = at === run.length - 1;
    get("slider").value = at + 1;
    const step = run.step(at);
    const said = step ? [`${step.thread} at ${step.place}`, step.statement, step.effect === step.statement ? "" : step.effect].filter((text) => text) : [];
    get("where").textContent = step ? `Step ${at + 1} of ${run.length}: ${said.join(": ")}` : `At the start of ${run.length} steps`;
    get("slider").setAttribute("aria-valuetext", get("where").textContent);
    lanes.show(at);
    showValues(run, at);
    sources.show(run, at);
    graphs.show(run, at);
  }
  get("first").addEventListener("click", () => go(-1));
  get("previous").addEventListener("click", () => go(at - 1));
  get("next").addEventListener("click", () => go(at + 1));
  get("last").addEventListener("click", () => go(run.length - 1));
  get("slider").addEventListener("input", () => go(Number(get("slider").value) - 1));
  document.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, j: at + 1, k: at - 1, Home: -1, End: run.length - 1 };
    if (!(event.key in moves) || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    // Where an arrow key scrolls or moves something of its own, it does that; in the interleaving it moves along it.
    if (event.target.closest("pre, input, .scroll:not(#lanes-scroll)")) return;
    event.preventDefault();
    go(moves[event.key]);
  });
  // `report.html#7` opens at step 7.
  const asked = Number(location.hash.slice(1));
  go(Number.isInteger(asked) && asked > 0 ? asked - 1 : -1);
}

showVerdict();
showReasons();
showStatistics();
showProof();
showRounds();
const sources = new Sources(data);
const graphs = new Graphs(data);
if (data.steps.length > 0) showRun(graphs, sources);
else get("statistics").open = true;
