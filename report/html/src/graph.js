// The control flow of each template, laid out in layers, with the threads at their places.
import dagre from "@dagrejs/dagre";
import { draw, get, make, paint, row, token } from "./dom.js";

const size = { character: 7, least: 60, most: 300, height: 34, walker: 26 };
const characters = Math.floor((size.most - 16) / size.character);

export class Graphs {
  constructor(data, goToLine) {
    this.graphs = data.graphs;
    this.drawn = [];
    this.selected = 0;
    if (this.graphs.length === 0) return;
    get("graph-card").hidden = false;
    this.graphs.forEach((graph, index) => {
      const tab = make("button", graph.name);
      tab.id = `tab${index}`;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", "graph");
      tab.addEventListener("click", () => this.select(index));
      tab.addEventListener("keydown", (event) => {
        const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!move) return;
        event.stopPropagation();
        event.preventDefault();
        this.select((this.selected + move + this.graphs.length) % this.graphs.length);
        get(`tab${this.selected}`).focus();
      });
      get("tabs").append(tab);
    });
    this.goToLine = goToLine;
    this.select(0);
  }

  select(index) {
    this.selected = index;
    this.graphs.forEach((_, i) => {
      get(`tab${i}`).setAttribute("aria-selected", String(i === index));
      get(`tab${i}`).tabIndex = i === index ? 0 : -1;
    });
    this.drawn[index] ??= drawGraph(this.graphs[index]);
    get("graph").replaceChildren(this.drawn[index].svg);
    get("graph-note").textContent = this.graphs[index].note;
    if (this.run) this.show(this.run, this.at);
    else this.list(new Map());
  }

  // Follows the thread that moves to its own template.
  show(run, at) {
    const moved = at !== this.at;
    this.run = run;
    this.at = at;
    if (this.graphs.length === 0) return;
    const step = run.step(at);
    const place = step ? run.places(at).get(step.thread) : undefined;
    if (moved && place && place[0] !== this.selected) {
      this.select(place[0]);
      return;
    }
    const crowd = run.crowd(at, this.selected);
    const drawn = this.drawn[this.selected];
    for (const [index, node] of drawn.nodes.entries()) node.element.classList.toggle("here", crowd.has(index));
    const seen = new Set();
    for (const [index, threads] of crowd) {
      const node = drawn.nodes[index];
      // Many threads at one place are a number.
      const shown = threads.length <= 4 ? threads : [`${threads.length} threads`];
      shown.forEach((thread, i) => {
        const wide = thread.length > 4;
        const walker = drawn.walkers.get(thread) ?? this.walker(drawn, thread, wide);
        walker.setAttribute("transform", `translate(${node.x + node.width / 2 - (shown.length - 1 - i) * (size.walker + 3)}, ${node.y - node.height / 2})`);
        seen.add(thread);
      });
    }
    for (const [thread, walker] of drawn.walkers) walker.style.display = seen.has(thread) ? "" : "none";
    this.list(crowd);
    if (place && place[0] === this.selected) this.reveal(drawn.nodes[place[1]]);
  }

  walker(drawn, thread, wide) {
    const width = wide ? 64 : size.walker;
    const walker = paint(draw("g", { class: "walker" }), thread);
    walker.append(draw("rect", { x: -width / 2, y: -9, width, height: 18, rx: 9 }), draw("text", { y: 4 }, thread));
    drawn.svg.append(walker);
    drawn.walkers.set(thread, walker);
    return walker;
  }

  reveal(node) {
    const pane = get("graph");
    pane.scrollTop = Math.max(0, node.y - pane.clientHeight / 2);
    pane.scrollLeft = Math.max(0, node.x - pane.clientWidth / 2);
  }

  list(crowd) {
    const body = get("places").tBodies[0];
    body.replaceChildren();
    this.graphs[this.selected].nodes.forEach((node, index) => {
      const threads = make("td");
      for (const thread of crowd.get(index) ?? []) threads.append(token(thread), " ");
      body.append(row(node.place, node.text, threads, [node.count, ...node.facts].filter((text) => text).join("; ")));
    });
  }
}

const clipped = (text) => (text.length <= characters ? text : `${text.slice(0, characters - 1)}…`);

function drawGraph(graph) {
  const layout = new dagre.graphlib.Graph();
  layout.setGraph({ rankdir: "TB", nodesep: 26, ranksep: 30, marginx: 16, marginy: 18 });
  layout.setDefaultEdgeLabel(() => ({}));
  graph.nodes.forEach((node, index) => {
    const longest = Math.max(clipped(node.text).length, clipped(node.place).length);
    layout.setNode(String(index), { width: Math.min(size.most, Math.max(size.least, longest * size.character + 18)), height: size.height });
  });
  for (const [from, to] of graph.edges) layout.setEdge(String(from), String(to));
  dagre.layout(layout);
  const { width, height } = layout.graph();
  const svg = draw("svg", { width: Math.ceil(width), height: Math.ceil(height), viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`, role: "img",
    "aria-label": `Control flow of ${graph.name}; the table below has the same` });
  const defs = draw("defs", {});
  const arrow = draw("marker", { id: `arrow-${graph.index}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" });
  arrow.append(draw("path", { d: "M0 0L8 4L0 8z", class: "arrow" }));
  defs.append(arrow);
  svg.append(defs);
  for (const edge of layout.edges()) {
    const points = layout.edge(edge).points;
    svg.append(draw("path", { class: "edge", d: curve(points), "marker-end": `url(#arrow-${graph.index})` }));
  }
  const nodes = graph.nodes.map((node, index) => {
    const { x, y, width: wide, height: high } = layout.node(String(index));
    const element = draw("g", { class: ["node", node.error ? "error" : "", node.facts.length ? "proved" : ""].join(" ").trim(), transform: `translate(${x - wide / 2}, ${y - high / 2})` });
    element.append(draw("rect", { width: wide, height: high, rx: 6 }), draw("text", { x: 9, y: 13, class: "place" }, clipped(node.place)), draw("text", { x: 9, y: 27 }, clipped(node.text)));
    element.append(draw("title", {}, [node.place, node.text, node.count, ...node.facts].filter((text) => text).join("\n")));
    svg.append(element);
    return { x, y, width: wide, height: high, element };
  });
  return { svg, nodes, walkers: new Map() };
}

function curve(points) {
  const at = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  let path = `M${at(points[0])}`;
  for (let i = 1; i + 1 < points.length; ++i) {
    const middle = { x: (points[i].x + points[i + 1].x) / 2, y: (points[i].y + points[i + 1].y) / 2 };
    path += `Q${at(points[i])} ${at(i + 2 === points.length ? points[i + 1] : middle)}`;
  }
  return points.length === 2 ? `${path}L${at(points[1])}` : path;
}
