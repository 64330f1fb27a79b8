// The run of the page: what variables and places are like after each step.  Steps have changes only; step -1 is the start.
export class Run {
  constructor(data) {
    this.data = data;
    this.states = [{ values: new Map(data.initial), places: new Map(data.places) }];
    for (const step of data.steps) {
      const before = this.states[this.states.length - 1];
      const values = new Map(before.values);
      for (const [name, value] of step.changes) {
        if (value === null) values.delete(name);
        else values.set(name, value);
      }
      const places = new Map(before.places);
      for (const [thread, place] of step.moves) {
        if (place === null) places.delete(thread);
        else places.set(thread, place);
      }
      this.states.push({ values, places });
    }
  }

  get length() { return this.data.steps.length; }
  step(index) { return index < 0 ? null : this.data.steps[index]; }
  values(index) { return this.states[index + 1].values; }
  // By thread: the graph and the node of it where the thread is.
  places(index) { return this.states[index + 1].places; }

  // By thread: the step that it made last.
  latest(index) {
    const last = new Map();
    for (let i = 0; i <= index; ++i) last.set(this.data.steps[i].thread, this.data.steps[i]);
    return last;
  }

  // The threads at each node of a graph.
  crowd(index, graph) {
    const at = new Map();
    for (const [thread, [where, node]] of this.places(index)) {
      if (where === graph) at.set(node, (at.get(node) ?? []).concat(thread));
    }
    return at;
  }
}

// Shared variables, then those of each thread: [owner, [[name, value]]].
export function byOwner(values) {
  const groups = new Map([["", []]]);
  for (const [name, value] of values) {
    const owner = /^([TP]\d+)\.(.*)$/s.exec(name);
    const key = owner ? owner[1] : "";
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push([owner ? owner[2] : name, value, name]);
  }
  return [...groups].filter(([, members]) => members.length > 0);
}
