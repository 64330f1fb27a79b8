// A lane for each thread, time going down.
import { get, make, paint, token } from "./dom.js";

export class Lanes {
  constructor(run, go) {
    this.run = run;
    const table = get("lanes");
    get("interleaving").hidden = false;
    table.style.setProperty("--lanes", run.data.threads.length);
    const head = make("tr");
    head.append(header("step"));
    for (const [thread, routine] of run.data.threads) {
      const cell = header();
      cell.append(token(thread), make("span", ` ${routine}`, "routine"));
      head.append(cell);
    }
    table.tHead.append(head);
    this.rows = [];
    for (let index = -1; index < run.length; ++index) {
      const row = this.row(index);
      row.addEventListener("click", () => go(index));
      this.rows.push(row);
      table.tBodies[0].append(row);
    }
  }

  row(index) {
    const step = this.run.step(index);
    const row = make("tr");
    row.append(make("td", index < 0 ? "" : String(index + 1)));
    if (index > 0 && step.thread !== this.run.step(index - 1).thread) row.className = "switch";
    for (const [thread] of this.run.data.threads) {
      const cell = paint(make("td", undefined, "lane"), thread);
      if (step && step.thread === thread) this.fill(cell, step, index === this.run.length - 1 && this.run.data.waiting.length === 0);
      row.append(cell);
    }
    if (!step) {
      row.children[1].append(make("span", "start", "effect"));
      row.children[1].classList.add("start");
    }
    return row;
  }

  fill(cell, step, ends) {
    cell.classList.add("acts");
    // Where there is no room for lanes, each line names its thread.
    const name = token(step.thread);
    name.classList.add("narrow");
    cell.append(name);
    cell.style.paddingLeft = `${1 + Math.min(step.depth, 6) * 0.9}rem`;
    cell.title = step.place;
    cell.append(make("span", step.statement, step.effect.startsWith("calls ") ? "statement call" : "statement"));
    if (step.effect && step.effect !== step.statement) cell.append(make("span", step.effect, ends ? "effect violates" : "effect"));
  }

  show(at) {
    this.rows.forEach((row, index) => {
      row.classList.toggle("future", index - 1 > at);
      if (index - 1 === at) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    });
    // Only the table scrolls, not the page.
    const pane = get("lanes-scroll");
    const row = this.rows[at + 1];
    const cell = row.querySelector(".acts") ?? row;
    const top = row.offsetTop - pane.clientHeight / 2;
    pane.scrollTop = Math.max(0, top);
    const left = cell.offsetLeft;
    if (left < pane.scrollLeft || left + cell.offsetWidth > pane.scrollLeft + pane.clientWidth) pane.scrollLeft = Math.max(0, left - 40);
  }
}

function header(text) {
  const cell = make("th", text);
  cell.scope = "col";
  return cell;
}
