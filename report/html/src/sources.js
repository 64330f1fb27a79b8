// The files of the program, with the line that each thread is at, and what a proof says of lines.
import { get, make, token } from "./dom.js";
import { highlight } from "./highlight.js";

export class Sources {
  constructor(data) {
    this.panes = [];
    if (data.sources.length === 0) return;
    get("source-card").hidden = false;
    const facts = factsByLine(data);
    data.sources.forEach((source, file) => {
      const pane = make("details");
      pane.open = file === 0;
      pane.append(make("summary", source.name));
      const text = make("pre", undefined, "source");
      text.tabIndex = 0;
      text.setAttribute("role", "region");
      text.setAttribute("aria-label", source.name);
      const state = { comment: false };
      const lines = source.text.split("\n").map((line, index) => {
        const shown = sourceLine(line, index + 1, state);
        const known = facts.get(`${file}:${index + 1}`);
        if (known) shown.append(make("span", known.join("; "), "fact"));
        text.append(shown);
        return shown;
      });
      pane.append(text);
      get("sources").append(pane);
      this.panes.push({ pane, text, lines });
    });
  }

  show(run, at) {
    const current = run.step(at);
    for (const { lines } of this.panes) {
      for (const line of lines) {
        line.firstChild.replaceChildren();
        line.classList.remove("here");
      }
    }
    for (const [thread, step] of run.latest(at)) {
      if (step.file === null) continue;
      const { pane, text, lines } = this.panes[step.file];
      const line = lines[step.line - 1];
      if (!line) continue;
      line.firstChild.append(token(thread));
      if (step !== current) continue;
      line.classList.add("here");
      pane.open = true;
      text.scrollTop = line.offsetTop - text.offsetTop - text.clientHeight / 2;
    }
  }
}

function sourceLine(line, number, state) {
  const shown = make("span");
  shown.append(make("span", undefined, "gutter"), make("span", String(number), "number"));
  for (const [kind, text] of highlight(line, state)) shown.append(kind ? make("span", text, kind) : text);
  return shown;
}

function factsByLine(data) {
  const facts = new Map();
  for (const graph of data.graphs) {
    for (const node of graph.nodes) {
      const said = [node.count, ...node.facts].filter((text) => text);
      if (node.file === null || said.length === 0) continue;
      const key = `${node.file}:${node.line}`;
      facts.set(key, [...new Set([...(facts.get(key) ?? []), ...said])]);
    }
  }
  return facts;
}
