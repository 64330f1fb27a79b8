// The values after a step, those that it changed with what they were before.
import { get, make, row, token } from "./dom.js";
import { byOwner } from "./run.js";

export function showValues(run, at) {
  get("values-card").hidden = false;
  const before = at < 0 ? null : run.values(at - 1);
  const body = get("values").tBodies[0];
  body.replaceChildren();
  for (const [owner, members] of byOwner(run.values(at))) {
    if (owner) {
      const head = make("th");
      head.colSpan = 3;
      head.append(token(owner));
      body.append(row(head));
    }
    for (const [shown, value, name] of members) {
      const old = before?.get(name);
      const changed = before !== null && old !== value;
      const line = row(shown, value, make("td", changed ? old ?? "" : "", "old"));
      line.dataset.name = name;
      if (changed) line.className = "changed";
      body.append(line);
    }
  }
}
